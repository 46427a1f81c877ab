# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # root, src: run's
# A machine with Secure Boot, as Debian's are: the firmware knows Microsoft's keys,
# starts shim, that GRUB, and that Debian's kernel, which locks itself down.

SECURE_BOOT=$PN_CACHE/secure-boot

secure_boot_get() {
	pn_tree_get "$SECURE_BOOT" trixie coreutils ovmf shim-signed \
		grub-efi-amd64-signed python3-virt-firmware
}

# The firmware's variables, with DKMS's key in a list: shim's, where mokutil puts
# it (--add-mok), or the firmware's own (--add-db).
secure_boot_enroll() {
	local list=$1

	inside openssl x509 -inform der -in /var/lib/dkms/mok.pub -out mok.pem &&
		pn_enter "$SECURE_BOOT" "$src" virt-fw-vars \
			--input /usr/share/OVMF/OVMF_VARS_4M.ms.fd --output vars.fd \
			"$list" "$(cat /proc/sys/kernel/random/uuid)" mok.pem >&2
}

# The disk that the firmware finds.
secure_boot_disk() {
	local kernel=$1 shape=$2 initramfs=$3 disk=$4

	mkdir -p "$disk"/EFI/{BOOT,debian}
	cp "$SECURE_BOOT/usr/lib/shim/shimx64.efi.signed" \
		"$disk/EFI/BOOT/BOOTX64.EFI"
	cp "$SECURE_BOOT/usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed" \
		"$disk/EFI/BOOT/grubx64.efi"
	cp "$(pn_kernel_image "$kernel")" "$disk/vmlinuz"
	cp "$initramfs" "$disk/initrd"
	cat >"$disk/EFI/debian/grub.cfg" <<-EOF
		linux /vmlinuz $(pn_kernel_parameters "$kernel" "$shape")
		initrd /initrd
		boot
	EOF
}

# As pn_qemu(), on such a machine.
secure_boot() {
	local disk=$src/disk
	local code=$SECURE_BOOT/usr/share/OVMF/OVMF_CODE_4M.ms.fd

	secure_boot_disk "$1" "$2" "$3" "$disk"
	pn_machine "$2" -machine q35,smm=on \
		-global driver=cfi.pflash01,property=secure,value=on \
		-drive "if=pflash,format=raw,readonly=on,file=$code" \
		-drive "if=pflash,format=raw,file=$src/vars.fd" \
		-drive "if=virtio,format=raw,readonly=on,file=fat:$disk" "${@:4}"
	rm -rf "$disk"
}
