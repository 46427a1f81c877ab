# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # suite, version, first, second, root, src: run's
# The cases, in their order. A case prints why it fails, and nothing else on
# stdout; the rest goes to its log.

# Runs a command in the system, in the release's unpacked archive.
inside() {
	pn_enter "$root" "$src" env INITRD=No DEBIAN_FRONTEND=noninteractive \
		"$@" >&2
}

# The module that DKMS put there for a kernel.
installed_module() {
	find "$root/lib/modules/$1/updates" -name 'pagenode.ko*' 2>/dev/null
}

# Whether a kernel has just one pagenode, of this version and for this kernel.
check_installed() {
	local kernel=$1 want=$2 modules vermagic

	mapfile -t modules < <(find "$root/lib/modules/$kernel/" \
		-name 'pagenode.ko*')
	((${#modules[@]} == 1)) || {
		echo "$kernel has ${#modules[@]} modules"
		return
	}
	[[ $(field "$kernel" version) == "$want" ]] ||
		echo "$kernel has version $(field "$kernel" version)"
	vermagic=$(field "$kernel" vermagic)
	[[ $vermagic == "$kernel "* ]] ||
		echo "the module for $kernel was built for $vermagic"
}

# A field of what modinfo says about the installed module.
field() {
	pn_enter "$root" "$src" modinfo -k "$1" -F "$2" pagenode
}

case_install() {
	local name

	inside make install-dkms PREFIX=/usr || echo 'make install-dkms fails'
	check_installed "$first" "$version"
	[[ $(field "$first" license) == GPL ]] || echo 'its licence is not GPL'
	for name in author description; do
		[[ -n $(field "$first" "$name") ]] || echo "modinfo has no $name"
	done
	for name in udev/rules.d/60-pagenode.rules modules-load.d/pagenode.conf; do
		[[ -f $root/usr/lib/$name ]] || echo "no $name was installed"
	done
	# Since udev 254
	! inside udevadm verify --help ||
		inside udevadm verify /usr/lib/udev/rules.d/60-pagenode.rules ||
		echo 'udev does not like the rule'
	[[ -z $(find "$root/usr/src/pagenode-$version" -name '*.o' -o -name .git \
		-o -name build) ]] || echo 'it copied what is no source'
}

# The module as dkms would install it, but for the build id: that is a hash of
# debug information too, which names the sources by their paths.
without_build_id() {
	strip -g -R .note.gnu.build-id -o "$root/tmp/stripped" \
		"$root/tmp/$1/module/pagenode.ko" && cat "$root/tmp/stripped"
}

case_reproducible() {
	local path

	for path in one another/and/longer; do
		mkdir -p "$root/tmp/$path"
		cp -r "$root/usr/src/pagenode-$version/." "$root/tmp/$path"
		inside make -s -C "/tmp/$path" module \
			KDIR="/lib/modules/$first/build" || echo 'it does not build'
	done
	without_build_id one >"$root/tmp/expected"
	without_build_id another/and/longer | cmp - "$root/tmp/expected" >&2 ||
		echo 'two builds differ'
	rm -r "$root/tmp/one" "$root/tmp/another"
}

# The headers say that clang built the kernel, and the clang is one that only
# says that it was called.
case_clang() {
	local config=$root/usr/src/linux-headers-$first/include/config/auto.conf

	cp "$config" "$config.saved"
	echo CONFIG_CC_IS_CLANG=y >>"$config"
	cat >"$root/usr/bin/clang" <<-'EOF'
		#!/bin/sh
		echo "$0 was called" >&2
		exit 1
	EOF
	chmod +x "$root/usr/bin/clang"
	! inside make module KDIR="/lib/modules/$first/build" ||
		echo 'make module takes another compiler'
	tail -n 40 "$PN_LOGS/dkms/$suite-case30-clang.log" |
		grep -q 'bin/clang was called' ||
		echo 'make module does not call clang'
	mv "$config.saved" "$config"
	rm "$root/usr/bin/clang"
}

# The hook of the kernel's packages builds for it.
case_second_kernel() {
	inside apt-get -y --no-download -t "$(pn_suite_of_kernel "$suite" 2)" \
		install "linux-image-$second" "linux-headers-$second" ||
		echo 'the kernel could not be installed'
	check_installed "$first" "$version"
	check_installed "$second" "$version"
}

case_boots_first() {
	boots "$first"
}

case_boots_second() {
	boots "$second"
}

# The kernel loads signed modules only, as with Secure Boot.
case_key_not_enrolled() {
	boots_without_key "$first"
}

case_key_enrolled_in_shim() {
	boots_with_key "$first" --add-mok
}

case_key_enrolled_in_firmware() {
	boots_with_key "$first" --add-db
}

# What somebody has left in the sources of this version is gone.
case_install_again() {
	touch "$root/usr/src/pagenode-$version/module/stale.c"
	inside make install-dkms PREFIX=/usr || echo 'make install-dkms fails'
	[[ ! -e $root/usr/src/pagenode-$version/module/stale.c ]] ||
		echo 'a file that is not of the release is still there'
	check_installed "$first" "$version"
	check_installed "$second" "$version"
}

# Makes sources say that they are another version.
set_version() {
	sed -i "/define PAGENODE_VERSION/s/\".*\"/\"$1\"/" \
		"$2/include/pagenode_version.h"
	sed -i "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$1\"/" "$2/dkms.conf"
}

case_upgrade() {
	module_without_signature "$first" >"$root/tmp/old.ko"
	set_version 9.9.9 "$src"
	inside make install-dkms PREFIX=/usr || echo 'make install-dkms fails'
	check_installed "$first" 9.9.9
	check_installed "$second" 9.9.9
	[[ $(ls -d "$root"/usr/src/pagenode-*) == */pagenode-9.9.9 ]] ||
		echo "sources are left: $(ls -d "$root"/usr/src/pagenode-*)"
	! inside dkms status | grep -F "$version" || echo 'dkms knows the old one'
	boots_with_old_module "$first" "$root/tmp/old.ko"
	rm "$root/tmp/old.ko"
}

# As if the second kernel had only now come, and the module did not build for
# it. Its package must be configured all the same.
case_failing_kernel() {
	local why=$PN_LOGS/dkms/$suite-case30-failing-kernel.log

	echo '#error made to fail' >>"$root/usr/src/pagenode-9.9.9/module/walk.c"
	inside dkms remove pagenode/9.9.9 -k "$second"
	inside apt-get -y --no-download -t "$(pn_suite_of_kernel "$suite" 2)" \
		--reinstall install "linux-headers-$second" ||
		echo "the kernel's package fails"
	[[ -z $(inside dpkg --audit 2>&1) ]] || echo 'dpkg --audit complains'
	grep -q "does not build for Linux $second" "$why" ||
		echo 'nobody says that the module does not build'
	grep -q 'made to fail' "$why" || echo 'nobody says why'
	! grep -q "for Linux $first" "$why" || echo 'it says so of the other'
	[[ -z $(installed_module "$second") ]] || echo 'there is a module'
	check_installed "$first" 9.9.9
	! inside dkms build pagenode/9.9.9 -k "$second" ||
		echo 'dkms build does not fail'
}

# What is not pagenode's, besides the files of packages: dpkg's state, dkms's own
# key, logs, what names the kernels, and lists that any depmod makes anew.
NOT_OURS='^(var/(lib/(dpkg|apt|dkms/mok|initramfs-tools|systemd)|log|cache)|tmp|run'
NOT_OURS+='|build|boot|vmlinuz|initrd|usr/lib/modules/[^/]*/modules\.)'

# The files of packages, before and now, in the form of find: a kernel's come
# with newer versions of others.
owned_files() {
	sed -E 's,^/(bin|lib|lib64|sbin)/,/usr/\1/,; s,^/,,' \
		{"$base","$root"}/var/lib/dpkg/info/*.list | LC_ALL=C sort -u
}

# Prints what is left of pagenode, against the system as it was made.
leftovers() {
	local file left=()

	while read -r file; do
		cmp -s "$upper/$file" "$base/$file" || left+=("$file")
	done < <(cd "$upper" && find . ! -type d -printf '%P\n' |
		grep -vE "$NOT_OURS" | LC_ALL=C sort |
		LC_ALL=C comm -23 - <(owned_files))
	((${#left[@]} == 0)) || {
		printf '%s\n' "${left[@]}" >&2
		echo "${#left[@]} files are left or changed: ${left[0]}"
	}
	[[ ! -e $root/var/lib/dkms/pagenode ]] || echo 'dkms still knows it'
}

case_uninstall() {
	inside make uninstall-dkms PREFIX=/usr || echo 'make uninstall-dkms fails'
	leftovers
}
