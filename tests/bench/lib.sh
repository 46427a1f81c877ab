# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the benchmarks share: their programs, and the machine they run on.

# shellcheck source=../vm/lib/common.sh
. "${BASH_SOURCE[0]%/*}/../vm/lib/common.sh"

PN_BENCH=$PN_TOP/build/bench
PN_BENCH_SOURCES=$PN_TOP/tests/bench

# Builds build/bench/NAME from the sources named, unless it is newer.
pn_bench_build() {
	local name=$1 out=$PN_BENCH/$1 sources
	shift

	mkdir -p "$PN_BENCH"
	[[ ! -f $out || -n $(find "$PN_BENCH_SOURCES" \
		"$PN_TOP"/{include,libpagenode,module/decode.h} \
		"$PN_TOP"/tools/{compare,measure}.[ch] \
		-newer "$out" -print -quit) ]] || return 0
	sources=("${@/#/$PN_BENCH_SOURCES/}" "$PN_TOP"/tools/{compare,measure}.c)
	pn_progress "building the benchmark"
	if ! "${CC:-gcc}" -std=gnu11 -O2 -g -static -Wall -Wextra -Werror \
		-Wmissing-prototypes -I"$PN_TOP" -I"$PN_TOP/include" -o "$out.$$" \
		"${sources[@]}"; then
		rm -f "$out.$$"
		pn_die "the program $name does not build, see above"
	fi
	mv "$out.$$" "$out"
	pn_progress
}

pn_bench_cpu() {
	sed -n '/^model name/ { s/[^:]*: *//p; q }' /proc/cpuinfo | tr -d '"'
}

# What the guest runs on. The figures mean nothing without it.
pn_bench_machine() {
	if [[ ${ACCEL:-tcg} == tcg* ]]; then
		echo "under emulation (QEMU TCG)"
	else
		echo "in QEMU with $ACCEL"
	fi
}

# Runs the guest's program: pn_bench_guest OPTION-OF-VM-RUN... -- ARG...
pn_bench_guest() {
	local options=()

	for (( ; $# > 0; )); do
		[[ $1 != -- ]] || break
		options+=("$1")
		shift
	done
	shift
	pn_bench_build bench {bench,buffer,curves,file,grid,holds}.c \
		{question,report,threads,trace}.c
	"$PN_VM/run" "${options[@]}" --program "$PN_BENCH/bench" \
		--machine "$(pn_bench_machine)" --cpu "$(pn_bench_cpu)" "$@"
}
