#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil run`: exit status, messages that need a driver, and that the profiled program
# runs as it does alone. accuracy.sh tests the numbers in a profile, tests/golden what is
# printed, and the errors of options.
# shellcheck disable=SC2086 # $possible is words

here=${0%/*}
. "$here/profil_run.sh"
. "$here/recorded.sh"
workload=$here/workload

# Exit status

check "the status of exit() is passed on" ends 7 -- "$workload" exit 7
also "prints a profile" has_profile "$err"
check "the status of _exit() is passed on" ends 8 -- "$workload" _exit 8
also "prints a profile" has_profile "$err"
check "SIGKILL is 128 and 9" ends 137 -- "$workload" kill 9
also "prints a profile" has_profile "$err"
check "SIGSEGV is 128 and 11" ends 139 -- "$workload" kill 11
also "prints a profile" has_profile "$err"
check "no such program is 127" ends 127 -- no-such-program
also "prints the reason" says "no such program: no-such-program"
check "no such path is 127" ends 127 -- "$here/no-such-program"
also "prints the reason" says "no such program: .*/no-such-program"
echo text >"$work/text"
check "a file that is no program is 126" ends 126 -- "$work/text"
also "prints the reason" says "cannot run .*/text"
printf '#!/no/such/shell -e\r\n' >"$work/script"
chmod +x "$work/script"
check "a script without its interpreter is 126" ends 126 -- "$work/script"
also "prints the reason" \
	says "cannot run .*/script: its interpreter /no/such/shell is"
printf '#!/bin/sh\r\n' >"$work/script"
check "a script with a carriage return after its interpreter is 126" \
	ends 126 -- "$work/script"
also "names the interpreter with the carriage return" \
	says "its interpreter /bin/sh.x0d is missing"
check "a directory is 126" ends 126 -- "$work"
also "prints the reason" says "cannot run"
check "SIGINT ends the recording of a program that ignores it" \
	ends 130 -- "$workload" ignore
also "prints a profile" has_profile "$err"
also "names the running process" says "process [0-9]* is still running"
killall workload
# Options

check "-- may be left out" ends 3 "$workload" exit 3
check "options after the command are the command's" \
	ends 99 "$workload" -o "$work/none"
also "is not opened" [ ! -e "$work/none" ]
check "-o FILE" ends 4 -o "$work/profile" -- "$workload" exit 4
also "has the profile" has_profile "$work/profile"
also "prints nothing on stderr" is_silent
check "-oFILE" ends 4 -o"$work/other" -- "$workload" exit 4
also "is equal" has_profile "$work/other"
check "-o to a full disk is 125" ends 125 -o /dev/full -- "$workload" exit 4
also "prints the reason" says "cannot write all of the output to /dev/full"
check "-o - is stdout" ends 4 -o - -- "$workload" exit 4
also "prints the profile" has_profile "$out"
also "prints nothing on stderr" is_silent
also "writes no file named -" [ ! -e - ]
check "--freq and --output are -F and -o" \
	ends 4 --freq=100 --output "$work/long" -- "$workload" exit 4
also "samples 100 times a second" [ "$(period "$work/long")" = 10 ]
for hz in 0 -5 10001 99999999999; do
	check "-F $hz is 125" ends 125 -F "$hz" -- "$workload" exit 0
	also "prints the reason" \
		says "-F $hz: the driver takes 1 to 10000 samples"
done
for hz in 1 100 1000 10000; do
	check "-F $hz" ends 0 -F "$hz" -- "$workload" exit 0
	ms=$(awk "BEGIN { print 1000 / $hz }")
	also "takes a sample each $ms ms" \
		says "^[0-9]* samples*, one each $ms ms"
done
echo 1 >"$parameters/restrict_fastprof"
check "-F 1000 while it is switched off is 125" \
	ends 125 -F 1000 -- "$workload" exit 0
also "prints the reason and the remedy" \
	says "switched off: echo 0 | sudo tee $parameters/restrict_fastprof"
check "-F 10 is not affected" ends 0 -F 10 -- "$workload" exit 0
echo 0 >"$parameters/restrict_fastprof"

# The head of the profile, and options that leave lines out

check "forked children" ends 0 -- "$workload" fork 3 10000000
also "counts the processes" says ", 4 processes, 1 program$"
check "-q" ends 7 -q -- "$workload" exit 7
also "prints no head" [ "$(head -n 1 "$err" | cut -c1-7)" = "   self" ]
also "prints the profile" has_profile "$err"
check "profil run without options" status_is 7 profil run -- "$workload" exit 7
also "prints no numbers of samples" [ "$(grep '^ *self' "$err" | grep -c samples)" = 0 ]
check "-v" ends 7 -v -- "$workload" exit 7
also "lists files" says "samples in $workload\$"

# Files that are replaced during the run

cp "$workload" "$work/program"
cp "$here/workload-fixed" "$work/next"
check "a program that is replaced" \
	ends 0 -- "$work/program" replace "$work/next"
also "has the symbols of the file that was run" has_profile "$err"
also "adds up to the total" adds_up "$err"
cp "$workload" "$work/program"
cp "$workload" "$work/next"
check "a program that is replaced by an equal file" \
	ends 0 -- "$work/program" replace "$work/next"
also "has the program's symbols" has_profile "$err"
cp "$here/workload-no-id" "$work/program"
cp "$here/workload-no-id" "$work/next"
check "a program without build ID that is replaced by an equal file" \
	ends 0 -- "$work/program" replace "$work/next"
also "has the symbols of the file that was run, too" has_profile "$err"
check "a program without build ID that is not replaced" \
	ends 0 -- "$here/workload-no-id" exit 0
also "has the program's symbols" has_profile "$err"

# Functions of the kernel

check "functions of the kernel" ends 0 -k -- "$workload" zeros 2000000000
also "are rows" grep -q '  \[kernel\]  *[a-z_][a-z_0-9]*$' "$err"
also "are not what the next command is about" \
	[ "$(grep -c 'report -k' "$err")" = 0 ]
check "a report of them" status_is 0 profil report -aqk --by program,object
also "has them in their program" grep -q '  workload  *\[kernel\]$' "$out"
also "and in no other" [ "$(grep -c '  \[kernel\]  *\[kernel\]' "$out")" = 0 ]
check "a user without CAP_PERFMON has none" \
	as_user "profil run -k -- $workload exit 0"
also "needs it" says "^profil: -k needs CAP_PERFMON, and a kernel"
check "a recording of such a user" status_is 0 su nobody -c \
	"profil record -F 1000 -o /tmp/user.data -- $workload zeros 2000000000"
check "a report of it" status_is 125 profil report -k /tmp/user.data
also "names the remedy" says "functions of the kernel: record it as root"
also "has the samples" [ "$(hits /tmp/user.data)" -gt 0 ]
rm /tmp/user.data
check "profil top -k, which ends the command" status_is 143 \
	profil top -k -F 1000 -d 0.5 -n 1 -- "$workload" zeros 20000000000
also "has rows of them" grep -q '  \[kernel\]  *[a-z_]' "$out"

# Limits and closed descriptors

with_limit()
{
	(ulimit "$1" "$2" && shift 2 && ends "$@")
}

check "the command has the limit" \
	with_limit -Sf 32 153 -- "$workload" write "$work/large"
check "a command without stderr and -o has its status" \
	status_is 4 sh -c "profil run -- '$workload' exit 4 2>&-"
check "profil run with -o needs no stderr" status_is 4 \
	sh -c "profil run -an -o '$work/closed' -- '$workload' exit 4 0<&- 2>&-"
also "prints a profile" has_profile "$work/closed"
check "closed descriptors stay closed in the command" status_is 0 \
	sh -c "profil run -o '$work/closed' -- '$workload' closed 0<&- 2>&-"

# Programs of all kinds, and what cannot be profiled

check "a static program" ends 0 -- "$here/spinner-static" 1000 0
also "is in the profile" has_profile "$err"
check "a static program of a static shell without an environment" \
	ends 0 -- env -i /bin/busybox sh -c "$here/spinner-static 1000 0; exit 0"
also "is in the profile" has_profile "$err"
check "nothing of profil is in the environment of the program" \
	[ "$(profil run -- env 2>/dev/null)" = "$(env)" ]
printf '#!/bin/sh\n' >"$work/script"
chmod +x "$work/script"
check "a script runs" ends 0 -- "$work/script"
cp "$workload" "$work/privileged"
chmod 4755 "$work/privileged"
check "a set-user-ID program of another user runs" \
	status_is 6 su nobody -c "profil run -F 1000 -- $work/privileged exit 6"
also "is not recorded, with the remedy" \
	says "^1 process has gained privileges, .*: run profil as root"
check "a set-user-ID program of root, which may see it" \
	ends 6 -- "$work/privileged" exit 6
also "prints a profile" has_profile "$err"
check "an ordinary user may run profil run" \
	status_is 0 su nobody -c "profil run -an -- $workload exit 0"
also "prints a profile" has_profile "$err"
check "no memory needs to be locked" \
	status_is 7 su nobody -c "ulimit -l 0; profil run -an -- $workload exit 7"
also "prints a profile" has_profile "$err"
chmod 600 /dev/profil
check "a device that may not be opened is 125" \
	as_user profil run -- "$workload" exit 0
also "prints the reason and the remedy" says "sudo chmod 666 /dev/profil"
chmod 666 /dev/profil
unload_module
check "a module that is not loaded is 125" ends 125 -- "$workload" exit 0
also "prints the reason and the remedy" says "not loaded: sudo modprobe profil"
# is_unprofiled REASON: the command has run, one line has the reason, and no file.
is_unprofiled()
{
	[ "$(cat "$out")" = ran ] && [ "$(wc -l <"$err")" = 1 ] && says "$1" &&
		[ ! -e "$work/none.data" ]
}
possible="profil record --if-possible -o $work/none.data"
check "record --if-possible runs the command without a module" \
	status_is 7 $possible -- sh -c 'echo ran; exit 7'
also "with one line" is_unprofiled "not loaded: sudo modprobe profil"
check "a command that is not there is 127" status_is 127 $possible -- /nowhere
insmod /profil.ko
check "record --if-possible records with a module" status_is 7 \
	$possible -- sh -c 'echo ran; exit 7'
also "has a file" [ -s "$work/none.data" ]
rm "$work/none.data"
check "the next command is about a function" ends 0 -- "$workload" exit 0
also "of the program" says "; next: profil annotate 'heavy'\$"
check "the time of a system call is shown" ends 0 -- "$workload" zeros 2000000000
also "at the hottest function" grep -qE '[0-9] %  [^ ]+ +read( |$)' "$err"
also "which the next command is not about" \
	eval "! grep -q \"profil annotate 'read'\" '$err'"
named="$work/new
line"
cp "$workload" "$named"
check "a program with a newline in its name" ends 0 -- "$named" exit 0
also "has names" has_profile "$err"
also "has no hint" [ -z "$(grep 'in place of names' "$err")" ]
rm -f profil.data
check "a command without stderr" status_is 7 sh -c \
	"exec 2>&-; profil run -- '$workload' exit 7"
also "has its profile in the file" [ -s profil.data ]
rm -f profil.data
check "a limit on the size of files" status_is 0 sh -c \
	"{ ulimit -f 0; profil run -- '$workload' exit 0; } 2>&1 | cat >&2"
also "is why there are no names" \
	says '^profil: no names are looked up, as ulimit -f is too low: raise it$'
also "and why there is no file" says 'the profile is not saved, as ulimit -f is too low$'
check "a recording into a device" status_is 0 profil record -o /dev/null -- \
	"$workload" exit 0
also "has no file to report" [ -z "$(grep 'next:' "$err")" ]
# Effects that a program must not see

"$workload" state >"$out" 2>"$err" </dev/null
mv "$out" "$work/state"
check "the program runs" ends 0 -- "$workload" state
also "has the same descriptors, signals, timers and threads as alone" \
	cmp "$out" "$work/state"
check "stdin is the program's" \
	[ "$(echo text | profil run -o "$work/x" -- "$workload" copy)" = text ]
check "stdout is the program's alone" \
	[ "$(profil run -- "$workload" state 2>/dev/null | grep -c samples)" = 0 ]
check "a program that calls profil()" ends 0 -- "$workload" own
also "has its samples" [ "$(cat "$out")" = counted ]
also "is in the profile as well" [ "$(samples "$err" profil_sites)" -gt 0 ]
check "profil run does not wait for a daemon that keeps running" \
	ends 0 -- "$workload" leave 1000000000000
also "is reported" says "^1 process is still running and will not be counted"
killall workload

check "--version is the module's" \
	[ "$(profil --version)" = "profil $(cat /sys/module/profil/version)" ]
finish
