#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil run` of programs without libprofil: each runs as it does alone, with
# an empty stderr. The profile has the command itself, by attaching, and names
# others. For a machine that counts instructions.
# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
workload=$here/workload
exec_with=$here/exec_with

profile=$work/profile

# ends_with STATUS ARGUMENT...: run `profil run`, with the profile in $profile.
ends_with()
{
	expected=$1
	shift
	ends "$expected" -o "$profile" -- "$@"
}

# runs ARGUMENT...: under `profil run` the program prints what it prints alone,
# and the dynamic linker prints no line with ERROR.
runs()
{
	ends_with 5 "$@" && [ "$(cat "$out")" = 'foreign code ran' ] &&
		! grep ERROR "$err" | sed 's/^/# /' | grep .
}

# tells PATTERN: one line of the profile has PATTERN.
tells()
{
	[ "$(grep -c -e "$1" "$profile")" = 1 ] || {
		sed 's/^/# /' "$profile"
		return 1
	}
}

# names_none: the profile names no unprofiled program.
names_none()
{
	! grep 'not in the profile' "$profile" | sed 's/^/# /' | grep .
}

# names_no_program: the same, where the start of a program may take CPU time that
# has no samples.
names_no_program()
{
	! grep '^[0-9]* process' "$profile" | sed 's/^/# /' | grep .
}

# is_named NUMBER PROGRAM WHY: the profile names this program and no other.
is_named()
{
	lines=$(grep -c 'not in the profile$\|not in the profile:' "$profile")
	[ "$lines" = "$(grep -c 's of CPU time are' "$profile" | sed 's/1/2/; s/0/1/')" ] &&
		tells "^$1 process[es]* of $2 ($3) [ia][sr]e* not in the profile"
}

# Each kind of program, as the command and as its child

kinds='static musl 32'
[ -e "$here/spinner-musl" ] || kinds='static 32'
for kind in $kinds; do
	program=$here/spinner-$kind
	why=$kind
	[ "$kind" != 32 ] || why=32-bit
	check "a $kind program runs alone" status_is 5 "$program" 100 5
	check "a $kind program runs as the command" runs "$program" 100 5
	also "has its samples" [ "$(samples "$profile" heavy)" -gt 15 ]
	also "is not named as unprofiled" names_no_program
	check "a $kind program runs in place of the command" \
		runs "$exec_with" execv "$program"
	also "is named as unprofiled" is_named 1 "$program" "$why"
	also "prints the missing time" \
		tells "^0.[12][0-9] s of 0.[12][0-9] s of CPU time are not"
	check "a $kind program runs as a child of the command" \
		runs "$exec_with" vfork execv "$program"
	also "is named as unprofiled" is_named 1 "$program" "$why"
	check "several processes of a $kind program run" \
		ends_with 0 "$workload" again 3 "$program" 30 0
	also "names all in one line" is_named 3 "$program" "$why"
done
if [ -e "$here/spinner-go" ]; then
	check "a program of Go runs as the command" \
		runs "$here/spinner-go" 100 5
	also "has its samples" [ "$(samples "$profile" main.heavy)" -gt 15 ]
	also "is not named as unprofiled" names_no_program
fi
printf '#!%s\n' "$here/spinner-static" >"$work/script"
chmod 755 "$work/script"
check "a script for a static program runs" runs "$work/script" 100 5
also "has its samples" [ "$(samples "$profile" heavy)" -gt 15 ]

check "a dynamic linker run as the command is profiled" \
	runs /lib64/ld-linux-x86-64.so.2 "$here/spinner-libc" 100 5
also "has samples of the program" [ "$(samples "$profile" heavy)" -gt 0 ]
also "is not named as unprofiled" names_none

# Libraries that have to come first

if [ -e "$here/spinner-asan" ]; then
	check "a program with AddressSanitizer runs" \
		runs "$here/spinner-asan" 100 5
	also "has samples" [ "$(samples "$profile" heavy)" -gt 0 ]
	also "is not named as unprofiled" names_no_program
fi
# shellcheck disable=SC2016 # a variable of the program
check "options of AddressSanitizer come after profil's" \
	status_is 0 env ASAN_OPTIONS=exitcode=9 profil run -- sh -c \
	'[ "$ASAN_OPTIONS" = verify_asan_link_order=0:exitcode=9 ]'

# Privileges, environment and root directory

cp "$here/spinner-libc" "$work/privileged"
chown nobody "$work/privileged"
chmod 4755 "$work/privileged"
check "a set-user-ID program runs" runs "$work/privileged" 100 5
also "is named as unprofiled" is_named 1 "$work/privileged" "gains privileges"
check "a set-user-ID program runs as a child" \
	runs "$exec_with" vfork execv "$work/privileged"
also "is named as unprofiled" is_named 1 "$work/privileged" "gains privileges"
program=$here/spinner-libc
check "a program runs after clearenv()" runs "$exec_with" clear execv "$program"
also "is named as unprofiled" is_named 1 "$program" \
	"executed without LD_PRELOAD or PROFIL_RUN"
check "a program runs after setuid()" runs "$exec_with" user execv "$program"
also "is named as unprofiled" is_named 1 "$program" \
	"executed as another user, or without /proc"
for how in '' vfork; do
	# shellcheck disable=SC2086 # no word at all, if it is empty
	check "a program runs under a filter that forbids ioctl()${how:+ by vfork()}" \
		runs "$exec_with" seccomp $how execv "$program"
	also "is named as unprofiled" is_named 1 "$program" \
		"executed under a seccomp filter"
done
check "a program that does not exist, under the filter" \
	ends_with 94 "$exec_with" seccomp execv /none
also "is not named" names_none
check "a program without LD_PRELOAD runs under the filter" \
	runs "$exec_with" clear seccomp execv "$program"
root=$work/root
mkdir -p "$root/lib64" "$root/lib/x86_64-linux-gnu"
cp "$program" "$root/program"
cp /lib64/ld-linux-x86-64.so.2 "$root/lib64"
cp /lib/x86_64-linux-gnu/libc.so.6 "$root/lib/x86_64-linux-gnu"
for how in '' vfork; do
	# shellcheck disable=SC2086 # no word at all, if it is empty
	check "a program runs after chroot()" \
		runs "$exec_with" "root=$root" $how execv /program
	also "is named as unprofiled" is_named 1 /program \
		"executed in a root directory without libprofil"
done
check "libraries in LD_PRELOAD are kept after chroot()" \
	status_is 5 env "LD_PRELOAD=$here/libone.so" \
	profil run -- "$exec_with" "root=$root" execv /program
also "the dynamic linker reports the kept library" says "ERROR: .*libone.so"

# Functions that execute a program

for function in execve execv execvp execvpe execl execlp execle fexecve \
	execveat posix_spawn posix_spawnp; do
	check "$function() executes a static program" \
		runs "$exec_with" "$function" "$here/spinner-static"
	also "is named as unprofiled" is_named 1 "$here/spinner-static" static
	check "$function() executes a profiled program" \
		runs "$exec_with" "$function" "$here/spinner-libc"
	also "has samples" [ "$(samples "$profile" heavy)" -gt 0 ]
	also "is not named as unprofiled" names_none
done
for how in vfork stack; do
	check "execvp() by $how" \
		runs "$exec_with" "$how" execvp "$here/spinner-static"
	also "is named as unprofiled" is_named 1 "$here/spinner-static" static
done
PATH=$here:$PATH
check "a program found in PATH runs" runs "$exec_with" execvp spinner-static
also "is named as unprofiled" is_named 1 "$here/spinner-static" static
check "a program that does not exist" ends_with 94 "$exec_with" execv /none
also "is not named" names_none
printf 'text' >"$work/text"
check "a file that cannot be executed" \
	ends_with 94 "$exec_with" execv "$work/text"
also "is not named" names_none

# More programs than the profile has lines for

for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cp "$here/spinner-static" "$work/static-$i"
done
check "twelve programs run" ends_with 0 "$workload" each "$work"/static-*
also "names ten" [ "$(grep -c "of $work/static-.* (static)" "$profile")" = 10 ]
also "counts the others" \
	tells "^2 processes of further programs are not in the profile$"
finish
