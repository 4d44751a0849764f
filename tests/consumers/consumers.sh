#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The tools for which `profil export` writes show the numbers of samples that are
# in the recording. Those of one recording were made up by write_places, and its code
# was looked up as that of a recording; the other one was recorded in a guest.
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
cd "$work" || exit
export LC_ALL=C.UTF-8 HOME=$work
tab=$'\t'

# expected KIND COLUMN...: lines of the sums of one kind, by these columns
expected()
{
	local kind=$1

	shift
	awk -F "$tab" -v kind="$kind" -v columns="$*" '
		$1 == kind {
			line = ""
			for (i = 1; i <= split(columns, at, " "); i++)
				line = line $at[i] "\t"
			sum[line] += $NF
		}
		END { for (line in sum) print line sum[line] }' counts | sort
}

total=0
rate=100

# record [NAME=VALUE]...: writes recording and counts.
record()
{
	env "$@" "$here/write_places" "$here/work" "$here/libwork.so" \
		"$here/libstripped.so-stripped" >places &&
		"$here/resolve" <places >recording &&
		"$here/count_recording" recording >counts || return
	total=$(awk '$1 == "total" { print $2 }' counts)
}

# use_guest: copies the recording of the guest, and writes counts.
use_guest()
{
	cp "$here/guest.data" recording || return
	"$here/count_recording" recording >counts || return
	total=$(awk '$1 == "total" { print $2 }' counts)
	rate=$(gzip -dc recording |
		awk -F "$tab" '$1 == "clock" { print 1000000000 / $2 }')
}

# exports FORMAT [OPTION]...: the recording is exported to the file out.
exports()
{
	"$here/profil" export -i recording -f "$1" -o out "${@:2}" 2>said &&
		grep -q 'samples in out; next: ' said
}

# sum: adds up lines NAME<tab>SAMPLES by name.
sum()
{
	awk -F "$tab" '{ sum[$1] += $2 }
		END { for (name in sum) print name "\t" sum[name] }' | sort
}

# is_sum: the samples in the file shown are all samples.
is_sum()
{
	[[ $(awk -F "$tab" '{ all += $NF } END { print all }' shown) == "$total" ]]
}

# are_shown: the files wanted and shown are equal, and not empty.
are_shown()
{
	are_equal wanted shown
}

# row TOOL: prints the numbers of a tool.
row()
{
	printf '# %-20s' "$1"
	awk -F "$tab" '{ all += $NF } END { printf " total %d:", all }' shown
	sort -t "$tab" -k2,2nr shown | head -n 4 |
		awk -F "$tab" '{ printf " %s %d;", substr($1, 1, 24), $2 }'
	echo
}

# rows WORD COLUMN NUMBERS: lines NAME<tab>VALUE of a table whose heading begins with
# WORD and whose rows begin with NUMBERS numbers, until a total; VALUE is in COLUMN.
rows()
{
	awk -v word="$1" -v column="$2" -v numbers="$3" '
		/^total/ { inside = 0 }
		inside && NF {
			value = $column
			for (i = 1; i <= numbers; i++)
				$i = ""
			sub(/^ +/, "")
			print $0 "\t" value
		}
		$1 == word { inside = 1 }'
}

# Names of the functions without their objects
functions()
{
	expected function 3
}

# pprof prints lines FLAT FLAT% SUM% CUM CUM% NAME[ (inline)].
pprof()
{
	go tool pprof -sample_index=samples -nodefraction=0 -nodecount=100000 \
		"$@" out 2>pprof.said
}

pprof_functions()
{
	pprof -top "$@" | rows flat 1 5 | sed "s/ (inline)$tab/$tab/" |
		grep -v "${tab}0$" | sum
}

# Lines FLAT CUM LINE:SOURCE follow a head with the path of the file.
pprof_lines()
{
	pprof -list . | awk '
		/^ROUTINE/ { file = $NF; next }
		$1 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+:/ {
			sub(":.*", "", $3)
			print file "\t" $3 "\t" $1
		}' | awk -F "$tab" '{ sum[$1 "\t" $2] += $3 }
			END { for (at in sum) print at "\t" sum[at] }' | sort
}

test_pprof()
{
	check "a recording is exported to pprof" exports pprof
	functions >wanted
	pprof_functions -noinlines >shown
	also "pprof -top shows the samples of each function" are_shown
	also "they are all samples" is_sum
	row 'pprof -top'
	expected inlined 2 | cat - <(expected function 2 3 |
		sed -n "s/^$tab//p") | sort >wanted
	pprof_functions >shown
	also "pprof -top shows the samples of inlined functions" are_shown
	# Files of libraries may be missing.
	expected line 2 3 | while IFS=$tab read -r file rest; do
		[[ ! -e $file ]] || echo "$file$tab$rest"
	done >wanted
	pprof_lines >shown
	also "pprof -list shows the samples of each line" are_shown
	exports pprof
	pprof -top -tagfocus=mode=kernel |
		awk '/Showing nodes/ { sub(",", "", $5); print $5 }' >shown
	awk '$1 == "total" { print $3 }' counts >wanted
	also "pprof -tagfocus shows the samples in kernel mode" are_shown
}

perf_report()
{
	perf report -n --stdio --no-demangle -i out -t '|' "$@" 2>perf.said |
		grep -v -e '^#' -e '^$' | sed 's/^ *//; s/ *| */|/g; s/ *$//'
}

test_perf()
{
	check "a recording is exported to perf" exports perf
	expected object 2 >wanted
	perf_report -F sample,dso | awk -F '|' '{ print $2 "\t" $1 }' |
		sort >shown
	also "perf report shows the samples of each object" are_shown
	also "they are all samples" is_sum
	expected symbol 2 3 | grep "^\(work\|libwork.so\)$tab" >wanted
	# Code of no symbol, [plt], counts for the symbol before it.
	perf_report -F sample,dso,sym | sed 's/\[\.\] //' |
		awk -F '|' '$2 ~ /^(lib)?work/ && $3 != "_init" {
			print $2 "\t" $3 "\t" $1
		}' | sort >shown
	also "perf report shows the samples of each function" are_shown
	perf_report -F sample,sym | sed 's/\[\.\] //' |
		awk -F '|' '{ print $2 "\t" $1 }' | sum >shown
	row 'perf report -n'
	nm -S "$here/libwork.so" | awk '$4 == "local_work" { print $1, $2 }' >range
	expected instruction 2 3 | perl -lane '
		BEGIN { ($from, $size) = map { hex } split " ", shift }
		my $at = hex($F[1]) - $from;
		print "$F[1]\t$F[2]" if $F[0] eq "libwork.so" &&
			$at >= 0 && $at < $size' "$(cat range)" >wanted
	perf annotate --stdio -n -i out -d libwork.so local_work \
		2>perf.said | awk '
		$1 ~ /^[1-9][0-9]*$/ && $3 ~ /^[0-9a-f]+:$/ {
			sub(":", "", $3)
			print $3 "\t" $1
		}' | sort >shown
	also "perf annotate shows the samples of each instruction" are_shown
	perf script -i out -F comm,ip 2>perf.said | wc -l >shown
	echo "$total" >wanted
	also "perf script prints each sample" are_shown
	perf report --header-only -i out 2>perf.said |
		sed -n 's/^# \(hostname\|os release\|arch\|cmdline\) : //p' >shown
	gzip -dcf recording | awk -F "$tab" '
		$1 == "command" { $1 = ""; command = substr($0, 2) " " }
		$1 == "host" { print $2; print $4; print $3 }
		END { print command }' >wanted
	also "perf report --header shows the command" are_shown
}

# callgrind_functions COLUMN [OPTION]...: lines SAMPLES KERNEL FILE:NAME [OBJECT], where a
# number is followed by its percentage, or is a dot
callgrind_functions()
{
	callgrind_annotate --threshold=100 --auto=no "${@:2}" out |
		perl -ne '
		/file:function$/ and $inside = 1, next;
		s/\(\s*[\d.]+%\)//g;
		$inside && m{^\s*([\d,.]+)\s+([\d,.]+)\s+[^:]+:(.+?)(?: \[.*\])?$}
			or next;
		my ($name, $samples) = ($3, ($1, $2)['"$1"']);
		$samples =~ s/[,.]//g;
		print "$name\t", $samples || 0, "\n"' | sum
}

test_callgrind()
{
	check "a recording is exported to callgrind" exports callgrind
	functions >wanted
	callgrind_functions 0 >shown
	also "callgrind_annotate shows the samples of each function" are_shown
	also "they are all samples" is_sum
	row callgrind_annotate
	callgrind_annotate out | grep 'PROGRAM TOTALS' | tr -d , |
		awk '{ print $1, $3 }' >shown
	awk '$1 == "total" { print $2, $3 }' counts >wanted
	also "callgrind_annotate shows the total, and that in the kernel" are_shown
}

# seconds_of OBJECT DIGITS: CPU time of its functions
seconds_of()
{
	expected function 2 3 | sed -n "s/^$1$tab//p" |
		awk -F "$tab" -v rate="$rate" -v digits="$2" '{
			printf "%s\t%.*f\n", $1, digits, $2 / rate }' | sort
}

# in_text: functions in the section .text, to which gprof is limited
in_text()
{
	grep -v "^\(_init\|_fini\|\[plt\]\)$tab"
}

# test_gmon_of OBJECT [OPTION]...: gprof prints lines PERCENT CUMULATIVE SECONDS NAME, and
# profil report, too.
test_gmon_of()
{
	check "a recording is exported for gprof $1" exports gmon "${@:2}"
	seconds_of "$1" 3 >wanted
	"$here/profil" report "$here/$1" out 2>report.said | rows percent 3 3 |
		sort >shown
	also "profil report shows the samples of each function" are_shown
	seconds_of "$1" 2 | in_text >wanted
	gprof -b -p "$here/$1" out 2>gprof.said | rows time 3 3 | sort |
		in_text >shown
	also "gprof -p shows the samples of each function" are_shown
	awk -F "$tab" -v rate="$rate" '{
		printf "%s\t%.0f\n", $1, $2 * rate }' shown >samples
	mv samples shown
	row "gprof -p $1"
}

test_folded()
{
	check "a recording is exported as folded stacks" exports folded
	functions >wanted
	sed 's/ \([0-9]*\)$/\t\1/' out | awk -F "$tab" '{
		nr = split($1, level, ";")
		if (level[nr] == "[kernel]")
			nr--
		print level[nr < 3 ? nr : 3] "\t" $2
	}' | sum >shown
	also "the lines add up to the samples of each function" are_shown
	also "they are all samples" is_sum
	row folded
	grep -F ';[kernel] ' out | awk '{ sum += $NF } END { print sum }' >shown
	awk '$1 == "total" { print $3 }' counts >wanted
	also "the level [kernel] has the samples in kernel mode" are_shown
}

test_all()
{
	functions >shown
	row recording
	test_pprof
	test_perf
	test_callgrind
	test_gmon_of work
	test_gmon_of libwork.so --object 'libwork\.so$'
	test_folded
}

record
check "a recording is written" [ "$total" -gt 0 ]
test_all

# A counter of a gmon.out has 16 bits.
record LARGE=200000
check "a recording with 200000 samples of an instruction is written" \
	[ "$total" -gt 200000 ]
test_gmon_of work

# totals: lines NAME<tab>SAMPLES of the functions, with what they call
totals()
{
	"$here/profil" export -i recording -f folded -o - |
		"$here/add_up" folded |
		sed -E 's/^[0-9]+ ([0-9]+) (.*)/\2\t\1/' | sort
}

# depths: the number of places on the stack of each sample
depths()
{
	"$here/profil" export -i recording -f perf -o - | "$here/decode_perf" |
		awk '/^sample/ {
			places = gsub(" <- ", "")+ 1
			for (i = 0; i < $NF; i++)
				print places
		}' | sort
}

# The tools show the callers of a recording of callers, written by hand.
test_callers()
{
	cp "$here/callers.data" recording
	totals >wanted
	check "a recording of callers is exported to pprof" exports pprof
	pprof -top -cum | rows flat 4 5 | sed "s/ (inline)$tab/$tab/" |
		sort >shown
	also "pprof -cum shows the total of each function" are_shown
	check "a recording of callers is exported to callgrind" exports callgrind
	callgrind_functions 0 --inclusive=yes |
		grep -v "'[0-9]*$tab\|^\[program: " >shown
	also "callgrind_annotate --inclusive shows them" are_shown
	depths >wanted
	check "a recording of callers is exported to perf" exports perf
	perf script -i out -F ip 2>perf.said |
		awk 'NF { places++ } !NF && places { print places; places = 0 }
			END { if (places) print places }' | sort >shown
	also "perf script prints each stack" are_shown
}

test_callers
use_guest
check "a recording in the guest has samples" [ "$total" -gt 100 ]
test_all
finish
