#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil report` of recordings. The files are written here as text, and the
# expected numbers are worked out by hand.
# shellcheck disable=SC2317 # check calls the functions

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0
export LC_ALL=C
export TZ=UTC

# data HITS LOST PERIOD: a recording with the lines of stdin
data()
{
	{
		printf 'profil.data\t1\n'
		printf 'command\t./a b\t-x\n'
		printf 'host\tguest\tx86_64\t6.12.0\n'
		printf 'time\t1700000000000000000\t4000000000\t%s\t44000000\n' \
			"$((($1 + $2) * $3))"
		printf 'clock\t%s\t0\n' "$3"
		printf 'end\t1\t3\t0\t0\n'
		printf 'totals\t%s\t%s\t0\t%s\t0\t6\t2\t2\t0\n' \
			"$(($1 + $2))" "$1" "$2"
		printf 'processes\t2\t2\t0\t0\t0\t0\t0\t1\n'
		cat
	} >lines
	cat lines
	printf 'eof\t%s\n' "$(wc -l <lines)"
}

# tables PATH BUILD-ID: two programs, a file at PATH, a library and generated code
tables()
{
	printf 'program\t/bin/one\nprogram\t/bin/two\n'
	printf 'object\tfile\t%s\t%s\tread\t1\t1\t\n' "$1" "$2"
	printf 'object\tfile\t/lib/libm.so\t-\tread\t0\t1\tlibm-dbgsym\n'
	printf 'object\tjit\t/bin/two\t-\tread\t0\t0\t\n'
	printf 'source\t/src/main.c\nsource\t/src/mul.h\n'
	printf 'function\t0\t0x1000\t64\t-\tmain\t\t0\t10\n'
	printf 'function\t0\t0x2000\t32\t-\tmul\t\t1\t1\n'
	printf 'function\t1\t0x500\t0\t-\t\tlibm.so+0x500\t-\t0\n'
}

# 60 samples in mul, 40 of them in the kernel, 20 in main, 10 in libm.so, 4 in
# generated code, 6 lost
places()
{
	printf 'place\t0\t0\t0x1004\t0x1004\t0\t12\t0\t0:0:11:0:0\n'
	printf 'place\t0\t1\t0x1008\t0x1008\t0\t8\t0\t1:1:2:0:0\t0:0:12:0:0\n'
	printf 'place\t0\t0\t0x2000\t0x2000\t1\t20\t30\t1:1:2:0:0\n'
	printf 'place\t0\t0\t0x2004\t0x2004\t1\t0\t10\t1:1:3:0:0\n'
	printf 'place\t1\t1\t0x500\t0x500\t2\t10\t0\n'
	printf 'place\t2\t1\t0x7f00\t0x7f00\t-\t4\t0\n'
}

# reports STATUS [ARGUMENT]...: `profil report` exits with STATUS.
reports()
{
	expected=$1
	shift
	status_is "$expected" "$here/profil" report "$@"
}

# prints [ARGUMENT]...: the table has the expected lines of stdin.
prints()
{
	cat >expected
	reports 0 -q "$@" && is_silent && diff expected "$out" |
		sed 's/^/# /' >differences
	cat differences
	[ ! -s differences ]
}

# is_total SAMPLES [LOST]: the line below the table
is_total()
{
	echo "$1 samples, one each 1 ms${2:+; $2 lost}"
}

# refuses MESSAGE [ARGUMENT]...: the report fails with this line, and no profile.
refuses()
{
	sentence="profil: $1"
	shift
	reports 125 "$@" || return
	[ "$(cat "$err")" = "$sentence" ] && [ ! -s "$out" ] && return
	sed 's/^/# /' "$err"
	return 1
}

{ tables /bin/one 0a0b; places; } | data 94 6 1000000 >profil.data

# The table

check "alone, the report takes profil.data" reports 0
cat >expected <<'END'
./a b -x: exit status 3, 4.00 s wall, 0.10 s CPU (0.04 s in the kernel), 2 programs
recorded 2023-11-14 22:13:20 on guest (x86_64, Linux 6.12.0)
   self   +-   seconds  object   function
 60.0 %  4.9     0.060  one      mul            (67 % in the kernel)
 20.0 %  4.0     0.020  one      main
 10.0 %  3.0     0.010  libm.so  libm.so+0x500
  6.0 %  2.4     0.006           [lost]
  4.0 %  2.0     0.004  two      [jit: two]
100 samples, one each 1 ms; 6 lost
libm.so has no symbols: apt install libm-dbgsym
code that two has generated has no names from /tmp/perf-PID.map
END
also "prints the profile" diff expected "$out"
{
	tables /bin/one 0a0b
	printf 'function\t2\t0x7f40\t16\t-\tfast\t\t-\t0\n'
	places
	printf 'place\t2\t1\t0x7f40\t0x7f40\t3\t6\t0\n'
} | data 100 6 1000000 >generated
check "generated code with some names" reports 0 generated
also "has those" grep -q 'two *fast$' "$out"
also "and no hint at others" [ -z "$(grep 'code that' "$out")" ]
# with_cpu NANOSECONDS: the recording, of a command with this CPU time
with_cpu()
{
	sed "s/^time	\([0-9]*	[0-9]*\)	[0-9]*/time	\1	$1/" profil.data
}

with_cpu 250000000 >started
check "CPU time of starting processes" reports 0 started
also "is stated" grep -qx "0.15 s of 0.25 s of CPU time are not in the profile: processes need some to start and to end" "$out"
with_cpu 500000000 >late
check "CPU time without ticks" reports 0 late
also "is stated" grep -qx "0.40 s of 0.50 s of CPU time are not in the profile: ticks came late or not at all, as in a virtual machine on a busy host" "$out"
check "--by object, with numbers" prints -n --by object <<END
   self   +-   seconds  samples  object
 80.0 %  4.0     0.080       80  one         (50 % in the kernel)
 10.0 %  3.0     0.010       10  libm.so
  6.0 %  2.4     0.006        6  [lost]
  4.0 %  2.0     0.004        4  [jit: two]
$(is_total 100 6)
END
check "--by program" prints --by=program <<END
   self   +-   seconds  program
 72.0 %  4.5     0.072  one      (56 % in the kernel)
 22.0 %  4.1     0.022  two
  6.0 %  2.4     0.006  [lost]
$(is_total 100 6)
END
check "--by program,function" prints -b program,function --limit 11 <<END
   self   +-   seconds  program  object  function
 60.0 %  4.9     0.060  one      one     mul         (67 % in the kernel)
 12.0 %  3.2     0.012  one      one     main
  6.0 %  2.4     0.006                   [lost]
  4.0 %  2.0     0.004  two      two     [jit: two]
 18.0 %          0.018  2 others below 11 % (-a lists them)
$(is_total 100 6)
END
# Line 2 of mul.h is in mul and inlined in main.
check "--by line" prints --by line <<END
   self   +-   seconds  object      line
 58.0 %  4.9     0.058  one         mul.h:2    (52 % in the kernel)
 12.0 %  3.2     0.012  one         main.c:11
 10.0 %  3.0     0.010  libm.so     [no line]
 10.0 %  3.0     0.010  one         mul.h:3    (100 % in the kernel)
  6.0 %  2.4     0.006              [lost]
  4.0 %  2.0     0.004  [jit: two]  [no line]
$(is_total 100 6)
END
check "--by address" prints --by address --object bin/one <<END
   self   +-   seconds  object  function  address
 50.0 %  5.0     0.050  one     mul       0x2000   (60 % in the kernel)
 12.0 %  3.2     0.012  one     main      0x1004
 10.0 %  3.0     0.010  one     mul       0x2004   (100 % in the kernel)
  8.0 %  2.7     0.008  one     main      0x1008
 20.0 %          0.020  left out by --object or --function
$(is_total 100 6)
END
check "--function" prints --function '^ma|0x5' <<END
   self   +-   seconds  object   function
 20.0 %  4.0     0.020  one      main
 10.0 %  3.0     0.010  libm.so  libm.so+0x500
 70.0 %          0.070  left out by --object or --function
$(is_total 100 6)
END
check "--limit" prints --limit 25 <<END
   self   +-   seconds  object  function
 60.0 %  4.9     0.060  one     mul         (67 % in the kernel)
  6.0 %  2.4     0.006          [lost]
  4.0 %  2.0     0.004  two     [jit: two]
 30.0 %          0.030  2 functions below 25 % (-a lists them)
$(is_total 100 6)
END
check "a snapshot" sh -c "sed 's/^end	1/end	0/' profil.data >live"
also "is reported" reports 0 live
also "is marked" grep -q "^recorded .*, not to the end$" "$out"
check "a recording of a killed profil" sh -c "
	sed '/^processes/a orphan	1' profil.data |
		sed 's/^eof	\(.*\)/eof	\1+1/' |
		awk -F'	' -v OFS='	' '/^eof/ { \$2 = \$2 + 1 } 1' >orphan"
also "is reported" reports 0 orphan
also "is marked" grep -q "^./a b -x: profil was killed, 4.00 s wall" "$out"

# JSON, by Python's parser

# json EXPRESSION [ARGUMENT]...: EXPRESSION of the report d is true.
json()
{
	expression=$1
	shift
	reports 0 --json "$@" && python3 -c '
import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$out" "$expression"
}

check "JSON has the head" json 'd["command"] == ["./a b", "-x"] and
	d["samples"] == 100 and d["period_ns"] == 1000000 and
	d["exit_status"] == 3 and d["complete"] and d["wall_seconds"] == 4'
check "JSON has the rows" json 'd["rows"][0] == {"object": "one",
	"function": "mul", "samples": 60, "kernel_samples": 40,
	"seconds": 0.06, "percent": 60, "error": 4.899} and
	sum(r["samples"] for r in d["rows"]) == 100'
check "JSON has the columns asked for" json '[(r["program"], r["object"],
	r["line"]) for r in d["rows"]][0] == ("one", "one", "mul.h:2")' \
	--by program,line
check "JSON has the sums of other rows" json '[r["samples"] for r in
	d["rows"]] == [50] and (d["other_rows"], d["other_samples"],
	d["left_out_samples"]) == (3, 30, 20)' --limit 15 --by address \
	--object one
printf 'program\t/bin/p\nobject\tfile\t/tmp/\351t\351 "a\\b" %%0a\t-\tunreadable\t0\t0\t\nplace\t0\t0\t0x10\t0x10\t-\t5\t0\n' |
	data 5 0 1000000 >latin
check "JSON of bytes that are no UTF-8" json \
	'd["rows"][0]["object"] == "\\xe9t\\xe9 \"a\\b\" \\x0a"' latin
check "text of bytes that are no UTF-8" reports 0 latin
also "escapes them" grep -qF '  \xe9t\xe9 "a\b" \x0a' "$out"

# Sums

check "two recordings add up" json 'd["recordings"] == 2 and
	d["samples"] == 200 and d["wall_seconds"] == 8 and
	[(r["function"], r["samples"]) for r in d["rows"]] == [("mul", 120),
	("main", 40), ("libm.so+0x500", 20), ("[lost]", 12), ("[jit: two]", 8)]' \
	profil.data -i profil.data
check "a head of two recordings" reports 0 profil.data profil.data
also "prints their number" grep -q \
	"^./a b -x: 2 recordings, 8.00 s wall, 0.20 s CPU" "$out"
{ tables /opt/other 0a0b; places; } | data 94 6 1000000 >moved
check "a file of another path and the same build ID is the same" \
	json '[r["samples"] for r in d["rows"]][:2] == [120, 40]' \
	profil.data moved
{ tables /bin/one 0a0c; places; } | data 94 6 1000000 >rebuilt
check "a file of another build ID is another" \
	json '[r["samples"] for r in d["rows"]][:2] == [60, 60]' \
	profil.data rebuilt
{ tables /bin/one 0a0b; places; } | data 94 6 4000000 >slow
check "recordings of two rates do not add up" refuses \
	"slow: cannot be added up: a sample stands for 4 ms, and for 1 ms before: record with the same -F" \
	profil.data slow
sed 's/\t20\t30\t/\t18446744073709551000\t30\t/' profil.data >huge
check "too many samples do not add up" refuses \
	"huge: cannot be added up: too many samples to add up" huge huge

# Other files and options

gzip -c profil.data >packed
check "a compressed file" reports 0 packed
mv "$out" packed.out
check "a pipe" sh -c "cat packed | '$here/profil' report - >'$out'"
head -c 200 packed >bad
for from in 'cat bad |' '<bad'; do
	# A redirection may precede the command.
	check "a wrong file, $from" sh -c \
		"! { $from '$here/profil' report - 2>'$err'; }"
	also "is stdin in the message" says \
		"^profil: stdin: malformed profil.data: "
	for more in "-i - -i -" "-i - -i /dev/stdin" "/dev/fd/0 -"; do
		check "stdin twice, $from, $more" sh -c \
			"! { $from '$here/profil' report $more 2>'$err'; }"
		also "is refused" says \
			"^profil: stdin is named twice, and can be read once: name a file\$"
	done
done
check "two sides that are stdin" sh -c \
	"! '$here/profil' diff - - <packed 2>'$err'"
also "are refused" says "stdin is named twice"
also "is the same profile" cmp "$out" packed.out
mkfifo fifo
cat packed >fifo &
check "a FIFO" sh -c "timeout 120 '$here/profil' report fifo >'$out'"
also "is the same profile" cmp "$out" packed.out
wait
mkdir 'a b'
cp packed 'a b/c d'
check "a name with spaces" reports 0 'a b/c d'
check "-o FILE" reports 0 -o text packed
also "has the profile" cmp text packed.out
also "prints nothing" [ ! -s "$out" ]
check "-o does not overwrite the recording" refuses \
	"-o packed would overwrite ./packed: name another file" \
	-o packed ./packed
head -c 200 packed >partial
check "a file that is cut off is refused" reports 125 partial
also "prints the reason" says "^profil: partial: malformed profil.data: "
check "a directory is refused" reports 125 .
check "a gmon.out beside a profil.data is not taken" sh -c ": >gmon.out"
also "without a program" reports 0
also "but with one" refuses \
	"gmon.out: empty file: the program is still running, or did not write it" \
	"$here/layout"
for option in "-a" "-n" "-q" "--by object" "--limit 3" "--object x" \
	"--function x" "--json"; do
	name=${option%% *}
	[ "$name" != --json ] || option=-j
	# shellcheck disable=SC2086 # words
	check "$name is refused for a gmon.out" refuses \
		"$name is for a profil.data, which profil record writes" \
		$option -e "$here/layout" gmon.out
done
check "an option does not hide that a file is missing" refuses \
	"cannot read nothing: No such file or directory" --html nothing
check "nor that it is a directory" refuses \
	". is not a file: name a profil.data, gmon.out or mon.out" -n .
printf 'profil.data\t1\ncommand\t\0\n' >zero
check "the line of a zero byte is named" refuses \
	"zero: malformed profil.data: line 2" zero
printf '\177ELF\0\n' >binary
check "a binary file is no recording" refuses \
	"binary: not a profil.data file" packed binary
check "-F is refused for a profil.data" refuses \
	"-F is for a mon.out: a profil.data contains its rate" -F 100 packed
check "-c is refused for a profil.data" refuses \
	"-c is for a gmon.out: a profil.data has no callers" -c packed
check "-e is refused for a profil.data" refuses \
	"-e is for a gmon.out or mon.out: a profil.data has the names of its functions" \
	"$here/layout" packed

# Size: the cost is that of a line of the file

# large OBJECTS PLACES: a recording with a function for each two places
large()
{
	awk -v objects="$1" -v places="$2" 'BEGIN {
		print "program\t/bin/p"
		for (i = 0; i < objects; i++)
			printf "object\tfile\t/lib/%d.so\t%08x\tread\t1\t1\t\n", i, i + 1
		print "source\ta.c"
		for (i = 0; i < places / 2; i++)
			printf "function\t%d\t0x%x\t8\t-\tf%d\t\t0\t1\n",
				i % objects, 16 * i, i
		for (i = 0; i < places; i++)
			printf "place\t%d\t0\t0x%x\t0x%x\t%d\t1\t0\t%d:0:%d:0:0\n",
				int(i / 2) % objects, 8 * i, 8 * i, i / 2, i / 2, i
	}' | data "$2" 0 1000000
}

# instructions FILE...: number of instructions of a report
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"$here/plain" report "$@" 2>&1 |
		sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

large 1000 6000 >thousand
large 10000 60000 >myriad
small=$(instructions thousand)
large=$(instructions myriad)
sum=$(instructions myriad myriad)
echo "# $small $large $sum instructions"
check "60,000 places in 10,000 objects cost 12 times as much as a tenth" \
	[ "$large" -gt 0 -a "$large" -lt $((12 * small)) ]
check "two of them cost 4 times as much as one" \
	[ "$sum" -gt 0 -a "$sum" -lt $((4 * large)) ]
check "all objects are in the report" json 'len(d["rows"]) == 10000 and
	all(r["samples"] == 6 for r in d["rows"])' --by object myriad
finish
