# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by the scripts that source this
#
# The tables of mutants. To be sourced.
#
# A table has a paragraph for each mutant: its name and what goes wrong, the file,
# the test that has to fail, and the lines that are replaced. These are written as
# in a patch, without a header, and are in one place of the file:
#
#	NAME: SENTENCE
#	in FILE
#	killed by TEST
#	lives: REASON		(of a mutant that no test can see)
#	 LINE BEFORE OR AFTER
#	-OLD LINE
#	+NEW LINE
#
# TEST is "host FOLDER PROGRAM", of tests/FOLDER, or "guest [OPTION]... PROGRAM...",
# with options of tests/qemu/run.

tables='src lib command'
newline=$'\n'
names=()
declare -A sentence file killer reason old new

# read_table AREA: adds the mutants of a table. Their names are AREA/NAME.
read_table()
{
	local name='' line

	while IFS= read -r line; do
		case $line in
		'' | '#'*) ;;
		-*) old[$name]+=${line:1}$newline ;;
		+*) new[$name]+=${line:1}$newline ;;
		' '*)
			old[$name]+=${line:1}$newline
			new[$name]+=${line:1}$newline
			;;
		'in '*) file[$name]=${line#in } ;;
		'killed by '*) killer[$name]=${line#killed by } ;;
		'lives: '*) reason[$name]=${line#lives: } ;;
		*)
			name=$1/${line%%: *}
			names+=("$name")
			sentence[$name]=${line#*: }
			;;
		esac
	done <"$(dirname "${BASH_SOURCE[0]}")/$1"
}

# mutate NAME DIRECTORY: prints the mutated file of DIRECTORY; false if the lines
# are not in one place of it.
mutate()
{
	local LC_ALL=C text without from=$newline${old[$1]}

	text=$newline$(<"$2/${file[$1]}")$newline
	without=${text//"$from"/"$newline"}
	((${#text} - ${#without} == ${#from} - 1)) || return 1
	text=${text/"$from"/"$newline${new[$1]-}"}
	printf '%s' "${text:1}"
}

# has_killer NAME DIRECTORY: is the test that has to see NAME in DIRECTORY?
has_killer()
{
	local words

	read -r -a words <<<"${killer[$1]-}"
	case ${words[0]-} in
	host) [[ -e $2/tests/${words[1]}/Makefile && ${words[2]-} ]] ;;
	guest) [[ ${words[-1]} == /*/* ]] ;;
	*) return 1 ;;
	esac
}
