# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# A kernel that is built here, from Debian's sources of its series and with the
# fragments of tests/vm/config that its line names. What it is built with, and
# what modules for it are built with, is its tree.

# What building a kernel takes besides PN_TREE_PACKAGES.
PN_OWN_PACKAGES=(bc bison diffutils flex gcc gzip libc6-dev libelf-dev libssl-dev
	tar xz-utils zstd)

# The fragments of the kernel, one a line; none of one of Debian's flavours.
pn_own_fragments() {
	local flavour name

	flavour=$(pn_kernel_column "$1" 3)
	[[ -f $PN_VM/config/${flavour%%+*}.config ]] || return 0
	for name in ${flavour//+/ }; do
		echo "$PN_VM/config/$name.config"
	done
}

pn_is_own() {
	[[ -n $(pn_own_fragments "$1") ]]
}

# What makes the tree of such a kernel another one.
pn_own_files() {
	! pn_is_own "$1" || {
		echo "${BASH_SOURCE[0]}"
		pn_own_fragments "$1"
	}
}

pn_own_config() {
	pn_own_fragments "$1" | xargs -r cat
}

# Sets release, packages and plan for pn_kernel_update(), whose suite it is.
pn_own_choose() {
	local suite=$2 series=${1%%-*}

	packages=("linux-source-$series" "${PN_TREE_PACKAGES[@]}"
		"${PN_OWN_PACKAGES[@]}")
	plan=$(pn_apt_plan "$suite" "${packages[@]}" 2>/dev/null)
	release=$(sed -nE "s/^linux-source-$series.*_([0-9.]+)-.*/\1/p" \
		<<<"$plan")-${1#*-}
}

# Builds the kernel, unless it is one of Debian's or is built.
pn_own_get() {
	pn_is_own "$1" || return 0
	pn_locked "$(pn_kernel_tree "$1").lock" pn_own_build "$1"
}

# A build that was interrupted goes on where it was.
pn_own_build() {
	local name=$1 tree release log=$PN_LOGS/$1/kernel.log

	tree=$(pn_kernel_tree "$name")
	release=$(pn_kernel_release "$name")
	[[ ! -f $tree/boot/vmlinuz-$release ]] || return 0
	pn_say "$name: building Linux $release, which takes ten minutes or more"
	mkdir -p "${log%/*}"
	pn_own_config "$name" >"$tree/tmp/config"
	pn_enter "$tree" "$tree/tmp" bash -s "$release" \
		<"$PN_VM/lib/own-build" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		pn_say "$name: the kernel does not build, see $log"
		return 1
	}
}
