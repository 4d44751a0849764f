# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2034 # used where this is sourced
#
# Running `profil run`, and looking at what it prints. To be sourced.

work=$(mktemp -d)
chmod 755 "$work"
out=$work/stdout
err=$work/stderr
parameters=/sys/module/profil/parameters

# status_is STATUS COMMAND...: stdout and stderr go to $out and $err.
status_is()
{
	expected=$1
	shift
	"$@" >"$out" 2>"$err" </dev/null
	status=$?
	[ $status = "$expected" ] || {
		echo "# status $status"
		sed 's/^/# /' "$err"
		return 1
	}
}

# ends STATUS [ARGUMENT]...: profil run
ends()
{
	expected=$1
	shift
	status_is "$expected" profil run "$@"
}

# As a user who may do little; the status has to be 125.
as_nobody()
{
	status_is 125 su nobody -c "$*"
}

# says PATTERN: on one line of stderr
says()
{
	[ "$(grep -c -e "$1" "$err")" = 1 ] || {
		sed 's/^/# /' "$err"
		return 1
	}
}

is_silent()
{
	! sed 's/^/# /' "$err" | grep .
}

# samples FILE SYMBOL [OBJECT]: how many its profile has
samples()
{
	awk -v symbol="$2" -v object="${3:-}" '
		$4 == symbol && (object == "" || $5 == object) { n += $3 }
		END { print n + 0 }' "$1"
}

# has_profile FILE: one with samples in heavy(), and that adds up
has_profile()
{
	[ "$(samples "$1" heavy)" -gt 0 ] && adds_up "$1"
}

# adds_up FILE: the lines to the totals, in both columns, and in falling order
adds_up()
{
	awk '
		$1 == "percent" { head++; next }
		$1 == "total" {
			total = $2
			for (i = 1; i < NF; i++) {
				if ($i == "outside")
					outside = $(i + 1) + 0
				if ($i == "lost")
					lost = $(i + 1) + 0
			}
			feet++
			next
		}
		head == 1 && !feet {
			if (lines && $3 > last)
				unordered++
			last = $3
			lines++
			percent += $1
			samples += $3
		}
		END {
			if (total)
				percent += 100 * (outside + lost) / total
			wrong = percent - (total ? 100 : 0)
			if (wrong < 0)
				wrong = -wrong
			exit !(head == 1 && feet == 1 && !unordered &&
			       samples + outside + lost == total &&
			       wrong <= 0.005 * lines + 0.001)
		}' "$1" || {
		sed 's/^/# /' "$1"
		return 1
	}
}
