#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The tests of run, in the guest. The oracle of a recording's number of samples is
# the kernel's clock of the CPU time of each process. The oracle of a function's
# samples is the CPU time that the program itself has measured, and that of a
# server's library is the CPU time of the same work in Python.

here=${0%/*}
. "$here/profil_run.sh"
export LC_ALL=C
chmod 777 "$work"
cd "$work" || exit
postgres=/usr/lib/postgresql/15/bin

# What records the same processes beside, and compares: see run
beside='' beside_stacks=''
compare()
{
	:
}
# shellcheck disable=SC1091 # it is there with BESIDE
[ ! -e "$here/beside.sh" ] || . "$here/beside.sh"

# children PID: the processes that PID has forked
children()
{
	xargs echo <"/proc/$1/task/$1/children"
}

# begin COMMAND...: start a program, and wait until it is ready. It reads the FIFO line.
begin()
{
	rm -f line go
	mkfifo line
	"$@" <line >program 2>&1 &
	pid=$!
	exec 3>line
	soon grep -q '^ready' program || sed 's/^/# /' program
}

# end: let the program end by itself.
end()
{
	rm -f go
	exec 3>&-
	wait "$pid"
}

# used COLUMN: the CPU time of a function
used()
{
	awk -v column="$1" '$1 == "used" { print $(column + 1) }' program
}

# The command of a recording: it lets programs work, and reads before and after
# the clocks of the processes that the script pids prints.
cat >window <<FILE
"$here/cpu_time" \$(sh ./pids) >before
touch go
echo >line
until grep -q '^used' program; do sleep 0.1; done
"$here/cpu_time" \$(sh ./pids) >after
FILE

# records [ARGUMENT]...: record the program at 1000 Hz with callers. Its samples go to the
# file rows, as ;OBJECT;FUNCTION SAMPLES, and to stacks with their callers before them.
records()
{
	rm -f rows stacks before after
	status_is 0 profil record -F 1000 -p "$pid" "$@" -- \
		sh -c "$beside sh ./window" &&
		status_is 0 profil export -f folded -o stacks &&
		status_is 0 profil report -a -j --by object,function || return
	awk -F '"' '$2 == "object" {
		split($11, words, "[:, ]+")
		if (words[2] > 0)
			print ";" $4 ";" $8 " " words[2]
	}' "$out" >rows
	compare
}

# hits [PATTERN]: samples of all rows, or of those that match
hits()
{
	awk -v pattern="${1-}" '$0 ~ pattern { n += $NF } END { print n + 0 }' rows
}

# is_due NANOSECONDS [PATTERN [PERCENT]]: the rows have a sample for each
# millisecond, within 2 percent or PERCENT, and a few.
is_due()
{
	compares "$(hits "${2-}")" "$1" 1000000 "n > 100 &&
		off <= n * ${3:-2} / 100 + 7" || fail_with rows
}

# has_callers FUNCTION CALLER: of the samples in functions that match FUNCTION, 98 percent
# have those that match CALLER on their stack.
has_callers()
{
	[ ! "$beside_stacks" ] || with_callers "$@" "$beside_stacks"
	with_callers "$@" stacks || fail_with stacks
}

# with_callers FUNCTION CALLER FILE: the same, of the stacks in FILE
with_callers()
{
	awk -v leaf="$1" -v caller="$2" '
		{
			n = $NF
			sub(/ [0-9]+$/, "")
			match($0, /[^;]*$/)
			if (substr($0, RSTART) !~ leaf)
				next
			all += n
			if (substr($0, 1, RSTART - 1) ~ caller)
				with += n
		}
		END {
			printf "# %s: %d of %d samples have the caller\n", FILENAME, with, all
			exit !(all > 20 && with * 100 >= all * 98)
		}' "$3"
}

# has_all [PERCENT]: the recording has the CPU time of the processes.
has_all()
{
	is_due $(($(cat after) - $(cat before))) '' "$@"
}

reference()
{
	/usr/bin/python3 -I -S "$here/reference.py" "$@"
}

# check_turns NAME FIRST SECOND FUNCTION CALLER: record the program that has
# begun. Its functions' rows match the patterns FIRST and SECOND, and see has_callers.
check_turns()
{
	echo "echo $pid" >pids
	check "$1" records
	also "has its CPU time" has_all
	also "has the first function's share" \
		is_due "$(used 1)" "$2"
	also "has the second function's share" \
		is_due "$(used 2)" "$3"
	shift 3
	also "has the caller" has_callers "$@"
	also "ends as alone" end
}

begin /usr/bin/python3 -I -S "$here/turns.py" 300000000 100000000
check_turns Python ';libz[^;]*;' ';python3' 'crc32|libz' _PyEval_EvalFrameDefault

begin node --perf-basic-prof "$here/turns.js" 300000000 100000000
check_turns Node.js ';[^;]*first [^;]*$' ';[^;]*second [^;]*$' first \
	'Builtins_JSEntry.*Builtins_InterpreterEntryTrampoline'

# Generated code without frame pointers lacks the caller of its innermost function. What
# calls Turns.first is interpreted.
for option in - +; do
	begin /java/bin/java "-XX:${option}PreserveFramePointer" -Xmx64m \
		-XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
		-cp "$here" Turns 300000000 100000000
	check "Java writes a map" /java/bin/jcmd "$pid" Compiler.perfmap
	check_turns "Java, ${option}PreserveFramePointer" \
		';[^;]*Turns.first[^;]*$' ';[^;]*Turns.second[^;]*$' \
		Turns.first 'JavaMain;.*Interpreter;'
done

begin "$here/turns-go" 300000000 100000000
check_turns Go ';main.first ' ';main.second ' main.first \
	'runtime.main;main.main;main.work;$'

# nginx. A client asks for a page, which the worker compresses.

cat >client <<'FILE'
echo ready
read -r go
wget -q -O page.gz --header 'Accept-Encoding: gzip' \
	http://127.0.0.1:8080/
echo used
cat
FILE
nginx -c "$here/nginx.conf" -g 'daemon off;' >nginx.log 2>&1 &
master=$!
soon grep -q . "/proc/$master/task/$master/children"
due=$(reference compress "$here/page/index.html")
begin sh ./client
client=$pid
pid=$(children "$master")
echo "echo $pid" >pids
check "nginx" records
also "has compressed the page" \
	sh -c "zcat page.gz | cmp - '$here/page/index.html'"
# The worker and its client take turns.
also "has the worker's CPU time" has_all 5
also "has the compression's share" is_due "$due" ';libz[^;]*;' 5
also "has the compression's caller" has_callers 'libz|deflate' 'ngx_|nginx[+]'
pid=$client
also "answers the client" end
kill "$master"
wait "$master"

# PostgreSQL. One client connects before the recording, and another one during it.

chown -R nobody: /database
chmod 700 /database
cat >server <<FILE
exec $postgres/postgres -D /database -F -k $work -c autovacuum=off \\
	-c jit=off
FILE
cat >clients <<FILE
ask()
{
	DONE=\$1 $postgres/psql -qAt -h $work -U postgres -f "$here/queries.sql"
}

ask first >answers.first &
until grep -q '^first' program; do sleep 0.1; done
ask used >answers.second &
wait
FILE
su nobody -c "exec sh ./server" >server.log 2>&1 &
server=$!
soon grep -q 'ready to accept connections' server.log || sed 's/^/# /' server.log
due=$(reference hash)
begin sh ./clients
clients=$pid pid=$server
echo "echo $pid; cat /proc/$pid/task/$pid/children" >pids
check "PostgreSQL" records --children
# Processes that take turns have samples by chance.
also "has the CPU time of all its processes" has_all 5
also "has the hash's share" is_due "$((due * 2))" ';libcrypto[^;]*;' 5
also "has the hash's caller" has_callers 'libcrypto|MD5' md5_text
pid=$clients
end
also "answers both clients" \
	[ "$(cat answers.first answers.second | grep -cx 14286)" = 2 ]
kill -INT "$server"
wait "$server"

# Redis, which has threads, under load

cat >load <<FILE
echo ready
read -r go
redis-benchmark -s "$work/redis" -n 3000 -c 4 -q -t lpush,lrange_300
echo used
cat
FILE
redis-server --port 0 --unixsocket "$work/redis" --save '' >redis.log 2>&1 &
server=$!
soon grep -q 'ready to accept connections' redis.log || sed 's/^/# /' redis.log
begin sh ./load
client=$pid pid=$server
echo "echo $pid" >pids
check "Redis" records
# The server and its client take turns.
also "has the CPU time of its threads" has_all 5
# Three samples in ten are of functions that append to a reply.
also "has names of its functions" grep -q ';redis-server;_*addReply' rows
also "has the callers of a reply" has_callers addReply 'processCommand.*lrangeCommand'
pid=$client
also "ends as alone" end
kill "$server"
wait "$server"
[ ! "$beside" ] || more_programs
finish
