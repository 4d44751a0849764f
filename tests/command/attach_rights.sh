#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil record -p`: who may attach to a process, and to which one. For a machine
# that counts instructions.
# shellcheck disable=SC2119 # check calls the functions

here=${0%/*}
. "$here/attachee.sh"

# Errors

check "no such process" status_is 125 profil record -p 999999
also "prints the reason" says "process 999999 does not exist, or has no program"
check "a thread of the kernel" status_is 125 profil record -p 2
also "prints the reason" says "process 2 does not exist, or has no program"
begin busy 300000000
check "another user's process" as_user "profil record -p $pid -o /dev/null"
also "prints the reason" says "process $pid belongs to another user: run profil"
record_alone -o first.data
check "a process that is recorded already" records 0 -- sh -c "$release"
also "has its samples in both" is_due heavy "$(cat used)"
kill -INT "$profil"
wait "$profil"
# The timers of two recordings fire at different moments of the same time.
also "has as many in the first" \
	[ $(($(hits first.data heavy) + 1)) -ge "$(hits "$data" heavy)" ]
also "ends as alone" end

# Root attaches as a tracer, and a process has one: here a process that is recorded
# by its first instruction, as strace(1) would.

begin busy 1000000
"$here/tracer" "$pid" &
tracer=$!
soon grep -q "^TracerPid:.$tracer" "/proc/$pid/status"
check "a process that another one traces" records 125
also "prints the reason" says \
	"process $pid is traced by process $tracer: end that one first$"
kill "$tracer"
wait "$tracer"
check "the process without the other" records 0 -- sh -c "$release"
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

# An exec of a set-uid program of root ends the recording of it by an ordinary user.

cp "$here/attachee" "$work/privileged"
chmod 4755 "$work/privileged"
cat >"$work/privileged.sh" <<END
rm -f go used
"$here/attachee" go used exec "$work/privileged" go used busy 200000000 &
pid=\$!
sleep 1
profil record -q -F 1000 -p \$pid -o user.data &
profil=\$!
sleep 1
touch go
$(waits_for used) || exit 99
rm -f go
wait \$pid
status=\$?
wait \$profil || exit
exit \$status
END
check "a process that executes a set-uid program" \
	status_is 7 su nobody -c "sh $work/privileged.sh"
also "has worked as root" [ "$(stat -c %U used)" = root ]
also "has no samples then" [ "$(hits user.data heavy)" = 0 ]
also "is dropped" [ "$(field user.data dropped 1)" = 1 ]

# The security module Yama. A program that profil executes is its child.

scope=/proc/sys/kernel/yama/ptrace_scope
cat >"$work/refused.sh" <<END
rm -f go used
"$here/attachee" go used busy 1000000 &
pid=\$!
sleep 1
profil record -p \$pid -o /dev/null
status=\$?
touch go
$(waits_for used) || exit 99
rm -f go
wait \$pid
exit \$status
END

# records_static: an ordinary user records a static program.
records_static()
{
	status_is 5 su nobody -c "profil record -F 1000 -o user.data -- \
		$here/spinner-static 200 5"
}

if [ ! -e "$scope" ]; then
	echo "ok $((number += 1)) - ptrace_scope # SKIP this kernel has no Yama"
else
	usual=$(cat "$scope")
	for level in 1 2; do
		echo "$level" >"$scope"
		check "a process of the same user, ptrace_scope $level" \
			status_is 125 su nobody -c "sh $work/refused.sh"
		also "prints the reason" says "may be traced by root alone, since kernel.yama.ptrace_scope is $level: run profil as root, or sudo sysctl kernel.yama.ptrace_scope=0$"
		also "prints no more" [ "$(wc -l <"$err")" = 1 ]
	done
	# The value 3 lasts to the end of the guest: the file alone has it.
	echo 3 >three
	check "a process of the same user, ptrace_scope 3" status_is 125 \
		unshare -m sh -c "mount --bind three $scope &&
			su nobody -c 'sh $work/refused.sh'"
	also "prints the reason" says "may not be traced, since kernel.yama.ptrace_scope is 3 up to the next boot: set 1 in /etc/sysctl.d, and boot$"
	also "prints no more" [ "$(wc -l <"$err")" = 1 ]
	check "a command, ptrace_scope 2" records_static
	also "has its samples" [ "$(hits user.data heavy)" -gt 100 ]
	echo 1 >"$scope"
	check "a static program, ptrace_scope 1" records_static
	also "has its samples" [ "$(hits user.data heavy)" -gt 100 ]
	begin busy 100000000
	check "a process by root, ptrace_scope 1" records 0 -- sh -c "$release"
	also "has its samples" [ "$(hits "$data" heavy)" -gt 50 ]
	also "ends as alone" end
	echo "$usual" >"$scope"
fi

# A process with another root directory, and in a mount namespace of its own, where
# its program has no path here. It has ended when its names are looked up.

mkdir "$work/box"
cat >"$work/box.sh" <<END
mount -t tmpfs box "$work/box" && cd "$work/box" && mkdir home || exit
for directory in lib lib64 usr; do
	mkdir \$directory && mount --bind /\$directory \$directory || exit
done
mkdir tmp
cp "$here/\${program:-attachee}" home/attachee
echo "\$program" >home/program
exec chroot . /home/attachee /home/go /home/used "\$@"
END
# begin_in_box VERB [WORD]...: start the program by the command WORD...
begin_in_box()
{
	verb=$1
	shift
	rm -f used
	"$@" sh "$work/box.sh" "$verb" 300000000 >program 2>&1 &
	job=$!
	soon is_waiting_in_box || sed 's/^/# /' program
	inside=/proc/$pid/root/home
}

# is_waiting_in_box: the program has begun, as process $pid here.
is_waiting_in_box()
{
	for pid in $(pidof attachee); do
		tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q '^/home/attachee ' &&
			is_waiting && return
	done
	return 1
}

# end_in_box: let the program end by itself, and the recording with it.
end_in_box()
{
	soon [ -e "$inside/used" ]
	cp "$inside/used" used
	rm "$inside/go"
	wait "$job"
	wait "$profil"
	status=$?
}

for how in '' 'unshare -m'; do
	# shellcheck disable=SC2086 # words, or none
	begin_in_box busy $how
	check "a process in another root directory, ${how:-chroot}" \
		record_alone
	touch "$inside/go"
	end_in_box
	also "is recorded to its end" [ "$status" = 0 ]
	also "has its samples" is_due heavy "$(cat used)"
	[ "$how" ] || umount "$work"/box/lib "$work"/box/lib64 "$work"/box/usr "$work/box"
done

# Code that the process generates has the names of a file in its own root directory,
# with its own ID. Another process may have that ID here.

# is_due_later FUNCTION NANOSECONDS: the function has its samples, but for those
# before the mapping was seen.
is_due_later()
{
	compares "$(hits "$data" "$1")" $(($2 / 1000000)) 1 \
		'seen > n - 150 && seen <= n * 1.02 + 3'
}

for how in '' 'unshare -m' 'unshare -mpf'; do
	# shellcheck disable=SC2086 # words, or none
	begin_in_box jit $how
	check "generated code in another root directory, ${how:-chroot}" \
		record_alone
	own=$(sed -n 's/^NSpid:.*\t//p' "/proc/$pid/status")
	echo "0 ffffffffffff0000 another" | tee "/tmp/perf-$pid.map" \
		>"/tmp/perf-$own.map"
	touch "$inside/go"
	soon grep -q ' rwxp 00000000 00:00 0 *$' "/proc/$pid/maps"
	sed -n 's/-.* rwxp .*/ 1000 generated/p' "/proc/$pid/maps" \
		>"$inside/../tmp/perf-$own.map"
	end_in_box
	also "has its samples" is_due_later generated "$(cat used)"
	rm "/tmp/perf-$pid.map" "/tmp/perf-$own.map" 2>/dev/null
	[ "$how" ] || umount "$work"/box/lib "$work"/box/lib64 "$work"/box/usr "$work/box"
done
check "a process with an ID of its own has had 1" [ "$own" = 1 ]

# Children in PID namespaces and root directories of their own: both have the ID 1, and
# files of both have the same paths. The programs have the same build ID, too, and
# another name of the function that works.

cat >"$work/boxes.sh" <<END
for program in attachee attachee-two; do
	program=\$program unshare -mpf sh "$work/box.sh" "\$@" &
done
wait
END

# have_begun: both programs have begun, as the processes $pids here.
have_begun()
{
	pids=''
	for pid in $(pidof attachee); do
		is_waiting && pids="$pids $pid"
	done
	[ "$(echo "$pids" | wc -w)" = 2 ]
}

# begin_boxes VERB: start the programs.
begin_boxes()
{
	sh "$work/boxes.sh" "$1" 400000000 >program 2>&1 &
	job=$!
	soon have_begun || sed 's/^/# /' program
	pid=$job
}

# write_maps: each program's code has the name of the process in a map of its own.
write_maps()
{
	for process in $pids; do
		soon grep -q ' rwxp 00000000 00:00 0 *$' "/proc/$process/maps"
		sed -n "s/-.* rwxp .*/ 1000 of_$process/p" \
			"/proc/$process/maps" >"/proc/$process/root/tmp/perf-1.map"
	done
}

# work_in_boxes VERB: both programs do their work.
work_in_boxes()
{
	for process in $pids; do
		touch "/proc/$process/root/home/go"
	done
	[ "$1" != jit ] || write_maps
	for process in $pids; do
		soon [ -e "/proc/$process/root/home/used" ]
	done
}

# end_boxes: the programs end, and the recording with them.
end_boxes()
{
	for process in $pids; do
		cp "/proc/$process/root/home/used" "used.$process"
		rm "/proc/$process/root/home/go"
	done
	wait "$job"
	wait "$profil"
	status=$?
}

# function_of PROCESS: the function in which it works
function_of()
{
	case $(cat "/proc/$1/root/home/program") in
	attachee)
		echo heavy
		;;
	attachee-two)
		echo heavy_of_two
		;;
	esac
}

# have_names: the samples of each program are in the function of its own file.
have_names()
{
	for process in $pids; do
		is_due_by_turns "$(cat "function.$process")" \
			"$(cat "used.$process")" 250 || return
	done
}

begin_boxes busy
for process in $pids; do
	function_of "$process" >"function.$process"
done
check "children with the same ID and paths" record_alone --children
also "are two programs" [ "$(cat function.* | sort -u | wc -l)" = 2 ]
work_in_boxes busy
end_boxes
also "are recorded to their end" [ "$status" = 0 ]
also "have names of their own" have_names
sum=0
for process in $pids; do
	sum=$((sum + $(cat "used.$process")))
done
also "have their samples" are_due \
	"$(($(hits "$data" heavy) + $(hits "$data" heavy_of_two)))" "$sum"

begin_boxes jit
check "generated code of children with the same ID and paths" \
	record_alone --children
work_in_boxes jit
end_boxes
also "is recorded to its end" [ "$status" = 0 ]
for process in $pids; do
	also "has names of its own" \
		is_due_by_turns "of_$process" "$(cat "used.$process")" 250
done

# The recorder looks the names up.
begin_in_box busy unshare -m
rm -f "$data"
check "a profil that is killed" record_alone
touch "$inside/go"
soon [ -e "$inside/used" ]
kill -9 "$profil"
cp "$inside/used" used
rm "$inside/go"
wait "$job"
also "has a profile" soon [ -e "$data" ]
also "has its samples" is_due heavy "$(cat used)"
finish
