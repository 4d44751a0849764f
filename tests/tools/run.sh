#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil run`: its options, its sentences, its exit status, and what it leaves
# as it is. What the profile says is figures.sh's.
# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/tools/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/tools/run-lib.sh
. "$here/run-lib.sh"
act=$here/act

# What it ends with

check "the status of exit() is passed on" ends 7 -- "$act" exit 7
check "with a profile" has_profile "$err"
check "the status of _exit() is passed on" ends 8 -- "$act" _exit 8
check "with a profile" has_profile "$err"
check "SIGKILL is 128 and 9" ends 137 -- "$act" kill 9
check "with a profile" has_profile "$err"
check "SIGSEGV is 128 and 11" ends 139 -- "$act" kill 11
check "with a profile" has_profile "$err"
check "no such program is 127" ends 127 -- no-such-program
check "and said" says "no such program: no-such-program"
check "no such path is 127" ends 127 -- "$here/no-such-program"
check "and said" says "no such program: .*/no-such-program"
echo text >"$work/text"
check "what is no program is 126" ends 126 -- "$work/text"
check "and said" says "cannot run .*/text"
check "a directory is 126" ends 126 -- "$work"
check "and said" says "cannot run"
check "SIGINT to profil changes nothing" ends 5 -- "$act" interrupt
check "with a profile" has_profile "$err"
check "SIGTERM to profil reaches the command" ends 143 -- "$act" terminate
check "with a profile" has_profile "$err"

# Options

check "-- may be left out" ends 3 "$act" exit 3
check "options after the command are the command's" \
	ends 99 "$act" -o "$work/none"
check "and not looked at" [ ! -e "$work/none" ]
check "-o FILE" ends 4 -o "$work/profile" -- "$act" exit 4
check "takes the profile" has_profile "$work/profile"
check "and leaves nothing on stderr" is_silent
check "-oFILE" ends 4 -o"$work/other" -- "$act" exit 4
check "is the same" has_profile "$work/other"
check "-o where nothing can be is 125" ends 125 -o / -- "$act" exit 4
check "and said" says "cannot write to /: "
check "-o to a full disk is 125" ends 125 -o /dev/full -- "$act" exit 4
check "and said" says "cannot write all of the profile to /dev/full"
check "no command is 125" ends 125
check "and said" says "name the command to run"
check "a bad letter is 125" ends 125 -xF 100 -- "$act" exit 0
check "and said" says "no such option: -x;"
check "a bad word is 125" ends 125 --frequency 100 -- "$act" exit 0
check "and said" says "no such option: --frequency;"
check "-F without a number is 125" ends 125 -F
check "and said" says "-F needs a value"
for hz in abc 10x '' 1.5; do
	check "-F '$hz' is 125" ends 125 -F "$hz" -- "$act" exit 0
	check "and said" says "-F $hz: give samples a second as a number"
done
for hz in 0 -5 10001 99999999999; do
	check "-F $hz is 125" ends 125 -F "$hz" -- "$act" exit 0
	check "and said" says "-F $hz: the driver takes 1 to 10000 samples"
done
for hz in 1 100 1000 10000; do
	check "-F $hz" ends 0 -F "$hz" -- "$act" exit 0
	ms=$(awk "BEGIN { print 1000 / $hz }")
	check "is a sample each $ms ms" says "^total .* one each $ms ms"
done
echo 1 >"$parameters/restrict_fastprof"
check "-F 1000 while it is switched off is 125" \
	ends 125 -F 1000 -- "$act" exit 0
check "and said, with what mends it" \
	says "switched off: echo 0 | sudo tee $parameters/restrict_fastprof"
check "-F 10 is not affected" ends 0 -F 10 -- "$act" exit 0
echo 0 >"$parameters/restrict_fastprof"

# What cannot be profiled

check "a static program is 125" ends 125 -- /bin/busybox true
check "and said, with what mends it" \
	says "busybox is static: link it dynamically"
printf '#!/bin/sh\n' >"$work/script"
chmod +x "$work/script"
check "so is a script for a static program" ends 125 -- "$work/script"
check "and said" says "is static: link it dynamically"
cp "$act" "$work/privileged"
chmod 4755 "$work/privileged"
check "a set-user-ID program of another user is 125" \
	as_nobody profil run -- "$work/privileged" exit 0
check "and said" says "privileged gains privileges"
check "its owner may run it" ends 6 -- "$work/privileged" exit 6
check "with a profile" has_profile "$err"
check "an ordinary user may do it" \
	status_is 0 su nobody -c "profil run -- $act exit 0"
check "with a profile" has_profile "$err"
check "and without memory to lock runs the command all the same" \
	status_is 7 su nobody -c "ulimit -l 0; profil run -- $act exit 7"
check "and hears why it is missing" says "missing.*: 1 (.*raise ulimit -l"
chmod 600 /dev/profil
check "a device that may not be opened is 125" \
	as_nobody profil run -- "$act" exit 0
check "and said, with what mends it" says "sudo chmod 666 /dev/profil"
chmod 666 /dev/profil
unload_module
check "a module that is not loaded is 125" ends 125 -- "$act" exit 0
check "and said, with what mends it" says "not loaded: sudo modprobe profil"
insmod /profil.ko
check "a program linked with libprofil.a" \
	ends 0 -- "$here/act-static" exit 0
check "is profiled though static" has_profile "$err"
check "a library that is not there is 125" \
	status_is 125 env PROFIL_LIB=/nowhere profil run -- "$act" exit 0
check "and said" says "PROFIL_LIB=/nowhere cannot be read"

# What a program must not notice

check "without a run, dlopen() of a preloaded program is as it was" \
	status_is 0 env LD_PRELOAD=/usr/local/lib/libprofil.so.1 \
		"$act" dlopen libone.so work_of_one 1000000
"$act" state >"$out" 2>"$err" </dev/null
mv "$out" "$work/state"
check "the program runs" ends 0 -- "$act" state
check "with the descriptors, signals, timers and threads it has always" \
	cmp "$out" "$work/state"
check "stdin is the program's" \
	[ "$(echo text | profil run -o "$work/x" -- "$act" copy)" = text ]
check "stdout is the program's alone" \
	[ "$(profil run -- "$act" state 2>/dev/null | grep -c total)" = 0 ]
check "a profile of its own goes before ours" ends 0 -- "$act" own
check "counts" [ "$(cat "$out")" = counted ]
check "and is told of" says "called profil().*: 1$"
check "stopping what it has not started" ends 0 -- "$act" stop 100000000
check "does not stop ours" has_profile "$err"
check "a daemon that goes on is not waited for" \
	ends 0 -- "$act" leave 1000000000000
check "and told of" says "processes that go on.*: 1$"
killall act

check "--help prints how to use it" \
	[ "$(profil --help | grep -c '^usage: profil run')" = 1 ]
check "--version is the module's" \
	[ "$(profil --version)" = "profil $(cat /sys/module/profil/version)" ]
check "no such subcommand is 125" status_is 125 profil no-such
check "and said" says 'there is no "profil no-such"'
finish
