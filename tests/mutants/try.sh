# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# shellcheck disable=SC2034,SC2154 # they are shared with those functions
# What the first process of a guest does with mutants, by means of the functions
# of tests/vm/init.

# A guest that is not sound any more shall die at once.
for knob in panic_on_oops softlockup_panic; do
	echo 1 >/proc/sys/kernel/$knob
done

hundredths() {
	read -r up _ </proc/uptime
	echo "${up%.*}${up#*.}"
}

# Prints "TOOK name hundredths" of each case that passes.
measure() {
	CASE_LIMIT=120
	while read -r name; do
		before=$(hundredths)
		run_named "$name" </dev/null && [ "$status" = 0 ] &&
			echo "TOOK $name $(($(hundredths) - before))"
	done </mutants/names
}

# Whether all cases pass; else the one that does not is in "name".
all_pass() {
	while read -r name CASE_LIMIT; do
		run_named "$name" </dev/null || return
	done </mutants/cases
}

stop() {
	echo END
	sync
	reboot -f
}

# After the kernel complained nothing is sure. Else the case that failed has to pass
# without the mutant.
judge() {
	why="$name: ${log:-${note:-$(reason "$status")}}"
	if [ -n "$log" ] || ! rmmod pagenode; then
		echo "NOTICED $why"
		stop
	fi
	insmod /pagenode.ko
	run_named "$name" || {
		echo "UNSOUND $why"
		stop
	}
	rmmod pagenode
	echo "NOTICED $why"
}

try() {
	echo "MUTANT $1"
	insmod "/mutants/$1.ko" || {
		echo "NOTICED it does not load"
		[ -z "$(dirty)" ] || stop
		return
	}
	all_pass || {
		judge
		return
	}
	if ! rmmod pagenode || log=$(dirty) && [ -n "$log" ]; then
		echo "NOTICED rmmod: ${log:-it stays}"
		stop
	fi
	echo SURVIVED
}

try_all() {
	rmmod pagenode
	while read -r number; do
		try "$number"
	done </mutants/order
	stop
}
