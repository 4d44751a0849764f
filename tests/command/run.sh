#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil run`: its options, its sentences, its exit status, and what it leaves
# as it is. What the profile says is accuracy.sh's.
# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
workload=$here/workload

# What it ends with

check "the status of exit() is passed on" ends 7 -- "$workload" exit 7
check "with a profile" has_profile "$err"
check "the status of _exit() is passed on" ends 8 -- "$workload" _exit 8
check "with a profile" has_profile "$err"
check "SIGKILL is 128 and 9" ends 137 -- "$workload" kill 9
check "with a profile" has_profile "$err"
check "SIGSEGV is 128 and 11" ends 139 -- "$workload" kill 11
check "with a profile" has_profile "$err"
check "no such program is 127" ends 127 -- no-such-program
check "and said" says "no such program: no-such-program"
check "no such path is 127" ends 127 -- "$here/no-such-program"
check "and said" says "no such program: .*/no-such-program"
echo text >"$work/text"
check "what is no program is 126" ends 126 -- "$work/text"
check "and said" says "cannot run .*/text"
printf '#!/no/such/shell -e\r\n' >"$work/script"
chmod +x "$work/script"
check "a script without its interpreter is 126" ends 126 -- "$work/script"
check "and said" says "cannot run .*/script: its interpreter /no/such/shell is"
printf '#!/bin/sh\r\n' >"$work/script"
check "a line that ends as on Windows" ends 126 -- "$work/script"
check "is no interpreter" says "its interpreter /bin/sh.x0d is missing"
check "a directory is 126" ends 126 -- "$work"
check "and said" says "cannot run"
check "SIGINT to profil reaches the command" ends 130 -- "$workload" interrupt
check "with a profile" has_profile "$err"
check "SIGINT ends the recording of what ignores it" ends 130 -- "$workload" ignore
check "with a profile" has_profile "$err"
check "that names the running process" says "process [0-9]* is still running"
killall workload
check "SIGTERM to profil reaches the command" ends 143 -- "$workload" terminate
check "with a profile" has_profile "$err"

# Options

check "-- may be left out" ends 3 "$workload" exit 3
check "options after the command are the command's" \
	ends 99 "$workload" -o "$work/none"
check "and not looked at" [ ! -e "$work/none" ]
check "-o FILE" ends 4 -o "$work/profile" -- "$workload" exit 4
check "takes the profile" has_profile "$work/profile"
check "and leaves nothing on stderr" is_silent
check "-oFILE" ends 4 -o"$work/other" -- "$workload" exit 4
check "is the same" has_profile "$work/other"
check "-o where nothing can be is 125" ends 125 -o / -- "$workload" exit 4
check "and said" says "cannot write to /: "
check "-o to a full disk is 125" ends 125 -o /dev/full -- "$workload" exit 4
check "and said" says "cannot write all of the output to /dev/full"
check "-o - is stdout" ends 4 -o - -- "$workload" exit 4
check "with the profile" has_profile "$out"
check "and nothing on stderr" is_silent
check "or in a file" [ ! -e - ]
check "no command is 125" ends 125
check "and said" says "name the command to run"
check "a bad letter is 125" ends 125 -xF 100 -- "$workload" exit 0
check "and said" says "no such option: -x;"
check "a bad word is 125" ends 125 --frequency 100 -- "$workload" exit 0
check "and said" says "no such option: --frequency;"
check "-F without a number is 125" ends 125 -F
check "and said" says "-F needs a value"
check "--freq and --output are -F and -o" \
	ends 4 --freq=100 --output "$work/long" -- "$workload" exit 4
check "with 100 samples a second" [ "$(period "$work/long")" = 10 ]
check "there are no call stacks: -g is 125" ends 125 -g -- "$workload" exit 0
check "and said" says "-g: there are no call stacks"
for hz in abc 10x '' 1.5; do
	check "-F '$hz' is 125" ends 125 -F "$hz" -- "$workload" exit 0
	check "and said" says "-F $hz: give samples a second as a number"
done
for hz in 0 -5 10001 99999999999; do
	check "-F $hz is 125" ends 125 -F "$hz" -- "$workload" exit 0
	check "and said" says "-F $hz: the driver takes 1 to 10000 samples"
done
for hz in 1 100 1000 10000; do
	check "-F $hz" ends 0 -F "$hz" -- "$workload" exit 0
	ms=$(awk "BEGIN { print 1000 / $hz }")
	check "is a sample each $ms ms" says "^[0-9]* samples*, one each $ms ms"
done
echo 1 >"$parameters/restrict_fastprof"
check "-F 1000 while it is switched off is 125" \
	ends 125 -F 1000 -- "$workload" exit 0
check "and said, with what mends it" \
	says "switched off: echo 0 | sudo tee $parameters/restrict_fastprof"
check "-F 10 is not affected" ends 0 -F 10 -- "$workload" exit 0
echo 0 >"$parameters/restrict_fastprof"

# The head, and what is left out

check "the head" ends 7 -- "$workload" exit 7
check "has the command, its status, and its times" says \
	"^$workload exit 7: exit status 7, [0-9.]* s wall, [0-9.]* s CPU ([0-9.]* s in the kernel), 1 program\$"
check "a signal" ends 137 -- "$workload" kill 9
check "has its name there" says "kill 9: killed by SIGKILL, "
check "forked children" ends 0 -- "$workload" fork 3 10000000
check "are counted" says ", 1 program, 3 forks$"
check "-q" ends 7 -q -- "$workload" exit 7
check "leaves the head out" [ "$(head -n 1 "$err" | cut -c1-7)" = "   self" ]
check "and has the profile" has_profile "$err"
check "no option" status_is 7 profil run -- "$workload" exit 7
check "leaves the numbers out" [ "$(grep -c samples "$err")" = 1 ]
check "-v" ends 7 -v -- "$workload" exit 7
check "lists files" says "samples in $workload\$"

# A file that is not what it was

cp "$workload" "$work/program"
cp "$here/workload-fixed" "$work/next"
check "a program that is replaced" ends 0 -- "$work/program" replace "$work/next"
check "has none of the other's names" [ "$(samples "$err" heavy)" = 0 ]
check "but places" grep -q "  program  *program+0x" "$err"
check "which add up" adds_up "$err"
check "and that is said" says "^program was replaced after it was run"
cp "$workload" "$work/program"
cp "$workload" "$work/next"
check "one replaced by the same" \
	ends 0 -- "$work/program" replace "$work/next"
check "has its names" has_profile "$err"
cp "$here/workload-no-id" "$work/program"
cp "$here/workload-no-id" "$work/next"
check "without a build ID, one replaced by the same" \
	ends 0 -- "$work/program" replace "$work/next"
check "may be another" says "^program was replaced after"
check "one that is left alone" ends 0 -- "$here/workload-no-id" exit 0
check "has its names" has_profile "$err"

# Limits, and descriptors that are closed

with_limit()
{
	(ulimit "$1" "$2" && shift 2 && ends "$@")
}

check "ulimit -f is for files that take room" \
	with_limit -Sf 1000 4 -- "$workload" exit 4
check "with a profile" has_profile "$err"
check "unless it cannot be raised" with_limit -f 1000 125 -- "$workload" exit 4
check "which is said" says "(File too large): ulimit -f unlimited"
check "the command has the limit" \
	with_limit -Sf 32 153 -- "$workload" write "$work/large"
check "no stderr and no -o is 125" \
	status_is 125 sh -c "profil run -- '$workload' exit 4 2>&-"
check "with -o it is as ever" status_is 4 \
	sh -c "profil run -an -o '$work/closed' -- '$workload' exit 4 0<&- 2>&-"
check "with a profile" has_profile "$work/closed"
check "and the command's are closed" status_is 0 \
	sh -c "profil run -o '$work/closed' -- '$workload' closed 0<&- 2>&-"

# What cannot be profiled

check "a static program runs" ends 0 -- /bin/busybox true
check "and is named, with what mends it" \
	says "busybox (static) is not in the profile: link it dynamically"
printf '#!/bin/sh\n' >"$work/script"
chmod +x "$work/script"
check "so does a script for a static program" ends 0 -- "$work/script"
check "and is named" says "script (static) is not in the profile"
cp "$workload" "$work/privileged"
chmod 4755 "$work/privileged"
check "a set-user-ID program of another user runs" \
	status_is 6 su nobody -c "profil run -- $work/privileged exit 6"
check "and is named" says "privileged (gains privileges) is not in the profile"
check "its owner may run it" ends 6 -- "$work/privileged" exit 6
check "with a profile" has_profile "$err"
check "an ordinary user may do it" \
	status_is 0 su nobody -c "profil run -an -- $workload exit 0"
check "with a profile" has_profile "$err"
check "and without memory to lock runs the command all the same" \
	status_is 7 su nobody -c "ulimit -l 0; profil run -- $workload exit 7"
check "and hears why it is missing, and what it needs" says \
	"^1 process was not counted to the end (.*raise ulimit -l, which is 0 KiB here, to [0-9]* KiB"
chmod 600 /dev/profil
check "a device that may not be opened is 125" \
	as_nobody profil run -- "$workload" exit 0
check "and said, with what mends it" says "sudo chmod 666 /dev/profil"
chmod 666 /dev/profil
unload_module
check "a module that is not loaded is 125" ends 125 -- "$workload" exit 0
check "and said, with what mends it" says "not loaded: sudo modprobe profil"
insmod /profil.ko
check "a program linked with libprofil.a" \
	ends 0 -- "$here/workload-static" exit 0
check "is profiled though static" has_profile "$err"
check "a library that is not there is 125" \
	status_is 125 env PROFIL_LIB=/nowhere profil run -- "$workload" exit 0
check "and said" says "PROFIL_LIB=/nowhere cannot be read"
check "one of another name is refused" \
	status_is 125 env PROFIL_LIB=/tmp profil run -- "$workload" exit 0
check "and said" says "/tmp is not named libprofil.so.1"

# What a program must not notice

check "without a run, dlopen() of a preloaded program is as it was" \
	status_is 0 env LD_PRELOAD=/usr/local/lib/libprofil.so.1 \
		"$workload" dlopen libone.so work_of_one 1000000
"$workload" state >"$out" 2>"$err" </dev/null
mv "$out" "$work/state"
check "the program runs" ends 0 -- "$workload" state
check "with the descriptors, signals, timers and threads it has always" \
	cmp "$out" "$work/state"
for function in execve execv execle fexecve execveat posix_spawn; do
	for pointer in path low argv envp variable; do
		case $function-$pointer in
		fexecve-path | fexecve-low | execveat-path | execveat-low) continue ;;
		execle-argv | posix_spawn-argv) continue ;;
		esac
		check "$function() with a bad pointer, $pointer, is EFAULT" \
			ends 93 -- "$here/exec_with" "bad=$pointer" "$function" "$workload"
	done
done
check "stdin is the program's" \
	[ "$(echo text | profil run -o "$work/x" -- "$workload" copy)" = text ]
check "stdout is the program's alone" \
	[ "$(profil run -- "$workload" state 2>/dev/null | grep -c samples)" = 0 ]
check "a profile of its own goes before ours" ends 0 -- "$workload" own
check "counts" [ "$(cat "$out")" = counted ]
check "and is told of" says "^1 process called profil() and was not counted further"
check "stopping what it has not started" ends 0 -- "$workload" stop 100000000
check "does not stop ours" has_profile "$err"
check "a daemon that goes on is not waited for" \
	ends 0 -- "$workload" leave 1000000000000
check "and told of" says "^1 process is still running and will not be counted"
killall workload

check "--help prints how to use it" \
	[ "$(profil --help | grep -c '^usage: profil run')" = 1 ]
# prints_once PATTERN COMMAND...
prints_once()
{
	pattern=$1
	shift
	[ "$("$@" | grep -c -e "$pattern")" = 1 ]
}

for help in --help -h help; do
	check "so does $help" prints_once '^usage: profil run' profil "$help"
done
check "and --help of a verb" prints_once '^  -F, --freq=HZ' profil run --help
check "and -h of a verb" prints_once '^  -F, --freq=HZ' profil run -h
check "and help with a verb" prints_once '^  -F, --freq=HZ' profil help run
check "no such verb's help is 125" status_is 125 profil help no-such
check "--version is the module's" \
	[ "$(profil --version)" = "profil $(cat /sys/module/profil/version)" ]
check "help of help" prints_once "^usage: profil help" profil help help
check "no such subcommand is 125" status_is 125 profil no-such
check "and said" says 'there is no "profil no-such"'
finish
