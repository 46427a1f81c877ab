# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The virtual machine: its shape, its initramfs, its boot.

# A case of one kernel may take this long inside the guest, and a whole boot
# this long outside.
PN_CASE_LIMIT=${PN_CASE_LIMIT:-300}
PN_BOOT_LIMIT=${PN_BOOT_LIMIT:-1200}

# QEMU's arguments for a guest shape: processors and memory. CPUs of different
# nodes are in different sockets, as on real machines.
pn_shape() {
	case $1 in
	two-nodes)
		echo -smp 2,sockets=2 -m 8G \
			-object memory-backend-ram,id=m0,size=4G \
			-object memory-backend-ram,id=m1,size=4G \
			-numa node,nodeid=0,cpus=0,memdev=m0 \
			-numa node,nodeid=1,cpus=1,memdev=m1 ;;
	one-cpu)
		echo -smp 1 -m 8G \
			-object memory-backend-ram,id=m0,size=4G \
			-object memory-backend-ram,id=m1,size=4G \
			-numa node,nodeid=0,cpus=0,memdev=m0 \
			-numa node,nodeid=1,memdev=m1 ;;
	*)
		pn_die "no guest shape is called $1" ;;
	esac
}

# Unpacks the guest's own kernel modules that tests/vm/guest-modules names,
# with what they depend on. "order" says how to load them.
pn_guest_modules() {
	local name=$1 to=$2 tree release wanted _ file

	tree=$(pn_kernel_tree "$name")
	release=$(pn_kernel_release "$name")
	mkdir -p "$to"
	: >"$to/order"
	while read -r wanted; do
		pn_enter "$tree" "$tree/tmp" modprobe -S "$release" \
			--show-depends "$wanted" 2>/dev/null
	done < <(sed 's/#.*//; /^[[:space:]]*$/d' "$PN_VM/guest-modules") |
		awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
		while read -r file; do
			wanted=${file##*/}
			wanted=${wanted%.ko*}.ko
			case $file in
			*.xz) xz -dc "$tree$file" ;;
			*.zst) zstd -qdc "$tree$file" ;;
			*) cat "$tree$file" ;;
			esac >"$to/$wanted"
			echo "/modules/$wanted" >>"$to/order"
		done
}

# Packs the initramfs from the plan and the files that go beside init.
pn_initramfs() {
	local name=$1 out=$2 plan=$3 root=$2.d
	shift 3

	rm -rf "$root"
	mkdir -p "$root/bin"
	cp "$(pn_kernel_tree "$name")/bin/busybox" "$root/bin/"
	cp "$PN_VM/init" "$PN_VM/load-unload-100" "$@" "$root/"
	printf '%s\n' "$plan" >"$root/plan"
	pn_guest_modules "$name" "$root/modules"
	(cd "$root" && find . -print0 |
		cpio -0 -o -H newc -R 0:0 --quiet) >"$out"
	rm -rf "$root"
}

# Boots a kernel in a guest of the shape; the rest are further arguments for
# QEMU, the serial ports among them. The edu device is there for its PCI BAR.
# secretmem is off by default before 6.5.
pn_qemu() {
	local name=$1 shape=$2 initramfs=$3 tree release image args
	shift 3

	tree=$(pn_kernel_tree "$name")
	release=$(pn_kernel_release "$name")
	for image in "$tree/boot/vmlinuz-$release" \
		"$tree/lib/modules/$release/vmlinuz"; do
		[[ ! -f $image ]] || break
	done
	read -ra args <<<"$(pn_shape "$shape")"
	[[ $* == *-accel* ]] || args+=(-accel "${ACCEL:-tcg}")
	timeout --foreground -k 10 "$PN_BOOT_LIMIT" qemu-system-x86_64 \
		-nodefaults -no-user-config -no-reboot -display none \
		-cpu max,-erms,-fsrm "${args[@]}" -device edu \
		-kernel "$image" -initrd "$initramfs" \
		-append "console=ttyS0 rdinit=/init panic=-1 log_buf_len=4M \
printk.devkmsg=on secretmem.enable=1" "$@"
}
