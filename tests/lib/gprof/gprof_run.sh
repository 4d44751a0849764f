# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2154 # set by the test
#
# Functions that run gcc -pg programs and read their files. To be sourced.

. "$here/profil_run.sh"
preload=/usr/local/lib/libprofil.so.1
gmon_dump=$here/gmon_dump
text=$work/text
flat=$work/flat
export PROFIL_REQUIRE=1

# fresh: make and enter an empty directory.
fresh()
{
	rm -rf "$work/run"
	mkdir "$work/run"
	cd "$work/run" || exit
}

# profiled [NAME=VALUE]... PROGRAM [ARGUMENT]...: run PROGRAM with libprofil
# preloaded, unless PROGRAM is linked with libprofil.
profiled()
{
	case $* in
	*-static*|*musl*) env "$@" ;;
	*) env LD_PRELOAD="$preload" "$@" ;;
	esac
}

# ends_with STATUS [NAME=VALUE]... PROGRAM...: the same in a fresh directory
ends_with()
{
	expected=$1
	shift
	fresh
	status_is "$expected" profiled "$@"
}

# each_way FUNCTION KIND...: calls FUNCTION for each way to build a program that is here.
each_way()
{
	function=$1
	shift
	for kind; do
		way=gprof_workload${kind#.}
		program=$here/$way
		[ ! -e "$program" ] || "$function"
	done
	program=$here/gprof_workload
}

# reads FILE PROGRAM: FILE is a complete gmon.out; its text goes to $text.
reads()
{
	"$gmon_dump" "$1" "$2" >"$text" || return
	sed 's/^/# /' "$text"
}

# calls FROM SELF: calls of SELF by FROM in $text; "*" is any caller
calls()
{
	awk -v from="$1" -v self="$2" '
		$1 == "arc" && (from == "*" || $2 == from) && $3 == self { n += $4 }
		END { print n + 0 }' "$text"
}

# called FROM SELF CALLS: FROM called SELF this often.
called()
{
	seen=$(calls "$1" "$2")
	[ "$seen" = "$3" ] || {
		echo "# $1 calls $2 $seen times"
		return 1
	}
}

value()
{
	awk -v name="$1" '$1 == name { print $2 }' "$text"
}

in_function()
{
	awk -v name="$1" '$1 == "hist" && $2 == name { n += $3 }
		END { print n + 0 }' "$text"
}

# is A B: A and B are equal; a failure prints both.
is()
{
	[ "$1" = "$2" ] || {
		echo "# $1 is not $2"
		return 1
	}
}

has_known_calls()
{
	called once middle "$1" && called middle leaf $((2 * $1))
}

# has_known_file FILE: the only FILE is a gmon.out with the known calls.
has_known_file()
{
	[ $# = 1 ] && reads "$1" "$program" && has_known_calls 1000
}

# gprof_calls FUNCTION: calls, from the fourth column of gprof's flat profile
gprof_calls()
{
	awk -v name="$1" '$NF == name && NF >= 6 { print $4; exit }' "$flat"
}

# gprof_says FUNCTION CALLS: gprof prints this number.
gprof_says()
{
	is "$(gprof_calls "$1")" "$2"
}

# gprof_of PROGRAM FILE...: gprof prints a flat profile, and no error.
gprof_of()
{
	gprof -b -p "$@" >"$flat" 2>"$err" && is_silent
}

without_driver()
{
	unload_module
	fresh
	status_is 0 profiled "$@"
	status=$?
	insmod /profil.ko
	return "$status"
}

# writes NAME [NAME=VALUE]... PROGRAM [ARGUMENT]...: the test NAME, of a $program that
# ends well and writes a readable gmon.out
writes()
{
	name=$1
	shift
	check "$name" ends_with 0 "$@"
	also "writes a readable gmon.out" reads gmon.out "$program"
}

# by_library NAME PROGRAM ARGUMENT...: the same of a program that calls a library
by_library()
{
	program=$2
	writes "$@" 1000
	also "has no functions of the library" called "*" work_of_library 0
	also "writes a gmon.out for the library" \
		reads gmon.out.libgprof_library.so "$here/libgprof_library.so"
	also "has calls" called "*" work_of_library 1000
}

# counts: does this machine count instructions?
counts()
{
	[ "${COUNTS_INSTRUCTIONS:-}" ]
}

# due FUNCTION MS [BESIDE]: a test, where samples are never lost: FUNCTION has the samples
# due for MS of CPU time, less at most 10 % for reading the clock, and BESIDE more where
# another process takes the CPU between the ticks, which find the program.
due()
{
	! counts || also "$1() has the samples due" is_due "$@"
}

is_due()
{
	hz=$(value rate)
	compares "$(in_function "$1")" $(($2 * hz)) 1000 \
		"seen >= n * 0.9 - 1 && seen <= n + 2 + ${3-0}"
}

# is_share PERCENT FUNCTION OTHER: FUNCTION has this share of the samples of
# both, within five deviations of root(both * p * (1 - p)) each, and 1 %.
is_share()
{
	one=$(in_function "$2")
	both=$((one + $(in_function "$3")))
	compares "$one" $((both * $1)) 100 "$both >= 30 &&
		off <= 5 * root(n * (100 - $1) / 100) + 4 + $both / 100"
}

# gprof_has_time: gprof prints the time of heavy(), in seconds with two decimals.
gprof_has_time()
{
	awk -v n="$(in_function heavy)" -v rate="$(value rate)" '
		$NF == "heavy" { off = $3 * rate - n; found = 1 }
		END { exit !(found && off <= rate * 0.006 && off >= -rate * 0.006) }
		' "$flat"
}
