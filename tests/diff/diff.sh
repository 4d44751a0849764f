#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil diff`: numbers, matching of functions, options and messages. The
# recordings are written here as text, and the expected numbers are worked out by
# hand: 10 ms for a sample. 100 against 60 samples of one function have the
# probability 0.0019 without a change.
# shellcheck disable=SC2317 # check calls the functions

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0

# diff_it ARGUMENT...: the output is in the file said.
diff_it()
{
	"$here/diff-sanitized" "$@" >said 2>message
	status=$?
	[ "$status" = 0 ] || [ "$status" = 1 ]
}

# begin NAME [LOST [RECORDINGS [OUTSIDE]]]: begin a recording.
begin()
{
	file=$1
	functions=0
	{
		printf 'profil.data\t1\ncommand\tprogram\n'
		printf 'host\thost\tx86_64\t6.12\ntime\t0\t0\t0\t0\n'
		printf 'clock\t10000000\t0\nend\t1\t0\t0\t0\n'
		printf 'totals\t0\t0\t%s\t%s\t0\t%s\t1\t1\t0\n' "${4:-0}" \
			"${2:-0}" "${kernel:-0}"
		printf 'processes\t1\t1\t0\t0\t0\t0\t0\t%s\n' "${3:-1}"
		printf 'program\t/bin/program\n'
	} >"$file"
}

# object PATH [BUILD_ID [KIND]]
object()
{
	printf 'object\t%s\t%s\t%s\tread\t0\t0\t\n' "${3:-file}" "$1" \
		"${2:--}" >>"$file"
}

# samples OBJECT ADDRESS SYMBOL NAME USER [KERNEL]: a function with one place
samples()
{
	printf 'function\t%s\t%s\t16\t-\t%s\t%s\t-\t0\n' "$1" "$2" "$3" "$4" \
		>>"$file"
	printf 'place\t%s\t0\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$2" \
		"$functions" "$5" "${6:-0}" >>"$file"
	functions=$((functions + 1))
}

end()
{
	printf 'eof\t%s\n' "$(wc -l <"$file")" >>"$file"
}

# says LINE...: said has these lines, apart from the number of spaces.
says()
{
	for line; do
		tr -s ' ' <said | sed 's/^ //' | grep -qxF -e "$line" && continue
		echo "# no line: $line"
		sed 's/^/# /' said message
		return 1
	done
}

# refuses SENTENCE ARGUMENT...: exit status 125 and SENTENCE, and no output
refuses()
{
	sentence=$1
	shift
	diff_it "$@"
	[ "$status" = 125 ] && [ ! -s said ] && grep -qF -e "$sentence" message &&
		return
	sed 's/^/# /' said message
	return 1
}

# exits STATUS ARGUMENT...
exits()
{
	expected=$1
	shift
	diff_it "$@"
	[ "$status" = "$expected" ]
}

# lacks WORD: said does not have WORD.
lacks()
{
	! grep -qF -e "$1" said
}

begin before 7
object /usr/bin/report 01
samples 0 0x10 fast '' 100
samples 0 0x20 same '' 50
samples 0 0x30 _Zrare 'rare(int)' 5
end

# The same program, built again: other addresses, another build ID
begin after
object /opt/report 02
samples 0 0x80 same '' 50
samples 0 0x50 fast '' 20 40
samples 0 0x60 _Zrare 'rare(int)' 4
samples 0 0x70 new '' 13
end

check "functions are matched by object and name" diff_it -l 0 before after
also "the CPU time" says "before after" "CPU seconds 1.620 1.270 -21.6 %"
begin tiny
object /opt/report 02
samples 0 0x80 same '' 1
end
begin huge
object /opt/report 02
samples 0 0x80 same '' 442300
end
check "a change of any size" diff_it tiny huge
also "is a column" says "CPU seconds 0.010 4423.000 +44229900.0 %"
check "functions are matched again" diff_it -l 0 before after
also "the rows" says "before after change sure object function" \
	"1.000 0.600 -0.400 yes report fast" \
	"0.000 0.130 +0.130 yes report new" \
	"0.070 0.000 -0.070 - [lost]" \
	"0.050 0.040 -0.010 - report rare(int)" \
	"0.500 0.500 +0.000 no report same"
also "the verdict" says "2 changes are surer than 99 % (3 rows tested)"
also "a hint for single runs" says "note: one run on each side does not show how much runs differ; name several, as in profil diff a1.data,a2.data b1.data,b2.data"

# 1.62 s in samples of 3.24 s of CPU time
sed 's/^time	0	0	0/time	0	0	3240000000/' before >partial
check "a recording with part of its CPU time" diff_it partial after
also "a warning" grep -qF "partial: 50 % of the CPU time are not in the profile: compare shares, not seconds" message
also "none for the other side" [ "$(wc -l <message)" = 1 ]
check "a recording with all of its CPU time" diff_it before after
also "no warning" [ ! -s message ]

check "small changes are added up" diff_it -l 10 before after
also "the sum" says "0.620 0.540 -0.080 3 others"
also "sure rows are shown" says "0.000 0.130 +0.130 yes report new"
check "a single small change is shown" diff_it -l 0.5 before after
also "as it is" says "0.500 0.500 +0.000 no report same"

check "objects" diff_it -b object before after
also "the rows" says "before after change sure object" \
	"1.550 1.270 -0.280 no report" "0.070 0.000 -0.070 - [lost]"

kernel=30
begin kernel
object /usr/bin/report
samples 0 0x10 fast '' 10 30
end
check "time in the kernel" diff_it kernel kernel
also "the row" says "in the kernel 0.300 0.300 +0.0 %"
kernel=

# Two recordings in one file: half of their samples
begin two 0 2
object /usr/bin/report
samples 0 0x10 fast '' 220
end
begin one
object /usr/bin/report
samples 0 0x10 fast '' 104
end
check "the mean of runs" diff_it before,one,one two,one
also "the CPU time" says \
	"CPU seconds 1.233 1.080 -12.4 % (mean of 3 runs and of 3 runs)"
also "a row" says "1.027 1.080 +0.053 no report fast"
also "no hint" lacks "note:"

cp before 'a,b'
check "a name with a comma" diff_it a,b after
also "its row" says "1.000 0.600 -0.400 yes report fast"

# Addresses name functions of one build only.
begin nameless1
object /lib/libx.so 01
samples 0 0x10 '' libx.so+0x10 100
samples 0 0x20 '' libx.so+0x20 50
end
begin nameless2
object /lib/libx.so 02
samples 0 0x10 '' libx.so+0x10 50
samples 0 0x40 '' libx.so+0x40 80
end
check "functions without a symbol, one build" diff_it -l 0 nameless1 \
	nameless1
also "by address" says "1.000 1.000 +0.000 no libx.so libx.so+0x10"
check "functions without a symbol, two builds" diff_it nameless1 nameless2
also "one row" says "1.500 1.300 -0.200 no libx.so [no symbol]"

begin outside 0 1 30
object /usr/bin/node '' jit
object /usr/bin/node '' outside
printf 'place\t0\t0\t0x7000\t0x7000\t-\t20\t0\n' >>"$file"
printf 'place\t1\t0\t0x9000\t0x9000\t-\t10\t0\n' >>"$file"
end
check "code in no file" diff_it -l 0 outside outside
also "the rows" says "0.300 0.300 +0.000 no [outside]" \
	"0.200 0.200 +0.000 no node [jit: node]" \
	"0.100 0.100 +0.000 no node [outside]"

begin hostile
printf 'object\tfile\t/bin/%%1b[31m\t-\tread\t0\t0\t\n' >>"$file"
samples 0 0x10 'evil%0a%1b[2J' '' 40
end
check "names are printed without control characters" diff_it hostile hostile
# shellcheck disable=SC1003
also "the row" says '0.400 0.400 +0.000 no \x1b[31m evil\x0a\x1b[2J'

gzip -c before >packed
check "a compressed file" diff_it packed after
mkfifo pipe
cat after >pipe &
check "a pipe" diff_it before pipe
diff_it -o table before after
check "-o FILE" grep -q "2 changes are" table

from_stdin()
{
	diff_it before - <after
}
check "stdin" from_stdin
also "its row" says "1.000 0.600 -0.400 yes report fast"

# part NAME SAMPLES: a recording with samples for a tenth of its CPU time
part()
{
	begin "$1"
	object /bin/x
	samples 0 0x10 f '' "$2"
	end
	sed "s/^time.*/time\t0\t0\t$(($2 * 100000000))\t0/" "$1" >"$1.part"
}
part one 90
part two 110
part three 100
check "CPU time without samples" diff_it one.part two
also "is a sentence" grep -qx 'diff-sanitized: one.part: 90 % of the CPU time are not in the profile: compare shares, not seconds' message
check "the same in several recordings" diff_it one.part,three two.part,three.part
also "is one sentence" test "$(wc -l <message)" = 1
also "with their number" grep -q 'one.part and 2 more recordings: up to 90 % of' message

# With a time by the square of the number of recordings, it would be minutes.
many()
{
	list=$(yes one,two,three | head -n 1000 | tr '\n' ,)
	prlimit --cpu=60 "$here/diff" "${list%,}" "${list%,}" >said 2>message
}
check "3000 recordings on each side" many
also "have no change" says "no change is surer than 99 % (1 row tested)"

check "--exit-code of a change" exits 1 --exit-code before after
check "--exit-code without a change" exits 0 --exit-code before before
check "status without --exit-code" exits 0 before after

begin empty
end
echo "not a profile" >other
head -n 4 before >short
check "one operand" refuses "diff: name two sides" before
check "three operands" refuses "diff: name two sides" before after after
check "an empty name" refuses 'there is no name beside a comma of "before,"' \
	before, after
check "a missing file" refuses "cannot read nofile: No such file" before nofile
check "a directory" refuses ". is not a file: name a profil.data" . after
check "a file without samples" refuses "empty has no samples" empty after
check "another file" refuses "other: not a profil.data file" before other
check "a file that is cut" refuses "short: malformed profil.data" before \
	short
check "-o over an input" refuses "would overwrite ./after" -o after before \
	./after
check "an unknown kind of rows" refuses "give a word of this list" -b line \
	before after
check "an error with --exit-code" refuses "cannot read nofile" --exit-code \
	before nofile

closed()
{
	"$here/diff-sanitized" before after >&- 2>message
	[ $? = 125 ] && grep -q "stdout is closed" message
}
check "a closed stdout" closed
finish
