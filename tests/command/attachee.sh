# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # those of the scripts that source this
#
# Functions that start the program attachee, and record it while it runs. To be
# sourced.

. "$here/profil_run.sh"
. "$here/recorded.sh"
chmod 777 "$work"
cd "$work" || exit
data=$work/profil.data

# begin VERB [ARGUMENT]...: start the program; it waits for the file go.
begin()
{
	rm -f go used*
	"$here/attachee" go used "$@" >program 2>&1 &
	pid=$!
	soon is_waiting
}

# is_waiting: the program, and not the shell that has forked it, sleeps.
is_waiting()
{
	grep -q '^Name:.attachee' "/proc/$pid/status" &&
		grep -q '^State:.S' "/proc/$pid/status"
}

# end: let the program end by itself; its status is 7.
end()
{
	rm -f go
	wait "$pid"
	[ $? = 7 ]
}

# record_alone [ARGUMENT]...: record the program in the background, without a
# command. When the process is attached, the recorder has a session of its own.
record_alone()
{
	profil record -q -F 1000 -p "$pid" "$@" 2>"$err" &
	profil=$!
	soon is_recording
}

# is_recording: the recorder that $profil has forked has its name.
is_recording()
{
	# shellcheck disable=SC2013 # one word each
	for process in $(cat "/proc/$profil/task/$profil/children"); do
		grep -q '^profil-recorder$' "/proc/$process/comm" && return
	done
	return 1
}

# waits_for FILE...: print a command that waits until the program has written the files,
# and fails after some minutes. A busy host makes any step slow.
waits_for()
{
	printf "timeout 300 sh -c 'until [ -e %s ]; do sleep 0.02; done'" \
		"$(echo "$*" | sed 's/ / -a -e /g')"
}

# The command of a recording: the program works from its beginning to its end.
release="touch go; $(waits_for used)"

# records STATUS [ARGUMENT]...: record the program at 1000 Hz.
records()
{
	expected=$1
	shift
	status_is "$expected" profil record -F 1000 -p "$pid" "$@"
}

# are_due SAMPLES NANOSECONDS [TURNS]: there is a sample for each millisecond, within 2
# percent and the time of reading the clock. The time is that of TURNS, and of one for
# each 20 ms, as the shell of waits_for() takes the CPU so often: each has a sample more
# or less, at random, so that their sum has the variance TURNS / 3.
are_due()
{
	compares "$1" "$2" 1000000 "n > 100 && (off <= n * 0.02 ||
		(off - n * 0.02) * (off - n * 0.02) <= 9 * (${3:-1} + n / 20))"
}

# is_due FUNCTION NANOSECONDS [TURNS]: the function has its samples.
is_due()
{
	are_due "$(hits "$data" "$1")" "$2" "${3:-1}"
}

# is_due_by_turns FUNCTION NANOSECONDS [UNSEEN]: the same, within five deviations, for one
# of several processes that have shared the CPU; UNSEEN samples may be missing.
is_due_by_turns()
{
	compares "$(hits "$data" "$1")" $(($2 / 1000000)) 1 \
		"n > 100 && (off * off <= 25 * n || seen < n && off <= ${3:-0})"
}
