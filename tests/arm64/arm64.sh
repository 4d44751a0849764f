#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Calls in the gmon.out of gcc -pg programs for another processor, with libprofil preloaded
# and with libprofil linked in
# shellcheck disable=SC2154 # settings

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"

# emulator, root
# shellcheck source=/dev/null
. "$here/settings"

text=$work/text

# run PROGRAM [ARGUMENT]...: in an emulator, in a fresh directory
run()
{
	rm -rf "$work/run"
	mkdir "$work/run"
	cd "$work/run" || exit
	case $1 in
	*-static) "$emulator" "$@" ;;
	*) "$emulator" -L "$root" -E "LD_PRELOAD=$here/libprofil.so.1" "$@" ;;
	esac
}

reads()
{
	"$emulator" "$here/gmon_dump" gmon.out "$1" >"$text" || return
	sed 's/^/# /' "$text"
}

# forks PROGRAM: it prints the process ID of its child.
forks()
{
	run "$1" fork >"$text"
}

# reads_child PROGRAM: the only other file
reads_child()
{
	mv gmon.out.* gmon.out && reads "$1"
}

# called FROM SELF CALLS: FROM called SELF this often.
called()
{
	awk -v from="$1" -v self="$2" -v calls="$3" '
		$1 == "arc" && $2 == from && $3 == self { seen += $4 }
		END { exit seen != calls }' "$text"
}

for way in gprof_workload gprof_workload-static; do
	program=$here/$way
	check "$way exits normally" run "$program" calls
	also "writes a readable gmon.out" reads "$program"
	also "once() is called once" called main once 1
	also "middle() is called 1000 times" called once middle 1000
	also "leaf() is called 2000 times" called middle leaf 2000
	check "$way calls from 8 threads" run "$program" threads 5000
	also "writes a readable gmon.out" reads "$program"
	also "no call is lost" called worker leaf 40000
	# The emulator ignores MADV_WIPEONFORK.
	check "$way forks" forks "$program"
	also "writes a readable gmon.out" reads "$program"
	also "has its own calls" called once middle 6
	also "its child writes a readable gmon.out" reads_child "$program"
	also "has its own calls" called once middle 7
	check "$way passes arguments in registers and on the stack" \
		run "$program" arguments
done
finish
