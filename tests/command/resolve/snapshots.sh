#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Snapshots of a profile, each with the names that the one before has found: the
# last one is the profile of a single lookup.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"

# is_lookup PROGRAM NR PARTS: the last of NR snapshots is what a single lookup
# finds. The instructions at the end have most samples, so that other functions are
# hot in the last snapshot than in the others.
is_lookup()
{
	# shellcheck disable=SC2016 # a variable of Perl
	places "$1" '1 + $n * $n / 50'
	"$here/resolve" <places | zcat >expected &&
		"$here/write_snapshots" "$2" "$3" <places | zcat >last &&
		[ "$(grep -c '^place' expected)" -gt 50 ] &&
		cmp expected last
}

has_inlined()
{
	grep -q '^function	0	0x0	0	i	' expected
}

g++ -O2 -g -gdwarf-4 -o four templates.cc
gcc -O2 -g -o plain inlined.c
gcc -O2 -g -gsplit-dwarf -o split inlined.c
cp four debuglink
objcopy --only-keep-debug debuglink debuglink.debug
strip debuglink
objcopy --add-gnu-debuglink=debuglink.debug debuglink
cp four stripped
strip stripped
for program in four plain split debuglink stripped; do
	check "$program: a single snapshot" is_lookup $program 1 1
	for parts in 1 2 3 50; do
		check "$program: new places in $parts snapshots" \
			is_lookup $program $parts $parts
		also "and then none" is_lookup $program $((parts + 1)) $parts
		also "and again" is_lookup $program $((parts + 2)) $parts
		[ $program = stripped ] || also "with inlined functions" has_inlined
	done
done
finish
