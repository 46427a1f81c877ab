# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # most of these are for those who read this file
# What every part of the rig shares: where things lie, and how it speaks.

PN_TOP=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd)
PN_VM=$PN_TOP/tests/vm
PN_LOGS=$PN_TOP/build/vm
PN_CACHE=${PAGENODE_CACHE:-${XDG_CACHE_HOME:-~/.cache}/pagenode}

# Debian keeps chroot and modprobe from a user's PATH.
PATH=$PATH:/usr/sbin:/sbin

pn_say() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

pn_die() {
	pn_say "$@"
	exit 1
}

# A line that the next one replaces; nothing unless a person is watching.
pn_progress() {
	[[ ! -t 2 ]] || printf '\r\033[K%s\r' "$*" >&2
}

# Runs the rest under a lock, so that two runs at once share the cache.
pn_locked() {
	local file=$1
	shift
	(
		exec {lock}>>"$file"
		flock -n "$lock" || {
			pn_progress "waiting for another run"
			flock "$lock"
		}
		"$@" {lock}>&-
	)
}
