# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Proofs by CBMC and by herd7, to be sourced. Each proof is repeated on a mutant,
# a copy of the source with an error, which has to be refuted: a proof that also
# holds for its mutant says nothing.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../qemu/lib.sh"
. "$here/../common/tap.sh"

sources=$top/src # what is proven

# foreign SUITE PROGRAM ARGUMENT...: runs a program of another Debian, which
# tests/setup has unpacked with its C library.
foreign()
{
	local root=$cache/proof/$1 program=$2

	shift 2
	"$root/usr/lib64/ld-linux-x86-64.so.2" --library-path \
		"$root/usr/lib/x86_64-linux-gnu:$root/usr/lib" \
		"$root/usr/bin/$program" "$@"
}

# model_check SOURCES FILE FUNCTION OPTION...: exits with 0 if FUNCTION of FILE
# is proven for the headers and files in SOURCES, with 10 if it is refuted.
model_check()
{
	local sources=$1 file=$2 function=$3 status=0

	shift 3
	foreign trixie cbmc -I"$here/include" -I"$here/../unit/include" \
		-I"$top/uapi" -I"$sources" "$here/$file" \
		--function "$function" --unwinding-assertions \
		"$@" >"$work/said" 2>&1 || status=$?
	((status == 0)) || sed -n '/FAILURE/p;/rror/p' "$work/said" |
		head -n 12 | sed 's/^/# /'
	return "$status"
}

# mutate EDIT: makes a copy of what is proven with an edit, FILE:SCRIPT of sed
mutate()
{
	rm -rf "$work/src"
	cp -r "$sources" "$work/src"
	sed -i "${1#*:}" "$work/src/${1%%:*}"
	! cmp -s "$sources/${1%%:*}" "$work/src/${1%%:*}"
}

is_refuted()
{
	local edit=$1 status=0

	shift
	mutate "$edit" || return 1
	model_check "$work/src" "$@" --stop-on-fail >/dev/null || status=$?
	((status == 10))
}

# prove NAME FILE FUNCTION [OPTION]... [-- EDIT...]: a proof, and its mutants.
prove()
{
	local name=$1 call=()

	shift
	while (($#)) && [[ $1 != -- ]]; do
		call+=("$1")
		shift
	done
	check "$name" model_check "$sources" "${call[@]}"
	shift
	while (($#)); do
		also "refuted with $1" is_refuted "$1" "${call[@]}"
		shift
	done
}
