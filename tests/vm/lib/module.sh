# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The module, built for one kernel of the rig in a copy of its sources.

# Names what a build reads, and nothing that an earlier build left there.
pn_module_sources() {
	(cd "$PN_TOP" && find "$@" -type f \( -name '*.[chS]' -o -name 'Kbuild*' \
		-o -name 'Makefile*' -o -name '*.sh' \) ! -name '*.mod.c' |
		LC_ALL=C sort)
}

# The header of a module that lingers, if that is wanted.
pn_module_window() {
	[[ -z ${PN_WINDOW-} ]] || echo tests/vm/window.h
}

pn_module_hash() {
	{
		readlink "$(pn_kernel_tree "$1")"
		cat "${BASH_SOURCE[0]}"
		{
			pn_module_sources module include
			pn_module_window
		} | (cd "$PN_TOP" && xargs sha256sum)
	} | sha256sum | head -c 16
}

# Builds the module for the kernel, unless it is built, and prints its path.
pn_module_get() {
	local name=$1 dir

	dir=$PN_CACHE/modules/$name-$(pn_module_hash "$name") || return
	mkdir -p "${dir%/*}"
	[[ -f $dir/pagenode.ko ]] || pn_locked "$PN_CACHE/modules/$name.lock" \
		pn_module_build "$name" "$dir" || return
	echo "$dir/pagenode.ko"
}

# Any warning is an error. The log is kept beside those of the guest. A kernel
# that tells a fuzzer which code ran, tells it of the module's too.
pn_module_build() {
	local name=$1 dir=$2 work=$2.part log=$PN_LOGS/$1/build.log window

	[[ ! -f $dir/pagenode.ko ]] || return 0
	pn_progress "$name: building the module"
	rm -rf "$work"
	mkdir -p "$work" "${log%/*}"
	pn_module_sources module include |
		(cd "$PN_TOP" && cpio -pdm --quiet "$work")
	window=$(pn_module_window)
	[[ -z $window ]] || cp "$PN_TOP/$window" "$work/"
	if ! pn_enter "$(pn_kernel_tree "$name")" "$work" make -j"$(nproc)" \
		-C "/lib/modules/$(pn_kernel_release "$name")/build" \
		M=/build/module W=1 KCOV_INSTRUMENT=y \
		KCFLAGS="-Werror ${window:+-include /build/window.h}" \
		modules >"$log" 2>&1 ||
		grep -qi 'warning:' "$log"; then
		grep -iE -A 5 'error|warning:' "$log" >&2
		return 1
	fi
	mkdir -p "$dir"
	mv "$work/module/pagenode.ko" "$dir/" && rm -rf "$work"
	find "${dir%/*}" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} +
}
