#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Symbols without a size own no code of other functions, by any linker, in stripped files
# and in others. The oracle is nm of the file before it was stripped.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"

cat >labelled.c <<'END'
void tiny(void);

static __attribute__((noinline, noclone)) int alpha(int n)
{
	__asm__ volatile("nop\n\tnop" : "+r"(n));
	return n + 1;
}

static __attribute__((noinline, noclone)) int beta(int n)
{
	__asm__ volatile("nop\n\tnop" : "+r"(n));
	return n + 2;
}

int main(int argc, char **argv)
{
	(void)argv;
	tiny();
	return alpha(argc) + beta(argc);
}
END

# build MACRO [OPTION]...: the programs full, and bare, which is stripped, and the functions
# of their instructions in full.names and bare.names: a line ADDRESS NAME for each
build()
{
	macro=$1
	shift
	gcc -O1 -c -o labels.o "-D$macro" "$here/labels.S" &&
		gcc -O1 "$@" -rdynamic -o full labels.o labelled.c &&
		strip -o bare full || return
	for program in full bare; do
		places "$program"
		"$here/resolve" <places | zcat | awk -F '\t' '
			$1 == "function" { name[nr++] = $7 ? $7 : $6 }
			$1 == "place" { print $5, name[$6] }' >"$program.names"
	done
}

# begin SYMBOL: address of the symbol
begin()
{
	nm full | awk -v symbol="$1" '$3 == symbol {
		sub("^0*", "", $1)
		print "0x" $1
	}'
}

# names PROGRAM FROM TO: the names of the instructions between two symbols, each once
names()
{
	awk -v from="$(($(begin "$2")))" -v to="$(($(begin "$3")))" '
		function value(hex,  n, i) {
			for (i = 3; i <= length(hex); i++)
				n = 16 * n + index("0123456789abcdef",
					substr(hex, i, 1)) - 1
			return n
		}
		value($1) >= from && value($1) < to && !seen[$2]++ {
			printf "%s ", $2
		}' "$1.names"
}

# is NAME... -- PROGRAM FROM TO: the instructions between the symbols have these names.
is()
{
	expected=
	while [ "$1" != -- ]; do
		expected="$expected$1 "
		shift
	done
	shift
	found=$(names "$@")
	[ "$found" = "$expected" ] || echo "# $found, not $expected"
	[ "$found" = "$expected" ]
}

# at SYMBOL: name of the nameless function there
at()
{
	echo "bare+$(begin "$1")"
}

linkers=ld
command -v ld.lld >/dev/null && linkers="ld lld"
command -v mold >/dev/null && linkers="$linkers mold"
for linker in $linkers; do
	use=-fuse-ld=$linker
	[ "$linker" != ld ] || use=
	check "$linker: a label in front of functions without symbols" \
		build EXPORTED ${use:+"$use"}
	also "has its own byte" is tiny -- bare tiny alpha
	also "the next function is itself" is "$(at alpha)" -- bare alpha beta
	also "and the one behind it" is "$(at beta)" -- bare beta main
	also "with symbols" is alpha -- full alpha beta

	check "$linker: without an unwind table" build EXPORTED \
		-fno-asynchronous-unwind-tables ${use:+"$use"}
	also "a label has its own byte" is tiny -- bare tiny alpha
	also "and no more" is "$(at alpha)" -- bare alpha main
	also "with symbols" is alpha -- full alpha beta

	check "$linker: a label in the unwind table" \
		build WITH_ENTRY ${use:+"$use"}
	also "has its function" is tiny -- bare tiny behind
	also "and no code behind it" is "$(at behind)" -- bare behind alpha
	also "with symbols" is tiny behind -- full tiny alpha

	for unwind in "" no-; do
		check "$linker: -f${unwind}asynchronous-unwind-tables, labels in all symbols" \
			build LABELS "-f${unwind}asynchronous-unwind-tables" \
			${use:+"$use"}
		also "a label has the code up to the next" \
			is tiny again -- full tiny alpha
		also "none in a symbol with a size" is sized -- full sized tiny
	done
	also "an exported one has the first byte" is tiny "bare+$(printf 0x%x \
		$(($(begin tiny) + 1)))" -- bare tiny alpha
done
finish
