# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the tests that are scripts: cases that are commands, and how they end.
#
# shellcheck disable=SC2034 # the scripts use them

top=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
cc=${CC:-cc}
passed=0
failed=0

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# verdict NAME COMMAND...: the case passes if the command does.
verdict()
{
	local name=$1
	shift

	if "$@" > "$dir/log" 2>&1; then
		echo "PASS $name"
		passed=$((passed + 1))
	else
		echo "FAIL $name: $(head -n 1 "$dir/log")"
		cat "$dir/log" >&2
		failed=$((failed + 1))
	fi
}

# need TOOL CASE...: without the tool, these cases are skipped.
need()
{
	local tool=$1 name
	shift

	command -v "$tool" > /dev/null && return
	for name; do
		echo "SKIP $name: no $tool on this machine"
	done
	return 1
}

# The last command of a test
finish()
{
	[ "$failed" -eq 0 ] || exit 1
	[ "$passed" -gt 0 ] || exit 77
}
