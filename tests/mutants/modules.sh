# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# A module of each mutant. kbuild takes seconds to find out what one changed file
# asks for, so it builds the module once, and its commands are taken from there.

# Builds the module as it is, for the others to start from.
build_base() {
	local kernel=$1 base=$MUTANTS/$1.base

	[[ ! -d $base ]] || return 0
	pn_progress "$kernel: building the module"
	mkdir -p "$base.part"
	pn_module_sources module include |
		(cd "$PN_TOP" && cpio -pdm --quiet "$base.part")
	pn_enter "$(pn_kernel_tree "$kernel")" "$base.part" make -j"$(nproc)" \
		-C "/lib/modules/$(pn_kernel_release "$kernel")/build" \
		M=/build/module KCFLAGS=-g0 CONFIG_DEBUG_INFO_BTF_MODULES= \
		modules >"$MUTANTS/$kernel.log" 2>&1 || {
		tail -n 20 "$MUTANTS/$kernel.log" >&2
		return 1
	}
	mv "$base.part" "$base"
}

# Leaves the mutant's module beside its source.
build_mutant() {
	local kernel=$1 number=$2 file work=$MUTANTS/$2/$1

	file=$(file_of "$number")
	cp -a "$MUTANTS/$kernel.base" "$work"
	cp "$MUTANTS/$number/$file" "$work/$file"
	pn_enter "$(pn_kernel_tree "$kernel")" "$work" bash -s \
		"/lib/modules/$(pn_kernel_release "$kernel")/build" \
		"${file##*/}" <"$HERE/remake" >"$MUTANTS/$number/$kernel.log" 2>&1
	case $? in
	0) mv "$work/module/pagenode.ko" "$MUTANTS/$number/$kernel.ko" ;;
	10) touch "$MUTANTS/$number/$kernel.same" ;;
	11) broken "$number" "$kernel" ;;
	*) pn_say "$kernel: mutant $number is not built, see" \
		"$MUTANTS/$number/$kernel.log" ;;
	esac
	rm -rf "$work"
}

# For the first kernel, that is. Where another wants other text, the mutant stays
# what it was.
broken() {
	if compgen -G "$MUTANTS/$1/*.survived" >/dev/null; then
		touch "$MUTANTS/$1/$2.same"
	else
		verdict "$1" 'does not compile'
	fi
}

build_mutants() {
	local kernel=$1 number running=0

	build_base "$kernel" || return
	for number in $(open_mutants); do
		[[ ! -f $MUTANTS/$number/$kernel.ko &&
			! -f $MUTANTS/$number/$kernel.same ]] || continue
		pn_progress "$kernel: building mutant $number"
		((running++ < $(nproc))) || wait -n
		build_mutant "$kernel" "$number" &
	done
	wait
	for number in $(open_mutants); do
		compgen -G "$MUTANTS/$number/$kernel.[ks]*" >/dev/null || return
	done
}
