# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Mutants in the unit tests.

# The programs that a mutant of the file goes into, the quick one first, each with
# the source that has it in it.
unit_tests() {
	case $1 in
	module/decode.h) echo decode_test:tests/unit/decode_test.c \
		walk_test:module/walk.c ;;
	module/walk.c) echo walk_test:module/walk.c ;;
	module/nodemap.c) echo nodemap_test:module/nodemap.c ;;
	esac
}

# With the sanitizers too, which take longer.
UNIT_CC=(gcc 'gcc -fsanitize=address,undefined -fno-sanitize-recover=all'
	'clang -fsanitize=memory -fno-sanitize-recover=memory')

# unit_cc NUMBER ARGUMENT...
unit_cc() {
	# shellcheck disable=SC2086 # with its flags
	${UNIT_CC[$1]} -std=gnu11 -O1 -w "${@:2}"
}

# What the programs are made of beside that, once: in a directory a compiler.
build_units() {
	local nr source out

	for nr in "${!UNIT_CC[@]}"; do
		out=$MUTANTS/unit$nr
		mkdir -p "$out"/{decode,nodemap,walk}_test
		for source in {walk_test/walk_test,walk_test/kernel/space}.c \
			nodemap_test/nodemap_test.c; do
			unit_cc "$nr" -I. -Iinclude \
				-idirafter tests/unit/kernel -c "tests/unit/${source#*/}" \
				-o "$out/${source%%/*}/$(basename "$source").o" || return
		done
	done
}

# With the mutant in the place of the file: its neighbours are named as they are.
build_unit() {
	local nr=$1 dir=$2 test=$3 source=$4 headers=() objects

	mapfile -t objects < <(find "$MUTANTS/unit$nr/$test" -name '*.o')
	[[ $test == decode_test ]] || headers=(-idirafter tests/unit/kernel)
	[[ ! -f $dir/$source ]] || source=$dir/$source
	unit_cc "$nr" -I"$dir" -I. -Iinclude "${headers[@]}" \
		-c "$source" -o "$dir/test.o" 2>/dev/null &&
		unit_cc "$nr" -o "$dir/test" "$dir/test.o" \
			"${objects[@]}"
}

# The first verdict that is a failure, or nothing
run_unit() {
	local log=$1/log status

	(ulimit -t 10 && "$1/test") >"$log" 2>/dev/null
	status=$?
	((status == 0)) || grep -m 1 '^FAIL' "$log" || echo 'it died or hung'
}

try_unit() {
	local number=$1 dir=$MUTANTS/$1 nr test why

	cp -sn "$PN_TOP"/module/*.[ch] "$dir/module/"
	for nr in "${!UNIT_CC[@]}"; do
		for test in $(unit_tests "$(file_of "$number")"); do
			build_unit "$nr" "$dir" "${test%:*}" "${test#*:}" || {
				verdict "$number" 'does not compile'
				return
			}
			why=$(run_unit "$dir" 2>/dev/null)
			[[ -z $why ]] || {
				verdict "$number" "noticed by unit: $why"
				return
			}
		done
	done
}

try_units() {
	local number running=0

	cd "$PN_TOP" && build_units || return
	for number in $(open_mutants); do
		[[ -n $(unit_tests "$(file_of "$number")") ]] || continue
		pn_progress "unit tests: $number"
		((running++ < $(nproc))) || wait -n
		{
			try_unit "$number"
			rm -f "$MUTANTS/$number"/test{,.o}
		} &
	done
	wait
}
