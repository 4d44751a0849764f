#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# profil(1) has the synopsis and the options of the command's own help, and no
# others.
# shellcheck disable=SC2317 # check calls the functions

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
command=$here/plain
mandoc -T ascii -O width=1000 "$here/profil.1" | col -bx >page

# section NAME: text of this section of the page
section()
{
	awk -v name="$1" '/^[A-Z]/ { inside = $0 == name; next } inside' page
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

# help_options VERB: options as lines "VERB -F hz, --freq=hz" from the help
help_options()
{
	"$command" "$1" --help | awk -v verb="$1" '
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
			print verb, letter (letter ? " " : "") word
		}' | sort
}

# page_options VERB: options as lines from the page, where (VERB, ...) begins
# the text, or nothing if all verbs have the option
page_options()
{
	section OPTIONS | awk -v verb="$1" '
		/^       -[^ ]*[^ -]/ { sub("^ *", ""); option = $0; next }
		option != "" {
			verbs = verb
			if (match($0, "^ *[(][a-z, ]*[)]"))
				verbs = substr($0, RSTART, RLENGTH)
			gsub("[(),]", " ", verbs)
			if (index(" " verbs " ", " " verb " "))
				print verb, option
			option = ""
		}' | grep -v -e ' -V, --version$' -e ' -- ' | sort
}

# are_alike: the files help and manual are equal, and not empty.
are_alike()
{
	[ -s help ] && diff help manual | sed 's/^/# /' >differences
	[ -s help ] && [ ! -s differences ] && return
	cat differences
	return 1
}

"$command" --help | sed '/^$/q' | synopsis >help
section SYNOPSIS | synopsis >manual
check "the manual has the synopsis of the help" are_alike
for verb in $(verbs); do
	help_options "$verb" >help
	page_options "$verb" >manual
	check "the manual has the options of profil $verb" are_alike
	"$command" help "$verb" >by_verb
	"$command" "$verb" -h >by_option
	check "profil help $verb is profil $verb -h" cmp by_verb by_option
done
check "the help has all verbs" [ "$(verbs | wc -l)" -ge 4 ]
check "-h is --help" [ "$("$command" -h)" = "$("$command" --help)" ]
check "-V is --version" [ "$("$command" -V)" = "$("$command" --version)" ]

# fails_closed [ARGUMENT]...: the command fails with stdout closed.
fails_closed()
{
	"$command" "$@" >&- 2>message
	[ $? = 125 ] && grep -q "cannot write to stdout: it is closed" message
}

check "--help to a closed stdout fails" fails_closed --help
check "--version to a closed stdout fails" fails_closed --version
check "--help of a verb to a closed stdout fails" fails_closed run --help
finish
