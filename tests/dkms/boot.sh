# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # suite, root, src: run's
# shellcheck disable=SC2016 # what other shells expand
# Boots a kernel of an installed system with the module that DKMS built there.

# A second archive after the initramfs: the modules directory as depmod left
# it, without the kernel's own modules, and modprobe and dash with their
# libraries, also those that kmod opens for compressed modules. busybox has
# commands of these names, and its shell knows no others.
boot_modules() {
	local kernel=$1 boot file

	boot=$(mktemp -d)
	(
		cd "$root" || exit
		find "lib/modules/$kernel/" -maxdepth 1 -name 'modules.*' -print0
		find "lib/modules/$kernel/updates" -print0
	) | (cd "$root" && cpio -0 -pdL --quiet "$boot")
	mkdir -p "$boot/sbin"
	cp -L "$root/bin/kmod" "$boot/sbin/modprobe"
	cp -L "$root/bin/dash" "$boot/sbin/dash"
	{
		pn_enter "$root" "$src" ldd /bin/kmod /bin/dash | grep -o '	.*' |
			grep -o '/[^ ]*'
		(cd "$root" && find lib/x86_64-linux-gnu/ \
			-name 'liblzma.so.*' -o -name 'libzstd.so.*') | sed 's|^|/|'
	} | sort -u | while read -r file; do
		(cd "$root" && cp -L --parents ".$file" "$boot/")
	done
	(cd "$boot" && find . -print0 | cpio -0 -o -H newc -R 0:0 --quiet)
	rm -rf "$boot"
}

# Boots the kernel in a guest of the shape, which runs what stdin says, with
# modprobe as the system has it and the files. Sets "output" to what that
# prints; a complaint of the kernel, or another status than 0, is printed.
boot() {
	local kernel=$1 shape=$2 plan
	local logs=$PN_LOGS/dkms/$suite-$1-$2${start:+-$start}
	local files=("${@:3}")

	mkdir -p "$logs"
	rm -f "$logs"/*.log
	plan='MODE=program
		load() {
			for file in $(cat /modules/order); do insmod "$file"; done
		}
		program() {
			PATH=/sbin:$PATH
			'$(cat)'
		}'
	echo "$kernel" >"$root/release"
	pn_initramfs "$root" "$logs/initramfs" "$plan" "$PN_CASES" "${files[@]}"
	boot_modules "$kernel" >>"$logs/initramfs"
	"${start:-pn_qemu}" "$root" "$shape" "$logs/initramfs" \
		-serial "file:$logs/console.log" -serial "file:$logs/output.log" \
		-serial "file:$logs/status.log" </dev/null >&2
	rm -f "$root/release" "$logs/initramfs"
	output=$logs/output.log
	grep -m 1 '^DIRTY' "$logs/status.log"
	grep -qx 'END 0' "$logs/status.log" ||
		echo "$(tail -n 1 "$output"), see $logs"
}

# It answers as move_pages(2) does.
boots() {
	local output

	boot "$1" two-nodes <<<'/sbin/modprobe pagenode && /cases zoo'
}

# After an upgrade in which the old module was in use
boots_with_old_module() {
	local kernel=$1 old=$2 output

	boot "$kernel" two-nodes "$old" "$src/packaging/dkms-setup" <<-'EOF'
		ln -s modprobe /sbin/modinfo
		insmod /old.ko && /sbin/dash /dkms-setup load 2>&1 &&
			rmmod pagenode && /sbin/dash /dkms-setup load 2>&1
	EOF
	grep -q "version 9.9.9 is installed, and the old version $version is" "$output" ||
		echo 'nobody says that the old module is loaded'
	grep -q 'the module is loaded, and will be' "$output" ||
		echo 'nobody says that the new module is loaded'
}

# Without its signature, and with one that the kernel does not know. The last
# is what somebody meets who has Secure Boot and did not enroll the key.
boots_without_key() {
	local kernel=$1 output unsigned=$PN_LOGS/dkms/unsigned.ko

	module_without_signature "$kernel" >"$unsigned"
	boot "$kernel" signed-modules "$unsigned" "$src/packaging/dkms-setup" <<-'EOF'
		insmod /unsigned.ko 2>&1 && return 1
		/sbin/dash /dkms-setup load 2>&1 && return 1
		[ ! -e /dev/pagenode ]
	EOF
	rm "$unsigned"
	grep -q "insert '/unsigned.ko': Key was rejected by service" "$output" ||
		echo 'the unsigned module is not refused as it should'
	grep -q "could not insert 'pagenode': Key was rejected by service" \
		"$output" || echo 'the signed module is not refused as it should'
	grep -q 'mokutil --import' "$output" || echo 'nobody says what to do'
}

module_without_signature() {
	local module

	module=$(installed_module "$1")
	case $module in
	*.xz) xz -dc "$module" ;;
	*) cat "$module" ;;
	esac >"$root/tmp/signed.ko"
	objcopy "$root/tmp/signed.ko" "$root/tmp/unsigned.ko" &&
		cat "$root/tmp/unsigned.ko"
	rm "$root/tmp"/{un,}signed.ko
}

# The kernel wants signatures because of Secure Boot alone, and knows DKMS's key
# from a list, see secure_boot_enroll().
boots_with_key() {
	local kernel=$1 list=$2 output start=secure_boot

	if ! secure_boot_get || ! secure_boot_enroll "$list"; then
		echo 'the key could not be enrolled'
		return
	fi
	boot "$kernel" two-nodes "$src/packaging/dkms-setup" <<-'EOF'
		/sbin/dash /dkms-setup load 2>&1 && /cases zoo
	EOF
	grep -q 'secureboot: Secure boot enabled' "${output%/*}/console.log" ||
		echo 'the kernel was not started with Secure Boot'
}
