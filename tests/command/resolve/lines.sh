#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Source lines and inlined functions of each instruction of programs by several
# compilers. The oracles are addr2line of binutils, eu-addr2line of elfutils and,
# where it is installed, that of LLVM.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"

# are_frames_of PROGRAM TOOL...: each instruction has the frames that one of the
# tools finds, and most have some.
are_frames_of()
{
	program=$1
	shift
	frames_of "$program" | by_address >frames
	for tool; do
		lines_by "$tool" "$program"
	done | sort -u >expected
	sort -u frames | comm -23 - expected | sed 's/^/# /' | head >wrong
	cat wrong
	[ ! -s wrong ] &&
		[ "$(wc -l <frames)" -gt 50 ] &&
		[ "$(awk 'NF > 1' frames | wc -l)" -gt 30 ] &&
		grep -q '.*:.*:.*' frames
}

# names_inlined PROGRAM LINE FUNCTION...: an instruction with its innermost frame
# at LINE of the source is in FUNCTION, inlined in the next, and so on.
names_inlined()
{
	program=$1 line=$2
	shift 2
	frames_of "$program" |
		awk -F '\t' -v line=":$line:" -v wanted="$*" '
		/^0x/ { if (at && names == wanted) found = 1
			at = names = ""; nr = 0; next }
		{ names = names (nr++ ? " " : "") $1 }
		nr == 1 && index($2, line) { at = 1 }
		END { exit !(found || (at && names == wanted)) }'
}

compilers=gcc
command -v clang >/dev/null && compilers="gcc clang"
command -v llvm-addr2line-14 >/dev/null && llvm='llvm-addr2line-14'
command -v llvm-addr2line >/dev/null && llvm='llvm-addr2line'

for compiler in $compilers; do
	for version in 4 5; do
		options="-O2 -g -gdwarf-$version"
		# shellcheck disable=SC2086
		"$compiler" $options -o "c-$compiler-$version" inlined.c
		# shellcheck disable=SC2086
		"$compiler" -x c++ $options -o "cc-$compiler-$version" \
			templates.cc -lstdc++
	done
done
for version in 4 5; do
	check "C of gcc, DWARF $version" \
		are_frames_of "c-gcc-$version" addr2line eu-addr2line
	also "inlined functions have names" \
		names_inlined "c-gcc-$version" 8 square fourth sum
	check "C++ of gcc, DWARF $version" \
		are_frames_of "cc-gcc-$version" addr2line eu-addr2line
	also "inlined functions have linkage names" \
		names_inlined "cc-gcc-$version" 22 \
		_ZN3app6MatrixIdE3mulERS1_S2_ main
done

# Tools of binutils and elfutils find only a part of the frames of clang.
for program in c-clang-4 c-clang-5 cc-clang-4 cc-clang-5; do
	if [ -e "$program" ] && [ "${llvm-}" ]; then
		check "$program" are_frames_of "$program" "$llvm"
	else
		check "$program # SKIP without clang or LLVM" true
	fi
done

finish
