#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that the linker discards, and whose debugging information it lets begin at 0,
# where it goes over the code of others: no instruction is in their lines. One of them
# has a line for each 8 of its 16,000 bytes.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"

# Code that is compiled without -g
cat >hot.c <<'END'
unsigned long kept(unsigned long n);

__attribute__((noinline)) unsigned long hot(unsigned long n)
{
	while (n--)
		__asm__ volatile("nop" : "+r"(n));
	return n;
}

int main(int argc, char **argv)
{
	(void)argv;
	return hot(argc) + kept(argc);
}
END
awk 'BEGIN {
	print "unsigned long dead(unsigned long n)\n{"
	for (i = 0; i < 2000; i++)
		print "\t__asm__ volatile(\".fill 8, 1, 0x90\");"
	print "\treturn n;\n}\n"
	print "unsigned long kept(unsigned long n)\n{"
	print "\twhile (n--)\n\t\t__asm__ volatile(\"nop\" : \"+r\"(n));"
	print "\treturn n;\n}"
}' >discarded.c
first=$(awk '/^unsigned long kept/ { print NR }' discarded.c)

# build COMPILER VERSION LINKER: the program, and the lines of its instructions: a line
# FUNCTION LINE for each, without LINE if there is none
build()
{
	"$1" -O1 -ffunction-sections -c hot.c &&
		"$1" -O1 -g "-gdwarf-$2" -ffunction-sections -c discarded.c &&
		"$1" "-fuse-ld=$3" -pie -Wl,--gc-sections -o program hot.o \
			discarded.o || return
	places program
	"$here/resolve" <places | zcat | awk -F '\t' '
		$1 == "source" { source[sources++] = $2 }
		$1 == "function" { symbol[functions++] = $6 }
		$1 == "place" {
			split($9, at, ":")
			print symbol[$6], at[3]
			if ($9 != "" && source[at[2]] !~ "discarded.c$")
				print "another file", source[at[2]]
		}' >lines
	grep -q '^kept' lines
}

# in_own_lines: most instructions of kept() have a line, which is one of it.
in_own_lines()
{
	awk -v first="$first" '$1 == "kept" {
		all++
		own += $2 >= first
		wrong += $2 && $2 < first
	}
	END { exit !(all > 3 && own > 2 && !wrong) }' lines
}

# has_none: no other instruction has a line.
has_none()
{
	! awk '$1 != "kept"' lines | grep '[^ ] [0-9a-z]'
}

compilers=gcc
command -v clang >/dev/null && compilers="gcc clang"
linkers=bfd
command -v ld.lld >/dev/null && linkers="bfd lld"
command -v mold >/dev/null && linkers="$linkers mold"
for compiler in $compilers; do
	for version in 4 5; do
		for linker in $linkers; do
			check "$compiler, DWARF $version, $linker" \
				build "$compiler" "$version" "$linker"
			also "code without lines has none" has_none
			also "a function that is kept has its own" in_own_lines
		done
	done
done
finish
