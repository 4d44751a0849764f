# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Tests with results in TAP, to be sourced, by busybox's sh as well

number=0
failures=0
# Files of the test, which stay where it has left a mount, and what shows() prints
work=$(mktemp -d)
said=$work/said
trap 'grep -qs " $work/" /proc/mounts || rm -rf "$work"' EXIT

# print_result NAME COMMAND...
print_result()
{
	name=$1
	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "# failed: $*"
		echo "not ok $number - $name"
		failures=$((failures + 1))
	fi
}

# check NAME COMMAND...: a test, which passes if COMMAND succeeds.
check()
{
	subject=$1
	print_result "$@"
}

# also NAME COMMAND...: a further test of the subject of the last check, whose
# name is printed before NAME.
also()
{
	furthermore=$1
	shift
	print_result "$subject: $furthermore" "$@"
}

# fail_with FILE...: prints the files as comments, and is false.
fail_with()
{
	sed 's/^/# /' "$@"
	return 1
}

# shows COMMAND...: prints the output of COMMAND, as comments.
shows()
{
	"$@" >"$said" 2>&1 || fail_with "$said" || return
	sed 's/^/# /' "$said"
}

# is_nothing: the standard input is empty; prints it as comments.
is_nothing()
{
	! sed 's/^/# /' | grep .
}

# are_equal EXPECTED FOUND: the files are equal, and not empty; prints differences.
are_equal()
{
	[ -s "$1" ] && cmp -s "$1" "$2" && return
	diff "$1" "$2" | head -n 20 | fail_with
}

# soon COMMAND...: COMMAND succeeds within some minutes. A busy host makes any step
# slow, and a failure alone takes so long.
soon()
{
	for _ in $(seq 1200); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "# not soon: $*"
	return 1
}

# The driver releases the module a moment after the end of a profiled process.
unload_module()
{
	soon rmmod profil
}

# Print the plan, and exit with the result of all tests.
finish()
{
	echo "1..$number"
	exit $((failures > 0))
}
