# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by the script that sources this
#
# Comparison of the programs in build, on the statements of the file measure. To
# be sourced.

# Programs and their names in the table. Those of a compiler are compared with its
# first.
by_clang=(clang llvm bolt counted)
by_gcc=(gcc gcc-profile gcc-counted)
declare -A title=(
	[clang]='clang -O2'
	[llvm]='-fprofile-sample-use'
	[bolt]='llvm-bolt -nl'
	[counted]='-fprofile-use, instrumented'
	[gcc]='gcc -O2'
	[gcc-profile]='-fauto-profile'
	[gcc-counted]='-fprofile-use, instrumented'
)

# check_output: all programs print the same as the first.
check_output()
{
	local program first=$build/${by_clang[0]}

	for program in "${by_clang[@]/#/$build/}" "${by_gcc[@]/#/$build/}"; do
		"$program" :memory: ".read $measure" >"$program.out"
		cmp "$first.out" "$program.out" ||
			die "${program##*/} prints something else than ${first##*/}"
	done
}

# instructions PROGRAM: prints the number of instructions of a run in valgrind,
# which does not understand the debugging information of clang. BOLT has removed
# it.
instructions()
{
	local plain=$1

	if [[ $(readelf -SW "$1") == *.debug_info* ]]; then
		plain=$1.stripped
		strip -g -o "$plain" "$1"
	fi
	valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
		"$plain" :memory: ".read $measure" 2>&1 >/dev/null |
		sed -n 's/.*I *refs: *//p' | tr -d ,
}

# measure_time: runs all programs in turn. The file times has a line for each.
measure_time()
{
	"$build/interleave" "$rounds" "${by_clang[@]/#/$build/}" \
		, "${by_gcc[@]/#/$build/}" -- :memory: ".read $measure" \
		>"$build/times"
}

# rows PROGRAM...: prints the rows of programs that are compared with the first.
rows()
{
	local program counted first='' best median ratio times first_best=''

	for program; do
		counted=$(instructions "$build/$program")
		times=$(grep "^$program " "$build/times")
		read -r _ best median ratio <<<"$times"
		first=${first:-$counted}
		first_best=${first_best:-$best}
		awk -v title="${title[$program]}" -v best="$best" \
			-v from="$first_best" -v median="$median" \
			-v ratio="$ratio" -v counted="$counted" -v first="$first" '
			BEGIN {
				printf "%-28s%8.3f s%+7.1f %%%8.3f s%+7.1f %%%12.1f M%+7.1f %%\n",
					title, best, 100 * (best / from - 1),
					median, 100 * (ratio - 1), counted / 1e6,
					100 * (counted / first - 1)
			}'
	done
}

table()
{
	measure_time
	printf '%-28s%10s%9s%10s%9s%14s%9s\n' '' best '' median '' \
		instructions ''
	rows "${by_clang[@]}"
	rows "${by_gcc[@]}"
}
