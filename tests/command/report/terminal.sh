#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Long names of functions in tables: cut to the width of a terminal, and whole in
# a file or a pipe. The recordings are written here as text.
# shellcheck disable=SC2317 # check calls the functions

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export ASAN_OPTIONS=detect_leaks=0
export LC_ALL=C.UTF-8

# 39 and 64 characters
short='app::Matrix<double>::mul(Matrix const&)'
long='void std::__introsort_loop<int*, long, é>(int*, int*, long, é&&)'

# recording USER: short has USER samples, and long has 40, 30 of them in the kernel
recording()
{
	{
		printf 'profil.data\t1\ncommand\tprogram\n'
		printf 'host\thost\tx86_64\t6.12\ntime\t0\t0\t0\t0\n'
		printf 'clock\t10000000\t0\nend\t1\t0\t0\t0\n'
		printf 'totals\t%d\t%d\t0\t0\t0\t30\t1\t1\t0\n' $(($1 + 40)) \
			$(($1 + 40))
		printf 'processes\t1\t1\t0\t0\t0\t0\t0\t1\n'
		printf 'program\t/bin/program\n'
		printf 'object\tfile\t/bin/program\t0a0b\tread\t1\t0\t\n'
		printf 'function\t0\t0x10\t16\t-\tmul\t%s\t-\t0\n' "$short"
		printf 'function\t0\t0x30\t16\t-\tsort\t%s\t-\t0\n' "$long"
		printf 'place\t0\t0\t0x10\t0x10\t0\t%d\t0\n' "$1"
		printf 'place\t0\t0\t0x30\t0x30\t1\t10\t30\n'
	} >lines
	cat lines
	printf 'eof\t%s\n' "$(wc -l <lines)"
}

# on_terminal COLUMNS COMMAND...: the output on such a terminal is in the file said.
on_terminal()
{
	columns=$1
	shift
	script -qec "stty cols $columns; $here/profil $*" /dev/null \
		</dev/null 2>&1 | tr -d '\r' >said
}

# has NAME [NOTE]: a line of said ends in NAME, and spaces and NOTE.
has()
{
	sed 's/^/# /' said
	tr -s ' ' <said | sed 's/$/ /' | grep -qF "program $1 ${2:+$2 }"
}

# fits COLUMNS: no row of said is longer.
fits()
{
	[ "$(grep ' program ' said | wc -L)" -le "$1" ]
}

recording 60 >before.data
recording 10 >after.data

"$here/profil" report before.data >said
check "a name in a file is whole" has "$long" '(75 % in the kernel)'
also "as another one is" has "$short"
"$here/profil" diff before.data after.data >said
check "a name of profil diff in a file is whole" has "$long"

if command -v script >/dev/null; then
	on_terminal 200 report before.data
	check "a name on a wide terminal is whole" \
		has "$long" '(75 % in the kernel)'
	# 33 columns are before the name, and 23 behind it are the note's.
	on_terminal 80 report before.data
	check "a name before a note is cut to the rest of the line" \
		has 'void std::__introsort_l…' '(75 % in the kernel)'
	also "and one without a note is whole" has "$short"
	also "and no line is longer" fits 80
	on_terminal 60 report before.data
	check "a name is cut to a narrow terminal" \
		has 'app::Matrix<double>::mul(M…'
	on_terminal 20 report before.data
	check "some of a name remains on any terminal" has 'app::Matrix<dou…'
	LC_ALL=C on_terminal 60 report before.data
	check "three dots are the ellipsis without UTF-8" \
		has 'app::Matrix<double>::mul...'
	# 46 columns are before the name.
	on_terminal 72 diff before.data after.data
	check "a name of profil diff is cut, too" \
		has 'void std::__introsort_loo…'
	also "and no line is longer" fits 72
fi
finish
