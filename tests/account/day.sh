#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# day.sh [PROGRAMS [SAMPLES]]: the memory of `profil record -a`, with the driver's table,
# over as many different programs, of which each runs once, and over as many samples and
# ten times as many of the same 101 programs. By the account of a memory cgroup, which
# the recorder is in alone. The memory of the driver has to be below its limit, and not
# to grow with samples; that of the recorder is printed. For a machine that counts
# instructions. Samples are 100 us apart, and then 20 us, so that little time has many.
# At 10 us they leave the programs hardly any time.

here=${0%/*}
. "$here/tap.sh"
. "$here/recorded.sh"

programs=${1:-300}
samples=${2:-20000}
groups=/sys/fs/cgroup
group=$groups/recorder
dir=/tmp/day
shortest=/sys/module/profil/parameters/min_period_us

# The driver's table: two halves of 65536 counters of 16 bytes, as much for names, and
# 16 MiB for its caches.
table_kib=$(((4 + 16) * 1024))

# begin FILE HZ: records the machine in the cgroup.
begin()
{
	mkdir "$group" || return
	sh -c "echo \$\$ >$group/cgroup.procs &&
		exec profil record -a -q -F $2 -o $1" &
	recorder=$!
	soon recorder_runs
}

end()
{
	kill -INT "$recorder" && wait "$recorder" && rmdir "$group"
}

# of_memory NAME: a field of memory.stat, in KiB
of_memory()
{
	awk -v name="$1" '$1 == name { print int($2 / 1024) }' "$group/memory.stat"
}

# least_kernel: the least of the kernel's memory until the table has been taken twice: the
# names and spaces of a half are freed when the other one is taken.
least_kernel()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		of_memory kernel
		sleep 1
	done | sort -n | head -n 1
}

# row WHAT: the memory of the recorder and of the table, in KiB
row()
{
	printf '# | %s | %d | %d | %d | %d |\n' "$1" "$(of_memory kernel)" \
		"$(of_memory anon)" "$(($(cat "$group/memory.current") / 1024))" \
		"$(($(cat "$group/memory.peak") / 1024))"
}

# A recorder takes the table each ten seconds: what it has counted is taken by then.
run_programs()
{
	"$here/many_programs" "$dir" "$1" "$2" "$3" && sleep 11
}

# each_program_once: rows after some of the programs
each_program_once()
{
	echo '# | after | kernel | anon | memory.current | memory.peak |'
	row "0 programs"
	done=0
	for next in 1000 2000 5000 "$programs"; do
		if [ "$next" -gt "$programs" ] || [ "$next" -le "$done" ]; then
			continue
		fi
		run_programs $((done + 1)) "$next" 1 || return
		done=$next
		row "$done programs"
	done
	kernel=$(of_memory kernel)
}

# busy_time: CPU time of all programs since boot, in 20 us
busy_time()
{
	awk '$1 == "cpu" { print ($2 + $3 + $4) * 500 }' /proc/stat
}

# until_samples N TIMES: the same programs run TIMES, and then one for as long as it takes
# until CPUs were busy for N times 20 us.
until_samples()
{
	"$here/many_programs" "$dir" 1 100 "$2" || return
	left=$((since + $1 - $(busy_time)))
	[ "$left" -le 0 ] || "$here/workload" busy $((left * 20000)) || return
	sleep 11
	row "$(($(busy_time) - since)) samples"
}

same_programs()
{
	echo '# | after | kernel | anon | memory.current | memory.peak |'
	# The rows of a library, 210 KiB for the C library, stay when a sample has loaded them.
	"$here/many_programs" "$dir" 1 100 1 && "$here/workload" busy 1000000000 || return
	sleep 11
	since=$(busy_time)
	until_samples "$samples" 2 || return
	few=$(least_kernel)
	until_samples $((10 * samples)) 8 || return
	many=$(least_kernel)
}

# count_programs FILE: the programs of the day with samples in heavy()
count_programs()
{
	zcat "$1" | awk -F'\t' '
		$1 == "program" { is_one[programs++] = $2 ~ "/day-[0-9]*$" }
		$1 == "function" { is_heavy[functions++] = $6 == "heavy" }
		$1 == "place" && is_one[$3] && is_heavy[$6] { seen[$3] }
		END {
			for (i in seen)
				n++
			print n + 0
		}'
}

# none_of FILE FIELD...: no sample is in these fields of the machine: 12 beyond those that
# may wait, 13 without memory for a name, 14 without room in the table.
none_of()
{
	file=$1
	shift
	for at; do
		[ "$(field "$file" machine "$at")" = 0 ] || return
	done
}

# grows_little FEW MANY: the second is more by less than one byte for each further
# sample. The least that a sample could have is a word; the kernel allocates in batches.
grows_little()
{
	echo "# $1 and $2 KiB"
	[ "$2" -lt $(($1 + 9 * samples / 1024)) ]
}

echo +memory >$groups/cgroup.subtree_control || exit
before=$(cat $shortest)
echo 10 >$shortest
mkdir -p "$dir"

check "the machine is recorded" begin /tmp/day.data 10000
also "while $programs programs run" each_program_once
also "with a table below its limit" [ "$kernel" -le "$table_kib" ]
also "until it is ended" end
also "has each program" [ "$(count_programs /tmp/day.data)" = "$programs" ]
also "accounts for each sample" accounts /tmp/day.data
also "has room for each" none_of /tmp/day.data 12 13 14
echo "# $(stat -c %s /tmp/day.data) bytes"

check "the machine is recorded" begin /tmp/same.data 50000
also "while the same programs run" same_programs
also "in no more memory of the driver after ten times as many samples" \
	grows_little "$few" "$many"
also "until it is ended" end
also "accounts for each sample" accounts /tmp/same.data
# A look-up may take longer than 20 us here, and four follow one another at most.
also "has room for each" none_of /tmp/same.data 13 14

echo "$before" >$shortest
rm -r "$dir" /tmp/day.data /tmp/same.data
finish
