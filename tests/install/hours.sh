#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# hours.sh SECONDS: profil.service for so long, while programs run. Runs in a guest that
# counts instructions, see tests/install/hours.

# shellcheck source=tests/install/systemd.sh
. /systemd.sh
# shellcheck source=tests/common/tap.sh
. /tooltests/tap.sh
# shellcheck source=tests/command/recorded.sh
. /tooltests/recorded.sh

seconds=$1
every=$((seconds / 20))
# A round of the load takes some 7 seconds. Of 600 seconds, 525 are for 75 of them.
pause=$((seconds > 525 ? (seconds - 525) / 75 : 0))
spool=$machine/spool
service=/sys/fs/cgroup/system.slice/profil.service
stop=/run/stop-load

# cpu_time: prints the CPU time of all programs and of the kernel, in 10 ms.
cpu_time()
{
	awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 }' /proc/stat
}

write_units()
{
	write_targets && write_machine 64m "Environment=EVERY=${every}s"
}

is_recording()
{
	[ -n "$(recorder_of_machine)" ]
}

# load: dynamic and static programs, threads, system calls and short programs, with
# pauses
load()
{
	while [ ! -e "$stop" ]; do
		/tooltests/workload busy 200000000
		/tooltests/workload threads 4 400000000
		/tooltests/workload-static busy 200000000
		/tooltests/workload zeros 100000000
		for _ in $(seq 50); do
			/tooltests/spinner-static 2 0
			/tooltests/spinner-libc 2 0
			head -c 8192 /tooltests/workload | od | gzip
		done
		sleep "$pause"
	done >/dev/null 2>&1
}

# of_memory NAME: a field of the service's memory.stat, in KiB
of_memory()
{
	awk -v name="$1" '$1 == name { print int($2 / 1024) }' \
		"$service/memory.stat"
}

# row TIME: the memory of the service, in KiB
row()
{
	printf '# | %d | %d | %d | %d | %d | %d | %d |\n' "$1" \
		"$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' \
			"/proc/$(recorder_of_machine)/status")" \
		"$(of_memory anon)" "$(of_memory kernel)" "$(of_memory file)" \
		"$(($(cat "$service/memory.current") / 1024))" "$(count_parts)"
}

# watch_memory: rows, for as long as the load runs
watch_memory()
{
	echo '# | seconds | RSS of the recorder | anon | kernel | file | memory.current | files |'
	for at in $(seq 0 "$every" "$seconds"); do
		[ "$at" = 0 ] || sleep "$every"
		row "$at"
	done
}

record_load()
{
	load &
	watch_memory
	touch "$stop"
	wait "$!"
}

# busy_samples FILE...: the samples of CPUs that were not idle
busy_samples()
{
	for file; do
		zcat "$file"
	done | awk -F'\t' '$1 == "machine" { n += $3 - $5 } END { print n + 0 }'
}

# all_account FILE...
all_account()
{
	for file; do
		accounts "$file" || return
	done
}

# are_reported: profil reports each file.
are_reported()
{
	for file in "$spool"/*.data; do
		profil report -i "$file" >/dev/null || return
	done
}

# has_the_time SAMPLES LEAST MOST: the samples, of 4 ms, stand for a CPU time between
# that while the service was recording for sure and that with its start and end. Each of
# the five times that are added up has a part of 10 ms more or less.
has_the_time()
{
	least=$((($2 - 5) * 10 / 4))
	most=$((($3 + 5) * 10 / 4))
	echo "# $1 samples, $least to $most are due"
	[ "$1" -ge "$least" ] && [ "$1" -le "$most" ]
}

# print_files: the files with their samples and sizes
print_files()
{
	echo '# | file | samples | of busy CPUs | in code | bytes |'
	for file in "$spool"/*.data "$machine/profil.data"; do
		printf '# | %s | %d | %d | %d | %d |\n' "${file##*/}" \
			"$(field "$file" machine 2)" "$(busy_samples "$file")" \
			"$(field "$file" machine 3)" "$(stat -c %s "$file")"
	done
}

# print_outcomes: of profil.data, in the order of profil.data(5), and the programs with
# the most samples
print_outcomes()
{
	zcat "$machine/profil.data" | sed -n 's/^machine\t/# machine /p'
	profil report --by program -i "$machine/profil.data" | head -n 40 |
		sed 's/^/# /'
}

check "the units are written" write_units
check "systemd starts" start_systemd
sleep 1
before_start=$(cpu_time)
check "the machine is recorded" control start profil
also "by a recorder" soon is_recording
sleep 2
after_start=$(cpu_time)
check "programs run" record_load
sleep 1
before_stop=$(cpu_time)
peak=$(cat "$service/memory.peak")
check "the recorder stops" control stop profil
after_stop=$(cpu_time)
echo "# memory.peak $((peak / 1024)) KiB"
print_files
print_outcomes
sum=$(busy_samples "$spool"/*.data)
also "has several files" [ "$(count_parts)" -ge 10 ]
also "accounts for each sample of each" all_account "$spool"/*.data
also "has files that profil reports" are_reported
also "has the samples of all files" \
	[ "$sum" = "$(busy_samples "$machine/profil.data")" ]
also "has a sample for the CPU time of each tick" has_the_time "$sum" \
	$((before_stop - after_start)) $((after_stop - before_start))
stop_systemd
finish
