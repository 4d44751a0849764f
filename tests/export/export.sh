#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# `profil export`: contents of the files, and messages. The recordings are written
# here, and the files are decoded by programs of their own.
# shellcheck disable=SC2317 # check calls the functions
set -u

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C.UTF-8
# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0

# recording: a file of the lines from standard input, with | for tabs
recording()
{
	tr '|' '\t' | awk '{ print } END { print "eof\t" NR }' >profil.data
}

# Lines before the programs, with as many samples in all: recording_head TOTAL
# OUTSIDE LOST KERNEL
recording_head()
{
	cat <<-END
		profil.data|1
		command|./prog|two words
		host|guest|x86_64|6.12.0
		time|1700000000000000000|5000000000|4000000000|1000000000
		clock|4000000|0
		end|1|0|0|0
		totals|$1|$(($1 - $3))|$2|$3|0|$4|1|1|0
	END
}

# One of everything. The program is loaded at any address, and is executed by
# two programs; the library has another segment, and no names.
usual()
{
	{
		recording_head 400 5 7 37
		cat <<-END
			program|/bin/sh
			program|/opt/prog
			object|file|/opt/prog|0102030405060708090a0b0c0d0e0f1011121314|read|1|1|
			object|file|/lib/libfast.so|-|read|0|0|
			object|jit|/opt/prog|-|read|0|0|
			object|outside|/opt/prog|-|read|0|0|
			segment|0|0x1000|0x3000|8192
			segment|1|0x2000|0x402000|4096
			source|/src/prog.cc
			source|/src/inline.h
			function|0|0x3010|31|-|_Z4workv|work()|0|10
			function|0|0x302f|9|l|main||0|30
			function|0|0x0|0|i|_Z6squarei|square(int)|1|3
			function|0|0x0|0|i|sum||1|8
			function|1|0x402100|64|-||libfast.so+0x402100|-|0
			place|0|0|0x1010|0x3010|0|100|20|0:0:11:3:0
			place|0|1|0x1010|0x3010|0|30|0|0:0:11:3:0
			place|0|1|0x102e|0x302e|0|9|1|2:1:4:5:0|3:1:9:7:2|0:0:12:0:0
			place|0|1|0x102f|0x302f|1|8|0|1:0:31:0:0
			place|1|1|0x2104|0x402104|4|150|16
			place|2|1|0x7f0000001230|0x7f0000001230|-|40|0
			place|3|1|0x7f1000004560|0x7f1000004560|-|14|0
		END
	} | recording
}

# profil [ARGUMENT]...: `profil export`, with its messages in the file said
profil()
{
	"$here/profil" export "$@" 2>said
}

# decodes DECODER FORMAT: the export is decoded to the file decoded.
decodes()
{
	profil -f "$2" -o out || return
	"$here/$1" <out >decoded
}

decodes_pprof()
{
	profil -f pprof -o out || return
	gzip -dc out | "$here/decode_pprof" >decoded
}

# is_expected FILE: FILE is standard input.
is_expected()
{
	diff - "$1" >differences && return
	sed 's/^/# /' differences
	return 1
}

usual
check "a recording is exported to pprof" decodes_pprof
prog='/opt/prog 0102030405060708090a0b0c0d0e0f1011121314'
also "the message is that of the recording" is_expected decoded <<END
type samples/count
type cpu/nanoseconds
period 4000000 cpu/nanoseconds
time 1700000000000000000 5000000000
comment ./prog two words
first mapping /opt/prog
mapping /lib/libfast.so  1000
mapping $prog 1111
mapping [jit: prog]  1000
mapping [outside]  1000
sample 100 400000000 work()=_Z4workv /src/prog.cc(10):11 /opt/prog+0x1010 program=/bin/sh mode=user
sample 20 80000000 work()=_Z4workv /src/prog.cc(10):11 /opt/prog+0x1010 program=/bin/sh mode=kernel
sample 30 120000000 work()=_Z4workv /src/prog.cc(10):11 /opt/prog+0x1010 program=/opt/prog mode=user
sample 9 36000000 square(int)=_Z6squarei /src/inline.h(3):4 < sum /src/inline.h(8):9 < work()=_Z4workv /src/prog.cc(10):12 /opt/prog+0x102e program=/opt/prog mode=user
sample 1 4000000 square(int)=_Z6squarei /src/inline.h(3):4 < sum /src/inline.h(8):9 < work()=_Z4workv /src/prog.cc(10):12 /opt/prog+0x102e program=/opt/prog mode=kernel
sample 8 32000000 main /src/prog.cc(30):31 /opt/prog+0x102f program=/opt/prog mode=user
sample 150 600000000 libfast.so+0x402100:0 /lib/libfast.so+0x2104 program=/opt/prog mode=user
sample 16 64000000 libfast.so+0x402100:0 /lib/libfast.so+0x2104 program=/opt/prog mode=kernel
sample 40 160000000 [jit: prog]:0 [jit: prog]+0x230 program=/opt/prog mode=user
sample 14 56000000 [outside]:0 [outside]+0x560 program=/opt/prog mode=user
sample 5 20000000 [outside]:0
sample 7 28000000 [lost]:0
END

check "a recording is exported to perf" decodes decode_perf perf
also "the records are those of the recording" is_expected decoded <<END
event 1 0 4000000
comm sh
comm prog
map sh ${prog} 5
map prog ${prog} 5
map prog /lib/libfast.so - 5
map prog [jit: prog] - 5
map prog [outside] - 5
comm [outside]
map [outside] [outside] - 5
comm [lost]
map [lost] [lost] - 5
sample sh /opt/prog+0x1010 4000000 120
sample prog /opt/prog+0x1010 4000000 30
sample prog /opt/prog+0x102e 4000000 10
sample prog /opt/prog+0x102f 4000000 8
sample prog /lib/libfast.so+0x2104 4000000 166
sample prog [jit: prog]+0x230 4000000 40
sample prog [outside]+0x560 4000000 14
sample [outside] [outside]+0 4000000 5
sample [lost] [lost]+0 4000000 7
feature 3 guest
feature 4 6.12.0
feature 5 6.1
feature 6 x86_64
feature 11 ./prog two words
feature 12 cpu-clock
END

check "a recording is exported to callgrind" profil -f callgrind -o out
also "the lines are those of the recording" is_expected out <<'END'
# callgrind format
version: 1
creator: profil
cmd: ./prog two words
positions: instr line
events: Samples Kernel
summary: 400 37

ob=(1) /opt/prog
fl=(1) /src/prog.cc
fn=(1) work()
0x3010 11 120 20
0x3010 11 30
fi=(2) /src/inline.h
0x302e 4 10 1
ob=(1)
fl=(1)
fn=(2) main
0x302f 31 8
ob=(2) /lib/libfast.so
fl=(3) ???
fn=(3) libfast.so+0x402100
0x402104 0 166 16
ob=(3) [jit: prog]
fl=(3)
fn=(4) [jit: prog]
0x7f0000001230 0 40
ob=(4) [outside]
fl=(3)
fn=(5) [outside]
0x7f1000004560 0 14
ob=(4)
fl=(3)
fn=(5)
0 0 5
ob=(5) [lost]
fl=(3)
fn=(6) [lost]
0 0 7
END

# The instruction at 0x302e is in a bin with the first byte of main.
check "a recording is exported to gmon" decodes decode_gmon gmon
also "the bins are those of the only program" is_expected decoded <<'END'
histogram 0x3010 0x3038 20 250
0x3010 150
0x302c 10
0x3030 8
END
also "the message has the samples" is_expected said <<'END'
profil: 168 of 400 samples in out; next: gprof -p PROGRAM out
END
profil -f gmon --object 'fast' -o out
"$here/decode_gmon" <out >decoded
also "--object selects a library" is_expected decoded <<'END'
histogram 0x402100 0x402140 32 250
0x402104 166
END

check "a recording is exported as folded stacks" profil -f folded -o out
also "the lines are those of the recording" is_expected out <<'END'
[lost] 7
[outside] 5
prog;[jit: prog] 40
prog;[outside] 14
prog;libfast.so;libfast.so+0x402100 150
prog;libfast.so;libfast.so+0x402100;[kernel] 16
prog;prog;main 8
prog;prog;work() 30
prog;prog;work();sum;square(int) 9
prog;prog;work();sum;square(int);[kernel] 1
sh;prog;work() 100
sh;prog;work();[kernel] 20
END
profil -f folded -o out --object '^\[(lost|jit)'
also "--object selects code that is in no file" is_expected out <<'END'
[lost] 7
prog;[jit: prog] 40
END

check "the usual format is pprof" profil
also "its file has a usual name" gzip -t profil.pb.gz
also "the message names the command that reads it" is_expected said <<'END'
profil: 400 samples in profil.pb.gz; next: go tool pprof -top profil.pb.gz
END
for format in perf.data gmon folded; do
	profil -f "${format%.data}"
	also "$format has a usual name" test -s "profil.$format"
done
profil -f callgrind
also "callgrind has a usual name" test -s callgrind.out.profil
profil -i profil.data -f folded -o - >out
also "-o - is the standard output" cmp -s out profil.folded
also "no message is printed then" test ! -s said
for format in pprof perf callgrind gmon folded; do
	profil -f "$format" -o - | cat >piped
	profil -f "$format" -o out
	also "$format is the same through a pipe" cmp piped out
done

# Counts of more than 16 bits, in an odd function of its own
{
	recording_head 262141 0 0 0
	cat <<-END
		program|/opt/prog
		object|file|/opt/prog|-|read|0|1|
		segment|0|0x1000|0x1000|4096
		function|0|0x1101|7|-|odd||-|0
		place|0|0|0x1101|0x1101|0|131071|0
		place|0|0|0x1103|0x1103|0|131070|0
	END
} | recording
check "counts of more than 16 bits are exported to gmon" decodes decode_gmon gmon
also "several histograms add up" is_expected decoded <<'END'
histogram 0x1100 0x1108 4 250
0x1102 65535
histogram 0x1100 0x1108 4 250
0x1102 65535
histogram 0x1100 0x1108 4 250
0x1102 65535
histogram 0x1100 0x1108 4 250
0x1102 65535
histogram 0x1100 0x1108 4 250
0x1102 1
END

# Whatever a file may contain: names of any bytes, functions without size or
# name, places in no segment or function, addresses that overflow, no period
strange()
{
	{
		cat <<-END
			profil.data|1
			time|0|0|0|0
			clock|0|0
			totals|77|77|0|0|0|11|1|1|0
			program|
			program|/bin/a;b c%0a
			object|file||$(printf 'ff%.0s' {1..32})|replaced|0|1|
			object|file|/lib/%ff%e9.so|00|unreadable|0|0|
			object|jit|/bin/a;b c%0a|-|read|0|0|
			segment|0|0xfffffffffffff000|0xfffffffffffffff0|18446744073709551615
			function|0|0x0|18446744073709551615|-|||-|0
			function|1|0xffffffffffffffff|0|-|%01;x||-|0
			function|2|0x7f00|16|-|a;b (c)||-|0
			place|0|0|0x0|0xffffffffffffffff|0|1|1
			place|0|1|0xffffffffffffffff|0x0|0|2|2
			place|0|1|0xffffffffffffffff|0x5|-|3|3
			place|1|0|0x10|0x10|1|4|4
			place|1|0|0x5000|0x5000|-|5|0
			place|2|1|0xffffffffffffff00|0x0|2|50|1
			place|2|1|0x7f01|0x7f01|-|1|0
		END
	} | recording
}
strange
check "strange names are exported as folded stacks" profil -f folded -o out
also "they are in UTF-8, without separators" is_expected out <<'END'
;;+0 1
;;+0;[kernel] 1
;\xff\xe9.so;\x01:x 4
;\xff\xe9.so;\x01:x;[kernel] 4
;\xff\xe9.so;\xff\xe9.so+0x5000 5
a:b c\x0a;;+0 5
a:b c\x0a;;+0;[kernel] 5
a:b c\x0a;[jit: a:b c\x0a] 1
a:b c\x0a;[jit: a:b c\x0a];a:b (c) 50
a:b c\x0a;[jit: a:b c\x0a];a:b (c);[kernel] 1
END
check "strange names are exported to pprof" decodes_pprof
also "all samples are there" is_expected <(
	awk '$1 == "sample" { sum += $2 } END { print sum }' decoded) <<<77
check "strange names are exported to perf" profil -f perf -o out
check "strange names are exported to callgrind" profil -f callgrind -o out
also "all samples are there" is_expected <(awk '
	/^(0|0x[0-9a-f]+) / { sum += $3 } END { print sum }' out) <<<77
check "strange names are exported to gmon" \
	profil -f gmon -o out --object '\.so$'

usual
profil -f folded -o once
check "several recordings are added up" \
	profil -i profil.data -i profil.data -f folded -o out
also "each number is the double" is_expected out \
	< <(awk '{ $NF *= 2; print }' once)
cp profil.data other
check "a second recording is not overwritten" eval \
	'! profil -i profil.data -i other -f folded -o other'
also "the recording is the same" cmp profil.data other

# refused MESSAGE [ARGUMENT]...: `profil export` ends with MESSAGE.
refused()
{
	local message=$1

	shift
	"$here/profil" export "$@" >printed 2>said
	[[ $? == 125 && ! -s printed ]] &&
		[[ $(cat said) == "profil: $message" ]] && return
	sed 's/^/# /' said
	return 1
}

usual
formats='pprof, perf, callgrind, gmon, folded'
[[ $("$here/profil" export -f none 2>&1) =~ list:\ (.*) ]] &&
	formats=${BASH_REMATCH[1]}
check "all formats are listed" \
	grep -q '^pprof, perf, callgrind, gmon,.* folded$' <<<"$formats"
check "an unknown format is refused" refused \
	"-f gmom: give a word of this list: $formats" -f gmom
check "an operand is refused" refused \
	"export: name a recording with -i, as in -i profil.data" profil.data
check "an empty operand is refused" refused \
	"export: an operand is empty; see profil export --help" ''
cp profil.data recorded
check "stdin is exported" eval 'profil -f pprof -i - -o out <recorded &&
	profil -f pprof -i recorded -o wanted && cmp out wanted'
check "stdin is exported from a pipe" eval 'cat recorded |
	profil -f pprof -i - -o out && cmp out wanted'
# shellcheck disable=SC2094 # nothing is written
check "stdin is not overwritten" refused \
	"-o recorded would overwrite stdin: name another file" \
	-i - -o recorded <recorded
check "another file on stdin is refused" refused \
	"stdin: not a profil.data file" -i - <"$here/export.sh"
check "a recording that does not exist is refused" refused \
	"cannot read none: No such file or directory" -i none
mv profil.data other
check "without a name, a missing profil.data is named with its remedy" refused \
	"no profil.data in this directory: profil record writes one, as in profil record -- make" \
	-f folded
mv other profil.data
: >empty
check "a file of another kind is refused" refused \
	"empty: empty file: no recording was written to it" -i empty
cp profil.data same
check "the recording is not overwritten" refused \
	"-o profil.data would overwrite profil.data: name another file" \
	-o profil.data
also "the recording is the same" cmp -s profil.data same
ln profil.data profil.folded.link
check "the recording is not overwritten by another name" refused \
	"-o profil.folded.link would overwrite profil.data: name another file" \
	-f folded -o profil.folded.link
check "a pattern without a match is refused" refused \
	"--object: no sample is in a file whose path matches" \
	--object none
check "a full disk is noticed" refused \
	"cannot write all of the output to /dev/full: No space left on device" \
	-o /dev/full
check "a directory is no output" refused \
	"cannot write to .: Is a directory" -o .
echo kept >kept
check "code in no file is refused for gmon" refused \
	"-f gmon: no sample is in code of a file" -f gmon -o kept \
	--object '^\[jit'
also "the file is not overwritten" is_expected kept <<<kept
sed -i 's|/lib/libfast.so|/bin/sh|' profil.data
check "two programs are refused for gmon" refused \
	"-f gmon: the format is for one file of code: name it with --object" \
	-f gmon -o kept
also "the file is not overwritten" is_expected kept <<<kept
{
	recording_head 3000000000 0 0 0
	cat <<-END
		program|/opt/prog
		object|file|/opt/prog|-|read|0|1|
		place|0|0|0x1101|0x1101|-|3000000000|0
	END
} | recording
for format in perf gmon; do
	check "too many samples are refused for $format" refused \
		"-f $format: too many samples for the format" -f "$format" \
		-o kept
	also "the file is not overwritten" is_expected kept <<<kept
done
recording_head 0 0 0 0 | recording
check "a recording without samples is refused" refused \
	"export: the recording has no samples"
finish
