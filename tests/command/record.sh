#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil record`: the file is complete, belongs to the user alone, and nothing
# of the profile is lost by a signal, a full disk or a killed profil. Numbers are
# compared with sums in the file only, so that the speed of the machine does not
# matter.

here=${0%/*}
. "$here/profil_run.sh"
. "$here/recorded.sh"
workload=$here/workload
cd "$work" || exit

# records STATUS [ARGUMENT]...: `profil record` exits with STATUS.
records()
{
	expected=$1
	shift
	status_is "$expected" profil record "$@"
}

# has_data FILE: a complete file has samples in heavy(), and adds up.
has_data()
{
	[ "$(hits "$1" heavy)" -gt 0 ] &&
		[ "$(hits "$1")" = "$(field "$1" totals 2)" ] && return
	zcat "$1" | sed 's/^/# /'
	return 1
}

# The file

check "profil record" records 7 -- "$workload" exit 7
also "saves a profile" has_data profil.data
also "for the owner alone" [ "$(stat -c %a profil.data)" = 600 ]
also "with the exit status" [ "$(field profil.data end 2)" = 7 ]
also "prints a summary" says \
	"^profil: [0-9.]* s of CPU in 1 process of 1 program, [0-9]* samples\$"
also "prints the next command" says \
	"^profil: [0-9]* KB in profil.data; next: profil report\$"
also "is reported" status_is 0 profil report -n
also "has the profile" has_profile "$out"
also "names the machine" grep -q "^recorded 2.* on $(uname -n) (x86_64, " "$out"
cp profil.data first
check "a second recording" records 0 -F 1000 -- "$workload" exit 0
also "keeps the first" cmp first profil.data.old
check "-o ./profil.data" records 0 -o .//profil.data -- "$workload" exit 0
also "has the usual name" says "; next: profil report\$"
check "-o FILE" records 0 -o 'a b' -- "$workload" exit 0
also "saves a profile" has_data 'a b'
check "-q prints nothing" records 0 -q -- "$workload" exit 0
also "says nothing" is_silent
check "-o - is stdout" sh -c \
	"profil record -o - -- '$workload' share 100000000 >piped 2>'$err'"
also "is a profile alone" [ "$(hits piped)" = "$(field piped totals 2)" ]
also "the output of the command is on stderr" \
	grep -q '^[0-9]* [0-9]*$' "$err"
mkfifo fifo
timeout 300 cat fifo >piped &
check "-o FIFO" records 0 -o fifo -- "$workload" exit 0
wait "$!"
also "has a profile for its reader" has_data piped
check "a program whose name is no UTF-8" \
	cp "$workload" "$(printf 'caf\351 x')"
also "is recorded" records 3 -- "./$(printf 'caf\351 x')" exit 3
also "is reported" status_is 0 profil report
also "escapes the byte" grep -qF '  caf\xe9 x' "$out"
check "a report has the names of a program that is gone" records 0 -- \
	"$work/$(printf 'caf\351 x')" exit 0
rm caf*
also "as before" status_is 0 profil report -n
also "has the profile" has_profile "$out"
check "a deleted file in the directory 'a (deleted)'" records 0 -F 1000 -- \
	sh -c "mkdir 'a (deleted)' && cp '$workload' 'a (deleted)/gone' &&
	exec 3<'a (deleted)/gone' && rm -r 'a (deleted)' && exec /proc/self/fd/3 exit 0"
also "is reported" status_is 0 profil report -n --by program
also "has its name" grep -qE '  gone( +\([0-9]+ % in the kernel\))?$' "$out"
check "two programs of a shell" records 0 -F 1000 -- "$workload" exec \
	"$here/workload-fixed" exit 0
also "are distinguished" status_is 0 profil report -n --by program
also "has the second" grep -q '  workload-fixed' "$out"
check "profil run" status_is 4 profil run -n -- "$workload" exit 4
also "saves the profile" says "^saved in profil.data ([0-9]* KB); next: "
sed '/^saved in/d' "$err" >run
also "which is reported" status_is 0 profil report -n
sed '/^recorded/d' "$out" >report
also "as it was printed" cmp run report

# raises_limit: profil has the hard limit of open files, and its command the soft one.
raises_limit()
{
	# shellcheck disable=SC2016,SC3045 # the command expands them; dash and busybox
	(ulimit -Sn 100 && profil record -q -o limits.data -- sh -c 'ulimit -Sn
		awk "/^Max open files/ { print \$4 == \$5 }" "/proc/$PPID/limits"' \
		>limits) && [ "$(cat limits)" = "$(printf '100\n1')" ]
}

check "profil may open more files than its command" raises_limit

# A file that cannot be written

check "a directory that does not exist is refused" \
	records 125 -o none/file -- "$workload" write "$work/executed"
also "prints the reason" says "cannot write none/file (No such file"
also "does not execute the command" [ ! -e executed ]
check "profil run in a directory that cannot be written" \
	status_is 4 sh -c "cd /proc && profil run -n -- '$workload' exit 4"
also "prints a profile" has_profile "$err"
also "names the reason" says "cannot write profil.data (.*): the profile is not"
mkdir full
mount -t tmpfs -o size=8k none full
echo old >full/profil.data
head -c 4096 /dev/zero >full/zero
check "a full disk" sh -c \
	"cd full && ! profil record -- '$workload' exit 0 2>'$err'"
also "is reported" says "cannot write profil.data (No space left on device)"
also "keeps the old file" [ "$(cat full/profil.data)" = old ]
elsewhere=$(sed -n 's/.*: the profile is in \(.*\)/\1/p' "$err")
also "saves the profile elsewhere" has_data "$elsewhere"
rm "$elsewhere"
umount full

# Times

check "--delay" records 0 -F 1000 --delay 300ms -- "$workload" share 900000000
also "adds up" [ "$(hits profil.data)" = "$(field profil.data totals 2)" ]
check "a command that ends before --delay" \
	records 0 --delay 10m -- "$workload" exit 0
also "is reported" says "the command ended before --delay"
also "has no CPU time, and no cause of its absence" \
	[ "$(wc -l <"$err")$(field profil.data time 3)" = 30 ]
also "has no sample" [ "$(hits profil.data)" = 0 ]
# outlived ARGUMENT...: a recording with a time, of a command that runs until the profile
# is saved, or for two minutes
outlived()
{
	rm -f profil.data
	touch hold
	(soon [ -e profil.data ]; rm hold) &
	# shellcheck disable=SC2016 # a script of another shell
	records 9 -F 1000 "$@" -- sh -c '"$0" hold hold; exit 9' "$workload"
}
check "--duration" outlived --duration 0.2s
also "is not the end" [ "$(field profil.data end 1)" = 0 ]
# The delay alone is longer than --duration, and ends that much later than the begin of
# an earlier recording.
check "a recording" records 0 -o before.data -- true
check "--duration after --delay" outlived --delay 2s --duration 0.3s
also "has the CPU time after the delay" \
	[ "$(field profil.data time 3)" -gt 50000000 ]
also "begins after the delay" [ \
	$(($(field profil.data time 1) - $(field before.data time 1))) -ge 2000000000 ]
# The program is ended by SIGTERM, long before its own end.
rm -f profil.data
profil record -q --every 100ms --spool parts -- "$workload" share 300000000000 \
	>/dev/null 2>&1 &
profil=$!
check "--every saves a snapshot" soon has_data profil.data
also "is not complete" [ "$(field profil.data end 1)" = 0 ]
before=$(hits profil.data)
grown()
{
	[ "$(hits profil.data)" -gt "$before" ]
}
also "that grows" soon grown
# What cannot be written to the directory of the parts is in a later one.
mv parts away
before=$(hits profil.data)
also "that grows without a directory for its parts" soon grown
mv away parts
also "can be reported" status_is 0 profil report
also "is marked" grep -q "^recorded .*; the command or the recording went on$" "$out"
kill "$profil"
wait "$profil"
also "becomes complete" [ "$(field profil.data end 1)" = 1 ]
also "with the signal" [ "$(field profil.data end 3)" = 15 ]
# adds_up: the parts of the recording have each of its samples once.
adds_up()
{
	sum=0
	for part in parts/*.data; do
		sum=$((sum + $(hits "$part")))
	done
	[ "$sum" = "$(hits profil.data)" ]
}
also "is the sum of its parts" adds_up
also "of which there are several" [ "$(find parts -name '*.data' | wc -l)" -gt 1 ]
rm -r parts
# Signals

check "SIGINT reaches the command" records 130 -- "$workload" interrupt
also "saves a profile" has_data profil.data
check "SIGTERM reaches the command" records 143 -- "$workload" terminate
also "saves a profile" has_data profil.data
# is_relayed SIGNAL: it reaches the command that profil runs.
is_relayed()
{
	rm -f ready
	profil record -q -- sh -c "trap 'exit 5' $1; touch ready; while :; do sleep 0.1; done" &
	profil=$!
	soon [ -e ready ]
	kill "-$1" "$profil"
	wait "$profil"
	[ $? = 5 ]
}

for signal in USR1 USR2 HUP; do
	check "SIG$signal to profil reaches the command" is_relayed $signal
	also "saves a profile" [ "$(field profil.data end 2)" = 5 ]
done

# The recorder outlives profil.
recorders()
{
	grep -l '^profil-recorder$' /proc/[0-9]*/comm | sed 's,/proc/\(.*\)/comm,\1,'
}
two_run()
{
	[ "$(pidof workload | wc -w)" = 2 ]
}
no_recorder()
{
	[ -z "$(recorders)" ]
}
rm -f profil.data*
touch hold
profil record -- "$workload" exec "$workload" hold "$work/hold" >"$out" 2>"$err" &
profil=$!
check "a program and its child run" soon two_run
kill -9 "$profil"
wait "$profil"
also "run on when profil is killed" two_run
rm hold
also "have a profile when they end" soon has_data profil.data
also "which is complete" [ "$(field profil.data end 1)" = 1 ]
also "nothing is printed" [ ! -s "$out" -a ! -s "$err" ]
also "leaves no file behind" [ "$(echo profil.data*)" = profil.data ]
also "leaves no process behind" soon no_recorder

touch hold
profil record -- sh -c "$workload hold $work/hold; exit 7" >"$out" 2>"$err" &
profil=$!
soon pidof workload
# shellcheck disable=SC2046 # one word
kill -9 $(recorders)
soon no_recorder
check "a command runs on when the recorder is killed" pidof workload
rm hold
wait "$profil"
status=$?
also "its status is passed on" [ "$status" = 7 ]
also "one line says so" \
	says "^profil: the recording process was killed: what it had not saved yet is lost\$"

# Job control: the command, in the process group of profil, asks for the next key.
cat >job <<'END'
trap 'printf "\033[J"' CONT
printf '\033[J'
while :; do
	sleep 0.1
done
END
cat >shell <<'END'
set -m
profil record -q -o job.data -- sh job
echo "stopped $?"
cat /proc/[0-9]*/stat | awk '$2 == "(profil)" { print "profil " $3 }'
fg %1
echo "ended $?"
END
check "a terminal" status_is 0 "$here/terminal" ZC sh shell
also "stops profil and the command by ^Z" grep -q "stopped 148" "$out"
also "both" grep -q "profil T" "$out"
also "ends both by ^C" grep -q "ended 130" "$out"
also "saves the profile" [ "$(field job.data end 3)" = 2 ]
also "leaves no process behind" soon no_recorder
check "the command reads the terminal" status_is 0 "$here/terminal" E \
	profil record -q -o job.data -- sh -c 'printf "\033[J"; read -r line'
check "a pipeline" [ "$(echo text | profil record -q -o job.data -- cat | cat)" = text ]
finish
