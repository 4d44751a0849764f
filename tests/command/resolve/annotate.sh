#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil annotate`: lines, inlined functions and instructions. Profiles are
# written here; the oracle for instructions is objdump.
# shellcheck disable=SC2317 # check calls the functions

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
unset DEBUGINFOD_URLS PAGER LESS
# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0 LC_ALL=C

cat >annotated.c <<'END'
#include <stdlib.h>
static inline int square(int value)
{
	return value * value;
}

__attribute__((noipa)) int sum(const int *values, int nr)
{
	int total = 0;

	for (int i = 0; i < nr; i++)
		total += square(values[i]);
	return total;
}

__attribute__((noipa)) int summary(int value)
{
	return value + 1;
}

int main(int argc, char **argv)
{
	return sum(&argc, 1) + summary(argc) + !argv;
}
END
gcc -O1 -g -o program annotated.c
touch -d '2001-01-01' annotated.c
objdump -d program | awk '
	/^[0-9a-f]+ <.*>:$/ { inside = $2 == "<sum>:" }
	inside && /^ *[0-9a-f]+:\t/ {
		split($0, part, "\t")
		sub(":", "", $1)
		split(part[3], word, " ")
		if (word[1] != "")
			print $1, word[1]
	}' >expected
first=$(head -n 1 expected | cut -d' ' -f1)
last=$(tail -n 1 expected | cut -d' ' -f1)
multiply=$(awk '$2 ~ /^imul/ { print $1 }' expected)
id=$(readelf -n program | sed -n 's/.*Build ID: //p')
size=$((0x$(nm -S program | sed -n "s,^[0-9a-f]* \([0-9a-f]*\) T sum$,\1,p")))

# place ADDRESS USER KERNEL [FRAME...]: a place in the function sum
place()
{
	address=$1
	shift
	printf 'place\t0\t0\t0x%s\t0x%s\t0' "$address" "$address"
	printf '\t%s' "$@"
	echo
}

# data BUILD_ID [CODE]: a profil.data by hand, as text
data()
{
	{
		printf 'profil.data\t1\n'
		printf 'command\t./program\n'
		printf 'host\there\t%s\t6.12\n' "$(uname -m)"
		printf 'time\t0\t0\t0\t0\n'
		printf 'clock\t1000000\t0\n'
		printf 'totals\t200\t200\t0\t0\t0\t0\t0\t0\t0\n'
		printf 'program\t%s/program\n' "$work"
		printf 'object\tfile\t%s/program\t%s\tread\t1\t1\t\n' \
			"$work" "$1"
		printf 'segment\t0\t0x1000\t0x1000\t4096\n'
		printf 'source\t%s/annotated.c\n' "$work"
		printf 'function\t0\t0x%s\t%s\t-\tsum\t\t0\t7\n' "$first" "$size"
		printf 'function\t0\t0x0\t0\ti\tsquare\t\t0\t2\n'
		printf 'function\t0\t0x1\t1\t-\tsummary\t\t0\t16\n'
		printf 'function\t0\t0x2\t1\t-\t_ZN3app3addIiEEii\tint app::add<int>(int)\t0\t16\n'
		[ "${2-}" ] && printf 'code\t0\t%s\n' "$2"
		place "$first" 9 1 0:0:8:0:0
		place "$multiply" 60 40 1:0:4:15:0 0:0:12:12:0
		place "$last" 50 0 0:0:13:1:0
		printf 'place\t0\t0\t0x1\t0x1\t2\t30\t0\t2:0:18:0:0\n'
		printf 'place\t0\t0\t0x2\t0x2\t3\t10\t0\n'
	} >lines
	printf 'eof\t%s\n' "$(wc -l <lines)" | cat lines -
}

# annotates [ARGUMENT]...: the output without its first line is not empty.
annotates()
{
	"$here/profil" annotate "$@" >out 2>err
	status=$?
	[ "$status" = 0 ] && [ ! -s err ] && [ "$(wc -l <out)" -gt 2 ] && return
	sed 's/^/# /' err
	return 1
}

# fields: the output with single spaces
fields()
{
	tr -s ' ' <out | sed 's/^ //; s/ $//'
}

# has LINE...: each is a line of the output.
has()
{
	for line; do
		fields | grep -qxF -- "$line" && continue
		echo "# no line: $line"
		fields | sed 's/^/# /'
		return 1
	done
}

# refuses MESSAGE [ARGUMENT]...: profil annotate fails with this line.
refuses()
{
	message=$1
	shift
	"$here/profil" annotate "$@" >out 2>err
	[ $? = 125 ] && [ ! -s out ] && [ "$(cat err)" = "profil: $message" ] &&
		return
	sed 's/^/# /' err
	return 1
}

data "$id" >profil.data
check "the hottest function" annotates
also "a heading with all samples" has \
	"sum program 160 samples, 80.0 % of profil.data"
also "lines with shares and errors" has "% +- $work/annotated.c" \
	"6.2 1.9 8 {" "62.5 3.8 12 total += square(values[i]);" \
	"31.2 3.7 13 return total;"
also "lines around them" has "7 __attribute__((noipa)) int sum(const int *values, int nr)" \
	"10" "11 for (int i = 0; i < nr; i++)" "14 }"
also "none before the declaration" test -z "$(fields | grep '^6$')"
has_instruction()
{
	fields | grep -q '^. 62.5 square inlined from annotated.c:4 imul'
}
[ "$(pkg-config --exists capstone && echo yes)" ] && capstone=yes
if [ "${capstone-}" ]; then
	also "an inlined function with its instruction" has_instruction
fi
check "a part of a name: the hottest" annotates um
also "the others are named" has "1 other function matches: summary"
check "a whole name" annotates summary
also "has no others" has "summary program 30 samples, 15.0 % of profil.data"
check "an inlined function" annotates square
also "its samples are those in callers" has \
	"square program 100 samples, 50.0 % of profil.data; 100 in callers that inlined the function" \
	"100.0 0.0 4 return value * value;"
check "a mangled name" annotates _ZN3app3addIiEEii
also "is a printed one" annotates 'int app::add<int>(int)'

# lists_all: the instructions are those of objdump, each sampled one has its
# samples, and no other has any.
lists_all()
{
	sed '1,/ address  instruction/d; /^(/d' out >rows
	cut -c23-30 rows | tr -d ' ' >addresses
	cut -d' ' -f1 expected | diff addresses - | sed 's/^/# /' | grep . &&
		return 1
	cut -c12-20 rows | tr -d ' ' >counts
	paste -d' ' addresses counts | grep ' .' >sampled
	printf '%s 10\n%s 100\n%s 50\n' "$first" "$multiply" "$last" |
		diff sampled - | sed 's/^/# /' | grep . && return 1
	# Suffixes of mnemonics differ.
	cut -c33-35 rows >mnemonics
	[ ! "${capstone-}" ] || cut -d' ' -f2 expected | cut -c1-3 |
		diff mnemonics - | sed 's/^/# /' | grep . && return 1
	return 0
}

if [ "${capstone-}" ]; then
	check "all instructions" annotates -s sum
	also "as of objdump, with exact samples" lists_all
	code=$(od -An -v -tx1 -j $((0x$first)) -N "$size" program |
		tr -d ' \n')
	data - "$code" >profil.data
	mv program elsewhere
	check "all instructions by the code in the profile" annotates -s sum
	also "are the same" lists_all
	mv elsewhere program
fi

# A processor without a disassembler
data "$id" | sed 's/^\(host\t[^\t]*\t\)[^\t]*/\1sparc/' >profil.data
bytes=$(od -An -v -tx1 -j $((0x$multiply)) -N 8 program | sed 's/^ //')
check "code for another processor" annotates -s sum
also "is shown as bytes" has "62.5 3.8 100 $multiply $bytes annotated.c:4 square" \
	"profil was built without capstone for this processor: bytes are shown in place of instructions"

data 00112233 >profil.data
check "another program" annotates -s sum
also "is not disassembled" has \
	"the machine code is not in the profile, and no file with its build ID is here: addresses are shown"
data "$id" >profil.data
touch annotated.c
check "source that is newer than the program" annotates sum
also "is not shown" has \
	"$work/annotated.c is newer than the program: lines may have moved, so instructions are shown"
touch -d '2001-01-01' annotated.c
mkdir -p moved/src
mv annotated.c moved/src
check "source that is missing" annotates sum
also "is named" has \
	"$work/annotated.c is missing: name the directory of the sources with --source; instructions are shown"
mkdir -p tree"$work"
cp -p moved/src/annotated.c tree"$work"
check "source in a moved tree" annotates --source tree sum
also "with its lines" has "% +- tree$work/annotated.c" \
	"62.5 3.8 12 total += square(values[i]);"
check "--source with the file itself" annotates --source moved/src sum
also "finds it, too" has "% +- moved/src/annotated.c"
in_moved()
{
	cd moved/src && annotates -i "$work/profil.data" sum && cp out "$work"
	result=$?
	cd "$work" || return
	return "$result"
}
check "source in the present directory" in_moved
also "is found" has "% +- ./annotated.c"

from_stdin()
{
	annotates -i - sum <profil.data
}
check "a recording on stdin" from_stdin
also "with its name" has "sum program 160 samples, 80.0 % of stdin"
from_pipe()
{
	# The pipe is the subject.
	# shellcheck disable=SC2002
	cat profil.data | annotates -i - sum
}
check "a recording on a pipe" from_pipe
from_nothing()
{
	refuses "stdin: empty file: no recording was written to it" -i - \
		</dev/stdin
}
: >nothing
check "an empty file on stdin" from_nothing <nothing
check "an empty operand" refuses \
	"annotate: an operand is empty; see profil annotate --help" ''

# More calls than compilers inline: the innermost ones and the last remain.
perl -pe 's/(\t1:0:4:15:0)(\t0:0:12:12:0)/$1 . "\t1:0:3:0:0" x 1000 . $2/e' \
	profil.data >deep
deep()
{
	"$here/profil" annotate --source moved/src -i deep sum >out 2>err
}
check "an instruction with 1002 frames" deep
also "drops some" grep -qx 'profil: deep: 746 inlined calls are left out: an instruction has 255 at most' err
also "and keeps the line" has "62.5 3.8 12 total += square(values[i]);"

check "a name without samples" refuses \
	'no function of profil.data has samples and a name with "nothing": profil report -a lists the names' nothing
check "two names" refuses \
	'annotate: name one function, in quotes if the name has spaces, as in profil annotate "a b"' a b
check "another object" refuses \
	"no function of profil.data has samples and an object that matches --object" \
	--object 'libnone'
# A recording from elsewhere may name any file of this machine.
yes 'secret text' | head -n 20 >secret
touch -d '2001-01-01' secret
sed "s,^source.*,source\t$work/secret," profil.data >foreign
foreign="is not read, as no program here with the build ID of the recording names it: name the directory of the sources with --source; instructions are shown"
check "source that only the recording names" annotates -i foreign sum
also "is not read" has "$work/secret $foreign"
also "nor shown" test -z "$(grep 'secret text' out)"
mkdir -p below
sed "s,^source.*,source\tx/../../../secret," profil.data >foreign
check "source outside of --source" annotates --source below -i foreign sum
also "is not read" has "x/../../../secret $foreign"
check "source in --source" annotates --source . -i foreign sum
also "is shown" grep -q 'secret text' out

check "an object" annotates --object '/program$' sum
check "a file that is no recording" refuses \
	"/dev/null is not a file: name a profil.data, gmon.out or mon.out" -i /dev/null
check "no input is overwritten" refuses \
	"-o profil.data would overwrite profil.data: name another file" \
	-o profil.data

# A terminal has colours and a pager.
on_terminal()
{
	script -qec "env TERM=xterm PAGER='$1' $2 $here/profil annotate sum" \
		/dev/null >out 2>&1 </dev/null
}
if command -v script >/dev/null; then
	on_terminal cat ''
	check "colours on a terminal" grep -q "$(printf '\033')" out
	on_terminal cat NO_COLOR=1
	check "none with NO_COLOR" grep -qv "$(printf '\033')" out
	on_terminal 'sed s/^/paged:/' ''
	check "a pager on a terminal" grep -q '^paged:.*sum' out
	on_terminal 'head -n 1' ''
	check "a pager that ends early" grep -q 160 out
	on_terminal "$work/nothing" ''
	check "a pager that does not exist" test $? = 125
	also "is named" grep -q "profil: cannot execute the pager: set PAGER to a command, or to cat for none" out
	on_terminal ' ' ''
	check "a blank is no pager" grep -q 160 out
fi
check "no colours in a file" annotates sum
also "at all" test -z "$(grep "$(printf '\033')" out)"

# A frame without a source file is none.
sed 's/\t0:0:13:1:0$/\t0:-:13:1:0/' profil.data >sourceless
check "a line without a file" annotates -s -i sourceless sum
also "is no line" has "31.2 without a source line"
also "nor beside an instruction" test -z "$(fields | grep ':13')"

# Every byte of a good file in turn is another one: the answer is a page or a
# sentence, and never a crash, which the sanitizers report.
survives()
{
	perl -e '
		use strict;
		my ($command) = @ARGV;
		open my $in, "<", "profil.data" or die;
		my $text = do { local $/; <$in> };
		for (my $at = 200; $at < length $text; $at += 3) {
			my $other = $text;
			substr($other, $at, 1) = chr(48 + $at % 10);
			open my $out, ">", "damaged" or die;
			print $out $other;
			close $out;
			my $said = `$command annotate -s -i damaged sum 2>&1`;
			my $status = $? >> 8;
			next if ($status == 0 || $status == 125) &&
				$said !~ /Sanitizer|runtime error/;
			print "# byte $at: status $status\n$said";
			exit 1;
		}' "$here/profil"
}
check "damaged files" survives
finish
