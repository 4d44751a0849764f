# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/check sets the variables
#
# Tests in the guest. To be sourced.

beside=''

# An instruction takes 4 ns in a guest that counts instructions: a program that uses
# CPU time executes a quarter of the instructions that it would with 1 ns.
counting_guest=(-c -n 2)

# The second guest of in_guests(): its name, and its options of tests/qemu/run
second=counting
second_guest=("${counting_guest[@]}")

# run_guest NAME PROGRAMS [OPTION OF RUN]...: runs PROGRAMS in a guest and
# prints their output. The duration, the errors and the status of tests/qemu/run
# go to files. Tests have time limits of their own; the limit here is for a
# guest that hangs, and is long enough for a busy host.
#
# Where the emulator has killed the guest, another guest repeats the program that
# ran at that moment, and runs those after it; three guests at most.
run_guest()
{
	local files=$work/$1 programs=$2 begin=$SECONDS tries=3 first=''

	shift 2
	[[ $programs != /* ]] || set -- -w "$programs" "$@"
	while :; do
		boot_guest "$files" "${first:+-f $first} $programs" "$@"
		if ((--tries == 0)) ||
				! killed_by_emulator "$(cat "$files.status")" "$files.err"; then
			break
		fi
		first=$(sed -n 's,^# program /,/,p' "$files.said" | tail -n 1)
		first=${first%$'\r'}
		echo "# repeated $first"
	done
	echo "$((SECONDS - begin))" >"$files.seconds"
}

# boot_guest FILES ARGUMENTS [OPTION OF RUN]...: runs tests/run_programs with
# ARGUMENTS, which are words, in one guest.
boot_guest()
{
	local files=$1 arguments=$2 status=0

	shift 2
	# shellcheck disable=SC2086
	tests/qemu/run -t 5400 "$@" -f "$top/tests/run_programs=/run_programs" -- \
		/run_programs $arguments 2>"$files.err" |
		time_programs | tee "$files.said" || status=$?
	echo "$status" >"$files.status"
}

# read_guest NAME GUEST: reads the output of a guest.
read_guest()
{
	read_results "$1"
	read_end "$1" "$2"
}

# read_end NAME GUEST: the guest's clean end, without kernel warnings or leaks, is one
# more test.
read_end()
{
	local files=$work/$2

	if [[ $(cat "$files.status") == 0 ]]; then
		pass
	else
		fail "$1: the guest" <"$files.err"
	fi
	took "$1" "$(cat "$files.seconds")"
}

# stop_beside: ends the second guest if the script is interrupted.
stop_beside()
{
	[[ ! $beside ]] || kill -- "-$beside" 2>/dev/null || true
}

# in_guest NAME PROGRAMS [OPTION OF RUN]...: runs and reads one guest. PROGRAMS
# are words; "" stands for all programs.
in_guest()
{
	read_guest "$1" parallel < <(run_guest parallel "${@:2}")
}

# in_guests NAME PROGRAMS OTHERS [OPTION OF RUN]...: runs PROGRAMS in one guest and at
# the same time OTHERS in the second guest, which has one CPU, and uses one of the
# host. "" stands for all programs.
in_guests()
{
	set -m # a process group of its own, to be ended as a whole
	run_guest second "$3" "${@:4}" "${second_guest[@]}" >"$work/second.out" &
	set +m
	beside=$!
	in_guest "$1" "$2" "${@:4}"
	wait "$beside"
	beside=''
	read_guest "$1 $second" second <"$work/second.out"
}
