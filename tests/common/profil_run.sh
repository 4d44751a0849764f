# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # used, and here is set, where this is sourced
#
# Functions that run `profil run` and read its output. To be sourced.

. "$here/tap.sh"
chmod 755 "$work"
out=$work/stdout
err=$work/stderr
parameters=/sys/module/profil/parameters

# status_is STATUS COMMAND...: COMMAND exits with STATUS; its stdout and stderr
# go to $out and $err.
status_is()
{
	expected=$1
	shift
	"$@" >"$out" 2>"$err" </dev/null
	status=$?
	[ $status = "$expected" ] || {
		echo "# status $status"
		fail_with "$err"
	}
}

# ends STATUS [ARGUMENT]...: the same for `profil run` with all lines and
# numbers
ends()
{
	expected=$1
	shift
	status_is "$expected" profil run -an "$@"
}

# as_user COMMAND...: COMMAND fails with 125 for an unprivileged user.
as_user()
{
	status_is 125 su nobody -c "$*"
}

# says PATTERN: one line of stderr has PATTERN.
says()
{
	[ "$(grep -c -e "$1" "$err")" = 1 ] || fail_with "$err"
}

is_silent()
{
	is_nothing <"$err"
}

# flat FILE: a profile without the columns of totals and callers
flat()
{
	awk '
		$1 == "self" { has_totals = / total / }
		has_totals && $2 == "%" && $5 == "%" {
			sub(/  +[^ ]+( [^ ]+)* [0-9]+ %$/, "")
			$4 = $5 = $6 = ""
		}
		{ print }' "$1"
}

# samples FILE SYMBOL [OBJECT]: samples of SYMBOL in a profile
samples()
{
	flat "$1" | awk -v symbol="$2" -v object="${3:-}" '
		{ sub(/ +\([0-9]+ % in the kernel\)$/, "") }
		$2 == "%" && $NF == symbol && (object == "" || $6 == object) {
			n += $5
		}
		END { print n + 0 }'
}

# period FILE: milliseconds that a sample of the profile stands for
period()
{
	sed -n 's/^[0-9]* samples*, one each \([0-9.]*\) ms.*/\1/p' "$1"
}

# total FILE: all samples
total()
{
	sed -n 's/^\([0-9]*\) samples*, .*/\1/p' "$1"
}

# compares SAMPLES NANOSECONDS PERIOD_NS CONDITION: true if CONDITION is, an awk expression
# of the samples seen, of the n that are due, and of off, how many more or less they are.
# root() is the integer square root; the awk of busybox has no sqrt().
compares()
{
	awk -v seen="$1" -v ns="$2" -v period="$3" '
		function root(n,  r) { while ((r + 1) * (r + 1) <= n) r++; return r }
		BEGIN {
			n = ns / period
			off = seen > n ? seen - n : n - seen
			printf "# %d samples, %d are due\n", seen, n
			exit !('"$4"')
		}'
}

# has_profile FILE: FILE has a profile with samples in heavy() that adds up.
has_profile()
{
	[ "$(samples "$1" heavy)" -gt 0 ] && adds_up "$1" && return
	fail_with "$1"
}

# adds_up FILE: each column adds up to the total, and lines are in falling
# order.
adds_up()
{
	flat "$1" | awk -v total="$(total "$1")" -v period="$(period "$1")" '
		function off(one, other) {
			return one < other ? other - one : one - other
		}
		$1 == "self" { head++; next }
		# The last line has no error, and need not be the least.
		$2 == "%" && / functions? below / {
			lines++
			percent += $1
			seconds += $3
			samples += $4
			next
		}
		$2 == "%" {
			if (lines && $5 > last)
				unordered++
			last = $5
			lines++
			percent += $1
			seconds += $4
			samples += $5
		}
		END {
			exit !(total != "" && head == (total > 0) &&
			       !unordered && samples == total &&
			       off(percent, 100 * (total > 0)) <=
					0.05 * lines + 0.001 &&
			       off(seconds, total * period / 1000) <=
					0.0005 * lines + 0.001 * total * period)
		}' || fail_with "$1"
}
