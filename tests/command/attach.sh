#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil record -p` and `profil top`: each function of a process that runs already
# has the samples due, on a machine that counts instructions. The reference is the
# CPU time that the process has measured itself.
# shellcheck disable=SC2119 # check calls the functions

here=${0%/*}
. "$here/attachee.sh"

adds_up()
{
	[ "$(hits "$data")" = "$(field "$data" totals 2)" ] &&
		[ "$(field "$data" totals 1)" -ge "$(hits "$data")" ]
}

begin busy 500000000
check "a process that runs" records 0 -- sh -c "$release"
also "has its samples" is_due heavy "$(cat used)"
also "adds up" adds_up
also "has its process in the recording" [ "$(field "$data" attached 1)" = "$pid" ]
also "has its command in the recording" \
	[ "$(field "$data" command 1)" = "$here/attachee" ]
also "is reported" status_is 0 profil report -n
also "has its function in the report" grep -q '  attachee  *heavy$' "$out"
also "continues" is_waiting
also "ends as alone" end

begin share 300000000
check "two functions by turns" records 0 -- sh -c "$release"
half=$(($(cat used) / 2))
also "the first has its share" is_due heavy "$half" 20
also "the second has its share" is_due light "$half" 20
also "ends as alone" end

# The command is a child of the recorder, which sleeps while there is nothing to do.
begin share 8000000000
# shellcheck disable=SC2016 # a script of another shell
check "a command that outlives the process" status_is 0 profil record -q -p "$pid" \
	-o "$data" -- sh -c 'kill "$0" && sleep 1 && for i in $(seq 50); do
		grep -q "^State:.S" "/proc/$PPID/status" && exit; sleep 0.02; done; exit 1' "$pid"
wait "$pid"

# A parent and three children, one program
# shellcheck disable=SC2016 # a script of another shell
sh -c '(while :; do :; done) & (while :; do :; done) & (while :; do :; done) &
	echo $!; wait' >"$work/tree" &
tree=$!
soon [ -s "$work/tree" ]
check "a tree of processes" status_is 0 profil record -p "$tree" --children \
	--duration 300ms -o "$data"
also "has the number of its processes" says " in 4 processes of 1 program, "
also "is recorded to the end" sh -c \
	"profil report -i '$data' | grep '^recorded' | grep -vq 'went on'"
# Four programs
# shellcheck disable=SC2016 # a script of another shell
sh -c '"$0/spinner-libc" 1000000 0 & "$0/workload" busy 1000000000000 &
	"$0/workload-fixed" busy 1000000000000 & echo; wait' "$here" >"$work/programs" &
programs=$!
soon [ -s "$work/programs" ]
soon pidof workload-fixed
check "several programs" status_is 0 profil record -p "$programs" --children \
	--duration 1s -o "$data"
also "has all that have run" [ "$(zcat "$data" | grep -c '^program')" = 3 ]
also "counts all" says " in 4 processes of 3 programs, "
# The busy process is named twice. It reads its CPU time all the time, which ends its slices
# between ticks where it shares the CPU: a timer samples it.
check "a process that is named twice, and another one" status_is 0 profil record -F 1000 \
	-p "$(pidof workload)" -p "$(pidof workload)" -p "$programs" --duration 1s \
	-o "$data"
also "counts both" says " in 2 processes of 1 program, "
also "counts their CPU time once" sh -c \
	"! profil report -i '$data' | grep 'are not in the profile'"
# shellcheck disable=SC2046 # words
kill "$programs" $(cat "/proc/$programs/task/$programs/children")

sh -c 'while :; do :; done' 'a title   ' &
titled=$!
check "a process with a title" status_is 0 profil record -p "$titled" \
	--duration 100ms -o "$data"
also "has no blanks after it" [ "$(field "$data" command 4)" = 'a title' ]
kill "$titled"
check "a parent that waits" status_is 0 profil record -p "$tree" \
	--duration 300ms -o "$data"
also "has no rate asked for" says \
	"^the process took 0.000 s of CPU time, so no sample was due\$"
also "has its children named" says \
	"^process $tree has children, which --children records, too\$"
# shellcheck disable=SC2046 # words
kill "$tree" $(cat "/proc/$tree/task/$tree/children")

begin busy 100000000
check "the status of the command is passed on" records 9 -- sh -c "exit 9"
check "a command that does not exist" records 127 -- no-such-program
check "a time" records 0 --duration 100ms
also "is complete" [ "$(field "$data" end 1)" = 1 ]
kill "$pid"
wait "$pid"

begin busy 300000000
check "a recording without a command" record_alone
touch go
soon [ -e used ]
rm -f go
wait "$pid"
wait "$profil"
status=$?
also "ends with the process" [ "$status" = 0 ]
also "has its samples" is_due heavy "$(cat used)"
also "is complete" [ "$(field "$data" end 1)" = 1 ]
also "has the CPU time of the process" awk -v cpu="$(field "$data" time 3)" \
	-v used="$(cat used)" 'BEGIN { exit !(cpu > used * 0.95) }'

begin busy 300000000
record_alone
touch go
soon [ -e used ]
kill -INT "$profil"
wait "$profil"
status=$?
check "a recording that SIGINT ends" [ "$status" = 0 ]
also "has its samples" is_due heavy "$(cat used)"
also "ends as alone" end

begin dlopen "$here/libone.so" work_of_one 500000000
check "a library that is opened later" records 0 -- sh -c "$release"
also "has its samples" is_due work_of_one "$(cat used)"
also "adds up" adds_up
also "ends as alone" end

begin later 3 200000000
check "children, without --children" records 0 -- sh -c "$release"
also "have no samples" [ "$(hits "$data" heavy)" = 0 ]
also "ends as alone" end
begin later 3 200000000
check "children that are forked later" records 0 --children -- sh -c "$release"
also "have their samples" is_due heavy "$(cat used)" 100
also "ends as alone" end

begin workers 200000000 3
check "the workers of a server" records 0 --children -- sh -c \
	"touch go; $(waits_for used.0 used.1 used.2)"
sum=$(cat used.0 used.1 used.2 | awk '{ n += $1 } END { printf "%d", n }')
also "have their samples" is_due heavy "$sum" 100
also "are one program" [ "$(zcat "$data" | grep -c '^program')" = 1 ]
also "ends as alone" end

begin workers 200000000 "$here/libone.so" work_of_one \
	"$here/libtwo.so" work_of_two
soon grep -q libone.so /proc/[0-9]*/maps
soon grep -q libtwo.so /proc/[0-9]*/maps
check "workers with libraries of their own" records 0 --children -- sh -c \
	"touch go; $(waits_for used.0 used.1)"
also "the first has its samples" is_due_by_turns work_of_one "$(cat used.0)"
also "the second has its samples" is_due_by_turns work_of_two "$(cat used.1)"
also "ends as alone" end

begin exec "$here/attachee" go used busy 300000000
check "a process that executes another program" records 0 -- sh -c "$release"
also "has its samples" is_due heavy "$(cat used)"
also "ends as alone" end

begin epoll 1500
check "a system call of the process" records 0 --duration 100ms
soon [ -e used ]
also "is not interrupted" [ "$(cat used)" = 0 ]
wait "$pid"

begin busy 1000000
kill -STOP "$pid"
check "a stopped process" records 0 --duration 100ms
also "stays stopped" grep -q '^State:.T' "/proc/$pid/status"
kill -CONT "$pid"
touch go
soon [ -e used ]
also "ends as alone" end

begin own 500000000
check "a process with a profile of its own" status_is 0 profil record -p "$pid" \
	-- sh -c "$release"
also "has its own samples" [ "$(cat used)" -gt 20 ]
also "has as many in the recording" awk -v seen="$(hits "$data" heavy)" \
	-v own="$(cat used)" 'BEGIN {
		printf "# %d samples, %d of its own\n", seen, own
		off = seen > own ? seen - own : own - seen
		exit !(off <= 2 + own / 50)
	}'
also "ends as alone" end

# top

begin busy 2000000000
touch go
check "profil top" status_is 0 profil top -F 1000 -p "$pid" -n 2 -d 500ms
also "prints two pages" [ "$(grep -c '^attachee: 1 process, ' "$out")" = 2 ]
also "has the function" grep -q '^\( *[0-9.]* %\)\{3\}  attachee  *heavy$' \
	"$out"
soon [ -e used ]
also "ends as alone" end
check "profil top with a command" status_is 5 profil top -F 1000 -d 100ms -- \
	"$here/spinner-libc" 500 5
also "has the function" grep -q '  spinner-libc  *heavy$' "$out"
begin busy 100000000000
touch go
check "profil top on a terminal" status_is 0 "$here/terminal" opplzsq \
	profil top -F 1000 -p "$pid" -d 200ms
also "names its keys" grep -q '^\[j/k Enter] .*nnotate \[q]uit \[p]ause' "$out"
also "has functions at first" grep -q '  attachee  *heavy' "$out"
also "has objects after o" grep -q ' so far  object.\[K' "$out"
also "says that it pauses after p" grep -q '^paused  .j/k Enter] ' "$out"
also "has source lines after l" grep -q '  attachee  *attachee.c:[0-9]' "$out"
also "saves the profile after s" grep -q '^saved in profil.data' "$out"
also "which has the samples" [ "$(hits "$data" heavy)" -gt 100 ]
also "leaves a page" grep -q '  attachee  *attachee.c:[0-9]*.$' "$out"
also "shows no cursor meanwhile" grep -q '25l' "$out"

reverse=$(printf '\033\\[7m')
# pages: prints the pages of $out without control sequences, each before a line ====,
# but for the one that stays on the terminal.
pages()
{
	awk -v 'RS=\033\\[J' '{
		if (NR > 1)
			print page "\n===="
		gsub(/\033\[[0-9?]*[a-zA-Z]|\r/, "")
		page = $0
	}' "$out"
}

# fit COLUMNS LINES [FIRST]: the pages from number FIRST on have no more.
fit()
{
	pages | awk -v columns="$1" -v most="$2" -v first="${3-1}" '
		BEGIN { page = 1 }
		/^====$/ { lines = 0; page++; next }
		page >= first && (length($0) > columns || ++lines > most) {
			print "# page " page ": " $0
			bad++
		}
		END { exit bad || page <= first }'
}

# opens_selected: a function is shown after its row was selected, and no other.
opens_selected()
{
	awk -v 'RS=\033\\[J' '
		match($0, /\033\[7m[^\033]*/) {
			nr = split(substr($0, RSTART, RLENGTH), words, " ")
			selected = words[nr]
		}
		{ gsub(/\033\[[0-9?]*[a-zA-Z]/, "") }
		/^[a-z]*   attachee   [0-9]* samples?, [0-9.]* % of all/ {
			split($0, words, " ")
			print "# " selected ", " words[1]
			shown++
			bad += words[1] != selected
		}
		END { exit bad || !shown }' "$out"
}

# selects FUNCTION...: each of them is selected on a page.
selects()
{
	for function; do
		grep -q "^$reverse.*  attachee  *$function" "$out" || return
	done
}

# is_before PATTERN PATTERN: the last line with the first one is before the last line
# with the second one.
is_before()
{
	pages | awk -v one="$1" -v other="$2" '
		$0 ~ one { a = NR }
		$0 ~ other { b = NR }
		END { exit !(a && a < b) }'
}

kill "$pid"
wait "$pid"
begin share 8000000000
touch go
# The text of each line of the source is its number.
mkdir sources
awk 'BEGIN { for (i = 1; i < 999; i++) print "line " i }' >sources/attachee.c
touch -d '2001-01-01 00:00' sources/attachee.c
check "the lines of a function" status_is 0 "$here/terminal" WWWWWWWWkajiXDkDq \
	profil top -F 1000 -p "$pid" -d 100ms --source sources
pages >text
also "opens the function of the selected row" opens_selected
also "shows its source" grep -q '^ *[0-9.]*  *[0-9.]*  *\([0-9]*\)  line \1$' text
also "shows instructions after i" grep -q '^ *[0-9.]* .*  j.*  att' text
also "explains its keys" grep -q '^\[j/k PgUp/PgDn] scroll .i]nstructions' text
also "goes back by Escape" is_before ' % of all samples' ' so far  object'
also "selects rows by arrows" selects heavy light
also "fits on the screen" fit 79 24
check "a small terminal" status_is 0 "$here/terminal" -s 40x4 WWWWWWWWDaqoq \
	profil top --no-callers -F 1000 -p "$pid" -d 100ms
pages >text
also "scrolls to the selected row" [ "$(grep -A 2 ' so far  object *function' text |
	grep -c '  light$')" -gt 0 ]
also "has a page that fits" fit 39 4
also "goes back by q" grep -q ' so far  object$' text
check "a function without a source" status_is 0 "$here/terminal" -s 60x20 \
	aiqq profil top -F 1000 -p "$pid" -d 100ms
pages >text
also "has the reason on the screen" sh -c "tr '\n' ' ' <text | grep -q \
'/attachee.c is missing: name the directory of the sources with --source; instructions are shown '"
also "is shown by instructions" grep -q '  address  instruction' text
also "fits on the screen" fit 59 20
check "a terminal of one line" status_is 0 "$here/terminal" -s 9x1 DajXq \
	profil top -F 1000 -p "$pid" -d 100ms
also "has a page that fits" fit 8 1
check "Enter with callers" status_is 0 "$here/terminal" WWWWWWWWEWaXq \
	profil top -F 1000 -p "$pid" -d 100ms
pages >text
also "has a total" grep -q ' s    total   so far  object' text
also "has the total of main()" \
	grep -q '^ *0[.]0 %  *[1-9][0-9.]* %  *0[.]0 %  attachee  *main' text
also "explains its keys" grep -q '^\[j/k Enter] callers .a]nnotate .q]uit' text
also "shows who calls the function" is_before \
	'^ *[0-9.]+ %  *[0-9.]+  *[0-9.]+ %  *attachee  *[^a-z]*main$' \
	'^ *100[.]0 %  *[0-9.]+  *[0-9.]+ %  *[0-9.]+ %.*  attachee '
also "opens the lines by a" grep -q ' % of all samples' text
also "goes back by Escape" is_before ' % of all samples' ' so far  object'
also "fits on the screen" fit 79 24
check "a terminal that shrinks" status_is 0 "$here/terminal" pRaqq \
	profil top -F 1000 -p "$pid" -d 200ms
also "gets a page at once, also during a pause" fit 39 10 4
check "a page that takes longer than the time to the next one" status_is 0 \
	"$here/terminal" WWq profil top -F 1000 -p "$pid" -d 0.00001
kill "$pid"
wait "$pid"

begin jit 100000000000
touch go
soon grep -q ' rwxp 00000000 00:00 0 *$' "/proc/$pid/maps"
start=$(sed -n 's/-.* rwxp .*//p' "/proc/$pid/maps")
map=/tmp/perf-$pid.map
echo "$start 1000 generated" >"$map"
(sleep 2; echo "$start 1000 other" >"$map") &
check "a function that gets another name" status_is 0 "$here/terminal" \
	aWWWWWWWWWWWWWWWWWWXq profil top -F 1000 -p "$pid" -d 200ms
pages >text
also "is shown at first" grep -q '^generated .* % of all samples' text
also "is not known any more then" is_before '^generated .* % of all samples' \
	'^this function is gone: press q$'
kill "$pid"
wait "$pid"
rm "$map"
check "a command on a terminal" status_is 143 "$here/terminal" q profil top \
	-d 200ms -- "$here/spinner-libc" 100000 5
finish
