#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions of Go in stripped programs: by tables of each kind, and in programs of the
# installed Go, of which nm is the oracle.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/frames.sh"
cp "$here"/gopclntab.S .

# names_of PROGRAM: a line ADDRESS NAME for each instruction in a function with a name
names_of()
{
	places "$1"
	"$here/resolve" <places | zcat | awk -F '\t' '
		$1 == "function" { name[nr++] = $7 ? $7 : $6 }
		$1 == "place" && name[$6] !~ "[+]0x" { print $5, name[$6] }'
}

# ranges: the functions of names_of: NAME and its number of instructions, in order
ranges()
{
	awk '{ sub("^[^ ]* ", "") }
		$0 != last { if (nr) print last, nr; last = $0; nr = 0 }
		{ nr++ }
		END { print last, nr }'
}

# has_two: the functions of gopclntab.S have their names, each for its 16 bytes.
has_two()
{
	names_of table | ranges >found
	printf '%s\n' 'main.first 16' 'main.(*T).second 16' | cmp - found
}

# survives_damage: each 4 bytes of the table may be any of some numbers. The copies are the
# objects of one recording.
survives_damage()
{
	offset=$(readelf -SW table | sed -n 's/.*[.]gopclntab *[A-Z]* *[^ ]* \([^ ]*\).*/\1/p')
	places table
	# shellcheck disable=SC2016 # variables of Perl
	perl -e '
		my $offset = hex shift;
		local $/;
		my ($table, $text) = map { open my $in, "<", $_ or die; <$in> } "table", "places";
		my ($head, $object, $places) = $text =~ /(.*)(^object.*?\n)(.*)^eof/ms or die;
		my ($nr, $objects, $all) = (0, "", "");
		for my $at (1 .. 45) {
			for my $number (0x7fffffff, 0x80000000, 0xffffff00, 0x10000) {
				my $copy = $table;
				substr($copy, $offset + 4 * $at, 4) = pack "L", $number;
				open my $out, ">", "damaged$nr" or die;
				print $out $copy;
				$objects .= $object =~ s/table\t/damaged$nr\t/r;
				$all .= $places =~ s/^place\t0/place\t$nr/mgr;
				$nr++;
			}
		}
		$head =~ s/^totals\t(\d+)\t(\d+)/"totals\t" . $1 * $nr . "\t" . $2 * $nr/me;
		$text = $head . $objects . $all;
		print $text, "eof\t", $text =~ tr/\n//, "\n"' "$offset" >damaged &&
		"$here/resolve" <damaged >looked_up && [ "$(zcat looked_up | grep -c '^object.*read')" = 180 ]
}

for kind in 2 16 18 20; do
	gcc -nostdlib -static -no-pie -DKIND=$kind -o table gopclntab.S
	strip table
	check "a table of Go 1.$kind" has_two
	also "may be damaged" survives_damage
done
gcc -nostdlib -static -no-pie -DKIND=20 -o table gopclntab.S
strip table
objcopy --rename-section .gopclntab=.data.rel.ro table
check "a table in .data.rel.ro" has_two
objcopy --remove-section .note.go.buildid table
has_no_names()
{
	[ -z "$(names_of table)" ]
}
check "a program of another language has none" has_no_names

# are_those_of FULL: functions of the program bare are those that nm knows in FULL.
are_those_of()
{
	strip -o bare "$1"
	names_of bare | sort >found
	nm "$1" | awk '$2 ~ /[tT]/ {
		sub("^0*", "", $1)
		address = "0x" $1
		sub("^[^ ]* [^ ]* ", "")
		sub("[.]abi0$", "")
		# The table of Go leaves out what is in brackets.
		gsub(/\[[^]]*\]/, "[...]")
		print address, $0
	}' | sort >known
	join known found | awk '{
		nr = split($0, word, " ")
		half = ""
		for (i = 2; i <= nr; i++)
			half = half word[i] " "
		all++
		same += substr(half, 1, length(half) / 2) == \
			substr(half, length(half) / 2 + 1)
	}
	END {
		print "# " same " of " all
		exit !(all > 1000 && same > 0.99 * all)
	}' && grep -q "main[.]main$" found && grep -q "main[.].*add$" found
}

command -v go >/dev/null || go_is_missing=1
export GO111MODULE=off
for program in program.go program_c.go; do
	for mode in exe pie; do
		name="$program, -buildmode=$mode"
		if [ "${go_is_missing-}" ]; then
			check "$name # SKIP without Go" true
			continue
		fi
		go build -buildmode=$mode -o "full-$mode" "$here/$program"
		check "$name" are_those_of "full-$mode"
	done
done
finish
