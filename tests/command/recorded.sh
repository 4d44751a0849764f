# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Functions that read a saved recording. To be sourced.

# field FILE LINE NUMBER: a field of the first line of this kind
field()
{
	zcat "$1" | awk -F'\t' -v kind="$2" -v at="$3" '
		$1 == kind { print $(at + 1); exit }'
}

# hits FILE [NAME]: samples in all places, or in the function NAME
hits()
{
	zcat "$1" | awk -F'\t' -v name="${2-}" '
		$1 == "function" && $6 == name { index_of[functions + 0] }
		$1 == "function" { functions++ }
		$1 == "place" && (name == "" || $6 in index_of) {
			n += $7 + $8
		}
		END { print n + 0 }'
}
