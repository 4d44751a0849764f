#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Names beyond reason: of templates, and of symbols that no compiler makes. They are
# cut, take little time, and cost no other function its name.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"

# look_up PROGRAM: a recording with a sample in each instruction, by way of the child that
# reads files, is in the file looked_up, and its functions are in the file names.
look_up()
{
	places "$1"
	timeout 60 "$here/write_snapshots" 1 1 <places 2>said |
		zcat >looked_up || return
	awk -F '\t' '$1 == "function" { print $7 ? $7 : $6 }' looked_up >names
	cat said
	[ -s names ]
}

# has NAME: a function has this name.
has()
{
	grep -qxF -e "$1" names
}

# are_short BYTES: names have no more than BYTES.
are_short()
{
	[ "$(wc -L <names)" -le "$1" ]
}

for depth in 6 7; do
	g++ -O1 -DDEPTH=$depth -o nested nested.cc
	check "a name of 16 MB or more, $depth" look_up nested
	also "is cut" grep -q '^Holder<std::map<std::.*[.][.][.]$' names
	also "is short" are_short 4096
	also "others have their names" has 'plain_hot(unsigned long)'
	also "also of C" has main
done

# Each name ends with its number, and begins as it is.
many_names()
{
	sed -n 's/^unsigned long run<std::map<std::.*, \([0-9]*\)>(unsigned long)$/\1/p' \
		names | sort -nu >numbers
	seq 0 599 | cmp - numbers
}
g++ -std=c++17 -O1 -o many many.cc
check "600 names of 32 KB" look_up many
also "can be told apart" many_names
also "are short" are_short 4096
also "a symbol of more than 3000 bytes has a name" \
	has 'unsigned long all<...>(unsigned long, std::integer_sequence<...>)'
also "nothing is left out" [ ! -s said ]

# function_named SYMBOL: assembly of a function of two instructions
function_named()
{
	printf '.type %s, @function\n%s: nop\nret\n.size %s, .-%s\n' \
		"$1" "$1" "$1" "$1"
}

# assemble: a program of the functions on stdin is in the file program.
assemble()
{
	{
		echo .text
		cat
		printf '.globl main\n'
		function_named main
		echo '.section .note.GNU-stack,"",@progbits'
	} >program.s && gcc -o program program.s
}

# pairs DEPTH: types, each of which has the one before twice, in a pack that is searched
# twice as long for each
pairs()
{
	awk -v depth="$1" 'function ref(n,  digits, text) {
		digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		for (; n > 0 || text == ""; n = int(n / 36))
			text = substr(digits, n % 36 + 1, 1) text
		return "S" text "_"
	}
	BEGIN {
		type = "1A"
		for (i = 0; i < depth; i++)
			type = (i == depth - 1 ? "St4pairI" : "S_I") type ref(i) "E"
		print "_Z1fDp" type
	}'
}
# tuple DEPTH: the same of Rust, as a number of bytes 2 to the power of DEPTH
tuple()
{
	awk -v depth="$1" 'function ref(n,  digits, text) {
		digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		if (!n)
			return "B_"
		for (n--; n > 0 || text == ""; n = int(n / 62))
			text = substr(digits, n % 62 + 1, 1) text
		return "B" text "_"
	}
	BEGIN {
		symbol = "_RIC1f"
		last = length(symbol) - 2
		symbol = symbol "Tmme"
		sub("e$", "E", symbol)
		for (i = 0; i < depth; i++) {
			at = length(symbol) - 2
			symbol = symbol "T" ref(last) ref(last) "E"
			last = at
		}
		print symbol "E"
	}'
}
# arrays DEPTH: the same of D
arrays()
{
	awk -v depth="$1" 'function ref(n,  text) {
		text = substr("abcdefghijklmnopqrstuvwxyz", n % 26 + 1, 1)
		for (n = int(n / 26); n; n = int(n / 26))
			text = substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", n % 26 + 1, 1) text
		return "Q" text
	}
	BEGIN {
		symbol = "_D1aF"
		last = length(symbol)
		symbol = symbol "Hii"
		for (i = 0; i < depth; i++) {
			at = length(symbol)
			symbol = symbol "H"
			symbol = symbol ref(length(symbol) - last)
			symbol = symbol ref(length(symbol) - last)
			last = at
		}
		print symbol "Zi"
	}'
}

# takes_seconds NUMBER COMMAND...: COMMAND takes no more CPU time.
# shellcheck disable=SC3045 # the shells of Debian have it
takes_seconds()
{
	(ulimit -t "$1" && shift && "$@")
}
{
	for depth in 3 60; do
		function_named "$(pairs $depth)"
		function_named "$(tuple $depth)"
		function_named "$(arrays $depth)"
	done
	function_named _D4spin__T3BoxTmZQh3runMFNbNimZm
	function_named _Dmain
} | assemble
check "symbols whose names have no end" takes_seconds 5 look_up program
also "have their symbols" has "$(pairs 60)"
also "of D, too" has "$(arrays 60)"
also "or the beginning of their names" grep -q '^f::<.*[.][.][.]$' names
also "names are short" are_short 4096
also "smaller names are whole" has \
	'f((std::pair<std::pair<std::pair<A, A>, std::pair<A, A> >, std::pair<std::pair<A, A>, std::pair<A, A> > >)...)'
also "of D, too" has 'a(int[int], int[int][int[int]], int[int][int[int]][int[int][int[int]]], int[int][int[int]][int[int][int[int]]][int[int][int[int]][int[int][int[int]]]])'
check "names of D" has 'spin.Box!(ulong).Box.run(ulong)'
also "main()" has 'D main'

# Symbols of C of 16 KB, some 48 MB in all, and then short ones
awk 'BEGIN {
	tail = "x"
	while (length(tail) < 16384)
		tail = tail tail
	for (i = 0; i < 3000; i++)
		printf ".type a%d%s, @function\na%d%s: ret\n.size a%d%s, 1\n", i,
			tail, i, tail, i, tail
	for (i = 0; i < 300; i++)
		printf ".type b%d, @function\nb%d: ret\n.size b%d, 1\n", i, i, i
}' | assemble
check "48 MB of symbols" look_up program
also "some are left out, in a sentence" \
	grep -q '^write_snapshots: names are too long: [1-9][0-9]* of them are left out$' said
also "others are not" [ "$(grep -c '^a[0-9]*x*[.][.][.]$' names)" -ge 300 ]
also "those that are have offsets" grep -q '^program+0x' names
short_names()
{
	seq 0 299 | sed 's/^/b/' | sort >expected
	grep '^b[0-9]*$' names | sort | cmp - expected
}
also "no short one" short_names
finish
