# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# QEMU, as a directory tree like those of the kernels: the same one on every
# machine, whatever its own suite has.
#
# Before 8.1 QEMU translates code without the lock that a writer of that code
# takes. Where a kernel patches itself, a translation with the breakpoint that
# it puts there for the time may stay, and then the kernel dies of it ("Oops:
# int3"): static keys, ftrace, and every module that loads patch like that.

PN_EMULATOR=$PN_CACHE/qemu
PN_EMULATOR_SUITE=trixie

# Started by the tree's own loader, with the tree's own libraries.
# shellcheck disable=SC2034 # for guest.sh
PN_QEMU=("$PN_EMULATOR/lib64/ld-linux-x86-64.so.2"
	--library-path "$PN_EMULATOR/usr/lib/x86_64-linux-gnu"
	"$PN_EMULATOR/usr/bin/qemu-system-x86_64"
	-L "$PN_EMULATOR/usr/share/qemu" -L "$PN_EMULATOR/usr/share/seabios")

# Makes the tree, or finds it as made before.
pn_emulator_get() {
	[[ -z $(find "$PN_EMULATOR.checked" -mmin -1440 \
		-newer "${BASH_SOURCE[0]}" 2>/dev/null) ]] || return 0
	mkdir -p "$PN_CACHE"
	if pn_locked "$PN_APT.lock" pn_emulator_update; then
		touch "$PN_EMULATOR.checked"
	elif [[ -d $PN_EMULATOR ]]; then
		pn_say 'QEMU: nothing newer could be fetched,' \
			'going on with what is there'
	else
		return 1
	fi
}

pn_emulator_update() {
	local suite=$PN_EMULATOR_SUITE plan new

	pn_progress "QEMU: reading the lists of $suite"
	pn_apt_update "$suite" || return
	plan=$(pn_apt_plan "$suite" qemu-system-x86) || return
	new=$PN_EMULATOR-$(sha256sum <<<"$plan" | head -c 12)
	[[ $(readlink "$PN_EMULATOR") != "${new##*/}" ]] || return 0
	pn_progress "QEMU: fetching it from $suite"
	pn_apt_download "$suite" qemu-system-x86 || return
	pn_progress 'QEMU: unpacking it'
	rm -rf "$new.part"
	pn_tree_unpack "$new.part" "$plan" &&
		pn_tree_replace "$PN_EMULATOR" "$new"
}
