#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Exports for compilers and for BOLT, on recordings written by hand: the expected
# numbers are worked out beside the samples.
# shellcheck disable=SC2317 # check calls the functions
set -u

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C.UTF-8

# recording: a profil.data of the lines of standard input, with spaces for tabs
recording()
{
	{
		printf 'profil.data 1\ncommand ./prog\nhost h x86_64 6.12\n'
		printf 'time 1 1000000 1000000 0\nclock 1000000 0\n'
		printf 'program /bin/prog\n'
		cat
	} | tr ' ' '\t' >lines
	printf 'eof\t%d\n' "$(wc -l <lines)" | cat lines - >profil.data
}

# exports FORMAT [OPTION]...: the recording is exported to the file out.
exports()
{
	"$here/profil" export -f "$1" -o out "${@:2}" 2>said
}

# is TEXT: the file out is TEXT.
is()
{
	printf '%s\n' "$1" | diff - out >differences && return
	sed 's/^/# /' differences
	return 1
}

# refuses FORMAT SENTENCE: the export fails with SENTENCE and writes no file.
refuses()
{
	rm -f out
	exports "$1" && return 1
	[[ ! -e out ]] && grep -qF "$2" said
}

# Discriminators as LLVM encodes them: 4 is block 2, 514 is block 1 in 2 copies (7
# bits each), 13 is block 0 (1 bit) in 3 copies. Functions begin at line 10, 100,
# 200 and 300. Line 9 is before the declaration of its function.
common='object file /bin/prog - read 1 1 
object file /lib/libc.so.6 - read 1 1 
source a.c
function 0 0x1000 64 - _Z4workv work 0 10
function 0 0x0 0 i _Z5innerv inner 0 100
function 0 0x2000 32 l helper.llvm.77  0 200
function 0 0x3000 32 l helper.part.0  0 200
function 0 0x4000 32 l helper  0 300
function 1 0x5000 32 - write  - 0
function 0 0x6000 32 - bare  - 0'

test_trees()
{
	recording <<<"$common
place 0 0 0x1000 0x1000 0 7 9 0:0:10:1:0
place 0 0 0x1004 0x1004 0 20 0 0:0:12:1:4
place 0 0 0x1008 0x1008 0 30 1 0:0:12:9:4
place 0 0 0x100c 0x100c 0 5 0 0:0:12:9:0
place 0 0 0x1010 0x1010 0 11 0 0:0:12:9:514
place 0 0 0x1014 0x1014 0 3 0 1:0:101:1:0 0:0:14:1:0
place 0 0 0x1018 0x1018 0 4 0 1:0:103:1:0 0:0:14:1:0
place 0 0 0x101c 0x101c 0 6 0 1:0:101:1:0 0:0:15:1:4
place 0 0 0x1020 0x1020 0 2 0 0:0:9:1:0
place 0 0 0x1024 0x1024 0 50 0 0:0:0:1:0
place 0 0 0x1028 0x1028 0 0 40 0:0:13:1:0
place 0 0 0x1030 0x1030 0 4 0 0:0:16:1:13
place 0 0 0x2000 0x2000 2 8 0 2:0:201:1:0
place 0 0 0x3000 0x3000 3 9 0 3:0:201:1:0
place 0 0 0x3004 0x3004 3 1 0 3:0:201:1:0
place 0 0 0x4004 0x4004 4 2 0 4:0:301:1:0
place 1 0 0x5000 0x5000 5 70 1
place 0 0 0x6004 0x6004 6 6 0"
}

# 12.2 has the larger of 20 and 30, 12.1 has 11 in 2
# copies, and 16 has 4 in 3. The samples at line
# 0, in the kernel, and without a frame are in no line. Functions of one name add
# up: 8, the larger of 9 and 1, and 2 are at line 1. A split part has no head.
llvm='_Z4workv:91:7
 0: 7
 2: 5
 2.1: 22
 2.2: 30
 6: 12
 65535: 2
 4: _Z5innerv:7
  1: 3
  3: 4
 5.2: _Z5innerv:6
  1: 6
helper:19:8
 1: 19'

# Without discriminators line 2 has 30, and the two calls stay apart.
gcc='function 7 _Z4workv
line 0 7
line 2 30
line 6 4
line 65535 2
call 4 _Z5innerv
line 1 3
line 3 4
call 5 _Z5innerv
line 1 6
function 8 helper
line 1 19'

# The program is the object; without its file each local symbol has number 1.
bolt='no_lbr cycles
1 _Z4workv 0 7
1 _Z4workv 4 20
1 _Z4workv 8 30
1 _Z4workv c 5
1 _Z4workv 10 11
1 _Z4workv 14 3
1 _Z4workv 18 4
1 _Z4workv 1c 6
1 _Z4workv 20 2
1 _Z4workv 24 50
1 _Z4workv 30 4
1 helper.llvm.77/1 0 8
1 helper.part.0/1 0 9
1 helper.part.0/1 4 1
1 helper/1 4 2
1 bare 4 6'

test_trees
check "a recording is exported for clang" exports llvm
also "lines, blocks and inlined calls have their samples" is "$llvm"
also "the samples with lines are counted" \
	grep -q '^profil: 112 of 289 samples in out; ' said
check "a recording is exported for gcc" exports gcc
"$here/decode_gcc" out >decoded && mv decoded out
also "lines and inlined calls have their samples" is "$gcc"
check "a recording is exported for BOLT" exports bolt
also "symbols and offsets have their samples" is "$bolt"

# Two programs ran the same instruction.
recording <<<"program /bin/other
$common
place 0 0 0x1004 0x1004 0 2 0 0:0:12:1:0
place 0 1 0x1004 0x1004 0 3 0 0:0:12:1:0
place 0 0 0x1008 0x1008 0 4 0 0:0:12:1:0"
exports llvm
check "samples of two programs at an instruction add up" is '_Z4workv:5:0
 2: 5'

recording <<<"$common
place 0 0 0x6004 0x6004 6 6 0"
check "clang gets no file without lines" refuses llvm \
	'no sample has a source line'
check "gcc gets no file without lines" refuses gcc 'no sample has a source line'
recording <<<"$common
place 0 0 0x1000 0x1000 0 0 6 0:0:10:1:0"
check "BOLT gets no file without samples in user mode" refuses bolt \
	'no sample in user mode is in a function with a symbol'

# A name with a space cannot be in a sample profile, and has a backslash for BOLT.
recording <<<'object file /bin/prog - read 1 1 
source a.c
function 0 0x1000 64 - a%20b%5cc  0 10
function 0 0x2000 64 - d  0 10
place 0 0 0x1000 0x1000 0 7 0 0:0:10:1:0
place 0 0 0x2004 0x2004 1 3 0 1:0:10:1:0'
sed -i 's/%20/ /; s/%5c/\\/' profil.data
exports llvm
check "a name with a space is left out for clang" is 'd:3:0
 0: 3'
exports bolt
check "a name with a space is escaped for BOLT" is 'no_lbr cycles
1 a\ b\\c 0 7
1 d 4 3'

# Three local symbols of one name in a file: numbers by address
printf '%s\n' .text '.type f, @function' f: nop nop '.size f, . - f' >one.s
cp one.s two.s
printf '%s\n' .data f: '.quad 1' >three.s
for part in one two three; do
	cc -c -o "$part.o" "$part.s"
done
cc -nostdlib -shared -o parts.so one.o two.o three.o
mapfile -t at < <(nm parts.so | awk '$3 == "f" && $2 == "t" { print $1 }' | sort)
recording <<<"object file $work/parts.so - read 1 1 
function 0 0x1 2 - x  - 0
function 0 0x${at[0]} 2 l f  - 0
function 0 0x${at[1]} 2 l f  - 0
place 0 0 0x1 0x${at[0]} 1 4 0
place 0 0 0x2 0x${at[1]} 2 6 0"
exports bolt
check "local symbols of one name are numbered by address" is 'no_lbr cycles
1 f/1 0 4
1 f/2 0 6'
finish
