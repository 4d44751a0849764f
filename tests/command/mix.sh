#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A mix of programs by an ordinary user: each function has the samples of its CPU time,
# on a machine that counts instructions.
#
# The programs are static, of Go, generate code, execute each other in a chain, run for
# 2 ms only, or have two libraries in turn at one address.

here=${0%/*}
. "$here/profil_run.sh"

chmod 1777 "$work"
# Its name tells the samples of the brief programs from those of the static one. Without a
# dynamic linker a program begins in fewer instructions.
cp "$here/workload-static" "$work/brief"
cat >"$work/mix" <<END
part() { export WORKLOAD_TIMES="$work/times-\$1"; }
part static
"$here/workload-static" busy 300000000 || exit
part generated
"$here/workload" generate 300000000 || exit
part chain
"$here/workload-no-id" chain 100 4000000 "$here/workload" || exit
part brief
"$here/workload" again 500 "$work/brief" busy 2000000 || exit
part turn
"$here/workload" turn 100 "$here/libone.so" work_of_one 2000000 \\
	"$here/libtwo.so" work_of_two 4000000 || exit
[ ! -e "$here/spinner-go" ] && exit
part go
"$here/workload" child "$here/spinner-go" 400 0
END

# mixed [ARGUMENT]...: `profil run` of the mix
mixed()
{
	rm -f "$work"/times-*
	status_is 0 su nobody -c "cd $work && profil run -an $* -- sh mix"
}

# of_object OBJECT: samples of all its functions
of_object()
{
	flat "$err" | awk -v object="$1" '$2 == "%" && $6 == object { n += $5 }
		END { print n + 0 }'
}

# cpu_time PART [FIRST STEP]: nanoseconds in the lines of a part, all or each STEP-th
cpu_time()
{
	awk -v first="${2:-1}" -v step="${3:-1}" '
		NR >= first && (NR - first) % step == 0 { sum += $1 }
		END { printf "%.0f", sum }' "$work/times-$1"
}

# are_due SAMPLES NANOSECONDS PIECES: SAMPLES are within 3 % of those due, and a chance.
# A piece of the time is sampled once more or less than due: the deviation of all is at
# most half the root of their number, of which five are allowed.
are_due()
{
	compares "$1" "$2" "$(period "$err")e6" \
		"n > 0 && off <= 0.03 * n + 2 + 2.5 * root($3)"
}

# each_is_due: a result for each function of the mix
each_is_due()
{
	also "a static program has its samples" are_due \
		"$(samples "$err" heavy workload-static)" \
		"$(cpu_time static)" 1
	also "generated code has its samples" are_due \
		"$(samples "$err" workload] workload)" \
		"$(cpu_time generated)" 1
	also "the first program of a chain has its samples" are_due \
		"$(samples "$err" heavy workload-no-id)" \
		"$(cpu_time chain 1 2)" 50
	also "the second one of the chain, too" are_due \
		"$(samples "$err" heavy workload)" "$(cpu_time chain 2 2)" 50
	also "500 programs of 2 ms have their samples" are_due \
		"$(samples "$err" heavy brief)" \
		"$(cpu_time brief)" 500
	also "the first library of two in turn has its samples" are_due \
		"$(samples "$err" work_of_one libone.so)" \
		"$(cpu_time turn 1 2)" 100
	also "the second one at its address, too" are_due \
		"$(samples "$err" work_of_two libtwo.so)" \
		"$(cpu_time turn 2 2)" 100
	[ ! -e "$here/spinner-go" ] ||
		also "a program of Go has its samples" are_due \
			"$(of_object spinner-go)" "$(cpu_time go)" 1
	also "adds up to the total" adds_up "$err"
}

check "a mix of programs at the tick" mixed
each_is_due
check "a mix of programs at 1000 Hz" mixed -F 1000
each_is_due
finish
