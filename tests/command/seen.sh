#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What is only there while a process runs has names: generated code in memory of all
# kinds, that of a process's parents, code that a program has moved, and files of short
# programs that are gone. For a machine that counts instructions.

here=${0%/*}
. "$here/profil_run.sh"
. "$here/recorded.sh"
generator=$here/generator
cd "$work" || exit

# are_named: new_a and new_b have all samples of generated code, in equal parts.
are_named()
{
	one=$(hits profil.data new_a)
	other=$(hits profil.data new_b)
	echo "# $one and $other samples, $(hits profil.data '[jit: generator]') without a name"
	[ "$(hits profil.data '[jit: generator]')" = 0 ] &&
		[ "$one" -ge 190 ] && [ $((one - other)) -ge -20 ] &&
		[ $((one - other)) -le 20 ]
}

# records ARGUMENT...: `profil record` of the generator, without a failure
records()
{
	status_is 0 profil record -q -F 1000 -- "$generator" "$@"
}

# has_no FUNCTION...: none of them has samples.
has_no()
{
	for function; do
		[ "$(hits profil.data "$function")" = 0 ] || return
	done
}

# A loop has two instructions, of a nanosecond each.
for mode in again part memfd private shm deleted fork grandchild; do
	check "generated code, $mode" records "$mode" 100000000
	also "has the names of its map" are_named
	also "and no others" has_no old_a old_b old_all
	also "and is code of the program" sh -c "! profil report -a |
		grep 'memfd:\|  generated  \|has generated'"
done
rm -f /dev/shm/generated
check "a child that executes a program" records exec 100000000
also "has not the names of its parent's code" has_no new_a new_b
also "the report says so" sh -c "profil report |
	grep -q '^code that generator has generated has no names '"

check "code that a program has moved" records moved 200000000
also "has its names" [ "$(hits profil.data moved_a)" -ge 190 ]
also "each of them" [ "$(hits profil.data moved_b)" -ge 190 ]
also "and was not generated" sh -c "! profil report -a | grep 'jit\|generated'"

# Programs of 50 ms, of which nothing is left: in a mount namespace of their own, and
# deleted while they run
mkdir -p boxes
profil record -q -a -F 1000 -o gone.data &
recorder=$!
soon recorder_runs
sleep 1
for i in 1 2 3 4 5; do
	# shellcheck disable=SC2016 # a script of another shell
	unshare -m sh -c 'mount -t tmpfs none boxes && cp "$1" boxes/"boxed-$2" &&
		exec "boxes/boxed-$2" spin 50' sh "$generator" $i
	cp "$generator" deleted-$i
	./deleted-$i spin 100 &
	deleted=$!
	sleep 0.05
	rm deleted-$i
	wait "$deleted"
done
kill -INT "$recorder"
wait "$recorder"

# has_names PROGRAM DUE: as many samples of it as are due are in its functions.
has_names()
{
	named=$(zcat gone.data | awk -F'\t' -v name="/$1" '
		$1 == "program" { is_it[programs++] = $2 ~ name "$" }
		$1 == "function" { is_named[functions++] = $6 ~ "^moved_[ab]$" }
		$1 == "place" && is_it[$3] && is_named[$6] { n += $7 + $8 }
		END { print n + 0 }')
	echo "# $named samples with names, $2 are due"
	[ "$named" -ge $(($2 * 8 / 10)) ]
}

check "programs that are gone" accounts gone.data
for i in 1 2 3 4 5; do
	also "one in a private mount has names, $i" has_names boxed-$i 50
	also "one that was deleted has names, $i" has_names deleted-$i 100
done
finish
