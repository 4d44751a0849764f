#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Calls in the gmon.out of gcc -pg programs for another processor, with libprofil preloaded
# and with libprofil linked in
# shellcheck disable=SC2154 # settings

here=$(cd "${0%/*}" && pwd)
. "$here/gprof_run.sh"
unset PROFIL_REQUIRE # there is no driver

# emulator, root
# shellcheck source=/dev/null
. "$here/settings"

# profiled PROGRAM [ARGUMENT]...: in an emulator
profiled()
{
	case $1 in
	*-static) "$emulator" "$@" ;;
	*) "$emulator" -L "$root" -E "LD_PRELOAD=$here/libprofil.so.1" "$@" ;;
	esac
}

# reads FILE PROGRAM: by an emulated program, too
reads()
{
	"$emulator" "$gmon_dump" "$1" "$2" >"$text" || return
	sed 's/^/# /' "$text"
}

for way in gprof_workload gprof_workload-static; do
	program=$here/$way
	writes "$way exits normally" "$program" calls
	also "once() is called once" called main once 1
	also "has 2000 and 1000 calls of leaf() and middle()" \
		has_known_calls 1000
	writes "$way calls from 8 threads" "$program" threads 5000
	also "no call is lost" called worker leaf 40000
	# The emulator ignores MADV_WIPEONFORK.
	writes "$way forks" "$program" fork
	also "has its own calls" called once middle 6
	also "its child writes a readable gmon.out" reads gmon.out.* "$program"
	also "has its own calls" called once middle 7
	check "$way passes arguments in registers and on the stack" \
		ends_with 0 "$program" arguments
done
finish
