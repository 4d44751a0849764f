#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# gcc -pg programs that know nothing of libprofil: what gmon.out says of them,
# by the stock gprof and by a reader of our own. Samples are for gprof_samples.sh.
# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
# shellcheck source=tests/lib/gprof/gprof_run.sh
. "$here/gprof_run.sh"

# Known answers, for each way to make a program

for way in gprof_workload gprof_workload-fixed gprof_workload-fentry gprof_workload-static gprof_workload-static-pie gprof_workload-musl \
		gprof_workload-musl-static; do
	program=$here/$way
	[ -e "$program" ] || continue
	check "$way ends" ends_with 0 "$program" calls
	check "with nothing to say" is_silent
	check "and one gmon.out" is "$(ls)" gmon.out
	check "which can be read" reads gmon.out "$program"
	check "calls are 2000, 1000, 1" has_known_calls 1000
	check "and 1" called main once 1
	check "main() is called once, too" called "*" main 1
	check "the rate is the tick's" is "$(value rate)" "$("$gmon_dump" rate)"
	check "gprof takes it" gprof_of "$program" gmon.out
	check "gprof says 2000" gprof_says leaf 2000
	check "gprof says 1000" gprof_says middle 1000
	check "gprof says 1" gprof_says once 1

	check "$way calls from 8 threads" ends_with 0 "$program" threads 50000
	check "which can be read" reads gmon.out "$program"
	check "and none is lost" called worker leaf 400000

	check "$way calls from the C library" ends_with 0 "$program" sort
	comparisons=$(cat "$out")
	check "which can be read" reads gmon.out "$program"
	check "each of them counts" called "*" counted "$comparisons"
	check "and those that they make" called counted compare "$comparisons"

	check "$way calls with arguments everywhere, and they arrive" \
		ends_with 0 "$program" arguments 1500
	check "while files are written" reads gmon.out "$program"
	check "and none is lost" is "$(calls "*" mix)" "$(calls "*" sum)"
done

program=$here/gprof_workload

check "functions that call each other" ends_with 0 "$program" recurse 1001
check "are read" reads gmon.out "$program"
check "first by second" called second first 500
check "second by first" called first second 500

check "handlers that call what they interrupt" \
	ends_with 0 "$program" signals 3000000
check "are read" reads gmon.out "$program"
check "no call is lost" called worker leaf 3000000
check "nor one of theirs" called handler leaf "$(calls "*" handler)"
check "and there were some" [ "$(calls "*" handler)" -gt 0 ]

# Its rate

check "PROFIL_GMON_RATE=1000" \
	ends_with 0 PROFIL_GMON_RATE=1000 "$program" calls
check "is read" reads gmon.out "$program"
check "is the rate in the file" is "$(value rate)" 1000
check "PROFIL_GMON_RATE that the driver does not take" \
	ends_with 0 PROFIL_GMON_RATE=1000000 "$program" calls
check "is said" says "does not take PROFIL_GMON_RATE"
check "and the file is read" reads gmon.out "$program"
check "and is of the tick" is "$(value rate)" "$("$gmon_dump" rate)"

check "moncontrol(0) and moncontrol(1)" ends_with 0 "$program" pause
check "are read" reads gmon.out "$program"
check "what is called in between is not there" has_known_calls 1010
check "nor the time" is "$(in_function heavy)" 0

for way in gprof_workload gprof_workload-static gprof_workload-musl; do
	[ -e "$here/$way" ] || continue
	check "$way that calls profil() itself" ends_with 0 "$here/$way" itself
	check "has a file that is read" reads gmon.out "$here/$way"
	check "with calls" has_known_calls 1000
	check "without those samples" is "$(in_function heavy)" 0
done

# gprof -s: sums of runs

three_runs()
{
	ends_with 0 GMON_OUT_PREFIX=one "$program" shares 200 &&
		status_is 0 profiled GMON_OUT_PREFIX=two "$program" shares 200 &&
		status_is 0 profiled GMON_OUT_PREFIX=three "$program" calls
}

# all_in NAME: the sum of what gmon_dump says of the three
all_in()
{
	for file in one.* two.* three.*; do
		"$gmon_dump" "$file" "$program"
	done | awk -v name="$1" '$1 == name || $2 == name && $1 == "hist" {
		n += $NF } END { print n + 0 }'
}

check "three runs with GMON_OUT_PREFIX" three_runs
names()
{
	for file in *; do
		echo "${file%.*}"
	done
}
check "have names of their own" is "$(names)" "one
three
two"
# shellcheck disable=SC2046
check "gprof -s sums them" gprof -s "$program" $(ls one.* two.* three.*)
check "which is read" reads gmon.sum "$program"
check "samples add up" is "$(value samples)" "$(all_in samples)"
check "by function" is "$(in_function heavy)" "$(all_in heavy)"
check "and so do calls" has_known_calls 1000

# Where it goes, and how it ends

check "chdir()" ends_with 0 "$program" chdir /
check "leaves it where it began" reads gmon.out "$program"
check "whole" has_known_calls 1000
check "and nowhere else" [ ! -e /gmon.out ]

check "GMON_OUT_PREFIX with a directory" ends_with 0 \
	GMON_OUT_PREFIX="$work/run/prefix" "$program" chdir /
check "is honoured" has_known_file "$work"/run/prefix.*
check "a relative one" ends_with 0 GMON_OUT_PREFIX=./some "$program" chdir /
check "is of the directory at the start" has_known_file "$work"/run/some.*

# A program that has more rights than who calls it is not told where to write.
with_more_rights()
{
	fresh
	chmod 755 "$work"
	cp "$here/gprof_workload-static" privileged
	chmod 4755 privileged
	status_is 0 su nobody -s /bin/sh -c \
		"GMON_OUT_PREFIX=prefix ./privileged calls"
}
check "a program with more rights than its user" with_more_rights
check "does not heed GMON_OUT_PREFIX" is "$(echo *)" "gmon.out privileged"

inside_root()
{
	fresh
	mkdir root
	status_is 0 profiled "$program" chroot "$work/run/root"
}
check "chroot() away from there" inside_root
check "leaves it in the directory at the end" has_known_file root/gmon.out

check "quick_exit()" ends_with 0 "$program" quick_exit
check "writes it" has_known_file gmon.out
check "_mcleanup() twice" ends_with 0 "$program" twice
check "writes it once, as it was" has_known_file gmon.out
check "monstartup() after the start" ends_with 0 "$program" again
check "begins anew" has_known_file gmon.out

for signal in 15 9 11; do
	check "signal $signal" ends_with $((128 + signal)) "$program" \
		kill "$signal"
	check "leaves a file of a moment before" reads gmon.out "$program"
	check "with calls" [ "$(calls once middle)" -gt 0 ]
	check "and nothing else" is "$(ls)" gmon.out
done
check "PROFIL_GMON_EVERY=0" ends_with 143 PROFIL_GMON_EVERY=0 "$program" kill 15
check "leaves none" is "$(ls)" ''

# Forked children

check "a forked child" ends_with 0 "$program" fork
child=$(cat "$out")
check "has a file of its own" is "$(echo ./*)" "./gmon.out ./gmon.out.$child"
check "the parent's" reads gmon.out "$program"
check "has the parent's calls" has_known_calls 6
check "and not the child's time" is "$(in_function heavy)" 0
check "the child's" reads "gmon.out.$child" "$program"
check "has the child's calls" has_known_calls 7
for way in gprof_workload gprof_workload-static gprof_workload-musl; do
	program=$here/$way
	[ -e "$program" ] || continue
	for verb in anew ended; do
		check "$way: children that call monstartup(): $verb" \
			ends_with 0 "$program" "$verb"
		# shellcheck disable=SC2046
		set -- $(cat "$out")
		check "have files of their own" is "$(echo gmon.out*)" \
			"$(printf '%s\n' gmon.out "gmon.out.$1" "gmon.out.$2" | sort | xargs)"
		check "the parent's" reads gmon.out "$program"
		check "has the parent's calls" has_known_calls 5
		check "and no other's time" is "$(in_function heavy)" 0
		check "the first child's" reads "gmon.out.$1" "$program"
		check "has its calls" has_known_calls 20
		check "the second child's" reads "gmon.out.$2" "$program"
		check "has its calls" has_known_calls 21
	done
done
program=$here/gprof_workload

check "a vfork child" ends_with 0 "$program" vfork
check "shares its parent's" reads gmon.out "$program"
check "calls" has_known_calls 4
check "and has no file" is "$(ls)" gmon.out

# What is in the way

behind_link()
{
	fresh
	echo precious >target
	ln -s target gmon.out
	status_is 0 profiled PROFIL_GMON_EVERY=0 "$program" calls
}
check "a symbolic link is not followed" behind_link
check "nor touched" is "$(cat target)" precious
check "and that is said" says "gmon.out cannot be written: .*GMON_OUT_PREFIX"

behind_link_for_long()
{
	fresh
	echo precious >target
	ln -s target gmon.out
	status_is 143 profiled "$program" kill 15
}
check "nor does a file written meanwhile take its place" behind_link_for_long
check "it is as it was" [ -L gmon.out ]
check "and what it leads to" is "$(cat target)" precious
check "and nothing is left" is "$(echo ./*)" "./gmon.out ./target"

at_fifo()
{
	fresh
	mkfifo gmon.out
	status_is 0 profiled PROFIL_GMON_EVERY=0 "$program" calls
}
check "a pipe does not hold the program up" at_fifo
check "a directory that is gone" ends_with 0 \
	GMON_OUT_PREFIX=/nowhere/at/all "$program" calls
check "is said" says "cannot be written: No such file"

# 4.4BSD's header

check "PROFIL_GMON_FORMAT=bsd" ends_with 0 PROFIL_GMON_FORMAT=bsd \
	"$program" calls
check "is read" has_known_file gmon.out
check "as 4.4BSD's" is "$(value format)" bsd
check "by gprof, too" gprof_of "$program" gmon.out
check "with its calls" gprof_says leaf 2000

# Libraries

export LD_LIBRARY_PATH="$here"
check "PROFIL_GMON_OBJECTS=1" ends_with 0 PROFIL_GMON_OBJECTS=1 \
	"$here/gprof_library-linked" linked 1000
check "has the program's file" reads gmon.out "$here/gprof_library-linked"
check "without the library's functions" called "*" work_of_library 0
check "and the library's" reads gmon.out.libgprof_library.so "$here/libgprof_library.so"
check "with calls" called "*" work_of_library 1000
check "gprof takes it" gprof_of "$here/libgprof_library.so" gmon.out.libgprof_library.so
check "and says the same" gprof_says work_of_library 1000
check "a library that is opened later" ends_with 0 PROFIL_GMON_OBJECTS=1 \
	"$here/gprof_library-opened" "$here/libgprof_library.so" 1000
check "has one, too" reads gmon.out.libgprof_library.so "$here/libgprof_library.so"
check "with calls" called "*" work_of_library 1000
check "the opener has its own" reads gmon.out "$here/gprof_library-opened"
check "without PROFIL_GMON_OBJECTS" ends_with 0 "$here/gprof_library-linked" linked 1000
check "there is one file" is "$(ls)" gmon.out

# With others

check "under profil run" ends_with 0 profil run -an -- "$program" shares 200
check "gmon.out is read" reads gmon.out "$program"
check "with calls" [ "$(calls "*" heavy)" -gt 0 ]
check "no samples" is "$(value samples)" 0

check "without the driver" without_driver PROFIL_REQUIRE=0 PROFIL_VERBOSE=1 \
	"$program" shares 500
check "that is said" says "modprobe profil.*own function"
check "the C library's samples are read" reads gmon.out "$program"
check "with its rate" is "$(value rate)" 100
check "PROFIL_REQUIRE=1" without_driver "$program" calls
check "is said" says "no gmon.out is written, for PROFIL_REQUIRE=1"
check "and so it is" is "$(ls)" ''

cd /
rm -rf "$work"
finish
