#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/setup makes a fresh Debian ready for the demo. Runs as root in a
# temporary system, see tests/install/run. The machine of the demo is not booted.

. tests/common/tap.sh
. tests/common/fresh_debian.sh

kernels=$HOME/.cache/profil/debian
number_of_debian=$(sed -n 's/^VERSION_ID="\(.*\)"/\1/p' /etc/os-release)

# prints_notes_only: true if each line of the log is a sentence of tests/setup.
prints_notes_only()
{
	grep -v '^setup: ' "$log" | is_nothing || return 1
	[ -s "$log" ]
}

says_nothing()
{
	"$@" >"$log" 2>&1 && [ ! -s "$log" ]
}

# refused WHAT SYSTEMS: true if tests/setup WHAT names SYSTEMS and stops.
refused()
{
	tests/setup "$1" >"$log" 2>&1 && return 1
	sed 's/^/# /' "$log"
	[ "$(wc -l <"$log")" = 1 ] &&
		grep -q "^setup: '$1' is for $2, and this is " "$log"
}

on_another_system()
{
	cp /etc/os-release /tmp/os-release
	rm /etc/os-release
	printf 'ID=fedora\nVERSION_ID=41\nPRETTY_NAME="Fedora Linux 41"\n' \
		>/etc/os-release
	refused demo 'Debian 12 and 13'
	result=$?
	cp /tmp/os-release /etc/os-release
	return "$result"
}

# pgo_without_sources: true if the example names what apt lacks, and downloads nothing.
pgo_without_sources()
{
	echo 'Dir::Etc::sourcelist "/dev/null"; Dir::Etc::sourceparts "/dev/null";' \
		>/tmp/apt.conf
	APT_CONFIG=/tmp/apt.conf bash -c 'set -euo pipefail
		. tests/qemu/lib.sh && . tests/qemu/archive.sh &&
		. examples/pgo/source.sh && unpack_source /tmp/sqlite' run \
		>"$log" 2>&1 && return 1
	sed 's/^/# /' "$log"
	[ "$(cat "$log")" = "run: no source of apt is an archive of Debian: add a line to /etc/apt/sources.list, as in sources.list(5)" ] &&
		[ ! -e /tmp/sqlite ]
}

# DKMS has brought a kernel, which tests/setup would take in place of its own.
rm -f /boot/vmlinuz-*
check "tests/setup demo" quietly tests/setup demo
check "tests/setup demo prints only its own sentences" prints_notes_only
check "a second tests/setup demo prints nothing" says_nothing tests/setup demo
check "there is one kernel" [ "$(find "$kernels"/*/image | wc -l)" = 1 ]
check "its driver for loop devices is kept" \
	[ "$(find "$kernels"/*/modules/ -name 'loop.ko*' | wc -l)" = 1 ]
check "its other drivers are not kept" \
	[ ! "$(find "$kernels" -path '*/lib/modules/*')" ]
check "the module compiles for it" \
	quietly make module KDIR="$(echo "$kernels"/*/build)"
check "the command compiles" quietly make command
check "the examples compile" quietly make -C examples
for program in qemu-system-x86_64 busybox cpio xz sort sqlite3 perl; do
	check "$program is installed" quietly command -v $program
done
check "make pgo without a source of apt" pgo_without_sources
if [ "$number_of_debian" != 12 ]; then
	check "make check is refused" refused check 'Debian 12'
fi
check "the demo is refused on another system" on_another_system
finish
