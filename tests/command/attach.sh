#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil record -p` and `profil top`: each function of a process that runs already
# has the samples due, on a machine that counts instructions. The reference is the
# CPU time that the process has measured itself.
# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
chmod 777 "$work"
cd "$work" || exit
data=$work/profil.data

# field LINE NUMBER: a field of the first line of this kind in the recording
field()
{
	zcat "$data" | awk -F'\t' -v kind="$1" -v at="$2" '
		$1 == kind { print $(at + 1); exit }'
}

# hits [NAME]: samples in all places, or in the function NAME
hits()
{
	zcat "$data" | awk -F'\t' -v name="${1-}" '
		$1 == "function" && $6 == name { index_of[functions + 0] }
		$1 == "function" { functions++ }
		$1 == "place" && (name == "" || $6 in index_of) {
			n += $7 + $8
		}
		END { print n + 0 }'
}

soon()
{
	for _ in $(seq 600); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	"$@"
}

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
# command. When the process is attached, profil waits for a signal: the number of
# rt_sigtimedwait(2) is that of x86-64 or of arm64.
record_alone()
{
	profil record -q -F 1000 -p "$pid" "$@" 2>"$err" &
	profil=$!
	soon grep -q -e '^128 ' -e '^137 ' "/proc/$profil/syscall"
}

# The command of a recording: the program works from its beginning to its end.
release='touch go; until [ -e used ]; do sleep 0.02; done'

# records STATUS [ARGUMENT]...: record the program at 1000 Hz.
records()
{
	expected=$1
	shift
	status_is "$expected" profil record -F 1000 -p "$pid" "$@"
}

# is_due FUNCTION NANOSECONDS: the function has a sample for each millisecond,
# within 2 percent and the time of reading the clock.
is_due()
{
	awk -v seen="$(hits "$1")" -v ns="$2" 'BEGIN {
		n = ns / 1000000
		printf "# %d samples, %d are due\n", seen, n
		exit !(n > 100 && seen >= n * 0.98 - 3 && seen <= n * 1.02 + 3)
	}'
}

# is_due_by_turns FUNCTION NANOSECONDS: the same, within five deviations, for one of
# several processes that have shared the CPU.
is_due_by_turns()
{
	awk -v seen="$(hits "$1")" -v ns="$2" 'BEGIN {
		n = ns / 1000000
		printf "# %d samples, %d are due\n", seen, n
		off = seen > n ? seen - n : n - seen
		exit !(n > 100 && off * off <= 25 * n)
	}'
}

adds_up()
{
	[ "$(hits)" = "$(field totals 2)" ] &&
		[ "$(field totals 1)" -ge "$(hits)" ]
}

begin busy 500000000
check "a process that runs" records 0 -- sh -c "$release"
also "has its samples" is_due heavy "$(cat used)"
also "adds up" adds_up
also "has its process in the recording" [ "$(field attached 1)" = "$pid" ]
also "has its command in the recording" \
	[ "$(field command 1)" = "$here/attachee" ]
also "is reported" status_is 0 profil report -n
also "has its function in the report" grep -q '  attachee  *heavy$' "$out"
also "continues" is_waiting
also "ends as alone" end

begin share 300000000
check "two functions by turns" records 0 -- sh -c "$release"
half=$(($(cat used) / 2))
also "the first has its share" is_due heavy "$half"
also "the second has its share" is_due light "$half"
also "ends as alone" end

begin busy 100000000
check "the status of the command is passed on" records 9 -- sh -c "exit 9"
check "a command that does not exist" records 127 -- no-such-program
check "a time" records 0 --duration 100ms
also "is not complete" [ "$(field end 1)" = 0 ]
kill "$pid"
wait "$pid"

begin busy 300000000
check "a recording without a command" record_alone
touch go
soon [ -e used ]
rm -f go
wait "$pid"
wait "$profil"
status=$?
also "ends with the process" [ "$status" = 0 ]
also "has its samples" is_due heavy "$(cat used)"
also "is complete" [ "$(field end 1)" = 1 ]
also "has the CPU time of the process" awk -v cpu="$(field time 3)" \
	-v used="$(cat used)" 'BEGIN { exit !(cpu > used * 0.95) }'

begin busy 300000000
record_alone
touch go
soon [ -e used ]
kill -INT "$profil"
wait "$profil"
status=$?
check "a recording that SIGINT ends" [ "$status" = 0 ]
also "has its samples" is_due heavy "$(cat used)"
also "ends as alone" end

begin dlopen "$here/libone.so" work_of_one 500000000
check "a library that is opened later" records 0 -- sh -c "$release"
also "has its samples, but for the first ones" awk \
	-v seen="$(hits work_of_one)" -v ns="$(cat used)" 'BEGIN {
		exit !(seen > ns / 1000000 - 150)
	}'
also "adds up" adds_up
also "ends as alone" end

begin later 3 200000000
check "children, without --children" records 0 -- sh -c "$release"
also "have no samples" [ "$(hits heavy)" = 0 ]
also "ends as alone" end
begin later 3 200000000
check "children that are forked later" records 0 --children -- sh -c "$release"
also "have their samples" is_due heavy "$(cat used)"
also "ends as alone" end

begin workers 200000000 3
check "the workers of a server" records 0 --children -- sh -c \
	'touch go; until [ -e used.0 -a -e used.1 -a -e used.2 ]; do sleep 0.02; done'
sum=$(cat used.0 used.1 used.2 | awk '{ n += $1 } END { printf "%d", n }')
also "have their samples" is_due heavy "$sum"
also "are one session" [ "$(field totals 7)" -le 2 ]
also "are one program" [ "$(zcat "$data" | grep -c '^program')" = 1 ]
also "ends as alone" end

begin workers 200000000 "$here/libone.so" work_of_one \
	"$here/libtwo.so" work_of_two
soon grep -q libone.so /proc/[0-9]*/maps
soon grep -q libtwo.so /proc/[0-9]*/maps
check "workers with libraries of their own" records 0 --children -- sh -c \
	'touch go; until [ -e used.0 -a -e used.1 ]; do sleep 0.02; done'
also "the first has its samples" is_due_by_turns work_of_one "$(cat used.0)"
also "the second has its samples" is_due_by_turns work_of_two "$(cat used.1)"
also "ends as alone" end

begin exec "$here/attachee" go used busy 1000000
check "a process that executes another program" records 0 -- sh -c "$release"
also "ends as alone" end
begin exec "$here/attachee" go used busy 1000000
record_alone
touch go
wait "$profil"
check "the recording ends then" \
	says "process $pid has executed another program: the recording ended then"
soon [ -e used ]
also "ends as alone" end

begin epoll 1500
check "a system call of the process" records 0 --duration 100ms
soon [ -e used ]
also "is not interrupted" [ "$(cat used)" = 0 ]
wait "$pid"

begin busy 1000000
kill -STOP "$pid"
check "a stopped process" records 0 --duration 100ms
also "stays stopped" grep -q '^State:.T' "/proc/$pid/status"
kill -CONT "$pid"
touch go
soon [ -e used ]
also "ends as alone" end

begin own 500000000
check "a process with a profile of its own" status_is 0 profil record -p "$pid" \
	-- sh -c "$release"
also "has its own samples" [ "$(cat used)" -gt 20 ]
also "has as many in the recording" awk -v seen="$(hits heavy)" \
	-v own="$(cat used)" 'BEGIN {
		printf "# %d samples, %d of its own\n", seen, own
		off = seen > own ? seen - own : own - seen
		exit !(off <= 2 + own / 50)
	}'
also "ends as alone" end

# Errors

check "no such process" status_is 125 profil record -p 999999
also "prints the reason" says "process 999999 does not exist, or has no program"
check "a thread of the kernel" status_is 125 profil record -p 2
also "prints the reason" says "process 2 does not exist, or has no program"
check "--children without -p" status_is 125 profil record --children -- true
also "prints the reason" says "^profil: --children is about the process of -p"
check "-p without a number" status_is 125 profil record -p x
begin busy 1000000
check "another user's process" as_user "profil record -p $pid -o /dev/null"
also "prints the reason" says "process $pid belongs to another user: run profil"
record_alone -o first.data
check "a process that is recorded already" records 125
also "prints the reason" says "process $pid is attached to another profil"
kill -INT "$profil"
wait "$profil"
touch go
soon [ -e used ]
also "ends as alone" end

# An ordinary user

cat >"$work/user.sh" <<END
rm -f go used
"$here/attachee" go used busy 300000000 &
pid=\$!
sleep 1
profil record -F 1000 -p \$pid -o user.data -- sh -c "$release" || exit
rm -f go
wait \$pid
END
check "a process of the same user" \
	status_is 7 su nobody -c "sh $work/user.sh"
data=$work/user.data
also "has its samples" is_due heavy "$(cat used)"
data=$work/profil.data

# top

begin busy 2000000000
touch go
check "profil top" status_is 0 profil top -F 1000 -p "$pid" -n 2 -d 500ms
also "prints two pages" [ "$(grep -c '^attachee: 1 process, ' "$out")" = 2 ]
also "has the function" grep -q '^ *[0-9.]* %  *[0-9.]* %  attachee  *heavy$' \
	"$out"
soon [ -e used ]
also "ends as alone" end
check "profil top with a command" status_is 5 profil top -F 1000 -d 100ms -- \
	"$here/spinner-libc" 500 5
also "has the function" grep -q '  spinner-libc  *heavy$' "$out"
begin busy 100000000000
touch go
check "profil top on a terminal" status_is 0 "$here/terminal" opplzsq \
	profil top -F 1000 -p "$pid" -d 200ms
also "names its keys" grep -q '^\[q]uit  \[p]ause  \[f]unctions' "$out"
also "has functions at first" grep -q '  attachee  *heavy' "$out"
also "has objects after o" grep -q ' s    total  object.\[K' "$out"
also "says that it pauses after p" grep -q 'profil.data  paused' "$out"
also "has source lines after l" grep -q '  attachee  *attachee.c:[0-9]' "$out"
also "saves the profile after s" grep -q '^saved in profil.data' "$out"
also "which has the samples" [ "$(hits heavy)" -gt 100 ]
also "leaves a page" grep -q '  attachee  *attachee.c:[0-9]*.$' "$out"
also "shows no cursor meanwhile" grep -q '25l' "$out"
kill "$pid"
wait "$pid"
check "a command on a terminal" status_is 143 "$here/terminal" q profil top \
	-d 200ms -- "$here/spinner-libc" 100000 5
check "profil top of nothing" status_is 125 profil top
also "prints the reason" says "top: name a process or a command"
finish
