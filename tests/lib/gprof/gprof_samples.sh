#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Samples in the gmon.out of gcc -pg programs that are built without libprofil, and what
# has some: children, libraries, profil run. A machine that counts instructions compares
# the samples with the CPU time.

here=${0%/*}
. "$here/gprof_run.sh"

samples_and_rates()
{
	if counts; then
		writes "two loops of 3 to 1" "$program" shares 200
		also "has samples of 3 to 1" is_share 75 heavy light
		due heavy 600
		due light 200
		also "is read by gprof" gprof_of "$program" gmon.out
		also "gprof prints the same time" gprof_has_time
	fi
	writes "PROFIL_GMON_RATE=1000" PROFIL_GMON_RATE=1000 "$program" \
		shares "$(counts && echo 200 || echo 20)"
	also "is the rate in the file" is "$(value rate)" 1000
	due heavy 600
	echo 1 >/sys/module/profil/parameters/restrict_fastprof
	for rate in 1000000 1000; do # beyond the driver's range, and restricted
		writes "a PROFIL_GMON_RATE of $rate that is refused" \
			PROFIL_GMON_RATE="$rate" "$program" calls
		also "is reported" says "the driver refuses PROFIL_GMON_RATE"
		also "has the rate of the tick" \
			is "$(value rate)" "$("$gmon_dump" rate)"
	done
	echo 0 >/sys/module/profil/parameters/restrict_fastprof
	writes "moncontrol(0) and then moncontrol(1)" "$program" pause
	also "has no calls of the pause" has_known_calls 1010
	also "has no samples of the pause" is "$(in_function heavy)" 0
	due light 200
	for signal in 15 9 11; do
		check "signal $signal" \
			ends_with $((128 + signal)) "$program" kill "$signal"
		also "leaves a recent readable gmon.out" reads gmon.out "$program"
		also "has calls" [ "$(calls once middle)" -gt 0 ]
		also "leaves one file" is "$(ls)" gmon.out
		! counts || also "has samples" [ "$(value samples)" -gt 0 ]
	done
}

calls_profil_itself()
{
	writes "$way calls profil() itself" "$program" itself
	also "has calls" has_known_calls 1000
	also "has none of profil()'s samples" is "$(in_function heavy)" 0
	also "gets its samples before and after _mcleanup()" \
		is "$(cat "$out")" "1 1"
}

# Forked children

forked_child()
{
	writes "a forked child" "$program" fork
	child=$(cat "$out")
	also "writes a file of its own" is "$(echo ./*)" \
		"./gmon.out ./gmon.out.$child"
	also "the parent's file has the parent's calls" has_known_calls 6
	also "the parent's file has no samples of the child" \
		is "$(in_function heavy)" 0
	also "the child writes a readable gmon.out" \
		reads "gmon.out.$child" "$program"
	also "the child's file has the child's calls" has_known_calls 7
	due heavy 200
}

children_start_again()
{
	for verb in anew ended; do
		writes "$way: children that call monstartup(): $verb" \
			"$program" "$verb"
		# shellcheck disable=SC2046
		set -- $(cat "$out")
		also "writes a file for each process" is "$(echo gmon.out*)" \
			"$(printf '%s\n' gmon.out "gmon.out.$1" "gmon.out.$2" | sort | xargs)"
		also "the parent's file has the parent's calls" \
			has_known_calls 5
		also "the parent's file has no samples of its children" \
			is "$(in_function heavy)" 0
		due_calls=20
		for child; do
			also "the child writes a readable gmon.out" \
				reads "gmon.out.$child" "$program"
			also "has the child's calls" has_known_calls "$due_calls"
			due_calls=$((due_calls + 1))
			due heavy 200
		done
	done
}

libraries()
{
	export LD_LIBRARY_PATH="$here"
	export PROFIL_GMON_OBJECTS=1
	by_library "PROFIL_GMON_OBJECTS=1" "$here/gprof_library-linked" linked
	! counts || also "has samples" [ "$(in_function work_of_library)" -gt 0 ]
	also "is read by gprof" \
		gprof_of "$here/libgprof_library.so" gmon.out.libgprof_library.so
	also "gprof prints the same calls" gprof_says work_of_library 1000
	by_library "a library that is opened later" \
		"$here/gprof_library-opened" "$here/libgprof_library.so"
	! counts || also "has samples" [ "$(in_function work_of_library)" -gt 0 ]
	unset LD_LIBRARY_PATH
	by_library "a library in the RUNPATH of the caller" \
		"$here/gprof_library-opened" libgprof_library.so
	# shellcheck disable=SC2016 # the dynamic linker replaces it
	by_library "a library in the directory of the caller" \
		"$here/gprof_library-opened" '$ORIGIN/libgprof_library.so'
	export LD_LIBRARY_PATH="$here"
	unset PROFIL_GMON_OBJECTS
	check "without PROFIL_GMON_OBJECTS" \
		ends_with 0 "$here/gprof_library-linked" linked 1000
	also "writes one file" is "$(ls)" gmon.out
	unset LD_LIBRARY_PATH
	check "a library in the RUNPATH of the caller without it" \
		ends_with 0 "$here/gprof_library-opened" libgprof_library.so 1000
	program=$here/gprof_workload
}

# Together with profil run, and without the driver

beside_profil_run()
{
	writes "gcc -pg under profil run" profil run -an -- "$program" shares 200
	also "has calls" [ "$(calls "*" heavy)" -gt 0 ]
	due heavy 600 8
	! counts || also "profil run has samples of its own" \
		[ "$(samples "$err" heavy)" -gt 0 ]
}

absent_driver()
{
	check "gcc -pg without the driver" \
		without_driver PROFIL_REQUIRE=0 PROFIL_VERBOSE=1 \
		"$program" shares "$(counts && echo 500 || echo 50)"
	also "is reported" says "modprobe profil.*own function"
	also "writes a readable gmon.out" reads gmon.out "$program"
	also "has the C library's rate" is "$(value rate)" 100
	! counts || also "each has its share" is_share 75 heavy light
	check "PROFIL_REQUIRE=1" without_driver "$program" calls
	also "is reported" says "no gmon.out is written, since PROFIL_REQUIRE=1"
	also "writes no file" is "$(ls)" ''
}

program=$here/gprof_workload
samples_and_rates
each_way calls_profil_itself . -static -musl
forked_child
each_way children_start_again . -static -musl
libraries
beside_profil_run
absent_driver
finish
