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

recorder_runs()
{
	grep -qs '^profil-recorder$' /proc/[0-9]*/comm
}

# accounts FILE: each sample has one outcome, and hits are in places.
accounts()
{
	zcat "$1" | awk -F'\t' '
		$1 == "machine" {
			for (i = 4; i <= 15; i++)
				sum += $i
			ticks = $3
			hits = $4
			kernel = $16
		}
		$1 == "denied" || $1 == "busy" { sum += $2 }
		$1 == "place" { places += $7 + $8 }
		$1 == "kernel" { functions += $2 }
		END {
			printf "# %d samples: %d have an outcome, %d hits, %d in places, %d of %d in functions of the kernel\n",
				ticks, sum, hits, places, functions, kernel
			exit !(ticks > 0 && ticks == sum && hits == places &&
			       functions == kernel)
		}'
}
