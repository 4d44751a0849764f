#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# data.sh, gmon.sh, elf.sh: a fuzzer finds no fault in T seconds, 20 by default, of the
# verbs that read files of this kind. Its first inputs are sound files. The numbers
# are random, but the same in each run.
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
TARGET=$(basename "$0" .sh)
cd "$work" || exit
mkdir corpus
# A command line that ends in an error frees no memory.
export TARGET WORK="$work" ASAN_OPTIONS=detect_leaks=0

# seed NUMBER FILE: FILE is an input for the command line of that number.
seed()
{
	{
		# shellcheck disable=SC2059 # the byte of that number
		printf "\\$(printf %03o "$1")"
		cat "$2"
	} >"corpus/$1-${2##*/}"
}

# seed_all LINES FILE...: each FILE is an input for each of LINES command lines.
seed_all()
{
	local file number

	for file in "${@:2}"; do
		for ((number = 0; number < $1; number++)); do
			seed "$number" "$file"
		done
	done
}

# nameless: a profile of a program without names
nameless()
{
	tr '|' '\t' <<-'END'
		profil.data|1
		totals|3|3|0|0|0|0|1|1|0
		program|/opt/prog
		object|file|/opt/prog|-|read|0|1|
		segment|0|0x1000|0x1000|4096
		place|0|0|0x1100|0x1100|-|3|0
		eof|6
	END
}

seeds_of_data()
{
	nameless >nameless.data
	seed_all 19 nameless.data "$here/sound.data"
	export OTHER=$here/sound.data
}

# write_gmon: program writes a gmon.out.
write_gmon()
{
	gcc -O1 -g -pg -no-pie -o program "$here/known_calls.c" && ./program &&
		[[ -s gmon.out ]]
}

# compile NAME OPTION...: builds a program with inlined functions.
compile()
{
	gcc -o "$1" "$here/inlined.c" "${@:2}"
}

# mon_out: an AIX mon.out of 64 bits with four counters for 0x401000 to 0x401020
mon_out()
{
	printf '\0\20\100\0\0\0\0\0\40\20\100\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\1\0\2\0\0\0\3\0'
}

seeds_of_gmon()
{
	write_gmon || return
	mon_out >mon.out
	seed_all 9 gmon.out mon.out "$here/recorded.prof"
	export OTHER=$work/gmon.out PROGRAM=$work/program
}

# tables_of_go: programs go-KIND with the tables of several versions of Go
tables_of_go()
{
	local kind

	for kind in 2 16 20; do
		gcc -nostdlib -static -no-pie -s -DKIND="$kind" -o "go-$kind" \
			"$here/gopclntab.S" || return
	done
}

seeds_of_elf()
{
	write_gmon &&
		compile plain -O2 -g &&
		compile dwarf4 -O2 -gdwarf-4 -nostartfiles -Wl,-emain &&
		compile compressed -O0 -g -gz &&
		compile stripped -O1 -s &&
		gcc -shared -nostdlib -o rules "$here/frame_rules.S" &&
		tables_of_go || return
	seed_all 3 program plain dwarf4 compressed stripped rules go-2 go-16 go-20
	export OTHER=$work/gmon.out
}

# fuzzes SECONDS: the fuzzer runs for SECONDS, and prints the input that it has
# found to be bad.
fuzzes()
{
	"$here/fuzz" -max_total_time="$1" -seed=1 -rss_limit_mb=4096 \
		-max_len=65536 -timeout=120 -close_fd_mask=3 \
		"${dictionary[@]}" corpus >said 2>&1 && return
	grep -v '^[#I]' said | sed 's/^/# /'
	cat crash-* timeout-* oom-* 2>/dev/null | gzip | base64 | sed 's/^/# /'
	return 1
}

# words_of_data: a dictionary of a profile's words, and of parts of its fields
words_of_data()
{
	tr '\t' '\n' <"$here/sound.data" | grep -x '[a-z]\+' | sort -u |
		sed 's/.*/"&\\x09"/'
	printf '"%s"\n' 'profil.data\x091\x0a' 'outside\x09' 0x %0a - : 4294967295 \
		18446744073709551615
}

dictionary=()
[[ $TARGET != data ]] || {
	words_of_data >words
	dictionary=(-dict=words)
}
check "there are first inputs" "seeds_of_$TARGET"
check "a fuzzer finds no fault" fuzzes "${T:-10}"
also "has run" grep -q '^Done [1-9]' said
finish
