# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The test cases: one static program that runs in every guest.

PN_CASES=$PN_LOGS/cases

pn_cases_build() {
	mkdir -p "$PN_LOGS"
	[[ -f $PN_CASES && -z $(find "$PN_VM/cases" "$PN_TOP/include" \
		-newer "$PN_CASES" -print -quit) ]] ||
		pn_locked "$PN_CASES.lock" pn_cases_compile
}

pn_cases_compile() {
	pn_progress 'building the cases'
	"${CC:-gcc}" -std=gnu11 -O2 -g -static -pthread -Wall -Wextra -Werror \
		-I"$PN_TOP/include" -o "$PN_CASES.part" "$PN_VM"/cases/*.c &&
		mv "$PN_CASES.part" "$PN_CASES"
}

# The boot comes first, being done by then. The other case that is not in the
# program comes last, since it takes the module out.
pn_cases_list() {
	echo boot
	"$PN_CASES" --list
	echo load-unload-100
}
