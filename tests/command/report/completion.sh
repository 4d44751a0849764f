#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The completion for bash: the words that it offers at the end of a line, which
# is split as bash splits a line.
# shellcheck disable=SC2317 # check calls the functions

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
mkdir bin folder
ln -s "$here/plain" bin/profil
PATH=$work/bin:$PATH
touch gmon.out "a file"
unset -f _comp_command_offset _command_offset
# shellcheck source=tools/profil/completion/profil.bash
. "$here/profil.bash"

# complete_line LINE: sets COMPREPLY to what bash would offer for LINE.
complete_line()
{
	local spaced=${1//=/ = }

	read -ra COMP_WORDS <<<"$spaced"
	[[ $spaced != *' ' || $1 == *= ]] || COMP_WORDS+=('')
	[[ $1 != *= ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_profil profil
}

# offers LINE [WORD]...: LINE may go on with these words, in this order.
offers()
{
	local line=$1

	shift
	complete_line "$line"
	[[ "${COMPREPLY[*]}" == "$*" ]] && return
	printf '# offered: %s\n' "${COMPREPLY[@]}"
	return 1
}

# offers_all LINE WORD...: LINE may go on with these words, and others.
offers_all()
{
	local line=$1 word

	shift
	complete_line "$line"
	for word; do
		[[ " ${COMPREPLY[*]} " == *" $word "* ]] && continue
		printf '# not offered: %s; offered: %s\n' "$word" \
			"${COMPREPLY[*]}"
		return 1
	done
}

# offers_none LINE: LINE can go on with anything.
offers_none()
{
	offers "$1"
}

check "verbs" offers_all "profil " run report --help --version
check "the beginning of an option" offers "profil run --sh" --show-nr-samples
check "an option with a value" offers "profil run --fr" --freq=
check "letters" offers_all "profil run -" -a -F --all
check "files for an option" offers "profil run -o gm" gmon.out
check "files for a long option" offers "profil run --output=gm" gmon.out
check "files for an option behind flags" offers "profil run -ano gm" gmon.out
check "a name with a space" offers "profil run -o a" "a file"
check "files as operands" offers "profil report gm" gmon.out
check "files after --" offers_none "profil report -- --"
check "options after an operand" offers "profil report gmon.out --ca" --callers
check "commands" offers_all "profil run prof" profil
check "commands after --" offers_all "profil run -a -- prof" profil
check "commands after an option with a value" \
	offers_all "profil run --freq=10 prof" profil
check "arguments of a command" offers "profil run ls gm" gmon.out
check "options of a command" offers_none "profil run ls --al"
check "nothing after doctor" offers_none "profil doctor "

# With bash-completion, the command has its own completion.
_command_offset()
{
	offset=$1
}

# offset_is NUMBER LINE: the command begins at word NUMBER of the split line.
offset_is()
{
	offset=
	complete_line "$2"
	[[ $offset == "$1" ]] || {
		echo "# offset: $offset"
		return 1
	}
}

check "the place of a command" offset_is 2 "profil run ls -"
check "the place of a command behind options" \
	offset_is 7 "profil run -a --freq=10 -- ls --color=al"
finish
