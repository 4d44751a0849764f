#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Calls in the gmon.out of gcc -pg programs that are built without libprofil, as the stock
# gprof and gmon_dump print them; where the file is written, and in place of which others.

here=${0%/*}
. "$here/gprof_run.sh"

# Calls, for each way to build a program

known_calls()
{
	writes "$way exits normally" "$program" calls
	also "prints nothing" is_silent
	also "writes one file" is "$(ls)" gmon.out
	also "has 2000 and 1000 calls of leaf() and middle()" \
		has_known_calls 1000
	also "has 1 call of once()" called main once 1
	also "main() is called once" called "*" main 1
	also "has the rate of the tick" \
		is "$(value rate)" "$("$gmon_dump" rate)"
	also "is read by gprof" gprof_of "$program" gmon.out
	also "gprof prints 2000 calls of leaf()" gprof_says leaf 2000
	also "gprof prints 1000 calls of middle()" gprof_says middle 1000
	also "gprof prints 1 call of once()" gprof_says once 1

	writes "$way calls from 8 threads" "$program" threads 50000
	also "no call is lost" called worker leaf 400000

	writes "$way is called back by qsort()" "$program" sort
	comparisons=$(cat "$out")
	also "each call is counted" called "*" counted "$comparisons"
	also "each call of the callback is counted" \
		called counted compare "$comparisons"

	writes "$way passes arguments in registers and on the stack" \
		"$program" arguments 1200
	also "no call is lost" is "$(calls "*" mix)" "$(calls "*" sum)"
}

calls_of_other_kinds()
{
	writes "functions that call each other" "$program" recurse 1001
	also "second() calls first() 500 times" called second first 500
	also "first() calls second() 500 times" called first second 500

	writes "signal handlers call the interrupted function" \
		"$program" signals 3000000
	also "no call is lost" called worker leaf 3000000
	also "no call of a handler is lost" \
		called handler leaf "$(calls "*" handler)"
	also "handlers have run" [ "$(calls "*" handler)" -gt 0 ]

	writes "a child by vfork()" "$program" vfork
	also "has the calls of both" has_known_calls 4
	also "writes no file of its own" is "$(ls)" gmon.out
}

# Sums of runs by gprof -s

three_runs()
{
	ends_with 0 GMON_OUT_PREFIX=one "$program" shares 50 &&
		status_is 0 profiled GMON_OUT_PREFIX=two "$program" shares 50 &&
		status_is 0 profiled GMON_OUT_PREFIX=three "$program" calls
}

# all_in NAME: the sum of this value or function in the three files
all_in()
{
	for file in one.* two.* three.*; do
		"$gmon_dump" "$file" "$program"
	done | awk -v name="$1" '$1 == name || $2 == name && $1 == "hist" {
		n += $NF } END { print n + 0 }'
}

sums()
{
	check "three runs with GMON_OUT_PREFIX" three_runs
	also "writes a file for each run" is \
		"$(for file in *; do echo "${file%.*}"; done | xargs)" \
		"one three two"
	# shellcheck disable=SC2046
	check "gprof -s sums them" gprof -s "$program" $(ls one.* two.* three.*)
	also "is a readable gmon.out" reads gmon.sum "$program"
	also "has the sum of the samples" is "$(value samples)" "$(all_in samples)"
	also "has the sum of each function's samples" \
		is "$(in_function heavy)" "$(all_in heavy)"
	also "has the sum of the calls" has_known_calls 1000
}

# Directory of gmon.out, and ends of a program that write it

# The environment does not choose the file of a set-user-ID program.
with_more_rights()
{
	fresh
	chmod 755 "$work"
	cp "$here/gprof_workload-static" privileged
	chmod 4755 privileged
	status_is 0 su nobody -s /bin/sh -c \
		"GMON_OUT_PREFIX=prefix ./privileged calls"
}

inside_root()
{
	fresh
	mkdir root
	status_is 0 profiled "$program" chroot "$work/run/root"
}

places()
{
	writes "chdir()" "$program" chdir /
	also "writes gmon.out where the program began" has_known_calls 1000
	also "writes no other file" [ ! -e /gmon.out ]
	check "GMON_OUT_PREFIX with a directory" ends_with 0 \
		GMON_OUT_PREFIX="$work/run/prefix" "$program" chdir /
	also "writes the file there" has_known_file "$work"/run/prefix.*
	check "a relative GMON_OUT_PREFIX" \
		ends_with 0 GMON_OUT_PREFIX=./some "$program" chdir /
	also "is relative to the directory at the start" \
		has_known_file "$work"/run/some.*
	check "a set-user-ID program" with_more_rights
	also "ignores GMON_OUT_PREFIX" is "$(echo *)" "gmon.out privileged"
	check "chroot()" inside_root
	also "writes gmon.out in the directory at the end" \
		has_known_file root/gmon.out
	for verb in quick_exit twice again; do
		check "$verb: of quick_exit(), _mcleanup() or monstartup()" \
			ends_with 0 "$program" "$verb"
		also "writes gmon.out once, with the calls since the last start" \
			has_known_file gmon.out
	done
	check "PROFIL_GMON_EVERY=0" \
		ends_with 143 PROFIL_GMON_EVERY=0 "$program" kill 15
	also "leaves no file" is "$(ls)" ''
}

# Other files in the place of gmon.out

# beside COMMAND STATUS [NAME=VALUE]... PROGRAM...: the same as ends_with after COMMAND
beside()
{
	command=$1 expected=$2
	shift 2
	fresh
	echo precious >target
	$command gmon.out
	status_is "$expected" profiled "$@"
}

other_files()
{
	check "a symbolic link is not followed" \
		beside 'ln -s target' 0 PROFIL_GMON_EVERY=0 "$program" calls
	also "its target is unchanged" is "$(cat target)" precious
	also "is reported" says "gmon.out cannot be written: .*GMON_OUT_PREFIX"
	check "a periodic file does not replace a symbolic link" \
		beside 'ln -s target' 143 "$program" kill 15
	also "the link is unchanged" [ -L gmon.out ]
	also "the target is unchanged" is "$(cat target)" precious
	also "leaves no temporary file" is "$(echo ./*)" "./gmon.out ./target"
	check "a FIFO named gmon.out does not block the program" \
		beside mkfifo 0 PROFIL_GMON_EVERY=0 "$program" calls
	check "a GMON_OUT_PREFIX in a missing directory" ends_with 0 \
		GMON_OUT_PREFIX=/nowhere/at/all "$program" calls
	also "is reported" says "cannot be written: No such file"
}

bsd_header()
{
	check "PROFIL_GMON_FORMAT=bsd" ends_with 0 PROFIL_GMON_FORMAT=bsd \
		"$program" calls
	also "writes a readable gmon.out" has_known_file gmon.out
	also "has 4.4BSD's header" is "$(value format)" bsd
	also "is read by gprof" gprof_of "$program" gmon.out
	also "has the calls" gprof_says leaf 2000
}

program=$here/gprof_workload
each_way known_calls . -fixed -fentry -static -static-pie -musl -musl-static
calls_of_other_kinds
sums
places
other_files
bsd_header
finish
