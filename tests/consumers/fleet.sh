#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The profiles of many machines, merged by profil report and by pprof, have the
# same samples of each function. MACHINES machines, 40 by default, are simulated from
# the recording of the guest or from RECORDING.
# shellcheck disable=SC2016 # another bash expands
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/server.sh"
machines=${MACHINES:-40}

# machine NUMBER: the recording of another machine. The samples of each place are those
# of the recording, times a number below 5 that is made up.
machine()
{
	gzip -dcf "${RECORDING:-$here/guest.data}" | awk -F '\t' -v OFS='\t' -v machine="$1" '
		$1 == "eof" || ($1 == "place" && $6 == "-") { next }
		$1 == "host" { $2 = "machine-" machine }
		$1 == "place" {
			all += $7 = ($7 + $8) * ((7 * NR + machine) % 5)
			$8 = 0
		}
		$1 == "totals" { at = NR }
		{ line[NR] = $0 }
		END {
			line[at] = "totals\t" all "\t" all "\t0\t0\t0\t0\t1\t1\t0"
			for (i = 1; i <= NR; i++)
				if (line[i] != "" && ++lines)
					print line[i]
			print "eof", lines
		}'
}

# simulate: writes machines/N.data, and the sums to wanted.
simulate()
{
	local i

	mkdir machines
	for ((i = 1; i <= machines; i++)); do
		machine "$i" | gzip >"machines/$i.data"
		"$here/count_recording" "machines/$i.data"
	done | awk -F '\t' '$1 == "function" { sum[$3] += $4 }
		END { for (name in sum) if (sum[name]) print name "\t" sum[name] }' | sort >wanted
	printf '# %d machines, %d bytes each\n' "$machines" \
		$(($(du -bc machines/*.data | tail -n 1 | cut -f 1) / machines))
}

# Options with the recordings of all machines
inputs()
{
	find machines -name '*.data' -printf '-i\n%p\n'
}

report()
{
	local options

	mapfile -t options < <(inputs)
	"$here/profil" report --json --by function "${options[@]}" >json || return
	python3 - <<-'END' | sort >shown
		import collections, json
		sums = collections.Counter()
		for row in json.load(open("json"))["rows"]:
		    sums[row["function"]] += int(row["samples"])
		for name, samples in sums.items():
		    print(name, samples, sep="\t")
	END
}

# pushes: the server gets the profile of each machine.
pushes()
{
	start_server
	find machines -name '*.data' -print0 |
		xargs -0 "$here/profil" push "http://127.0.0.1:$port/ingest" 2>said &&
		has_arrived "$machines"
}

# hosts: the profiles have the labels of as many machines.
hosts()
{
	[[ $(cat got/*.labels | grep -c '^host=machine-') == "$machines" &&
		$(cat got/*.labels | grep '^host=' | sort -u | wc -l) == "$machines" ]]
}

# pprof merges what has arrived, some hundred files at a time.
merge()
{
	find got -name '*.pprof' -print0 | xargs -0 -n 500 bash -c \
		'go tool pprof -proto -output="$(mktemp merged.XXXXXX)" "$@"' bash \
		2>said >&2 &&
		go tool pprof -sample_index=samples -noinlines -nodefraction=0 \
			-nodecount=1000000 -top merged.* 2>said |
		sed -nE '1,/ flat% /d; s/^ *([0-9]+)( +[^ ]+){4} +(.*)/\3\t\1/p' | sort >shown
}

check "machines are simulated" simulate
check "profil report adds them up" report
also "and shows the samples of each function" are_equal wanted shown
check "they are pushed" pushes
also "with the host of each" hosts
check "pprof merges what has arrived" merge
also "and shows the samples of each function" are_equal wanted shown
finish
