# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Tests told in TAP, to be sourced. Only what busybox's sh knows.

number=0
failures=0

# check NAME COMMAND...: passes if COMMAND does.
check()
{
	tested=$1
	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number - $tested"
	else
		echo "# not so: $*"
		echo "not ok $number - $tested"
		failures=$((failures + 1))
	fi
}

# The driver lets go of a process a moment after its end.
unload_module()
{
	for try in 1 2 3 4 5 6 7 8 9 10; do
		rmmod profil 2>/dev/null && return
		sleep "$((try / 2))"
	done
	rmmod profil
}

# At the end: the plan, and the exit status.
finish()
{
	echo "1..$number"
	exit $((failures > 0))
}
