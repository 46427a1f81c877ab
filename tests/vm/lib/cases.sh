# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The test cases: one static program that runs in every guest, and those that it
# starts: a 32-bit one, and the examples.

PN_CASES=$PN_LOGS/cases
PN_CASES32=$PN_LOGS/cases32
PN_EXAMPLES=$PN_LOGS/examples

pn_cases_build() {
	mkdir -p "$PN_LOGS"
	[[ -f $PN_CASES && -f $PN_CASES32 && -z $(find "$PN_VM"/cases* \
		"$PN_TOP"/{examples,include,libpagenode} -newer "$PN_CASES" -print -quit) ]] ||
		pn_locked "$PN_CASES.lock" pn_cases_compile
}

pn_cases_compile() {
	pn_progress 'building the cases'
	pn_cases32_compile && pn_examples_compile || return
	"${CC:-gcc}" -std=gnu11 -O2 -g -static -pthread -Wall -Wextra -Werror \
		-I"$PN_TOP/include" -o "$PN_CASES.part" "$PN_VM"/cases/*.c \
		"$PN_TOP"/libpagenode/*.c &&
		mv "$PN_CASES.part" "$PN_CASES"
}

# With the kernel's headers of this machine's own architecture: they are the
# same for 32 bits.
pn_cases32_compile() {
	local cc=${CC:-gcc}

	"$cc" -std=gnu11 -O2 -g -m32 -static -nostdlib -ffreestanding \
		-fno-pie -fno-stack-protector -fcf-protection=none -Wall \
		-Wextra -Werror -I"$PN_TOP/include" \
		-isystem "/usr/include/$("$cc" -print-multiarch)" \
		-o "$PN_CASES32" "$PN_VM/cases32.c"
}

pn_examples_compile() {
	local source name

	mkdir -p "$PN_EXAMPLES"
	for source in "$PN_TOP"/examples/*.c; do
		name=${source##*/}
		"${CC:-gcc}" -std=gnu11 -O2 -g -static -Wall -Wextra -Werror \
			-I"$PN_TOP/include" -o "$PN_EXAMPLES/${name%.c}" \
			"$source" "$PN_TOP"/libpagenode/*.c || return
	done
}

# The boot comes first, being done by then. The other case that is not in the
# program comes last, since it takes the module out.
pn_cases_list() {
	echo boot
	"$PN_CASES" --list
	echo load-unload-100
}
