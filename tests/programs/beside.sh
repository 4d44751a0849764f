# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # of guest.sh, which sources this file
#
# `perf record --call-graph dwarf` beside profil, in the same runs: for each program what
# both say of its stacks, and whether the callers that the program has are in them. The
# tests of guest.sh are of profil alone.

beside_stacks=perf.stacks

# A command that perf records the processes of pids beside
beside="perf record -q -e cpu-clock -F 1000 --call-graph dwarf -o perf.data"
beside="$beside -p \$(sh ./pids | xargs | tr ' ' ,) --"

# perf's samples as the stacks that profil exports: FUNCTION;...;FUNCTION SAMPLES
perf_stacks()
{
	perf script -i perf.data --no-inline -F ip,sym,dso 2>perf.err | awk '
		!NF {
			if (stack)
				print stack " 1"
			stack = ""
			next
		}
		{
			object = $NF
			sub(/^[ \t]*[0-9a-f]+ /, "")
			sub(/ \([^(]*\)$/, "")
			name = $0 == "[unknown]" ? object : $0
			sub(/@.*/, "", name)
			gsub(/;/, ":", name)
			stack = name (stack ? ";" stack : "")
		}' >perf.stacks
}

# Functions, with or without names of their own in the C library
where_threads_begin='^(_start$|__libc_start_|start_thread|_*clone|runtime[.](goexit|mstart|rt0_go))'
where_threads_begin="$where_threads_begin|libc[.]so[.]6"

# summary FILE: samples, frames, and the share that comes from where a thread begins. The
# first frame of profil is the program.
summary()
{
	awk -v base="$where_threads_begin" '
		{
			n = $NF
			sub(/ [0-9]+$/, "")
			all += n
			nr = split($0, frame, ";")
			frames += n * nr
			for (i = 1; i <= 3 && i <= nr; i++) {
				if (frame[i] ~ base) {
					whole += n
					break
				}
			}
		}
		END {
			if (all)
				printf "# %s: %d samples, %.1f frames in the mean, %.1f %% whole\n",
					FILENAME, all, frames / all, whole * 100 / all
		}' "$1"
}

# Functions with 20 samples or more in both, and those of them for which both have the same
# function as the most frequent caller. Code without a name is that of its file.
agreement()
{
	awk '
		# A name without arguments, which perf leaves out
		function plain(name) {
			if (name ~ /^\(\//) {
				sub(/.*\//, "", name)
				sub(/\)$/, "", name)
			}
			sub(/\+0x[0-9a-f]+$/, "", name)
			sub(/\(.*/, "", name)
			return name
		}
		{
			n = $NF
			sub(/ [0-9]+$/, "")
			nr = split($0, frame, ";")
			leaf = plain(frame[nr])
			caller = plain(frame[nr - 1])
			self[FILENAME, leaf] += n
			leaves[leaf]
			calls = called[FILENAME, leaf, caller] += n
			if (calls > most[FILENAME, leaf]) {
				most[FILENAME, leaf] = calls
				top[FILENAME, leaf] = caller
			}
		}
		END {
			for (leaf in leaves) {
				if (self["stacks", leaf] < 20 || self["perf.stacks", leaf] < 20)
					continue
				both++
				if (top["stacks", leaf] == top["perf.stacks", leaf])
					same++
				else
					printf "# %s: %s, by perf %s\n", leaf,
						top["stacks", leaf], top["perf.stacks", leaf]
			}
			printf "# %d of %d functions have the same caller by both\n", same, both
		}' stacks perf.stacks
}

# compare: the last recording, by both
compare()
{
	perf_stacks
	summary stacks
	summary perf.stacks
	agreement
	echo "# $(stat -c %s perf.data) bytes of perf.data, $(stat -c %s profil.data) of profil.data"
	sort perf.err | uniq -c | sort -rn | head -n 3 | sed 's/^/# perf: /'
}

# Programs that guest.sh has not
more_programs()
{
	begin "$here/turns-rust" 300000000 100000000
	check_turns Rust ';[^;]*first[^;]*$' ';[^;]*second[^;]*$' 'turns::first' \
		'turns::main;turns::work;'
	begin "$here/turns-c++" 300000000 100000000
	check_turns C++ ';[^;]*<first, 0>[^;]*$' ';[^;]*<second, 0>[^;]*$' '<first, 0>' \
		'main;.*work<first>.*<first, 7>.*<first, 4>.*<first, 1>'
	begin perl "$here/turns.pl" 300000000 100000000
	echo "echo $pid" >pids
	check Perl records
	also "has the caller of what sorts" has_callers Perl_pp_gvsv 'Perl_pp_sort;'
	also "ends as alone" end
	database
	short_programs
}

# SQLite by its shell, which reads its queries from the FIFO line
database()
{
	cat >sqlite <<FILE
echo ready
read -r go
sqlite3 :memory: "with recursive c(i) as (select 1 union all select i + 1 from c
	where i < 200000) select count(*), sum(length('x' || i)) from c;"
echo used
cat
FILE
	begin sh ./sqlite
	echo "echo $pid" >pids
	check SQLite records --children
	# It begins in the recording: its first samples come before its rows.
	with_callers sqlite3VdbeExec sqlite3_step perf.stacks
	with_callers sqlite3VdbeExec sqlite3_step stacks
	also "ends as alone" end
}

# A shell that runs 1,000 programs of 2 ms, heavy() below main()
short_programs()
{
	cat >short <<END
i=0
while [ \$i -lt 1000 ]; do
	$here/short 2 0 >/dev/null
	i=\$((i + 1))
done
END
	check "1,000 short programs" status_is 0 profil record -q -F 1000 -- \
		perf record -q -a -e cpu-clock -F 1000 --call-graph dwarf \
		-o perf.data -- sh ./short
	profil export -f folded -o stacks
	perf_stacks
	for file in stacks perf.stacks; do
		grep 'heavy ' $file >heavy
		mv heavy $file
	done
	compare
	also "has the callers of heavy" has_callers '^heavy$' 'main;$'
}
