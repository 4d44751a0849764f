#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil report`: numbers, options and messages. The files are written here
# byte by byte, and the expected numbers are worked out by hand from layout.S.
# shellcheck disable=SC2317 # check calls the functions
# shellcheck disable=SC2046,SC2086 # words are lists of bytes

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
cp "$here/layout" a.out

unset GMON_OUT_PREFIX
# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0

# write FILE WORD...: write the words of content.h to FILE.
write()
{
	written=$1
	shift
	"$here/write_bytes" "$@" >"$written"
}

# in_alone COMMAND...: run COMMAND in the directory alone.
in_alone()
{
	cd alone || return
	"$@"
	result=$?
	cd ..
	return "$result"
}

# Parts of files, as words of content.h

gnu="s:gmon 4:1 z:12"
seconds="s:seconds z:8 s:s"

# bins COUNT...: the bins of a histogram
bins()
{
	printf '2:%s ' "$@"
}

# histogram LOW HIGH RATE BIN...: a histogram record
histogram()
{
	low=$1 high=$2 rate=$3
	shift 3
	echo "1:0 8:$low 8:$high 4:$# 4:$rate $seconds $(bins "$@")"
}

# arc FROM SELF COUNT: a call record
arc()
{
	echo "1:1 8:$1 8:$2 4:$3"
}

# reports STATUS [ARGUMENT]...: `profil report` exits with STATUS.
reports()
{
	expected=$1
	shift
	status_is "$expected" "$here/profil" report "$@"
}

# lines FILE: the lines of a profile without its head, with single spaces
lines()
{
	awk '$1 != "percent" { $1 = $1; print }' "$1"
}

# prints: $out has the expected lines, apart from heads and spaces.
prints()
{
	lines "$out" | diff - "$work/expected" | sed 's/^/# /' | grep . && return 1
	return 0
}

# is_report [ARGUMENT]...: the report has the expected lines, and stderr is
# empty.
is_report()
{
	reports 0 "$@" && is_silent && prints
}

# expect: read the expected lines from stdin.
expect()
{
	cat >"$work/expected"
}

# refuses MESSAGE [ARGUMENT]...: the report fails with this line, and no
# profile.
refuses()
{
	sentence="profil: $1"
	shift
	reports 125 "$@" || return
	[ "$(cat "$err")" = "$sentence" ] && [ ! -s "$out" ] && return
	sed 's/^/# /' "$err"
	return 1
}

# Numbers

write gmon.out $gnu $(histogram 0x401000 0x401050 100 \
	10 0 0 0  5 5 0 0  20 0 0 0 0 0 0 0  0 0 0 0)
cat >expected <<'END'
percent cumulative    seconds      calls    ms/call  symbol
  50.00      0.200      0.200                        third
  25.00      0.300      0.100                        first
  25.00      0.400      0.100                        second
total 40 samples (0.400 s, 100 a second), outside 0
END
check "a profile" reports 0 gmon.out
check "is a table" diff "$out" expected

write calls $gnu $(histogram 0x401000 0x401050 1000 \
	10 0 0 0  0 0 0 0  20 0 0 0 0 0 0 0  0 0 0 0) \
	$(arc 0x401004 0x401024 3) $(arc 0x401014 0x401020 1) \
	$(arc 0x401008 0x401010 7) $(arc 0x40100c 0x401024 1)
expect <<'END'
66.67 0.020 0.020 5 4.0000 third
33.33 0.030 0.010 first
0.00 0.030 0.000 7 0.0000 second
total 30 samples (0.030 s, 1000 a second), outside 0
END
check "calls, known and not known" is_report calls
expect <<'END'
66.67 0.020 0.020 5 4.0000 third
33.33 0.030 0.010 first
0.00 0.030 0.000 7 0.0000 second
total 30 samples (0.030 s, 1000 a second), outside 0

calls caller -> callee
7 first -> second
4 first -> third
1 second -> third
END
check "-c lists who calls whom" is_report -c calls
check "-i may follow" is_report calls -c

write over $gnu $(histogram 0x401008 0x401028 100 40)
expect <<'END'
50.00 0.200 0.200 second
25.00 0.300 0.100 first
25.00 0.400 0.100 third
total 40 samples (0.400 s, 100 a second), outside 0
END
check "a bin over three functions is divided" is_report over

write half $gnu $(histogram 0x400ff0 0x401010 1 3)
expect <<'END'
50.00 1.500 1.500 first
total 3 samples (3.000 s, 1 a second), outside 1.5
END
check "a bin that is half outside" is_report half

write sixth $gnu $(histogram 0x400ff0 0x401020 1 1)
expect <<'END'
33.33 0.333 0.333 second
33.33 0.667 0.333 first
total 1 sample (1.000 s, 1 a second), outside 0.333333
END
check "a third is a third but for a millionth" is_report sixth

# Bins of 10 2/3 addresses: the second has 5 1/3 of them in each function.
write broken-bins $gnu $(histogram 0x401000 0x401020 1 0 3 0)
expect <<'END'
50.00 1.500 1.500 first
50.00 3.000 1.500 second
total 3 samples (3.000 s, 1 a second), outside 0
END
check "bins that do not end at an address" is_report broken-bins

write gap $gnu $(histogram 0x401016 0x401020 1 4)
expect <<'END'
100.00 4.000 4.000 second
total 4 samples (4.000 s, 1 a second), outside 0
END
check "the gap after a function is its own" is_report gap

write tail $gnu $(histogram 0x401040 0x401060 1 4)
expect <<'END'
50.00 2.000 2.000 last
total 4 samples (4.000 s, 1 a second), outside 2
END
check "a function without size goes to the end of the code" is_report tail

write many $gnu $(histogram 0x401000 0x401010 100 65535) \
	$(histogram 0x401020 0x401040 100 1) \
	$(histogram 0x401000 0x401010 100 65535) \
	$(histogram 0x401000 0x401010 100 30)
expect <<'END'
100.00 1311.000 1311.000 first
0.00 1311.010 0.010 third
total 131101 samples (1311.010 s, 100 a second), outside 0
END
check "repeated records add up past 65535" is_report many

write blocks $gnu 1:2 4:2 8:0x401000 8:5 8:0x401010 8:6 \
	$(histogram 0x401000 0x401010 100 1)
expect <<'END'
100.00 0.010 0.010 first
total 1 sample (0.010 s, 100 a second), outside 0
END
check "basic blocks are passed over" is_report blocks

write none $gnu $(histogram 0x401000 0x401010 100 0)
expect <<'END'
total 0 samples (0.000 s, 100 a second), outside 0
END
check "no samples" is_report none
write arcs $gnu $(arc 0x401004 0x401024 3)
expect <<'END'
0.00 0.000 0.000 3 0.0000 third
total 0 samples, outside 0
END
check "a gmon.out of arcs alone" is_report arcs

write bsd 8:0x401000 8:0x401020 4:44 4:0x51879 4:250 z:12 $(bins 2 1) \
	8:0x401004 8:0x401010 8:0x100000000
expect <<'END'
66.67 0.008 0.008 first
33.33 0.012 0.004 4294967296 0.0000 second
total 3 samples (0.012 s, 250 a second), outside 0
END
check "a gmon.out of 4.4BSD is read" is_report bsd

write mon.out 8:0x401000 8:0x401050 8:3 \
	8:0x401010 8:4 8:0x401020 8:100 8:0 8:0 \
	$(bins 1 0 8 0 0)
expect <<'END'
88.89 0.160 0.160 100 1.6000 third
11.11 0.180 0.020 first
0.00 0.180 0.000 4 0.0000 second
total 9 samples (0.180 s, 50 a second), outside 0
END
check "a mon.out with a rate" is_report -F 50 mon.out
check "a mon.out without a rate" reports 0 mon.out
also "prints the assumed rate" grep -q \
	'^total 9 samples ([0-9.]* s, [0-9]* a second assumed), outside 0$' \
	"$out"

# Programs

write shared $gnu $(histogram 0x1000 0x1020 100 3 1)
expect <<'END'
75.00 0.030 0.030 first
25.00 0.040 0.010 second
total 4 samples (0.040 s, 100 a second), outside 0
END
check "a shared library" is_report -e "$here/layout.so" shared
expect <<'END'
100.00 0.400 0.400 layout-stripped+0x401000
total 40 samples (0.400 s, 100 a second), outside 0
END
check "a program without symbols" is_report -e "$here/layout-stripped" gmon.out
# Not every compiler can build for 32 bits.
if [ -e "$here/layout-32" ]; then
	write short $gnu 1:0 4:0x401000 4:0x401020 4:2 4:100 $seconds \
		$(bins 3 1) 1:1 4:0x401004 4:0x401010 4:9
	expect <<-'END'
	75.00 0.030 0.030 first
	25.00 0.040 0.010 9 1.1111 second
	total 4 samples (0.040 s, 100 a second), outside 0
	END
	check "a program of 32 bits" is_report -e "$here/layout-32" short
	check "a program of 32 bits does not fit a profile of 64" refuses \
		"./a.out has addresses of 64 bits and the profile of 32: name the right program with -e" \
		short
	check "a program of 64 bits does not fit a profile of 32" refuses \
		"$here/layout-32 has addresses of 32 bits and the profile of 64: name the right program with -e" \
		-e "$here/layout-32" gmon.out
fi
check "a file that is no program is refused" refuses \
	"gmon.out is not a program or library: name the right one with -e" \
	-e gmon.out gmon.out
check "a program file that does not exist is refused" refuses \
	"cannot read the program absent (name it with -e): No such file or directory" \
	-e absent gmon.out
check "a program without any of the samples" reports 0 -e "$here/layout.so" \
	gmon.out
also "is reported" says \
	"no sample is in .*/layout.so: name the right program with -e"
also "counts all samples as outside" grep -q "outside 40$" "$out"
write strange $gnu $(histogram 0x401000 0x401010 100 1) \
	$(arc 0x401004 0x501024 3) $(arc 0x501004 0x401010 2)
check "calls from outside and to outside" reports 0 -c strange
lines "$out" >seen
expect <<'END'
100.00 0.010 0.010 first
0.00 0.010 0.000 2 0.0000 second
total 1 sample (0.010 s, 100 a second), outside 0

calls caller -> callee
3 first -> [outside]
2 [outside] -> second
END
also "tells both kinds of calls" prints
also "prints the reason" says "3 calls of functions that are not in ./a.out"

# The cost of names is that of reading the symbols once.

# instructions PROGRAM...: number of instructions executed
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# at_most PERCENT ONE OTHER: ONE is at most PERCENT of OTHER.
at_most()
{
	echo "# $2 and $3"
	[ "$2" -gt 0 ] && [ $((100 * $2)) -le $(($1 * $3)) ]
}

awk 'BEGIN {
	for (i = 0; i < 20000; i++)
		printf ".globl f%d\n.type f%d, @function\nf%d: .skip 16\n" \
			".size f%d, 16\n", i, i, i, i
}' >large.s
gcc -shared -nostdlib -o large large.s
check "all places of a large file have names" \
	[ "$("$here/symbolize" large 4000)" = 4000 ]
also "cost less than reading the file" at_most 200 \
	"$(instructions "$here/symbolize" large 4000)" \
	"$(instructions "$here/symbolize" large 0)"
objcopy --compress-debug-sections=zlib "$here/symbolize" packed
check "debugging information is not unpacked for names" at_most 105 \
	"$(instructions "$here/symbolize" packed 100)" \
	"$(instructions "$here/symbolize" "$here/symbolize" 100)"

# Several files

expect <<'END'
50.00 0.400 0.400 third
25.00 0.600 0.200 first
25.00 0.800 0.200 second
total 80 samples (0.800 s, 100 a second), outside 0
END
check "two files add up" is_report gmon.out gmon.out
expect <<'END'
88.89 0.480 0.480 300 1.6000 third
11.11 0.540 0.060 first
0.00 0.540 0.000 12 0.0000 second
total 27 samples (0.540 s, 50 a second), outside 0
END
check "three mon.out files add up" is_report -F 50 mon.out mon.out mon.out
check "two kinds of files do not add up" refuses \
	"mon.out: cannot be added up: a gmon.out and a mon.out have no sum" \
	gmon.out mon.out
check "files of two rates do not add up" refuses \
	"calls: cannot be added up: the sampling rate differs from that before" \
	gmon.out calls

# Options

cp "$here/layout" other
expect <<'END'
100.00 4.000 4.000 second
total 4 samples (4.000 s, 1 a second), outside 0
END
check "-o FILE" reports 0 -o written -e other gap
cp "$out" nothing
cp written "$out"
also "has the profile" prints
also "prints nothing on stdout" [ ! -s nothing ]
check "-o to a directory is refused" \
	refuses "cannot write to /: Is a directory" \
	-o / gap
check "-o to a full disk fails" refuses \
	"cannot write all of the output to /dev/full: No space left on device" \
	-o /dev/full gap
cp gap data
check "-o does not overwrite the data" refuses \
	"-o data would overwrite ./data: name another file" -o data gap ./data
check "-o does not overwrite the program" refuses \
	"-o other would overwrite other: name another file" -o other -e other gap
also "leaves data and program unchanged" \
	sh -c "cmp gap data && cmp '$here/layout' other"
check "-o of profil run does not overwrite the command" \
	[ "$("$here/profil" run -o other -- ./other 2>&1)" = \
		"profil: -o other would overwrite ./other: name another file" ]
check "a pipe can be read" \
	sh -c "cat gap | '$here/profil' report /dev/stdin >/dev/null"
endless_pipe()
{
	yes | timeout 300 "$here/profil" report /dev/fd/0 >"$out" 2>"$err"
	[ $? = 125 ]
}
check "a pipe without end is refused" endless_pipe
also "prints a sentence" says \
	"^profil: /dev/fd/0: more than 256 MiB from a pipe: write them to a file"
# A reader that closes and reopens a FIFO would kill the writer now and then.
mkfifo fifo
reads_fifo()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		cat gap >fifo 2>/dev/null &
		sleep 0.02
		timeout 120 "$here/profil" report fifo >/dev/null 2>&1 || return
		wait "$!" || return
	done
}
check "a FIFO can be the first operand" reads_fifo
mkdir alone
cp "$here/layout" alone/a.out
check "no file, and none of the usual names" in_alone refuses \
	"report: no profil.data, gmon.out or mon.out in this directory: name a file, as in profil report -i FILE"
cp mon.out alone
expect <<'END'
88.89 0.160 0.160 100 1.6000 third
11.11 0.180 0.020 first
0.00 0.180 0.000 4 0.0000 second
total 9 samples (0.180 s, 50 a second), outside 0
END
check "mon.out is a usual name" in_alone is_report -F 50
cp gap alone/gmon.out
expect <<'END'
100.00 4.000 4.000 second
total 4 samples (4.000 s, 1 a second), outside 0
END
check "gmon.out is used before mon.out" in_alone is_report
rm alone/a.out
check "the usual names are used for a program alone" \
	in_alone is_report "$here/layout"
check "the program may come first" in_alone is_report "$here/layout" gmon.out
check "-i may name the profile before the program" \
	in_alone is_report -i gmon.out "$here/layout"
check "--program may name the program" \
	in_alone is_report --program="$here/layout" gmon.out
check "the program may not come between profiles" in_alone refuses \
	"$here/layout: program or library: name the file that it has written, too" \
	"$here/layout" gmon.out "$here/layout"
check "-g is refused" refuses \
	"report: -g: there are no call stacks; -c lists the callers in a gmon.out" \
	-g gap
check "a file that does not exist is refused" \
	refuses "cannot read absent: No such file or directory" \
	absent
check "a directory is refused" \
	refuses ". is not a file: name a profil.data, gmon.out or mon.out" .
check "/dev/zero is refused" refuses \
	"/dev/zero is not a file: name a profil.data, gmon.out or mon.out" /dev/zero
check "an unknown option letter is refused" \
	refuses "report: no such option: -x; see profil report --help" \
	-x gap
check "-e without a value is refused" refuses \
	"report: -e needs a value; see profil report --help" gap -e
check "-F is refused for a gmon.out" refuses \
	"-F is for a mon.out: a gmon.out contains its rate" -F 100 gap
check "-c is refused for a mon.out" refuses \
	"-c is for a gmon.out: a mon.out has no callers" -c mon.out
for hz in 0 -1 2147483648; do
	check "-F $hz" refuses "-F $hz: give 1 to 2147483647 samples a second" \
		-F $hz mon.out
done
check "-F x is refused" refuses \
	"-F x: give samples a second as a number, as in -F 1000" -F x mon.out

# Broken files; input_test.c has more of them

write low-high $gnu $(histogram 0x401010 0x401010 100 1)
check "an empty range is refused" refuses \
	"low-high: malformed gmon.out: a histogram has the empty range from 0x401010 to 0x401010" \
	low-high
check "an empty range in the second file is refused" refuses \
	"low-high: malformed gmon.out: a histogram has the empty range from 0x401010 to 0x401010" \
	gmon.out low-high
: >empty
check "an empty file is refused" refuses \
	"empty: empty file: the program is still running, or did not write it" \
	empty
head -c 3000 /dev/urandom >random
check "random bytes are refused" \
	refuses "random: not a profil.data, gmon.out or mon.out file" \
	random
check "a text file is refused" \
	refuses "large.s: not a profil.data, gmon.out or mon.out file" large.s
for size in 1 19 21 30 61 80 100; do
	head -c "$size" gmon.out >"$work/cut"
	check "a file cut off after $size bytes" reports 125 cut
done

# limited KIB [ARGUMENT]...: a report in KIB of address space
# shellcheck disable=SC3045 # the shells of Debian have it
limited()
{
	(ulimit -v "$1" && shift && status_is 0 "$here/plain" report "$@")
}

# 200,000,000 bins would take 16 bytes each if empty bins were kept.
large=400000000
write head $gnu 1:0 8:0x401000 8:$((0x401000 + large)) 4:$((large / 2)) 4:100 \
	$seconds
cp head sparse
truncate -s $((large + 61)) sparse
check "empty bins of a large histogram take no memory" \
	limited 100000 -o taken sparse
also "has no samples" grep -q '^total 0 samples' taken
large=40000000
write head $gnu 1:0 8:0x401000 8:$((0x401000 + large)) 4:$((large / 2)) 4:100 \
	$seconds
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "ab" }' >two
cat head two two two two two two two two two two two two two two two two two \
	two two two >dense
check "a sampled bin takes no more than 4 bytes" \
	limited 140000 -o taken dense
also "has all samples" grep -q '^total 503700000000 samples' taken
# Twenty thousand histograms of one bin each
LC_ALL=C awk 'function number(value, bytes) {
	for (; bytes; bytes--) {
		printf "%c", value % 256
		value = int(value / 256)
	}
}
BEGIN {
	for (at = 4198400; at < 4198400 + 16 * 20000; at += 16) {
		number(0, 1); number(at, 8); number(at + 8, 8)
		number(1, 4); number(100, 4)
		printf "seconds"; number(0, 8); printf "s"; number(1, 2)
	}
}' >many
write head $gnu
cat head many >dense
check "short histograms take no more memory than they have bins" \
	limited 100000 -o taken dense
also "has all samples" grep -q '^total 20000 samples' taken

# A program that did not write the profile

cp "$here/layout" later
touch -d '2001-01-01' gap
check "a program that is newer than its profile" reports 0 later gap
also "is reported" says \
	"later is newer than gap: it may not be the program that wrote it"
touch -d '2001-01-01' later
check "a program as old as its profile is not reported" is_report later gap

# Programs compiled with -pg, profiled by the C library

# has_calls SYMBOL CALLS: the report has this number.
has_calls()
{
	awk -v symbol="$1" -v calls="$2" '
		$NF == symbol && $4 == calls { seen++ }
		END { exit seen != 1 }' "$out" || {
		sed 's/^/# /' "$out"
		return 1
	}
}

# calls_are FACTOR: the known calls, times FACTOR
calls_are()
{
	has_calls leaf $((2000 * $1)) && has_calls middle $((1000 * $1)) &&
		has_calls once "$1"
}

# adds_up: lines add up to the totals.
adds_up()
{
	awk '
		$1 == "total" { total = $2; outside = $NF; seconds = $4 }
		NF > 3 && $1 + 0 == $1 { percent += $1; sum = $2; lines++ }
		END {
			gone = substr(seconds, 2) - sum
			exit !(total > 0 && outside == 0 && gone < 0.002 &&
			       gone > -0.002 && percent > 100 - 0.01 * lines &&
			       percent < 100 + 0.01 * lines)
		}' "$out" || {
		sed 's/^/# /' "$out"
		return 1
	}
}

# agrees_with_gprof PROGRAM: gprof's fourth column has the same calls.
agrees_with_gprof()
{
	gprof -bp "$1" gmon.out | awk '
		$NF == "leaf" || $NF == "middle" || $NF == "once" {
			print $NF, $4
		}' | sort >theirs
	awk '$NF == "leaf" || $NF == "middle" || $NF == "once" {
		print $NF, $4
	}' "$out" | sort >ours
	diff theirs ours
}

# runs_sampled PROGRAM: runs PROGRAM until a run has samples: on a busy machine a
# short program may meet no tick.
runs_sampled()
{
	for run in $(seq 50); do
		"$1" && "$here/profil" report -e "$1" gmon.out >"$out.run" &&
			grep -q '^total [1-9]' "$out.run" && return
		echo "# run $run has no samples"
	done
	return 1
}

for program in known_calls known_calls-fixed; do
	rm -f gmon.out
	check "$program runs" runs_sampled "$here/$program"
	cp gmon.out one
	also "is a readable profile" reports 0 -e "$here/$program" gmon.out
	also "has the calls" calls_are 1
	also "adds up to the total" adds_up
	if command -v gprof >/dev/null; then
		also "agrees with gprof on calls" \
			agrees_with_gprof "$here/$program"
	fi
	check "a report of callers" reports 0 -c -e "$here/$program" gmon.out
	also "lists middle -> leaf" grep -q '^ *2000  middle -> leaf$' "$out"
	also "lists once -> middle" grep -q '^ *1000  once -> middle$' "$out"
	also "lists main -> once" grep -q '^ *1  main -> once$' "$out"
	check "a report with another program" \
		reports 0 -e "$here/attribute" gmon.out
	also "is reported" grep -q "name the right program with -e" "$err"
	check "a report with the right program" \
		reports 0 "$here/$program" gmon.out
	also "prints nothing on stderr" is_silent
	"$here/$program"
	check "a report of two runs" reports 0 -e "$here/$program" one gmon.out
	also "has twice the calls" calls_are 2
	if command -v gprof >/dev/null; then
		gprof -s "$here/$program" one gmon.out >/dev/null
		cp "$out" both
		check "a sum by gprof -s" \
			reports 0 -e "$here/$program" gmon.sum
		also "is equal" diff both "$out"
	fi
done
finish
