# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of profil in bash. The words come from profil --complete, which has
# them from the tables of its options.

# _profil_words: sets words to the arguments up to the one at the cursor, and
# places to their numbers in COMP_WORDS. bash splits --word=value at the equals
# sign.
_profil_words()
{
	local i last word

	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]} last=$((${#words[@]} - 1))
		if ((last >= 0)) && [[ ${words[last]} == --* && $word == = ||
			${words[last]} == --*= && ${COMP_WORDS[i - 1]} == = ]]; then
			words[last]+=$word
		else
			words+=("$word") places+=("$i")
		fi
	done
}

# _profil_command NUMBER: completes a command that begins at word NUMBER.
_profil_command()
{
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		mapfile -t COMPREPLY < <(compgen -c -- "$2")
	else
		_profil_file "$2"
	fi
}

_profil_file()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_profil()
{
	local words=() places=() current

	_profil_words
	current=${words[-1]}
	[[ $current != --*=* ]] || current=${current#*=}
	mapfile -t COMPREPLY < <("$1" --complete "${words[@]}" 2>/dev/null)
	case ${COMPREPLY[0]-} in
	'<file>') _profil_file "$current" ;;
	'<command '*)
		_profil_command "${places[${COMPREPLY[0]//[!0-9]/} - 1]}" \
			"$current"
		;;
	--*=) ((${#COMPREPLY[@]} > 1)) || compopt -o nospace 2>/dev/null ;;
	esac
}

complete -F _profil profil
