#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Calls in the gmon.out of gcc -pg programs that are built without libprofil, as
# the stock gprof and gmon_dump print them. Samples are tested by
# gprof_samples.sh.
# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
# shellcheck source=tests/lib/gprof/gprof_run.sh
. "$here/gprof_run.sh"

# Known numbers of calls, for each way to build a program

for kind in '' -fixed -fentry -static -static-pie -musl -musl-static; do
	way=gprof_workload$kind
	program=$here/$way
	[ -e "$program" ] || continue
	check "$way exits normally" ends_with 0 "$program" calls
	also "prints nothing" is_silent
	also "writes one file" is "$(ls)" gmon.out
	also "writes a readable gmon.out" reads gmon.out "$program"
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

	check "$way calls from 8 threads" ends_with 0 "$program" threads 50000
	also "writes a readable gmon.out" reads gmon.out "$program"
	also "no call is lost" called worker leaf 400000

	check "$way is called back by qsort()" ends_with 0 "$program" sort
	comparisons=$(cat "$out")
	also "writes a readable gmon.out" reads gmon.out "$program"
	also "each call is counted" called "*" counted "$comparisons"
	also "each call of the callback is counted" \
		called counted compare "$comparisons"

	check "$way passes arguments in registers and on the stack" \
		ends_with 0 "$program" arguments 1500
	also "writes a readable gmon.out meanwhile" reads gmon.out "$program"
	also "no call is lost" is "$(calls "*" mix)" "$(calls "*" sum)"
done

program=$here/gprof_workload

check "functions that call each other" ends_with 0 "$program" recurse 1001
also "writes a readable gmon.out" reads gmon.out "$program"
also "second() calls first() 500 times" called second first 500
also "first() calls second() 500 times" called first second 500

check "signal handlers call the interrupted function" \
	ends_with 0 "$program" signals 3000000
also "writes a readable gmon.out" reads gmon.out "$program"
also "no call is lost" called worker leaf 3000000
also "no call of a handler is lost" called handler leaf "$(calls "*" handler)"
also "handlers have run" [ "$(calls "*" handler)" -gt 0 ]

# Sampling rate

check "PROFIL_GMON_RATE=1000" \
	ends_with 0 PROFIL_GMON_RATE=1000 "$program" calls
also "writes a readable gmon.out" reads gmon.out "$program"
also "is the rate in the file" is "$(value rate)" 1000
check "a PROFIL_GMON_RATE above the driver's range" \
	ends_with 0 PROFIL_GMON_RATE=1000000 "$program" calls
also "is reported" says "the driver refuses PROFIL_GMON_RATE"
also "writes a readable gmon.out" reads gmon.out "$program"
also "has the rate of the tick" is "$(value rate)" "$("$gmon_dump" rate)"

check "moncontrol(0) and then moncontrol(1)" ends_with 0 "$program" pause
also "writes a readable gmon.out" reads gmon.out "$program"
also "has no calls of the pause" has_known_calls 1010
also "has no samples of the pause" is "$(in_function heavy)" 0

for way in gprof_workload gprof_workload-static gprof_workload-musl; do
	[ -e "$here/$way" ] || continue
	check "$way calls profil() itself" ends_with 0 "$here/$way" itself
	also "writes a readable gmon.out" reads gmon.out "$here/$way"
	also "has calls" has_known_calls 1000
	also "has none of profil()'s samples" is "$(in_function heavy)" 0
done

# Sums of runs by gprof -s

three_runs()
{
	ends_with 0 GMON_OUT_PREFIX=one "$program" shares 200 &&
		status_is 0 profiled GMON_OUT_PREFIX=two "$program" shares 200 &&
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

check "three runs with GMON_OUT_PREFIX" three_runs
names()
{
	for file in *; do
		echo "${file%.*}"
	done
}
also "writes a file for each run" is "$(names)" "one
three
two"
# shellcheck disable=SC2046
check "gprof -s sums them" gprof -s "$program" $(ls one.* two.* three.*)
also "is a readable gmon.out" reads gmon.sum "$program"
also "has the sum of the samples" is "$(value samples)" "$(all_in samples)"
also "has the sum of each function's samples" \
	is "$(in_function heavy)" "$(all_in heavy)"
also "has the sum of the calls" has_known_calls 1000

# Directory of gmon.out, and ends of a program that write it

check "chdir()" ends_with 0 "$program" chdir /
also "writes gmon.out where the program began" reads gmon.out "$program"
also "has all calls" has_known_calls 1000
also "writes no other file" [ ! -e /gmon.out ]

check "GMON_OUT_PREFIX with a directory" ends_with 0 \
	GMON_OUT_PREFIX="$work/run/prefix" "$program" chdir /
also "writes the file there" has_known_file "$work"/run/prefix.*
check "a relative GMON_OUT_PREFIX" \
	ends_with 0 GMON_OUT_PREFIX=./some "$program" chdir /
also "is relative to the directory at the start" \
	has_known_file "$work"/run/some.*

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
check "a set-user-ID program" with_more_rights
also "ignores GMON_OUT_PREFIX" is "$(echo *)" "gmon.out privileged"

inside_root()
{
	fresh
	mkdir root
	status_is 0 profiled "$program" chroot "$work/run/root"
}
check "chroot()" inside_root
also "writes gmon.out in the directory at the end" has_known_file root/gmon.out

check "quick_exit()" ends_with 0 "$program" quick_exit
also "writes gmon.out" has_known_file gmon.out
check "_mcleanup() twice" ends_with 0 "$program" twice
also "writes gmon.out once" has_known_file gmon.out
check "monstartup() called again" ends_with 0 "$program" again
also "counts from zero" has_known_file gmon.out

for signal in 15 9 11; do
	check "signal $signal" ends_with $((128 + signal)) "$program" \
		kill "$signal"
	also "leaves a recent readable gmon.out" reads gmon.out "$program"
	also "has calls" [ "$(calls once middle)" -gt 0 ]
	also "leaves one file" is "$(ls)" gmon.out
done
check "PROFIL_GMON_EVERY=0" ends_with 143 PROFIL_GMON_EVERY=0 "$program" kill 15
also "leaves no file" is "$(ls)" ''

# Forked children

check "a forked child" ends_with 0 "$program" fork
child=$(cat "$out")
also "writes a file of its own" is "$(echo ./*)" "./gmon.out ./gmon.out.$child"
also "the parent writes a readable gmon.out" reads gmon.out "$program"
also "the parent's file has the parent's calls" has_known_calls 6
also "the parent's file has no samples of the child" is "$(in_function heavy)" 0
also "the child writes a readable gmon.out" reads "gmon.out.$child" "$program"
also "the child's file has the child's calls" has_known_calls 7
for way in gprof_workload gprof_workload-static gprof_workload-musl; do
	program=$here/$way
	[ -e "$program" ] || continue
	for verb in anew ended; do
		check "$way: children that call monstartup(): $verb" \
			ends_with 0 "$program" "$verb"
		# shellcheck disable=SC2046
		set -- $(cat "$out")
		also "writes a file for each process" is "$(echo gmon.out*)" \
			"$(printf '%s\n' gmon.out "gmon.out.$1" "gmon.out.$2" | sort | xargs)"
		also "the parent writes a readable gmon.out" \
			reads gmon.out "$program"
		also "the parent's file has the parent's calls" \
			has_known_calls 5
		also "the parent's file has no samples of its children" \
			is "$(in_function heavy)" 0
		also "the first child writes a readable gmon.out" \
			reads "gmon.out.$1" "$program"
		also "has the child's calls" has_known_calls 20
		also "the second child writes a readable gmon.out" \
			reads "gmon.out.$2" "$program"
		also "has the child's calls" has_known_calls 21
	done
done
program=$here/gprof_workload

check "a child by vfork()" ends_with 0 "$program" vfork
also "writes a readable gmon.out" reads gmon.out "$program"
also "has the calls of both" has_known_calls 4
also "writes no file of its own" is "$(ls)" gmon.out

# Other files in the place of gmon.out

behind_link()
{
	fresh
	echo precious >target
	ln -s target gmon.out
	status_is 0 profiled PROFIL_GMON_EVERY=0 "$program" calls
}
check "a symbolic link is not followed" behind_link
also "its target is unchanged" is "$(cat target)" precious
also "is reported" says "gmon.out cannot be written: .*GMON_OUT_PREFIX"

behind_link_for_long()
{
	fresh
	echo precious >target
	ln -s target gmon.out
	status_is 143 profiled "$program" kill 15
}
check "a periodic file does not replace a symbolic link" behind_link_for_long
also "the link is unchanged" [ -L gmon.out ]
also "the target is unchanged" is "$(cat target)" precious
also "leaves no temporary file" is "$(echo ./*)" "./gmon.out ./target"

at_fifo()
{
	fresh
	mkfifo gmon.out
	status_is 0 profiled PROFIL_GMON_EVERY=0 "$program" calls
}
check "a FIFO named gmon.out does not block the program" at_fifo
check "a GMON_OUT_PREFIX in a missing directory" ends_with 0 \
	GMON_OUT_PREFIX=/nowhere/at/all "$program" calls
also "is reported" says "cannot be written: No such file"

# 4.4BSD's header

check "PROFIL_GMON_FORMAT=bsd" ends_with 0 PROFIL_GMON_FORMAT=bsd \
	"$program" calls
also "writes a readable gmon.out" has_known_file gmon.out
also "has 4.4BSD's header" is "$(value format)" bsd
also "is read by gprof" gprof_of "$program" gmon.out
also "has the calls" gprof_says leaf 2000

# Libraries

export LD_LIBRARY_PATH="$here"
check "PROFIL_GMON_OBJECTS=1" ends_with 0 PROFIL_GMON_OBJECTS=1 \
	"$here/gprof_library-linked" linked 1000
also "writes a gmon.out for the program" \
	reads gmon.out "$here/gprof_library-linked"
also "has no functions of the library" called "*" work_of_library 0
also "writes a gmon.out for the library" \
	reads gmon.out.libgprof_library.so "$here/libgprof_library.so"
also "has calls" called "*" work_of_library 1000
also "is read by gprof" \
	gprof_of "$here/libgprof_library.so" gmon.out.libgprof_library.so
also "gprof prints the same calls" gprof_says work_of_library 1000
check "a library that is opened later" ends_with 0 PROFIL_GMON_OBJECTS=1 \
	"$here/gprof_library-opened" "$here/libgprof_library.so" 1000
also "writes a gmon.out for the library" \
	reads gmon.out.libgprof_library.so "$here/libgprof_library.so"
also "has calls" called "*" work_of_library 1000
also "writes a gmon.out for the program" \
	reads gmon.out "$here/gprof_library-opened"
check "without PROFIL_GMON_OBJECTS" \
	ends_with 0 "$here/gprof_library-linked" linked 1000
also "writes one file" is "$(ls)" gmon.out

# Together with profil run, and without the driver

check "gcc -pg under profil run" \
	ends_with 0 profil run -an -- "$program" shares 200
also "writes a readable gmon.out" reads gmon.out "$program"
also "has calls" [ "$(calls "*" heavy)" -gt 0 ]
if [ "$(head -c 5 "$program" | tail -c 1)" = "$(printf '\001')" ]; then
	# profil run does not record 32-bit programs.
	also "has samples" [ "$(value samples)" -gt 0 ]
else
	also "has no samples" is "$(value samples)" 0
fi

check "gcc -pg without the driver" \
	without_driver PROFIL_REQUIRE=0 PROFIL_VERBOSE=1 \
	"$program" shares 500
also "is reported" says "modprobe profil.*own function"
also "writes a readable gmon.out" reads gmon.out "$program"
also "has the C library's rate" is "$(value rate)" 100
check "PROFIL_REQUIRE=1" without_driver "$program" calls
also "is reported" says "no gmon.out is written, since PROFIL_REQUIRE=1"
also "writes no file" is "$(ls)" ''

cd /
rm -rf "$work"
finish
