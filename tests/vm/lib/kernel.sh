# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# A kernel of tests/vm/kernels, as a directory tree: the kernel, its modules,
# its headers, and the compiler and libraries of its own suite to build with.

# What the tree needs besides the kernel and what its headers depend on.
PN_TREE_PACKAGES=(base-files bash busybox-static coreutils dash dpkg findutils
	grep kmod make mawk perl sed sparse)

# Prints one column of the kernel's line.
pn_kernel_column() {
	awk -v name="$1" -v column="$2" '
		!/^#/ && $1 == name { print $column; found = 1 }
		END { exit !found }' "$PN_VM/kernels"
}

# The kernel of that name, or all that take no build.
pn_kernel_names() {
	awk -v name="$1" '
		!/^#/ && NF && (name == "all" ? $4 != "no" : name == $1) {
			print $1; found = 1
		}
		END { exit !found }' "$PN_VM/kernels"
}

pn_kernel_default() {
	awk '!/^#/ && $4 == "yes" { print $1 }' "$PN_VM/kernels"
}

# Where the kernel's tree is. A path is one itself.
pn_kernel_tree() {
	case $1 in
	/*) echo "$1" ;;
	*) echo "$PN_CACHE/kernels/$1" ;;
	esac
}

pn_kernel_release() {
	cat "$(pn_kernel_tree "$1")/release"
}

pn_newest_release() {
	local suite=$1 series=${2//./\\.} flavour=$3

	pn_apt "$suite" apt-cache pkgnames "linux-headers-$2." |
		grep -xE "linux-headers-$series\.[0-9a-z.+]*(-[0-9]+)?-$flavour" |
		sed 's/^linux-headers-//' | sort -V | tail -n 1 | grep .
}

# The archive is asked for something newer once a day, and when what makes the
# tree has changed.
pn_kernel_checked() {
	local newer=(-newer "${BASH_SOURCE[0]}" -newer "$PN_VM/kernels") file

	for file in $(pn_own_files "$1"); do
		newer+=(-newer "$file")
	done
	[[ -n $(find "$(pn_kernel_tree "$1").checked" -mmin -1440 \
		"${newer[@]}" 2>/dev/null) ]]
}

# Makes the tree of the kernel, or finds it as made before.
pn_kernel_get() {
	local name=$1

	! pn_kernel_checked "$name" || return 0
	mkdir -p "$PN_CACHE/kernels"
	if pn_locked "$PN_APT.lock" pn_kernel_update "$name"; then
		pn_own_get "$name" && touch "$(pn_kernel_tree "$name").checked"
	elif [[ -d $(pn_kernel_tree "$name") ]]; then
		pn_say "$name: nothing newer could be fetched," \
			"going on with what is there"
		pn_own_get "$name"
	else
		return 1
	fi
}

pn_kernel_update() {
	local name=$1 suite release plan packages

	suite=$(pn_kernel_column "$name" 2)
	pn_progress "$name: reading the lists of $suite"
	pn_apt_update "$suite" || return
	if pn_is_own "$name"; then
		pn_own_choose "$name" "$suite"
	else
		pn_kernel_choose "$name" "$suite"
	fi || return
	[[ -n $plan ]] || {
		pn_apt_plan "$suite" "${packages[@]}" >&2
		pn_say "$name: $suite cannot install $release, see above"
		return 1
	}
	pn_tree_make "$name" "$suite" "$release" "$plan" "${packages[@]}"
}

# Sets the caller's release, packages and plan. The signed kernel where there
# is one.
pn_kernel_choose() {
	local name=$1 suite=$2 flavour image

	flavour=$(pn_kernel_column "$name" 3)
	release=$(pn_newest_release "$suite" "${name%%-*}" "$flavour") || {
		pn_say "$name: $suite has no such kernel for $flavour"
		return 1
	}
	for image in "linux-image-$release" "linux-image-$release-unsigned" \
		"linux-binary-unsigned-$release linux-modules-$release"; do
		read -ra packages <<<"$image linux-headers-$release"
		packages+=("${PN_TREE_PACKAGES[@]}")
		plan=$(pn_apt_plan "$suite" "${packages[@]}" 2>/dev/null) &&
			break
	done
}

pn_tree_make() {
	local name=$1 suite=$2 release=$3 plan=$4 tree new
	shift 4

	tree=$(pn_kernel_tree "$name")
	new=$tree-$release-$({
		echo "$plan"
		pn_own_config "$name"
	} | sha256sum | head -c 12)
	[[ $(readlink "$tree") != "${new##*/}" || ! -d $new ]] || return 0
	pn_progress "$name: fetching $release from $suite"
	pn_apt_download "$suite" "$@" || return
	pn_progress "$name: unpacking $release"
	rm -rf "$new.part"
	pn_tree_unpack "$new.part" "$plan" || return
	echo "$release" >"$new.part/release"
	pn_is_own "$name" ||
		pn_enter "$new.part" "$new.part/tmp" depmod "$release" || return
	pn_tree_replace "$tree" "$new"
}
