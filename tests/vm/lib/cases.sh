# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The programs of a guest: one static one with the test cases, those that it
# starts (two of 32 bits, and the examples), one with the cases that need libmnl, one
# with those that need the command, which goes beside them, the stress program and
# the fuzzer.

PN_PROGRAMS=$PN_LOGS/programs
PN_CASES=$PN_PROGRAMS/cases
PN_CASES_ARCHIVE=$PN_LOGS/cases.a
PN_CFLAGS=(-std=gnu11 -O2 -g -pthread -Wall -Wextra -Werror
	-I"$PN_TOP/include")

pn_cases_build() {
	mkdir -p "$PN_LOGS"
	[[ -f $PN_CASES && -z $(find "$PN_VM"/{cases,{cases,library}32.c,fuzz,netlink,stress,tool} \
		"$PN_TOP"/{examples,include,libpagenode,tools} \
		-newer "$PN_CASES" -print -quit) ]] ||
		pn_locked "$PN_PROGRAMS.lock" pn_cases_compile
}

# The program that says whether they are up to date comes last.
pn_cases_compile() {
	pn_progress 'building the cases'
	pn_cases32_compile && pn_library32_compile && pn_examples_compile &&
		pn_cases_archive && pn_cases_netlink_compile && pn_cases_tool_compile &&
		pn_stress_compile && pn_fuzz_compile &&
		pn_compile cases -static "$PN_VM/cases/main.c" \
			"$PN_CASES_ARCHIVE" "$PN_TOP"/libpagenode/*.c
}

# All cases and what they share, for two programs: each takes what it calls.
pn_cases_archive() {
	local objects=$PN_CASES_ARCHIVE.d

	rm -rf "$objects" "$PN_CASES_ARCHIVE"
	mkdir -p "$objects"
	(cd "$objects" && printf '%s\0' "$PN_VM"/cases/*.c |
		xargs -0 -P "$(nproc)" -n 1 "${CC:-gcc}" "${PN_CFLAGS[@]}" -c) &&
		ar rcs "$PN_CASES_ARCHIVE" "$objects"/*.o
}

# pn_compile NAME ARGUMENT...
pn_compile() {
	local name=$1
	shift

	mkdir -p "$PN_PROGRAMS"
	"${CC:-gcc}" "${PN_CFLAGS[@]}" -o "$PN_PROGRAMS/$name.part" "$@" &&
		mv "$PN_PROGRAMS/$name.part" "$PN_PROGRAMS/$name"
}

# Debian has no static libmnl.
pn_cases_netlink_compile() {
	pn_compile cases-netlink -DWITH_LIBMNL "$PN_VM"/netlink/*.c \
		"$PN_VM/cases/main.c" "$PN_CASES_ARCHIVE" -lmnl
}

# Speaks netlink too, and has a main() of its own.
pn_stress_compile() {
	pn_compile stress "$PN_VM"/stress/*.c \
		"$PN_VM"/netlink/{netlink,nodemap,stats}.c \
		"$PN_CASES_ARCHIVE" -lmnl
}

pn_cases_tool_compile() {
	make -s -C "$PN_TOP" tools WERROR=-Werror >&2 &&
		cp "$PN_TOP/build/pagenode" "$PN_PROGRAMS/" &&
		pn_compile cases-tool -DWITH_TOOL "$PN_VM"/tool/*.c \
			"$PN_VM/cases/main.c" "$PN_CASES_ARCHIVE" \
			"$PN_TOP"/libpagenode/*.c -ljansson
}

pn_fuzz_compile() {
	pn_compile fuzz -static "$PN_VM"/fuzz/*.c "$PN_CASES_ARCHIVE"
}

# With the kernel's headers of this machine's own architecture: they are the
# same for 32 bits.
pn_cases32_compile() {
	pn_compile cases32 -m32 -static -nostdlib -ffreestanding -fno-pie \
		-fno-stack-protector -fcf-protection=none \
		-isystem "/usr/include/$("${CC:-gcc}" -print-multiarch)" \
		"$PN_VM/cases32.c"
}

pn_library32_compile() {
	pn_compile library32 -m32 -static "$PN_VM/library32.c" \
		"$PN_TOP"/libpagenode/*.c
}

pn_examples_compile() {
	local source name

	for source in "$PN_TOP"/examples/*.c; do
		name=${source##*/}
		pn_compile "${name%.c}" -static "$source" \
			"$PN_TOP"/libpagenode/*.c || return
	done
}

# The boot comes first, being done by then. Two others take the module out: the
# stress program, in a guest of its own, and the last one.
pn_cases_list() {
	echo boot
	"$PN_CASES" --list
	"$PN_PROGRAMS/cases-netlink" --list
	"$PN_PROGRAMS/cases-tool" --list
	echo stress
	"$PN_PROGRAMS/fuzz" --list
	echo load-unload-100
}
