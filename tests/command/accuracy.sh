#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The flat profile of `profil run`: each function has the samples due, on a
# machine that counts instructions.

here=${0%/*}
. "$here/profil_run.sh"
. "$here/recorded.sh"
workload=$here/workload

times=$work/times
export WORKLOAD_TIMES="$times"

# run [ARGUMENT]...: run `profil run`; workload writes the times spent to
# $times.
run()
{
	rm -f "$times"
	ends 0 "$@"
}

# is_about SAMPLES SLACK: SAMPLES are those due for the CPU time in $times,
# within SLACK, an expression for compares(). Reading the clock takes 1 % of n.
is_about()
{
	compares "$1" "$(awk '{ used += $1 } END { printf "%.0f", used }' "$times")" \
		"$tick_ns" "n > 0 && off <= $2"
}

# is_due SAMPLES: one thread ran, alone on its CPU. Chance decides how many
# samples fall on the readings of the clock.
is_due()
{
	is_about "$1" '3 + n / 50'
}

# is_due_by_turns SAMPLES: several threads shared CPUs: within five deviations
is_due_by_turns()
{
	is_about "$1" '5 * root(n) + 1 + n / 50'
}

# is_due_to_half SAMPLES: the same for two of the four threads
is_due_to_half()
{
	cp "$times" "$work/all"
	head -n 2 "$work/all" >"$times"
	is_due_by_turns "$1"
	due=$?
	cp "$work/all" "$times"
	return "$due"
}

# has_all SYMBOL OBJECT: this function has all samples due.
has_all()
{
	is_due "$(samples "$err" "$1" "$2")" || {
		sed 's/^/# /' "$err"
		return 1
	}
}

# heavy()'s share of the samples is its share of the times that `workload share`
# prints, within five deviations and the time of reading the clock.
has_true_shares()
{
	read -r first second <"$out"
	heavy=$(samples "$err" heavy)
	both=$((heavy + $(samples "$err" light)))
	used=$((first + second))
	compares "$heavy" $((both * first)) "$used" "$both > 60 &&
		off <= 5 * root(n * $second / $used) + $both / 50 + 1"
}

# Function without a name that has the most samples
nameless()
{
	flat "$err" | awk '
		$6 == "workload-stripped" && $7 ~ /^workload-stripped\+0x/ {
			print $7
			exit
		}'
}

# Below the table are hints on debugging symbols, and the name of the file, only.
prints_no_more()
{
	! sed '1,/samples*, one each/d' "$err" |
		grep -v -e ' symbols$' -e '^saved in profil.data ' |
		sed 's/^/# /' | grep .
}

ends 0 -- "$workload" exit 0
tick_ns=$(period "$err" | awk '{ printf "%d", $1 * 1000000 }')
check "the profile prints the tick's period" [ "$tick_ns" -gt 0 ]

# A mon.out of one bin, at 0x1000; its format has no rate.
printf '\0\20\0\0\0\0\0\0\2\20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0' \
	>"$work/mon.out"
hz=$(((1000000000 + tick_ns / 2) / tick_ns))
check "a mon.out is reported" \
	status_is 0 profil report -e "$workload" "$work/mon.out"
also "assumes that rate" grep -q "^total 1 sample (.*, $hz a second assumed)" \
	"$out"

check "two functions by turns" run -- "$workload" share 2000000000
also "each has its share of the samples" has_true_shares
also "adds up to the total" adds_up "$err"
# The start and the end of the program have samples, too.
also "adds up to the time spent" is_about "$(total "$err")" '6 + n / 50'
also "prints no hint" prints_no_more
check "two functions at 1000 Hz" run -F 1000 -- "$workload" share 500000000
also "each has its share of the samples" has_true_shares
also "adds up to the total" adds_up "$err"

for several in threads fork; do
	check "four at once by $several" run -- "$workload" $several 4 300000000
	also "heavy() has the samples due" \
		is_due_to_half "$(samples "$err" heavy)"
	also "light() has the samples due" \
		is_due_to_half "$(samples "$err" light)"
	also "adds up to the total" adds_up "$err"
done
check "a daemon that closes everything" run -- "$workload" daemon 500000000
also "has its samples" has_all heavy workload
also "prints no hint" prints_no_more
# shellcheck disable=SC2016 # a script of another shell
# Rows of files would be compiled on the only CPU while it runs, between two ticks.
check "a daemon that the command does not wait for" run --no-callers -- sh -c \
	'start-stop-daemon -S -b -x "$0" -- busy 200000000; sleep 1' "$workload"
also "has its samples" has_all heavy workload
# The shell has used some of the time, and the daemon some to begin.
also "has a line for their time" says \
	'^0\.\(1[7-9]\|2[0-3]\) s of samples are of processes that the command did not wait for$'

# modes: samples in user and in kernel mode in a recording
modes()
{
	zcat "$work/data" | awk -F'\t' '
		$1 == "place" { user += $7; kernel += $8 }
		END { print user + 0, kernel + 0 }'
}

# has_cpu_time: a recording at 1000 Hz has the samples of its CPU time, but for
# those of the start and the end, and for a clock tick of the baseline.
has_cpu_time()
{
	compares "$(modes | awk '{ print $1 + $2 }')" "$(field "$work/data" time 3)" \
		1000000 'n > 100 && off <= 20 + n / 50'
}

# has_kernel_share: the share of kernel mode is that of wait4().
has_kernel_share()
{
	modes | awk -v cpu="$(field "$work/data" time 3)" -v kernel="$(field "$work/data" time 4)" '{
		printf "# %d user, %d kernel, %.3f of CPU time\n", $1, $2,
			kernel / cpu
		off = $2 / ($1 + $2) - kernel / cpu
		exit !($1 + $2 > 100 && off * off <= 0.01)
	}'
}

is_most_in_kernel()
{
	modes | awk '{ exit !($2 > 4 * $1) }'
}

check "a recording" status_is 0 profil record -F 1000 -o "$work/data" -- \
	"$workload" share 500000000
also "has the samples of its CPU time" has_cpu_time
also "has the share of kernel mode" has_kernel_share
check "a recording of reads of /dev/zero" status_is 0 profil record -F 1000 \
	-o "$work/data" -- "$workload" zeros 500000000
also "has the samples of its CPU time" has_cpu_time
also "has the share of kernel mode" has_kernel_share
also "which is most of it" is_most_in_kernel
check "a recording after a delay" status_is 0 profil record -F 1000 \
	--delay 300ms -o "$work/data" -- "$workload" share 900000000
also "has the samples of the time after it" has_cpu_time
check "a recording of a part" status_is 0 profil record -F 1000 \
	--duration 300ms -o "$work/data" -- "$workload" share 900000000
also "has the samples of that part" has_cpu_time

check "a program that has no symbols" \
	run -- "$here/workload-stripped" busy 500000000
also "names functions by their address" has_all "$(nameless)" workload-stripped
also "adds up to the total" adds_up "$err"
finish
