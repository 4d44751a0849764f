#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Files that a program names for its debugging information: those of its own are
# read, wherever they may be, and a FIFO or a file of another program is not. The
# oracle is the same program with its debugging information inside.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"

# is_like ONE OTHER: the programs have the same frames, many of which are inlined.
is_like()
{
	frames_of "$1" >one
	frames_of "$2" >other
	[ "$(grep -c '^square	' one)" -gt 3 ] && cmp one other
}

# has_no_names PROGRAM: no instruction has a frame.
has_no_names()
{
	frames_of "$1" >one
	[ "$(grep -c '^0x' one)" -gt 50 ] && ! grep -q '	' one
}

# has_only_lines PROGRAM: lines are known, and no inlined function.
has_only_lines()
{
	frames_of "$1" >one
	[ "$(grep -c '^main	' one)" -gt 3 ] && ! grep -q '^square	' one
}

# opens_no FIFO PROGRAM: the names of PROGRAM are looked up without FIFO.
opens_no()
{
	places "$2" && "$here/watch_open" "$1" "$here/resolve" <places >/dev/null
}

# link_to NAME FILE PROGRAM: the link of PROGRAM is that to FILE, and has NAME.
link_to()
{
	objcopy --add-gnu-debuglink="$2" "$3"
	objcopy -O binary --only-section=.gnu_debuglink \
		--set-section-flags .gnu_debuglink=alloc "$3" section
	{ printf '%s' "$1"; head -c $((4 - ${#1} % 4)) /dev/zero
		tail -c 4 section; } >named
	objcopy --update-section .gnu_debuglink=named "$3"
}

gcc -O2 -g -o whole inlined.c
objcopy --only-keep-debug whole whole.debug
strip -o bare whole
gcc -O2 -g -Wl,--build-id=none -o unnamed inlined.c
objcopy --only-keep-debug unnamed unnamed.debug
strip -o bare-unnamed unnamed

# begin DIRECTORY: a program without its debugging information, in DIRECTORY
begin()
{
	mkdir -p "$1/.debug"
	cp bare "$1/program"
	cp bare-unnamed "$1/unnamed"
	link_to "${2-program.debug}" whole.debug "$1/program"
	link_to "${2-program.debug}" unnamed.debug "$1/unnamed"
}

begin same
cp whole.debug same/program.debug
check "a separate file beside the program" is_like same/program whole
mv same/program.debug same/.debug
check "a separate file in .debug" is_like same/program whole
mkdir links
ln -s ../same/program links/other
also "the program has another name" is_like links/other whole
cp unnamed.debug same/program.debug
check "the file of the same build ID is taken" is_like same/program whole
rm same/.debug/program.debug
check "a file of another build ID is not taken" has_no_names same/program
check "a file of the same sum" is_like same/unnamed unnamed
echo >>same/program.debug
check "a file of another sum is not taken" has_no_names same/unnamed
gzip -c whole.debug >same/program.debug
check "a compressed file is not taken" has_no_names same/program
gzip -c unnamed.debug >same/program.debug
cp bare-unnamed same/unnamed
link_to program.debug same/program.debug same/unnamed
also "nor one of the same sum" has_no_names same/unnamed

begin unlinked
objcopy --remove-section .gnu_debuglink unlinked/program
cp whole.debug unlinked/.debug/program.debug
check "a file of the program's name" is_like unlinked/program whole

# No other FIFO is left, which would be opened first.
begin fifo
mkfifo fifo/program.debug
check "a FIFO beside the program is not opened" \
	opens_no fifo/program.debug fifo/program
also "nor for its sum" opens_no fifo/program.debug fifo/unnamed
mv fifo/program.debug fifo/.debug
check "a FIFO in .debug is not opened" \
	opens_no fifo/.debug/program.debug fifo/program
mv fifo/.debug/program.debug fifo/.debug/program
objcopy --remove-section .gnu_debuglink fifo/program
check "a FIFO of the program's name is not opened" \
	opens_no fifo/.debug/program fifo/program

begin above ../fifo/.debug/program
check "a link with a directory is not followed" \
	opens_no fifo/.debug/program above/program
cp whole.debug fifo/whole.debug
begin above ../fifo/whole.debug
also "whatever it leads to" has_no_names above/program

# The file that programs share, of which any name can be written
mkdir shared
cp whole shared/program
mkfifo shared/common
{ printf 'common\0'; head -c 20 /dev/zero; } >section
objcopy --add-section .gnu_debugaltlink=section shared/program
check "a FIFO as the shared file is not opened" \
	opens_no shared/common shared/program
also "names are found without it" is_like shared/program whole

# shares: two programs have a file in common.
shares()
{
	command -v dwz >/dev/null || return
	mkdir dwz
	cp whole dwz/one
	cp whole dwz/other
	(cd dwz && dwz -m common one other)
}

# elsewhere: the mount namespace of the programs is another one, as in a container.
elsewhere()
{
	mkdir mounted
	unshare -rm sh -c 'mount -t tmpfs box mounted && cp dwz/* mounted &&
		echo mounted >ready && exec sleep 300' 2>/dev/null &
	process=$!
	until [ -s ready ]; do
		kill -0 "$process" 2>/dev/null || return
		sleep 0.02
	done
}

# has_names_elsewhere: the same in that namespace
has_names_elsewhere()
{
	is_like "/proc/$process/root$work/mounted/one" whole
	status=$?
	kill "$process"
	return "$status"
}

if shares; then
	check "names in the shared file" is_like dwz/one whole
	name="names in the shared file of a container"
	if elsewhere; then
		check "$name" has_names_elsewhere
	else
		check "$name # SKIP without mount namespaces" true
	fi
	mkdir dwz/.dwz && mv dwz/common dwz/.dwz
	mkfifo dwz/common
	check "a FIFO is not opened when a name refers to it" \
		opens_no dwz/common dwz/one
	rm dwz/common
	cp unnamed dwz/common
	check "a shared file of another build ID is not taken" \
		has_only_lines dwz/one
else
	for name in "names in the shared file" \
		"names in the shared file of a container" \
		"a FIFO is not opened when a name refers to it" \
		"a shared file of another build ID is not taken"; do
		check "$name # SKIP without dwz" true
	done
fi

# lines_are NUMBER PROGRAM: the object in the recording has NUMBER for its source lines.
lines_are()
{
	frames_of "$2" >one
	[ "$(zcat looked_up | awk -F '\t' '$1 == "object" { print $6 }')" = "$1" ]
}

check "lines of a program are known" lines_are 1 whole
check "and not without debugging information" lines_are 0 bare
# cannot_unpack: elfutils cannot unpack the program packed, and objcopy can.
cannot_unpack()
{
	cp whole packed &&
		objcopy --compress-debug-sections=zstd packed 2>/dev/null &&
		eu-addr2line -e packed main 2>/dev/null | grep -qF '??'
}

title="debugging information that cannot be unpacked"
if cannot_unpack; then
	objcopy --only-keep-debug packed packed.debug
	cp bare apart
	objcopy --add-gnu-debuglink=packed.debug apart
	for program in packed apart; do
		check "$title: $program" lines_are 2 "$program"
		also "functions have no lines" has_no_names "$program"
	done
	objcopy --decompress-debug-sections packed
	check "$title is unpacked" is_like packed whole
else
	check "$title # SKIP elfutils has zstd, or binutils has not" true
fi
cp whole zlib
objcopy --compress-debug-sections=zlib zlib
check "another compression is unpacked" is_like zlib whole

# A split unit has two names: beside the program and where it was compiled.
for version in 4 5; do
	mkdir "split-$version" "away-$version"
	cd "split-$version" || exit
	gcc -O2 -g "-gdwarf-$version" -gsplit-dwarf -c -o part.o ../inlined.c
	gcc -o "../away-$version/program" part.o
	gcc -O2 -g "-gdwarf-$version" -o "../whole-$version" ../inlined.c
	cd ..
	check "a .dwo file where it was compiled, DWARF $version" \
		is_like "away-$version/program" "whole-$version"
	mkfifo "away-$version/part.dwo"
	check "a FIFO as a .dwo file is not opened, DWARF $version" \
		opens_no "away-$version/part.dwo" "away-$version/program"
	also "lines are found" has_only_lines "away-$version/program"
	rm "away-$version/part.dwo" "split-$version/part.dwo"
	mkfifo "split-$version/part.dwo"
	also "nor where it was compiled" \
		opens_no "split-$version/part.dwo" "away-$version/program"
	rm "split-$version/part.dwo"
	check "without .dwo files, DWARF $version, lines are found" \
		has_only_lines "away-$version/program"
	also "and inlined functions are known to be missing" \
		lines_are 3 "away-$version/program"
done
finish
