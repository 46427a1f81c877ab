# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Installed Debian systems, unlike the trees of kernel.sh, whose packages are
# only unpacked. Here maintainer scripts and hooks have run, as on a host. That
# takes root. Each use works on an overlay and leaves the system as it was made.

PN_SUITES=$PN_TOP/tests/dkms/suites

# What DKMS, the tools that make packages, and a guest (busybox) need.
PN_CHROOT_PACKAGES=(build-essential busybox-static debhelper dh-dkms dkms fakeroot
	initramfs-tools kmod libjansson-dev libmnl-dev lintian openssl pkgconf udev)

pn_suite_names() {
	awk '!/^#/ && NF { print $1 }' "$PN_SUITES"
}

# The release of one of the suite's kernels, 1 or 2.
pn_suite_kernel() {
	local suite series flavour

	IFS=: read -r suite series flavour < <(awk -v name="$1" -v column="$2" \
		'$1 == name { print $(column + 1) }' "$PN_SUITES")
	pn_newest_release "$suite" "$series" "$flavour"
}

pn_suite_of_kernel() {
	awk -v name="$1" -v column="$2" '$1 == name {
		sub(":.*", "", $(column + 1)); print $(column + 1) }' "$PN_SUITES"
}

pn_chroot_update() {
	local suite=$1 source

	for source in "$suite" "$(pn_suite_of_kernel "$suite" 1)" \
		"$(pn_suite_of_kernel "$suite" 2)"; do
		pn_apt_update "$source" || return
	done
}

# Makes the system of the suite, or finds it as made before. Prints its path.
# Whoever uses it has a shared lock on its file "kernels": another working tree
# may want one with other packages meanwhile.
pn_chroot_get() {
	local suite=$1 dir=$PN_CACHE/chroots/$1

	[[ -n $(find "$dir.checked" -mmin -1440 -newer "${BASH_SOURCE[0]}" \
		-newer "$PN_SUITES" 2>/dev/null) && $(cat "$dir/packages" 2>/dev/null) == \
		"${PN_CHROOT_PACKAGES[*]}" ]] ||
		pn_locked "$PN_APT.lock" pn_chroot_make "$suite" "$dir" || return
	readlink -f "$dir"
}

pn_chroot_make() {
	local suite=$1 dir=$2 first second new old

	pn_progress "$suite: reading the lists"
	mkdir -p "${dir%/*}"
	pn_chroot_update "$suite" || return
	first=$(pn_suite_kernel "$suite" 1)
	second=$(pn_suite_kernel "$suite" 2)
	[[ -n $first && -n $second ]] || {
		pn_say "$suite has not got the kernels of tests/dkms/suites"
		return 1
	}
	new=$dir-$(sha256sum <<<"$first $second ${PN_CHROOT_PACKAGES[*]}" |
		head -c 12)
	old=$(readlink -f "$dir")
	[[ -d $new ]] || {
		pn_progress "$suite: installing Debian"
		pn_chroot_install "$suite" "$first" "$second" "$new" || return
	}
	ln -sfn "$new" "$dir"
	[[ ! -f $old/kernels || $old == "$new" ]] ||
		flock -n "$old/kernels" rm -rf "$old"
	touch "$dir.checked"
}

# As on this machine, which may use an archive of some day in the past.
pn_apt_checks_age() {
	local check=true

	eval "$(apt-config shell check Acquire::Check-Valid-Until/b)"
	echo "$check"
}

# Packages come from the rig's archive where it has them, and go there. Those
# of the second kernel are fetched and not installed.
pn_chroot_install() {
	local suite=$1 first=$2 second=$3 new=$4 log=$PN_LOGS/chroot-$1.log
	local keep=$PN_APT/archives target

	target=$(pn_suite_of_kernel "$suite" 2)
	mkdir -p "$PN_LOGS" "$keep"
	rm -rf "$new.part"
	# shellcheck disable=SC2016 # $1 is mmdebstrap's
	mmdebstrap --mode=root --variant=minbase --skip=cleanup/apt \
		--aptopt='Acquire::Languages "none"' \
		--aptopt='Acquire::Retries "3"' \
		--aptopt="Acquire::Check-Valid-Until \"$(pn_apt_checks_age)\"" \
		--aptopt='APT::Install-Recommends "false"' \
		--setup-hook='mkdir -p "$1/var/cache/apt/archives"
			cp -al '"${keep@Q}"'/*.deb "$1/var/cache/apt/archives/"' \
		--customize-hook='mkdir -p "$1/build"' \
		--customize-hook='chroot "$1" env INITRD=No DEBIAN_FRONTEND=noninteractive \
			apt-get -qq -y install linux-image-'"$first linux-headers-$first" \
		--customize-hook='chroot "$1" apt-get -qq -y -d -t '"$target"' install \
			linux-image-'"$second linux-headers-$second" \
		--customize-hook='cp -aln "$1"/var/cache/apt/archives/*.deb '"${keep@Q}"'/' \
		--include="${PN_CHROOT_PACKAGES[*]}" \
		"$suite" "$new.part" - >"$log" 2>&1 < <(sort -u \
			"$PN_APT/$suite.list" "$PN_APT/$target.list") || {
		tail -n 20 "$log" >&2
		return 1
	}
	printf '%s\n' "$first" "$second" >"$new.part/kernels"
	echo "${PN_CHROOT_PACKAGES[*]}" >"$new.part/packages"
	mv "$new.part" "$new"
}
