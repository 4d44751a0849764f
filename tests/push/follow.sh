#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# `profil push --follow`: the files of a directory arrive in order, each once, also while
# the server is away for a while; those beyond the limit of the directory are counted.
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/server.sh"
# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0
follower=''
trap 'kill $follower 2>/dev/null; stop_server; rm -rf "$work"' EXIT
mkdir spool

# add SAMPLES...: adds recordings with $extra segments; more samples are a later one.
extra=0
add()
{
	local samples

	for samples; do
		recording /opt/prog guest "$samples" "$samples" "$extra"
		mv profil.data \
			"spool/$(printf '%020d' $((1700000000 + samples))500000000)-7.data"
	done
}

# begin [OPTION]...: starts the process, which has said nothing yet.
begin()
{
	: >said
	"$here/profil" push --follow spool "$@" \
		"http://127.0.0.1:$port/ingest" 2>said &
	follower=$!
}

# end [SIGNAL]: ends the process, which succeeds.
end()
{
	kill -s "${1-TERM}" "$follower" && wait "$follower"
}

# waiting: names of the files in the directory
waiting()
{
	find spool -name '[0-9]*.data' | sort
}

is_empty()
{
	[[ ! $(waiting) ]]
}

# samples: the samples of the profiles that have arrived, in their order
samples()
{
	local file nr=0

	while file=got/$((nr += 1)).pprof && [[ -e $file ]]; do
		"$here/decode_pprof" <"$file" |
			awk '$1 == "sample" && $2 != 20 { print $2 }'
	done | tr '\n' ' '
}

# are NUMBER...: those are the samples of the profiles that have arrived.
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

# sends SAMPLES...: recordings that are there are sent, up to a signal.
sends()
{
	add "$@"
	begin && soon is_empty && end
}

start_server
check "recordings are sent" sends 13 11 12
also "in order" are 11 12 13
also "is reported" said "3 profiles pushed to http://127.0.0.1:$port/ingest"

# comes: recordings that come later are sent, and one up to the signal.
comes()
{
	begin
	add 14
	soon has_arrived 1
	add 15
	soon has_arrived 2
	add 16
	end INT
}

forget
check "recordings that come are sent" comes
also "in order" are 14 15 16
also "leaves the directory empty" is_empty

# sends_kernel: a recording of the machine is sent with its functions of the kernel, and
# one of a command, which has none, as it is.
sends_kernel()
{
	cp "$here/guest.data" spool/01700000017000000000-7.data
	add 18
	begin -k && soon is_empty && end &&
		"$here/decode_pprof" <got/1.pprof | grep -q 'program=\[kernel\]'
}

forget
check "functions of the kernel are sent" sends_kernel
also "and what has none" has_arrived 2

forget
echo 1 >spool/16999999990000000000-1.data
echo unfinished >spool/16999999990000000000-1.data.aBcDeF
touch -d '1 hour ago' spool/16999999990000000000-1.data.aBcDeF
echo unfinished >spool/16999999990000000000-2.data.aBcDeF
echo else >spool/else.data
check "a damaged file is dropped" sends 17
also "and no other recording" are 17
also "is reported" said '16999999990000000000-1.data: .*it is dropped' \
	'1 profile not pushed: 0 dropped at the limit, 0 refused, 1 damaged'
also "with one that a killed process has not finished" \
	[ "$(ls spool)" = "16999999990000000000-2.data.aBcDeF
else.data" ]
rm spool/*

forget
answers 200 '422 too many labels' 200
check "a refused profile is dropped" sends 31 32 33
also "and no other" are 31 33
also "is reported" said 'refuses a profile, which is dropped (status 422: too many labels)' \
	'2 profiles pushed' \
	'1 profile not pushed: 0 dropped at the limit, 1 refused, 0 damaged'

# waits: the server is there again after a while.
waits()
{
	stop_server
	add 41
	begin
	soon grep -qs 'they wait in spool' said
	add 42
	start_server
	add 43
	soon is_empty && end
}

forget
check "recordings wait for a server that is away" waits
also "in order" are 41 42 43
also "is reported" said 'takes no profiles (.*onnect' 'takes profiles again' \
	'3 profiles pushed'

# leaves SAMPLES...: the server is away until the end.
leaves()
{
	add "$@"
	begin "${options[@]}"
	soon grep -qs 'they wait in spool' said
	end
}

forget
stop_server
options=(--retry 1s)
check "recordings are left where the server is away" leaves 51 52 53
also "is reported" said '0 profiles pushed' \
	'3 profiles left in spool: the next profil push --follow sends them'
start_server
check "the next process sends them" sends 54
also "in order" are 51 52 53 54

forget
echo 'Bearer s3cret' >got/authorization
echo 'Authorization: Bearer s3cret' >token
echo 'Authorization: Bearer f0rmer' >former
options=(--retry 1s --header @former)
check "recordings with another token wait" leaves 61 62
also "is reported" said 'takes no profiles (status 401: who are you): they wait'
check "a file of passwords is found from the directory" begin --header @token \
	--netrc former
also "and the token sends them" soon is_empty
also "to the end" end
also "in order" are 61 62

# is_away NUMBER: the server takes none of so many tries, each after twice the pause.
is_away()
{
	yes '503 away' | head -n "$1" >got/answers
}

# retries: after four answers the pause is 4 to 8 s, longer than the time to retry, which
# is long enough for a process that a busy host keeps waiting.
retries()
{
	is_away 4
	add 65
	begin --retry 3s
	soon test ! -s got/answers && end
}

forget
check "the last try is at once, whatever the pause" retries
also "and sends what waits" are 65

# killed: a process that was killed has sent a part; the next sends the rest. The server is
# away for so long that none is killed between the arrival of a recording and its removal.
killed()
{
	is_away 9
	sed -i 1i200 got/answers
	add 71 72
	begin
	soon grep -qs 'they wait in spool' said
	kill -KILL "$follower"
	wait "$follower"
	[[ $? == 137 ]] && rm got/answers && sends 73
}

forget
check "recordings of a process that was killed are sent" killed 2>/dev/null
also "each once" are 71 72 73

# two_wait: the second process sends nothing while the first is there.
two_wait()
{
	is_away 9
	begin
	first=$follower
	add 81
	soon grep -qs 'they wait in spool' said
	begin --label second=1
	kill -STOP "$first"
	rm got/answers
	sleep 3
	has_arrived 0 && kill -KILL "$first" && soon is_empty && end
}

forget
check "a second process waits for the end of the first" two_wait
also "and sends then" are 81
also "as it was told to" grep -qx second=1 got/1.labels

# vanishes: another process removes a recording that waits for its turn.
vanishes()
{
	answers 'held 200'
	add 91 92 93
	begin
	soon has_arrived 1 && rm spool/*92500000000-7.data && touch got/release
	soon is_empty && end
}

forget
check "a recording that vanishes is left out" vanishes
also "and no other one" are 91 93
also "is reported" said '2 profiles pushed'

# limits: a directory of recordings of 400 KB
limits()
{
	extra=13000
	add {11..20}
	begin --spool-limit 1 --retry 1s
	soon grep -qs 'they wait in spool' said
	end
}

forget
stop_server
check "a directory has a limit" limits
also "that is kept" [ "$(du -bc spool/*.data | tail -n 1 | cut -f 1)" -le 1048576 ]
# The beginnings of the recordings are in the names of the files.
also "with the newest recordings" \
	[ "$(waiting | sed 's|spool/017000000\(..\).*|\1|' | tr '\n' ' ')" = '19 20 ' ]
also "is reported" said 'spool has reached its limit of 1 MiB: the oldest profiles are dropped' \
	'2 profiles left in spool' \
	'8 profiles not pushed: 8 dropped at the limit'

# removed: the directory vanishes, of which the recordings have been sent.
removed()
{
	start_server
	begin
	soon is_empty
	rm -r spool
	wait "$follower"
	[[ $? == 125 ]] && said '^profil: the directory spool was removed$'
}

check "a directory that is removed is reported" removed

finish
