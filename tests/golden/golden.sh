#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# golden.sh compares what the command prints with the golden files: of the cases in the
# variable CASE, or else in the file "names" of its directory, or else of all.
#
# A case is a directory with a file session and the files that its command lines read.
# The lines of a session are
#
#	# TEXT	a comment
#	$ LINE	a command line for bash
#
# and after each command line what it prints: stdout behind two spaces, stderr behind
# "! ", and the exit status behind "= " if it is not 0. The command lines of a session
# run one after the other in a copy of all cases, in the directory of their own.
#
# No unfinished profile is left, where it belongs or where it is saved for lack of room.
#
# With the variable UPDATE, a session that differs is replaced.
set -uo pipefail

here=$(cd "${0%/*}" && pwd)
cases=$here/cases
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
mkdir "$work/cases"
for session in "$cases"/*/session; do
	cp -rL "${session%/session}" "$work/cases"
done
# A command warns of a file that is newer than another one.
find "$work/cases" -exec touch -d 2026-01-01 {} +

# Bash without the settings of the user; a command that ends in errx() frees no memory.
bash=(env -i PATH="$here:/usr/bin:/bin" HOME="$work" TZ=UTC LC_ALL=C COLUMNS=80
	TERM=dumb ASAN_OPTIONS=detect_leaks=0 bash -o pipefail -c)

# play SESSION: prints SESSION with the output of today.
play()
{
	local line status

	while IFS= read -r line; do
		[[ $line != '#'* ]] || echo "$line"
		[[ $line == '$ '* ]] || continue
		echo "$line"
		"${bash[@]}" "${line:2}" >"$work/out" 2>"$work/err" </dev/null
		status=$?
		awk -v err="$work/err" -v status="$status" '
			FILENAME == err { print "! " $0; next }
			{ print $0 == "" ? "" : "  " $0 }
			END { if (status != 0) print "= " status }' \
			"$work/out" "$work/err"
	done <"$1"
}

# unfinished: prints the files of profiles that are not where they belong.
unfinished()
{
	{
		find . -name '*.data.??????'
		find /dev/shm /tmp /var/tmp -maxdepth 1 -name 'profil.data*'
	} 2>/dev/null | sort
}

# leaves_nothing FILES: there are no others, or they vanish soon, as those of another
# process.
leaves_nothing()
{
	local _ new

	for _ in {1..50}; do
		new=$(comm -13 <(echo "$1") <(unfinished))
		[[ $new ]] || return 0
		sleep 0.1
	done
	fail_with <<<"left: $new"
}

# is_golden NAME: the output of the case is that of its session.
is_golden()
{
	local session=$cases/$1/session before

	cd "$work/cases/$1" || return
	before=$(unfinished)
	play "$session" >"$work/session"
	leaves_nothing "$before" || return
	diff -u --label "golden/$1/session" --label now "$session" "$work/session" \
		>"$work/diff" && return
	if [[ ${UPDATE-} ]]; then
		cat "$work/session" >"$session"
		return
	fi
	fail_with "$work/diff"
}

# options VERB: the letter, or -, and the word of each option in the help of VERB
options()
{
	"$here/profil" "$1" --help |
		sed -nE 's/^  -(.), --([a-z-]+).*/\1 \2/p; s/^      --([a-z-]+).*/- \1/p'
}

# is_covered VERB: each option of VERB is in a command line.
is_covered()
{
	local letter word seen=0 missing=0

	while read -r letter word; do
		seen=1
		[[ $letter == - ]] || word+="([= ]|$)|-[a-zA-Z]*$letter"
		grep -qE "^\\$ .*profil $1 ([^|]* )?(--$word)" \
			"$cases"/*/session && continue
		echo "# no command line has profil $1 --$word"
		missing=1
	done < <(options "$1")
	return $((missing || !seen))
}

names=()
[[ ! -e $here/names ]] || read -ra names <"$here/names"
[[ ! ${CASE-} ]] || read -ra names <<<"$CASE"
if ((${#names[@]} == 0)); then
	for verb in run record top report annotate diff export push doctor; do
		check "each option of profil $verb" is_covered "$verb"
	done
	mapfile -t names < <(cd "$cases" && dirname -- */session)
fi
for name in "${names[@]}"; do
	check "$name" is_golden "$name"
done
finish
