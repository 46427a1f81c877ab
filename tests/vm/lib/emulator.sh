# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# QEMU: the same one on every machine, whatever its own suite has.
#
# Before 8.1 QEMU translates code without the lock that a writer of that code
# takes. Where a kernel patches itself, a translation with the breakpoint that
# it puts there for the time may stay, and then the kernel dies of it ("Oops:
# int3"): static keys, ftrace, and every module that loads patch like that.

PN_EMULATOR=$PN_CACHE/qemu

# Started by the tree's own loader, with the tree's own libraries.
# shellcheck disable=SC2034 # for guest.sh
PN_QEMU=("$PN_EMULATOR/lib64/ld-linux-x86-64.so.2"
	--library-path "$PN_EMULATOR/usr/lib/x86_64-linux-gnu"
	"$PN_EMULATOR/usr/bin/qemu-system-x86_64"
	-L "$PN_EMULATOR/usr/share/qemu" -L "$PN_EMULATOR/usr/share/seabios")

pn_emulator_get() {
	pn_tree_get "$PN_EMULATOR" trixie qemu-system-x86
}
