#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names and lines from a debuginfod server on loopback, which serves what a
# stripped program lacks; the oracle is addr2line on the program before it was
# stripped. Servers that are gone or silent cost a sentence, and no hang; without
# DEBUGINFOD_URLS there is no network.
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
server=
# stop PID...: ends processes of this test.
stop()
{
	local pid

	for pid; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
}
trap 'stop $server; rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C.UTF-8 HOME=$work DEBUGINFOD_CACHE_PATH=$work/cache
export DEBUGINFOD_PROGRESS=
unset DEBUGINFOD_URLS DEBUGINFOD_TIMEOUT XDG_CACHE_HOME
port=$((20000 + $$ % 12000))
url=http://127.0.0.1:$port

cat >program.c <<'END'
static inline int square(int value)
{
	return value * value;
}

__attribute__((noipa)) static int sum(const int *values, int nr)
{
	int total = 0;

	for (int i = 0; i < nr; i++)
		total += square(values[i]);
	return total;
}

int main(int argc, char **argv)
{
	return sum(&argc, 1) + !argv;
}
END
gcc -O1 -g -o full program.c
mkdir debug executables
objcopy --only-keep-debug full debug/program.debug
strip -o program full
id=$(readelf -n program | sed -n 's/.*Build ID: //p')
address=$(objdump -d full | sed -n 's/^ *\([0-9a-f]*\):.*imul.*/0x\1/p')
# Offset and address of the executable segment
read -r offset start <<<"$(readelf -lW program |
	awk '$1 == "LOAD" && / R E / { print $2, $3 }')"
at=$(printf '%#x' $((address - start + offset)))

# recording SEGMENT PLACE: a profil.data with these lines, in which the program
# has neither names nor lines
recording()
{
	{
		printf 'profil.data\t1\ncommand\t./program\n'
		printf 'host\there\t%s\t6.12\n' "$(uname -m)"
		printf 'time\t0\t0\t0\t0\nclock\t1000000\t0\n'
		printf 'totals\t100\t100\t0\t0\t0\t0\t1\t1\t0\n'
		printf 'program\t%s/program\n' "$work"
		printf 'object\tfile\t%s/program\t%s\t%b' "$work" "$id" "$1"
		printf '\nfunction\t0\t%s\t16\t-\t\tprogram+%s\t-\t0\n' "$2" "$2"
		printf 'place\t0\t0\t%s\t%s\t0\t100\t0\n' "$at" "$2"
	} | awk '{ print } END { print "eof\t" NR }'
}
# One was read when the recording ended, the other could not be read.
recording "read\\t0\\t1\\t\\nsegment\\t0\\t$offset\\t$start\\t4096" \
	"$address" >profil.data
recording "unreadable\\t0\\t0\\t" "$at" >unread.data

# profil ARGUMENT...: standard output to out, standard error to err
profil()
{
	timeout 60 "$here/profil" "$@" >out 2>err
}

# names TEXT [ARGUMENT]...: a line of the report has TEXT, and there is no
# message.
names()
{
	local text=$1

	shift
	profil report -q "$@" && [[ ! -s err ]] &&
		tr -s ' ' <out | grep -qF -- " program $text" && return
	fail_with out err
}

# start_server FILES DIRECTORY...: answers when this number of files is known
start_server()
{
	local files=$1

	shift
	env -u DEBUGINFOD_URLS debuginfod -vvv -d "$work/index.$RANDOM" -p "$port" -t 0 -g 0 \
		-F "$@" >server.log 2>&1 &
	server=$!
	for _ in {1..600}; do
		[[ $(grep -c "recorded buildid=$id .*atype=" server.log) \
			== "$files" ]] && return
		kill -0 "$server" || break
		sleep 0.5
	done
	fail_with server.log
}

# listen CODE: starts a server in Perl that has the $socket, and runs CODE.
listen()
{
	perl -MIO::Socket::INET -e '
		$SIG{PIPE} = "IGNORE";
		my $socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1",
			LocalPort => shift, Listen => 5, ReuseAddr => 1) or die;
		print "listening\n"; STDOUT->flush;'"$1" "$port" >listener.log &
	server=$!
	soon grep -qs listening listener.log
}

# forget: nothing of a server is in the cache.
forget()
{
	rm -rf cache .cache
}

line=$(addr2line -e full "$address" | sed 's,.*/,,; s, (disc.*,,')
no_connection()
{
	strace -f -e trace=network -o calls "$here/profil" report >out 2>&1 &&
		[[ $(grep -c 'socket(\|connect' calls) == 0 ]]
}
check "without a server" names "program+$address"
also "there is no network" no_connection

check "a server has the debugging information" start_server 1 debug
export DEBUGINFOD_URLS=$url
check "the report has the function" names sum
also "and the line" names "$line" --by line
annotates()
{
	profil annotate && [[ ! -s err ]] &&
		tr -s ' ' <out | grep -qF '11 total += square(values[i]);' &&
		grep -q "square  inlined from $line" out
}
check "annotate has the source, and the inlined function" annotates
mv program elsewhere
forget
check "without the program, the report has the function" names sum
also "and the line" names "$line" --by line
folded()
{
	profil export -f folded -o - && grep -q ';sum;square 100$' out
}
check "an export has the function" folded

# is_left_out: the report has no names since a file has too many bytes.
is_left_out()
{
	profil report -q
	grep -qx "profil: DEBUGINFOD_URLS=$url: a file is left out, which has more bytes than DEBUGINFOD_MAXSIZE=$DEBUGINFOD_MAXSIZE" err &&
		[[ $(wc -l <err) == 1 ]] &&
		tr -s ' ' <out | grep -qF " program program+$address" && return
	fail_with out err
}
forget
export DEBUGINFOD_MAXSIZE=100
check "a file of more than DEBUGINFOD_MAXSIZE is left out" is_left_out
export DEBUGINFOD_MAXSIZE=0
check "without a limit, the report has the function" names sum
unset DEBUGINFOD_MAXSIZE

# poison FILE: the cache has FILE as what a server has sent.
poison()
{
	forget
	mkdir -p "cache/$id"
	cp "$1" "cache/$id/debuginfo"
	cp "$1" "cache/$id/executable"
}
sed 's/sum/other/g; s/total = 0/total = 1/' program.c >other.c
gcc -O1 -g -o other other.c
objcopy --only-keep-debug other other.debug
poison other.debug
check "another build has no names" names "program+$address"
poison other
check "nor has its executable" names "program+$at" -i unread.data
cp elsewhere program
poison other.debug
check "nor for a program that is there" names "program+$address"
rm program
forget
check "offsets alone have no name" names "program+$at" -i unread.data
stop "$server"
mv elsewhere executables/program
check "a server has the executable, too" start_server 2 debug executables
forget
check "offsets have the function" names sum -i unread.data
also "and the line" names "$line" --by line -i unread.data
mv executables/program program
stop "$server"
server=

# warns: the report has no names, and says so once.
warns()
{
	profil report -q
	[[ $(cat err) == "profil: no answer from DEBUGINFOD_URLS=$url: names are from files here only" ]] &&
		tr -s ' ' <out | grep -qF " program program+$address" && return
	fail_with out err
}
forget
check "a server that is gone costs a sentence" warns
# A file without an end, whose size the server does not tell
# shellcheck disable=SC2016 # variables of Perl
listen 'while (my $client = $socket->accept) {
	print $client "HTTP/1.0 200 OK\r\n\r\n";
	$client->flush;
	while (print $client "x" x 4096) {
		$client->flush; select undef, undef, undef, 0.01
	}
}'
forget
export DEBUGINFOD_MAXSIZE=100000
check "a file without an end is left out" is_left_out
unset DEBUGINFOD_MAXSIZE
stop "$server"
rm listener.log
listen 'sleep 600'
forget
export DEBUGINFOD_TIMEOUT=1
check "a server that is silent costs a sentence" warns
unset DEBUGINFOD_TIMEOUT
forget
check "and no more than 60 seconds without DEBUGINFOD_TIMEOUT" warns
finish
