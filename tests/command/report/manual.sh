#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# profil(1) has the synopsis of the command's own help, and the page of each verb
# its synopsis and its options, with their values and defaults, and no others.

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
cd "$work" || exit
command=$here/plain
# section PAGE NAME: text of this section of a page, with long lines
section()
{
	mandoc -T ascii -O width=1000 "$1" | col -bx |
		awk -v name="$2" '/^[A-Z]/ { inside = $0 == name; next } inside'
}

# synopsis: its lines in lower case, with single spaces
synopsis()
{
	tr -s ' ' | sed 's/^ *//; s/ *$//; s/^usage: //' | grep '^profil ' |
		tr '[:upper:]' '[:lower:]'
}

# verbs: the names of all verbs
verbs()
{
	"$command" --help | sed -n '/^$/q; s/^.*profil \([a-z]*\) .*/\1/p'
}

# page_of VERB: path of the page that has its options
page_of()
{
	page=$here/profil-$1.1
	[ -e "$page" ] || page=$here/profil.1
	echo "$page"
}

# help_options VERB: options as lines "-F hz, --freq=hz" from the help
help_options()
{
	"$command" "$1" --help | awk '
		/^  -/ || /^      --/ {
			letter = $1 ~ /^--/ ? "" : $1
			word = letter ? $2 : $1
			value = ""
			if (split(word, parts, "=") == 2) {
				value = tolower(parts[2])
				word = parts[1] "=" value
				value = " " value
			}
			sub(",", value ",", letter)
			print letter (letter ? " " : "") word
		}' | sort
}

# page_options VERB: options as lines from its page
page_options()
{
	section "$(page_of "$1")" OPTIONS | sed -nE \
		's/^ {7}((-[A-Za-z]( [a-z]+)?, )?--[a-z-]+(=[a-z,]+)?)( .*)?$/\1/p' |
		grep -v -e '^-V, --version$' | sort
}

# help_values VERB: lines "--word value" from the help, for each value that is a
# default or one of a list
help_values()
{
	"$command" "$1" --help | awk '
		/^$/ { text = "" }
		/^  -/ || /^      --/ {
			show()
			word = $1 ~ /^--/ ? $1 : $2
			sub("=.*", "", word)
			sub("^ *(-., )?--[^ ]*", "")
			text = ""
		}
		{ text = text " " $0 }
		END { show() }
		function show(values, n, i) {
			if (match(text, /[(]default: [^)]*[)]/)) {
				print word, substr(text, RSTART + 10, RLENGTH - 11)
				text = substr(text, 1, RSTART - 1)
			}
			if (!match(text, /: [a-z]+(, +[a-z]+)+ *$/))
				return
			n = split(substr(text, RSTART + 2), values, /, */)
			for (i = 1; i <= n; i++)
				print word, values[i]
		}' | tr -s ' ' | sed 's/ $//'
}

# has_values VERB: the text of each option has its default and its list.
has_values()
{
	rm -f missing
	section "$(page_of "$1")" OPTIONS | awk '
		/^       -/ && match($0, "--[a-z-]+") { word = substr($0, RSTART, RLENGTH) }
		{ print word, $0 }' >text
	help_values "$1" | while read -r word value; do
		grep -F -e "$word " text | grep -q -w -F -e "$value" || {
			echo "# Documentation/man/profil-$1.1 lacks $value of $word"
			echo >missing
		}
	done
	[ ! -e missing ]
}

# are_alike [VERB]: the files help and manual are equal, and not empty. The differences
# name the files to edit.
are_alike()
{
	are_equal help manual && return
	echo "# edit Documentation/man/profil${1:+-$1}.1 (>) or tools/profil/${1:-help}.c (<)"
	return 1
}

"$command" --help | sed '/^$/q' | synopsis >help
section "$here/profil.1" SYNOPSIS | synopsis >manual
check "the manual has the synopsis of the help" are_alike
for verb in $(verbs); do
	"$command" "$verb" --help | sed '/^$/q' | synopsis >help
	section "$(page_of "$verb")" SYNOPSIS | synopsis |
		grep "^profil $verb " >manual
	check "the manual has the synopsis of profil $verb" are_alike "$verb"
	help_options "$verb" >help
	page_options "$verb" >manual
	check "the manual has the options of profil $verb" are_alike "$verb"
	check "the manual has their values" has_values "$verb"
	"$command" help "$verb" >by_verb
	"$command" "$verb" -h >by_option
	check "profil help $verb is profil $verb -h" cmp by_verb by_option
	[ "$verb" = help ] || check "profil(1) names profil-$verb(1)" \
		grep -q "profil.-$verb (1)" "$here/profil.1"
done
check "the help has all verbs" [ "$(verbs | wc -l)" -ge 7 ]
finish
