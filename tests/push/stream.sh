#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The profiles of a recording arrive in order, each once, also while the server is
# away for a while; those beyond the limit of the spool are counted.
# shellcheck disable=SC2119,SC2120,SC2317 # check calls the functions
set -u

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/push/server.sh
. "$here/server.sh"

limit=64

# stream [HEADER]...: pushes the profiles of the lines of its input.
stream()
{
	"$here/stream" "http://127.0.0.1:$port/ingest" spool "$limit" "$@" \
		2>said
}

# samples: the sums of the profiles that have arrived, in their order
samples()
{
	local file number=0

	while file=got/$((number += 1)).pprof && [[ -e $file ]]; do
		"$here/decode_pprof" <"$file" |
			awk '$1 == "sample" { sum += $2 } END { print sum }'
	done | tr '\n' ' '
}

# are NUMBER...: those are the sums of the profiles that have arrived.
are()
{
	[[ $(samples) == "$* " ]] && return
	echo "# $(samples)"
	return 1
}

# said PATTERN...: each is in what was said.
said()
{
	local pattern

	for pattern; do
		grep -q -e "$pattern" said && continue
		sed 's/^/# /' said
		return 1
	done
}

# waiting: names of the files in the spool
waiting()
{
	find spool -name '[0-9]*.data' | sort
}

start_server
check "profiles are pushed" stream < <(printf '%s 0\n' 11 12 13)
also "in order" are 11 12 13
also "is reported" said "3 profiles pushed to http://127.0.0.1:$port/ingest"
also "leaves no spool" [ ! -e spool ]
# has_build_id: each profile has the label of the program, though not each part of
# a recording has samples in the program.
has_build_id()
{
	local id

	id=$(readelf -n "$here/stream" | sed -n 's/.*Build ID: //p')
	[[ $id && $(cat got/*.labels | grep -c "^build_id=$id\$") == 3 ]]
}

also "with the build ID of the program" has_build_id

forget
check "profiles without a sample are not pushed" stream < <(printf '%s 0\n' 0 5 0)
also "and others are" are 5

forget
answers 500 503 429
check "profiles are pushed to a server that was busy" \
	stream < <(printf '%s 0\n' 21 22; sleep 5)
also "in order" are 21 22
also "is reported" said 'takes no profiles (status 500): they wait in spool' \
	'takes profiles again' '2 profiles pushed'

forget
answers 200 '422 too many labels' 200
check "a refused profile is dropped" stream < <(printf '%s 0\n' 31 32 33)
also "and no other" are 31 33
also "is reported" said 'refuses a profile, which is dropped (status 422: too many labels)' \
	'2 profiles pushed' \
	'1 profile not pushed: 0 dropped at the limit, 0 not written, 1 refused, 0 damaged'

# away_and_back: the server is there again while profiles are recorded.
away_and_back()
{
	local program

	stop_server
	rm -f said
	stream <lines &
	program=$!
	exec 3>lines
	printf '%s 0\n' 41 42 >&3
	soon grep -qs 'they wait in spool' said
	start_server
	echo 43 0 >&3
	soon has_arrived 3
	exec 3>&-
	wait "$program"
}

forget
mkfifo lines
check "profiles are pushed to a server that was away" away_and_back
also "in order" are 41 42 43
also "is reported" said 'takes no profiles (.*onnect' 'takes profiles again' \
	'3 profiles pushed'

forget
stop_server
check "profiles wait for a server that is away" stream < <(printf '%s 0\n' 51 52 53)
also "is reported" said '0 profiles pushed' \
	'3 profiles left in spool: the next recording with this --spool pushes them'
echo damaged >spool/16999999990000000000-1.data
echo unfinished >spool/16999999990000000000-1.new
echo else >spool/else.data
start_server
check "the next recording pushes them" stream < <(printf '%s 0\n' 0 0 0 54)
also "in order" are 51 52 53 54
also "is reported" said '4 profiles pushed' '1 profile not .* 0 refused, 1 damaged'
also "leaves the files of others" [ "$(ls spool)" = else.data ]
rm -r spool

# A server that knows the user by a token
is_nowhere()
{
	! grep -ra "$1" spool said && ! gzip -dcf spool/* | grep -a "$1"
}

forget
echo 'Bearer s3cret' >got/authorization
echo 'Authorization: Bearer s3cret' >token
echo 'Authorization: Bearer f0rmer' >former
check "profiles with another token wait" stream @former \
	< <(printf '%s 0\n' 61 62)
also "is reported" said 'takes no profiles (status 401: who are you): they wait'
also "without the token in the spool" is_nowhere f0rmer
check "the next recording with the token pushes them" stream @token \
	< <(printf '%s 0\n' 0 0 63)
also "in order" are 61 62 63

# The beginnings of the profiles are in the names of the files.
numbers()
{
	waiting | sed 's|spool/017000000\(..\).*|\1|' | tr '\n' ' '
}

forget
stop_server
limit=1
check "a spool has a limit" stream < <(for i in {1..12}; do
	echo "$i" 30000
done)
also "that is kept" [ "$(du -bc spool/*.data | tail -n 1 | cut -f 1)" -le 1048576 ]
kept=$(waiting | wc -l)
also "with the newest profiles" [ "$(numbers)" = \
	"$(printf '%02d ' $(seq $((12 - kept)) 11))" ]
also "is reported" said 'spool has reached its limit of 1 MiB: the oldest profiles are dropped' \
	"$kept profiles* left in spool" \
	"$((12 - kept)) profiles not pushed: $((12 - kept)) dropped at the limit"
start_server
check "the rest is pushed" stream </dev/null
mapfile -t sums < <(seq $((13 - kept + 30000)) $((12 + 30000)))
also "as it was" are "${sums[@]}"

# die: the program is killed; the process that sends has the pipe open until its end.
die()
{
	printf '%s\n' '61 0' '62 0' die |
		"$here/stream" "http://127.0.0.1:$port/ingest" spool 64 2>&1 |
		timeout 60 cat >said
}

forget
check "profiles of a program that is killed are pushed" die
also "in order" are 61 62
finish
