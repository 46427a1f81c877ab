# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The virtual machine: its shape, its initramfs, its boot.

# A case of one kernel may take this long inside the guest, and a whole boot
# this long outside.
PN_CASE_LIMIT=${PN_CASE_LIMIT:-300}
PN_BOOT_LIMIT=${PN_BOOT_LIMIT:-1200}

# Gets what a guest with the kernel takes.
pn_guest_get() {
	pn_emulator_get && pn_kernel_get "$1"
}

# Prints one column of the guest's line.
pn_guest_column() {
	awk -v name="$1" -v column="$2" '
		!/^#/ && $1 == name { print $column; found = 1 }
		END { exit !found }' "$PN_VM/guests"
}

# The shapes whose line says that they run on this.
pn_guests_on() {
	awk -v on="$1" '!/^#/ && index("," $2 ",", "," on ",") { print $1 }' \
		"$PN_VM/guests"
}

# Of the cases on stdin, a line each, those that the guest's line is there for.
pn_guest_cases() {
	local patterns pattern name

	IFS=, read -ra patterns < <(pn_guest_column "$1" 3)
	while read -r name; do
		for pattern in "${patterns[@]}"; do
			# shellcheck disable=SC2053 # it is a pattern
			[[ $name == ${pattern#!} ]] || continue
			[[ $pattern == !* ]] || echo "$name"
			break
		done
	done
}

pn_mib() {
	case $1 in
	*G) echo $((${1%G} * 1024)) ;;
	*) echo "${1%M}" ;;
	esac
}

# QEMU's arguments for the memory of a node, if it has any.
pn_shape_node() {
	local id=$1 size=$2 cpus=$3 node=node,nodeid=$1 cpu

	for ((cpu = first_cpu; cpu < first_cpu + cpus; cpu++)); do
		node+=,cpus=$cpu
	done
	((size == 0)) || {
		node+=,memdev=node$id
		echo "-object memory-backend-ram,id=node$id,size=${size}M"
	}
	echo "-numa $node"
}

# Turn by turn a DIMM of each node. Memory that is there at boot is no DIMM.
pn_shape_dimms() {
	local turn id sizes

	for ((turn = 1; turn <= slots; turn++)); do
		for id in "${!nodes[@]}"; do
			IFS=+ read -ra sizes <<<"${nodes[id]#*:}"
			((turn < ${#sizes[@]})) || continue
			echo "-object memory-backend-ram,id=dimm$id-$turn,size=${sizes[turn]}" \
				"-device pc-dimm,memdev=dimm$id-$turn,node=$id"
		done
	done
}

# QEMU's arguments for a guest shape: processors and memory. Each CPU has a
# socket of its own, so that no socket is in two nodes.
pn_shape() {
	local nodes id sizes size cpus first_cpu=0 memory=0 slots=0 args=()

	IFS=, read -ra nodes <<<"$(pn_guest_column "$1" 5)"
	for id in "${!nodes[@]}"; do
		IFS=+ read -ra sizes <<<"${nodes[id]#*:}"
		size=$(pn_mib "${sizes[0]}") cpus=${nodes[id]%%:*}
		((${#nodes[@]} == 1)) ||
			args+=("$(pn_shape_node "$id" "$size" "$cpus")")
		((memory += size, first_cpu += cpus, slots += ${#sizes[@]} - 1))
	done
	((slots == 0)) || {
		args+=("$(pn_shape_dimms)")
		memory+=,slots=$slots,maxmem=16G
	}
	echo "-m $memory -smp $first_cpu,sockets=$first_cpu" "${args[@]}"
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

# The libraries of this machine that the programs among the files need.
pn_guest_libraries() {
	ldd "$@" 2>/dev/null | grep '^[[:space:]]' |
		grep -oE '/[^ ]+\.so[^ ]*' | sort -u
}

# Packs the initramfs from the plan and the files that go beside init.
pn_initramfs() {
	local name=$1 out=$2 plan=$3 root=$2.d
	shift 3

	rm -rf "$root"
	mkdir -p "$root/bin"
	cp "$(pn_kernel_tree "$name")/bin/busybox" "$root/bin/"
	cp "$PN_VM/init" "$PN_VM/load-unload-100" "$@" "$root/"
	pn_guest_libraries "$@" | xargs -r cp -L --parents -t "$root"
	printf '%s\n' "$plan" >"$root/plan"
	pn_guest_modules "$name" "$root/modules"
	(cd "$root" && find . -print0 |
		cpio -0 -o -H newc -R 0:0 --quiet) >"$out"
	rm -rf "$root"
}

pn_kernel_image() {
	local tree release image

	tree=$(pn_kernel_tree "$1")
	release=$(pn_kernel_release "$1")
	for image in "$tree/boot/vmlinuz-$release" \
		"$tree/lib/modules/$release/vmlinuz"; do
		[[ ! -f $image ]] || break
	done
	echo "$image"
}

# What the kernel is told in a guest of the shape. secretmem is off by default
# before 6.5. A timer that ticks late, on a busy host, is no broken one, for which
# the kernel would give up.
pn_kernel_parameters() {
	local name=$1 parameter

	parameter=$(pn_guest_column "$2" 4)
	# Else it reports one bug a boot, and is silent from then on.
	! grep -qs '^CONFIG_KASAN=y' \
		"$(pn_kernel_tree "$name")/boot/config-$(pn_kernel_release "$name")" ||
		parameter+=' kasan_multi_shot'
	echo "console=ttyS0 rdinit=/init panic=-1 log_buf_len=4M no_timer_check" \
		"printk.devkmsg=on secretmem.enable=1 ${parameter#-}"
}

# Starts a machine of the shape; the rest are further arguments for QEMU: what it
# boots, and the serial ports. The edu device is there for its PCI BAR.
pn_machine() {
	local shape=$1 args
	shift

	read -rd '' -a args < <(pn_shape "$shape")
	[[ $* == *-accel* ]] || args+=(-accel "${ACCEL:-tcg}")
	timeout --foreground -k 10 "$PN_BOOT_LIMIT" "${PN_QEMU[@]}" \
		-nodefaults -no-user-config -no-reboot -display none \
		-cpu max,-erms,-fsrm "${args[@]}" -device edu "$@"
}

# Boots a kernel in a guest of the shape.
pn_qemu() {
	local name=$1 shape=$2 initramfs=$3
	shift 3

	pn_machine "$shape" -kernel "$(pn_kernel_image "$name")" \
		-initrd "$initramfs" \
		-append "$(pn_kernel_parameters "$name" "$shape")" "$@"
}
