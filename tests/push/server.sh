# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # the script that sources this sets here
#
# The server of the tests, to be sourced after tap.sh. The directory got has what the
# server got.

server=''
port=''
trap 'stop_server; rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C.UTF-8 HOME=$work
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY

# recording PROGRAM HOST [SAMPLES [SECOND [EXTRA]]]: writes profil.data of so many samples
# in one place, begun so many seconds after another one, with EXTRA empty segments.
recording()
{
	local samples=${3-92} begin=$((1700000000 + ${4-0}))

	{
		tr '|' '\t' <<-END
			profil.data|1
			command|$1|two words
			host|$2|x86_64|6.12.0
			time|${begin}500000000|5000000000|4000000000|1000000000
			clock|4000000|0
			end|1|0|0|0
			totals|$((samples + 20))|$((samples + 20))|0|0|0|20|1|1|0
			program|$1
			object|file|/lib/libc.so|aabb|read|0|0|
			object|file|$1|0102030405060708|read|0|1|
		END
		yes $'segment\t1\t0x1000\t0x3000\t8192' | head -n $((1 + ${5-0}))
		tr '|' '\t' <<-END
			function|1|0x3010|31|-|work||-|0
			place|1|0|0x1010|0x3010|0|$samples|20
		END
	} | awk '{ print } END { print "eof\t" NR }' >profil.data
}

# start_server: starts the server, with the port that it had before.
start_server()
{
	mkdir -p got
	rm -f got/port
	python3 "$here/server.py" "$PWD/got" ${port:+"$port"} &
	server=$!
	soon test -s got/port || return
	port=$(cat got/port)
}

stop_server()
{
	[[ ! $server ]] || {
		kill "$server"
		wait "$server"
	} 2>/dev/null
	server=''
}

# answers LINE...: answers to the next requests
answers()
{
	printf '%s\n' "$@" >got/answers
}

forget()
{
	rm -f got/[0-9]*.* got/answers got/requests got/authorization got/release
}

# has_arrived NUMBER: so many profiles have arrived.
has_arrived()
{
	local files=(got/*.pprof)

	[[ -e ${files[0]} ]] || files=()
	((${#files[@]} == $1))
}
