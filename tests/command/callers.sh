#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# callers.sh [SECONDS [HZ [OF_ABA]]]: the stacks of a recording with callers are those that
# the code has, for code of many kinds, each sampled for SECONDS of CPU time, 0.2 by default,
# and bases in turn for OF_ABA.
#
# A million walks, each compared with one by rows alone, which finds each difference as a
# warning; a busy host has fewer samples:
#	tests/qemu/run -t 5400 -b "PROFIL_CHECK_WALKS=$PWD/tests/proof/walks.h" \
#		-w /tooltests/callers.sh -- /tooltests/callers.sh 30 4000 120

here=${0%/*}
. "$here/profil_run.sh"
seconds=${1:-0.2}
hz=${2:-4000}
of_aba=${3:-$seconds}
all=0

# record KIND SECONDS: records the stacks of a kind, and writes them to $work/folded.
record()
{
	status_is 0 profil record -q -F "$hz" -o "$work/data" -- \
		"$here/known_stacks" "$1" "$2" "$here/libone.so" "$here/libtwo.so" &&
		status_is 0 profil export -f folded -i "$work/data" -o "$work/folded"
}

# leaves: each stack of $work/folded whose leaf is the one that all kinds call, without
# the program's name, and its samples
leaves()
{
	sed -n 's/^[^;]*;\(.*\(leaf\|work_of_[a-z]*\) [0-9]*\)$/\1/p' "$work/folded"
}

# sum: the samples of the lines of standard input
sum()
{
	awk '{ n += $NF } END { print n + 0 }'
}

# are REGEX: each of these stacks is one of REGEX, and a twentieth of the samples is in
# them: others are of the beginning of the program, exceptions and system calls, which a busy
# host makes long.
are()
{
	total=$(sum <"$work/folded")
	known=$(leaves | grep -xE "($1) [0-9]+" | sum)
	echo "# $known of $total samples in known stacks"
	all=$((all + total))
	leaves | grep -vxE "($1) [0-9]+" | is_nothing && [ $((known * 20)) -gt "$total" ]
}

# have_shares NAME PERCENT...: of the stacks with any NAME, each has PERCENT, within five
# deviations, or a hundredth of all.
have_shares()
{
	sed 's/;/ ; /g' "$work/folded" | awk -v all="$*" '
		BEGIN { for (n = split(all, word, " "); n > 0; n -= 2) share[word[n - 1]] = word[n] }
		{ for (name in share) if (index($0, " " name " ")) { sum[name] += $NF; total += $NF } }
		END {
			for (name in share) {
				due = total * share[name] / 100
				off = sum[name] - due
				printf "# %s: %d samples, %.0f due\n", name, sum[name], due
				bad = bad || off * off > 25 * due + total * total / 10000
			}
			exit bad || !total
		}'
}

# kind NAME REGEX [SECONDS]: the stacks of a kind
kind()
{
	check "$1" record "$1" "${3:-$seconds}"
	also "has the stacks that it can have" are "$2"
}

main='(.*;)?main;turn_of'
kind aba "${main}_aba;base_(one|three|six);aba;leaf" "$of_aba"
also "each base has its share" have_shares base_one 10 base_three 30 base_six 60
kind alloca "${main}_alloca;sized;aba;leaf"
kind recursion "${main}_recursion;(recur;){1,60}leaf"
kind coroutines "(.*;)?body_[abc];(recur;){1,4}leaf"
also "each has its share" have_shares body_a 33.3 body_b 33.3 body_c 33.3
kind one_stack "(.*;)?body_[abc];recur;leaf"
also "each has its share" have_shares body_a 33.3 body_b 33.3 body_c 33.3
kind longjmp "${main}_longjmp;(jumper;){1,20}jump;leaf"
# The compiler has put what destroys and catches apart.
kind exceptions \
	"${main}_exceptions(.cold)?;(thrower;){0,11}(thrower.cold;)?(destroyed::~destroyed\\(\\);)?leaf"
kind signals \
	"${main}_signals;(recur;){1,6}leaf|(.*;)?main;(.*;)?on_signal;(recur;){3}leaf"
kind threads "(.*;)?in_thread;(recur;){1,20}leaf"
# A file without rows has them soon.
kind libraries "${main}_libraries;work_of_(one|two)|work_of_(one|two)"
also "each has its share" have_shares work_of_one 50 work_of_two 50
kind generated_code '(.*;)?aba;leaf'
kind calls "${main}_calls;leaf"
echo "# $all samples"
finish
