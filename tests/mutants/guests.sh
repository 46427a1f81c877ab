# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Mutants in guests: one boot tries them one after the other, until one takes the
# guest with it.

# Not these: they load a module themselves, or need it away, or ask no page table.
OTHER_CASES='^(boot|load-unload-100|tool-.*|case2[13]-.*|mmfd-load-.*|.*rmmod.*|crash-.*|unload-race|trace-.*)$'

# Cases that take more seconds are left out.
longest=300

# A guest that says nothing for so many seconds hangs.
SILENCE=300

# Boots, has try.sh do what is asked, and prints what the guest says. What
# is in the directory "mutants" is in a second archive: there may be hundreds.
boot() {
	local kernel=$1 guest=$2 ask=$3 logs=$MUTANTS/$1-$2

	rm -f "$logs/pid"
	cp "$HERE/try.sh" "$logs/mutants/"
	pn_initramfs "$kernel" "$logs/initramfs" \
		"MODE=program; program() { . /mutants/try.sh; $ask; }" \
		"$MUTANTS/$kernel.base/module/pagenode.ko" "$PN_PROGRAMS"/*
	(cd "$logs" && find mutants | cpio -o -H newc --quiet) >>"$logs/initramfs"
	PN_BOOT_LIMIT=0 pn_qemu "$kernel" "$guest" "$logs/initramfs" \
		-pidfile "$logs/pid" -serial "file:$logs/console.log" \
		-chardev stdio,id=output,signal=off -serial chardev:output \
		-serial "file:$logs/status.log" </dev/null 2>"$logs/qemu.log"
	rm -f "$logs/initramfs"
}

# Each case once with the module as it is. What passes is tried on mutants, the
# quick ones first: "name limit" a line.
measure() {
	local kernel=$1 guest=$2 logs=$MUTANTS/$1-$2

	pn_progress "$kernel/$guest: the cases with the module as it is"
	pn_cases_list | grep -vE "$OTHER_CASES" | pn_guest_cases "$guest" \
		>"$logs/mutants/names"
	boot "$kernel" "$guest" measure >"$logs/measured"
	awk -v longest="$longest" '$1 == "TOOK" && $3 <= 100 * longest {
		print $3, $2 }' "$logs/measured" | sort -n |
		awk '{ print $2, 6 + int($1 / 10) }' >"$logs/mutants/cases"
	grep '^FAIL' "$logs/measured" >&2
	[[ -s $logs/mutants/cases ]] || pn_die "no case passes on $kernel/$guest," \
		"see $logs/console.log"
}

# What comes from the guest, until it has gone or hangs.
watch() {
	local line

	current='' first='' end=''

	while read -r -t "$SILENCE" line; do
		hear "$line"
	done
	[[ ! -s $logs/pid ]] || kill "$(<"$logs/pid")" 2>/dev/null
	[[ -n $end || -z $current ]] ||
		noticed "the guest died or hung in $case"
}

noticed() {
	verdict "$current" "noticed in $kernel/$guest: $*"
	current=
}

# One line from the guest. A case that fails with the module as it is, too, says
# nothing of the mutant, unless nothing else has run in that guest.
hear() {
	local word rest

	read -r word rest <<<"$1"
	case $word in
	MUTANT)
		first=${first:-$rest} current=$rest
		pn_progress "$kernel/$guest: mutant $current, $(open_mutants |
			wc -l) to go" ;;
	RUN) case=$rest ;;
	NOTICED) noticed "$rest" ;;
	UNSOUND)
		[[ $current != "$first" ]] || noticed "$rest"
		current= ;;
	SURVIVED)
		touch "$MUTANTS/$current/$kernel-$guest.survived"
		current= ;;
	END) end=yes ;;
	esac
}

# Those that this stage has still to try.
stage_mutants() {
	local number

	for number in $(open_mutants); do
		[[ -f $MUTANTS/$number/$1-$2.survived ||
			! -f $MUTANTS/$number/$1.ko ]] || echo "$number"
	done
}

# The modules of the rest, where the next boot packs them.
pack_mutants() {
	local number

	rm -f "$logs"/mutants/*.ko
	for number in "${numbers[@]}"; do
		ln "$MUTANTS/$number/$kernel.ko" "$logs/mutants/$number.ko"
		echo "$number"
	done >"$logs/mutants/order"
}

try_in_guests() {
	local kernel=$1 guest=$2 logs=$MUTANTS/$1-$2 numbers before=''
	local current first end case

	pn_cases_build || return
	mkdir -p "$logs/mutants"
	[[ -s $logs/mutants/cases ]] || measure "$kernel" "$guest"
	while mapfile -t numbers < <(stage_mutants "$kernel" "$guest") &&
		((${#numbers[@]} > 0)); do
		[[ ${numbers[*]} != "$before" ]] || pn_die \
			"$kernel/$guest does not get on, see $logs/console.log"
		before=${numbers[*]} case=boot
		pack_mutants
		pn_progress "$kernel/$guest: booting"
		watch < <(boot "$kernel" "$guest" try_all)
		wait "$!"
	done
}
