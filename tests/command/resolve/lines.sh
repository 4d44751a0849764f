#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Source lines and inlined functions of each instruction of programs by several
# compilers. The oracles are addr2line of binutils, eu-addr2line of elfutils and,
# where it is installed, that of LLVM.
# shellcheck disable=SC2317 # check calls the functions

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
cp "$here"/*.c "$here"/*.cc .
# elfutils asks servers for debugging information only if this is set.
unset DEBUGINFOD_URLS

# addresses PROGRAM: the addresses of its instructions
addresses()
{
	objdump -d -j .text "$1" |
		awk '/^ *[0-9a-f]+:\t/ { sub(":", "", $1); print "0x" $1 }' |
		sort -u
}

# by_address: a line ADDRESS FILE:LINE... for each address, from the output of
# addr2line -a or print_frames. Lines without a number are unknown.
by_address()
{
	awk -F '\t' '
	/^0x[0-9a-f]+$/ {
		if (line != "")
			print line
		sub("^0x0*", "")
		line = "0x" $0
		next
	}
	{
		text = $NF
		sub(" [(]discriminator [0-9]*[)]$", "", text)
		nr = split(text, part, ":")
		if (nr < 2 || part[2] !~ /^[0-9]+$/ || part[1] ~ /^[?][?]/)
			next
		# The tools shorten paths differently.
		while (sub("/[^/.][^/]*/[.][.]/", "/", part[1]))
			;
		line = line " " part[1] ":" part[2]
	}
	END { print line }'
}

# frames_and_names_of PROGRAM: the output of print_frames for all instructions
frames_and_names_of()
{
	addresses "$1" | sed 's/$/ 1/' | "$here/print_frames" "$1"
}

# frames_of PROGRAM: our frames of all its instructions
frames_of()
{
	frames_and_names_of "$1" | by_address
}

# frames_by TOOL PROGRAM: the same from an addr2line
frames_by()
{
	addresses "$2" | "$1" -a -i -e "$2" 2>/dev/null | by_address
}

# are_frames_of PROGRAM TOOL...: each instruction has the frames that one of the
# tools finds, and most have some.
are_frames_of()
{
	program=$1
	shift
	frames_of "$program" >frames
	for tool; do
		frames_by "$tool" "$program"
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
	frames_and_names_of "$program" |
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

# Split and separate debugging information: the program is the same.
is_like()
{
	frames_of "$1" >one
	frames_of "$2" >other
	[ "$(awk 'NF > 2' one | wc -l)" -gt 3 ] && cmp one other
}

# has_only_lines PROGRAM: lines are known, and no inlined function.
has_only_lines()
{
	frames_of "$1" >frames
	[ "$(awk 'NF > 1' frames | wc -l)" -gt 30 ] &&
		[ "$(awk 'NF > 2' frames | wc -l)" = 0 ]
}

for version in 4 5; do
	for source in inlined.c templates.cc; do
		gcc -O2 -g "-gdwarf-$version" -c -o whole.o "$source"
		gcc -o whole whole.o -lstdc++
		gcc -O2 -g "-gdwarf-$version" -gsplit-dwarf -c -o split.o \
			"$source"
		gcc -o split split.o -lstdc++
		check "-gsplit-dwarf of $source, DWARF $version" \
			is_like split whole
		rm split.dwo
		also "only lines without the .dwo file" has_only_lines split
	done
done
cp cc-gcc-5 stripped
objcopy --only-keep-debug stripped stripped.debug
strip stripped
objcopy --add-gnu-debuglink=stripped.debug stripped
check "debugging information in a separate file" is_like stripped cc-gcc-5
rm stripped.debug
frames_and_names_of stripped | grep -q '	' && lines=1
check "no lines without it" [ ! "${lines-}" ]
finish
