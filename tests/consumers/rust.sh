#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Lines, inlined functions and names of a program in Rust, with both manglings.
# The oracles are llvm-addr2line for the frames of each instruction, and
# llvm-cxxfilt for names.
# shellcheck disable=SC2016 # sed has dollar signs
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"
export LC_ALL=C.UTF-8
# Debian's, whatever else is in the path
rustc=/usr/bin/rustc

# The instructions of the crate, whose symbols have its name
only=rusty

frames()
{
	frames_of "$1" | by_address | sort >ours
	lines_by llvm-addr2line "$1" | sort >expected
	[[ $(wc -l <ours) -gt 200 ]] && [[ $(awk 'NF > 3' ours | wc -l) -gt 20 ]] &&
		are_equal expected ours && return
	wc -l ours expected | fail_with
}

# names PROGRAM: the functions in a report, without the hash that Rust appends.
# Padding between functions has an address in place of a name. llvm-cxxfilt leaves
# the escapes of the older mangling as they are.
names()
{
	places "$1" && "$here/resolve" <places >data &&
		"$here/profil" report -q -a --json -i data |
		python3 -c 'import json, sys
for row in json.load(sys.stdin)["rows"]:
    print(row["function"])' | grep -v "^$1+0x" | sort -u >ours
	nm "$1" | awk '$2 ~ /[tT]/ && /rusty/ { print $3 }' | llvm-cxxfilt |
		sed -E 's/::h[0-9a-f]{16}$//; /\$/ {
			s/\$LT\$/</g; s/\$GT\$/>/g; s/\$u20\$/ /g
			s/[.][.]/::/g; s/^_//; }' | sort -u >expected
	[[ $(wc -l <ours) -gt 3 ]] && grep -q 'rusty::inner::sum' ours &&
		are_equal expected ours
}

for mangling in legacy v0; do
	options=
	[[ $mangling == legacy ]] || options="-C symbol-mangling-version=v0"
	for level in 1 3; do
		program=$mangling-$level
		# The options are words.
		# shellcheck disable=SC2086
		check "a program with $mangling names, -O$level" "$rustc" -g \
			$options -C opt-level="$level" -C codegen-units=1 \
			-o "$program" rusty.rs
		also "the frames of each instruction" frames "$program"
		also "the names of its functions" names "$program"
	done
done
finish
