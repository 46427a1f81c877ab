# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Directory trees of Debian packages that are only unpacked, so that no privilege
# is needed to make one, and programs run in them.

# Has a command make what is at the path, or finds it as made before. The archive
# is asked for something newer once a day, and when the file that says what is
# there has changed.
pn_fresh() {
	local path=$1 file=$2
	shift 2

	[[ -z $(find "$path.checked" -mmin -1440 -newer "$file" \
		2>/dev/null) ]] || return 0
	mkdir -p "${path%/*}"
	if pn_locked "$PN_APT.lock" "$@"; then
		touch "$path.checked"
	elif [[ -e $path ]]; then
		pn_say "${path##*/}: nothing newer could be fetched," \
			"going on with what is there"
	else
		return 1
	fi
}

# Makes the tree of the packages and of all that they need.
pn_tree_get() {
	pn_fresh "$1" "${BASH_SOURCE[1]}" pn_tree_update "$@"
}

pn_tree_update() {
	local tree=$1 suite=$2 name=${1##*/} plan new
	shift 2

	pn_progress "$name: reading the lists of $suite"
	pn_apt_update "$suite" || return
	plan=$(pn_apt_plan "$suite" "$@") || return
	new=$tree-$(sha256sum <<<"$plan" | head -c 12)
	[[ $(readlink "$tree") != "${new##*/}" ]] || return 0
	pn_progress "$name: fetching it from $suite"
	pn_apt_download "$suite" "$@" || return
	pn_progress "$name: unpacking it"
	rm -rf "$new.part"
	pn_tree_unpack "$new.part" "$plan" && pn_tree_replace "$tree" "$new"
}

# Puts what is finished beside the tree in its place.
pn_tree_replace() {
	local tree=$1 new=$2 old

	old=$(readlink "$tree")
	rm -rf "$new"
	mv "$new.part" "$new" && ln -sfn "${new##*/}" "$tree" || return
	[[ -z $old || $old == "${new##*/}" ]] || rm -rf "${tree%/*}/${old:?}"
}

pn_tree_unpack() {
	local root=$1 plan=$2 dir

	for dir in bin sbin lib lib64; do
		mkdir -p "$root/usr/$dir"
		ln -s "usr/$dir" "$root/$dir"
	done
	mkdir -p "$root"/{build,proc,dev,tmp}
	# shellcheck disable=SC2016 # the inner shell's variables
	xargs -P "$(nproc)" -n 1 bash -c 'set -o pipefail
		dpkg-deb --fsys-tarfile "$1/$2" |
		tar -x -C "$0" --keep-directory-symlink --no-same-owner \
			--exclude="./usr/share/doc" --exclude="./usr/share/man" \
			--exclude="./usr/share/locale" --exclude="./dev/*"' \
		"$root" "$PN_APT/archives" <<<"$plan" || return
	# What their maintainer scripts would have done.
	ln -sf mawk "$root/usr/bin/awk"
	[[ -e $root/usr/bin/sh ]] || ln -s dash "$root/usr/bin/sh"
}

# Runs a command inside a tree, in its /build, which is the directory given.
# The mounts are in a namespace of their own. Inside a plain chroot that can't
# be cut off from its host's as a whole, so the tree is, and is unmounted.
pn_enter() {
	local root=$1 build=$2 unshare=(unshare --mount)
	shift 2

	if ((EUID != 0)); then
		unshare+=(--map-root-user)
	elif ! "${unshare[@]}" true 2>/dev/null; then
		unshare+=(--propagation unchanged)
	fi
	# shellcheck disable=SC2016 # the inner shell's variables
	"${unshare[@]}" bash -c '
		root=$(readlink -f "$1") build=$2
		shift 2
		mount --bind "$root" "$root" || exit
		trap "umount -R -l \"\$root\" 2>/dev/null" EXIT
		mount --make-private "$root" &&
		mount --rbind /proc "$root/proc" &&
		mount --rbind /dev "$root/dev" &&
		mount --bind "$build" "$root/build" || exit
		chroot "$root" /usr/bin/env -i -C /build LC_ALL=C \
			PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp "$@"
	' enter "$root" "$build" "$@"
}
