# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # the script that sources this sets here
#
# The server of the tests, and the directory of a test, to be sourced. The server's
# directory is got.

server=''
port=''
work=$(mktemp -d)
trap 'stop_server; rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C.UTF-8 HOME=$work
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY

# start_server: starts the server, with the port that it had before. A test may have
# a pipe as descriptor 3, which ends by its last writer.
start_server()
{
	mkdir -p got
	rm -f got/port
	python3 "$here/server.py" "$PWD/got" ${port:+"$port"} 3>&- &
	server=$!
	until [[ -s got/port ]]; do
		sleep 0.05
	done
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
	rm -f got/[0-9]*.* got/answers got/requests got/authorization
}

# has_arrived NUMBER: so many profiles have arrived.
has_arrived()
{
	local files=(got/*.pprof)

	[[ -e ${files[0]} ]] || files=()
	((${#files[@]} == $1))
}

# soon COMMAND...: COMMAND succeeds within a minute.
soon()
{
	local try

	for ((try = 0; try < 600; try++)); do
		"$@" && return
		sleep 0.1
	done
	return 1
}
