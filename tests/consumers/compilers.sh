#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# clang, llvm-profdata, gcc and llvm-bolt read what `profil export` writes for
# them, with the numbers that sample_profile has worked out.
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"
export LC_ALL=C.UTF-8
sources=("$here/feedback.c" "$here/feedback_other.c")

# record PROGRAM: writes recording and wanted.
record()
{
	local only='^(main|helper|other_work)$'

	# shellcheck disable=SC2016 # a variable of Perl
	places "$1" '1 + $at % 97'
	"$here/resolve" <places >recording &&
		"$here/sample_profile" recording "$work/$1" | sort >wanted
}

# exports FORMAT: the recording is exported to the file out.
exports()
{
	"$here/profil" export -i recording -f "$1" -o out 2>said
}

# profile_lines: a sample profile as the lines of the file wanted
profile_lines()
{
	awk '
	{
		depth = match($0, /[^ ]/) - 1
		sub(/^ +/, "")
		if (!depth) {
			sub(/:.*/, "")
			path[0] = $0
			next
		}
		position = $1
		sub(/:$/, "", position)
		if (position !~ /\./)
			position = position ".0"
		here = path[depth - 1] " " position
		if ($2 ~ /:/) {
			name = $2
			sub(/:.*/, "", name)
			path[depth] = here " " name
		} else {
			print here, $2
		}
	}' "$1" | sort
}

# count_of FILE FUNCTION: the entry count of a function in LLVM's language
count_of()
{
	local number

	number=$(sed -n "s/^define .*@$2(.* !prof !\([0-9]*\) .*/\1/p" "$1")
	sed -n "s/^!$number = !{!\"function_entry_count\", i64 \([0-9]*\)}/\1/p" "$1"
}

clang -O2 -g -fdebug-info-for-profiling -Wl,-q -o plain "${sources[@]}" ||
	exit
record plain
check "a recording is exported for clang" exports llvm
llvm-profdata merge --sample --text out -o merged
profile_lines merged >shown
also "llvm-profdata shows the samples of each line and inlined call" \
	are_equal wanted shown
echo "# llvm-profdata $(awk '{ all += $NF } END { print NR " lines, total " all }' shown)"
clang -O2 -g -fprofile-sample-use=out -S -emit-llvm -o with.ll \
	"$here/feedback_other.c" 2>messages
also "clang reads the file without a message" [ ! -s messages ]
# The loader adds 1 to the samples of the entry, the first line of the function.
also "clang has a number of calls of each function" \
	[ "$(count_of with.ll other_work)" -gt 1 ]
clang -O2 -g -fprofile-sample-use=out -o with "${sources[@]}"
also "the program that clang makes with it prints the same" \
	[ "$(./with 3000)" = "$(./plain 3000)" ]

check "a recording is exported for BOLT" exports bolt
llvm-bolt-15 plain -o moved -nl -data=out -lite=0 -reorder-blocks=ext-tsp \
	>bolt.out 2>&1
# Two functions have the same name.
also "llvm-bolt finds the samples of all four functions" \
	grep -q '^BOLT-INFO: 4 out of .* functions .* non-empty' bolt.out
echo "# $(grep 'non-empty' bolt.out)"
also "llvm-bolt understands each line" \
	[ -z "$(grep -iE 'invalid|ignored|stale' bolt.out)" ]
also "the program that llvm-bolt makes with it prints the same" \
	[ "$(./moved 3000)" = "$(./plain 3000)" ]
# A wrong number of a local symbol is the name of no function.
sed 's,helper/2,helper/3,' out >wrong
llvm-bolt-15 plain -o moved -nl -data=wrong -lite=0 >bolt.out 2>&1
also "llvm-bolt finds three with a wrong number" \
	grep -q '^BOLT-INFO: 3 out of .* functions .* non-empty' bolt.out

gcc -O2 -g -o plain "${sources[@]}" || exit
record plain
check "a recording is exported for gcc" exports gcc
gcc -O2 -g -fauto-profile=out -fdump-tree-fixup_cfg3-all="$work/dump" -c \
	-o with.o "$here/feedback_other.c" 2>messages
also "gcc reads the file without a message" [ ! -s messages ]
# The only block of other_work() is executed once in each call. The samples of
# its first instruction are made up from the address.
address=$(nm plain | awk '$3 == "other_work" { print $1 }')
sed -n '/^;; Function other_work /,$s/.* basic block 2,.* count \([0-9]*\) (auto FDO).*/\1/p' \
	dump >count
also "gcc has the number of calls of a function" \
	[ "$(cat count)" = $((1 + 16#$address % 97)) ]
echo "# gcc: other_work() is called $(cat count) times"
gcc -O2 -g -fauto-profile=out -o with "${sources[@]}"
also "the program that gcc makes with it prints the same" \
	[ "$(./with 3000)" = "$(./plain 3000)" ]
finish
