#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil report`: its cost, pipes and large files. tests/golden has what is printed,
# and the messages.
# shellcheck disable=SC2046,SC2086 # words are lists of bytes

here=$(cd "${0%/*}" && pwd)
. "$here/profil_run.sh"
cd "$work" || exit
cp "$here/layout" a.out

unset GMON_OUT_PREFIX
# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0

# write FILE WORD...: write the words of content.h to FILE.
write()
{
	written=$1
	shift
	"$here/write_bytes" "$@" >"$written"
}

# Parts of files, as words of content.h

gnu="s:gmon 4:1 z:12"
seconds="s:seconds z:8 s:s"

# bins COUNT...: the bins of a histogram
bins()
{
	printf '2:%s ' "$@"
}

# histogram LOW HIGH RATE BIN...: a histogram record
histogram()
{
	low=$1 high=$2 rate=$3
	shift 3
	echo "1:0 8:$low 8:$high 4:$# 4:$rate $seconds $(bins "$@")"
}

# reports STATUS [ARGUMENT]...: `profil report` exits with STATUS.
reports()
{
	expected=$1
	shift
	status_is "$expected" "$here/profil" report "$@"
}

write gmon.out $gnu $(histogram 0x401000 0x401050 100 \
	10 0 0 0  5 5 0 0  20 0 0 0 0 0 0 0  0 0 0 0)
write gap $gnu $(histogram 0x401016 0x401020 1 4)

# The cost of names is that of reading the symbols once.

# instructions PROGRAM...: number of instructions executed, and of their repetitions. The
# tool takes half of the time of callgrind.
instructions()
{
	valgrind --tool=exp-bbv --instr-count-only=yes --bb-out-file=/dev/null "$@" 2>&1 |
		awk '/Total instructions:/ { n = $NF } /Total reps:/ { print n + $NF }'
}

# at_most PERCENT ONE OTHER: ONE is at most PERCENT of OTHER.
at_most()
{
	echo "# $2 and $3"
	[ "$2" -gt 0 ] && [ $((100 * $2)) -le $(($1 * $3)) ]
}

awk 'BEGIN {
	for (i = 0; i < 20000; i++)
		printf ".globl f%d\n.type f%d, @function\nf%d: .skip 16\n" \
			".size f%d, 16\n", i, i, i, i
}' >large.s
gcc -shared -nostdlib -o large large.s
check "all places of a large file have names" \
	[ "$("$here/symbolize" large 4000)" = 4000 ]
also "cost less than reading the file" at_most 200 \
	"$(instructions "$here/symbolize" large 4000)" \
	"$(instructions "$here/symbolize" large 0)"
objcopy --compress-debug-sections=zlib "$here/symbolize" packed
check "debugging information is not unpacked for names" at_most 105 \
	"$(instructions "$here/symbolize" packed 100)" \
	"$(instructions "$here/symbolize" "$here/symbolize" 100)"

# The cost of a recording is that of a line of the file.

# large OBJECTS PLACES: a recording with a function for each two places
large()
{
	awk -v objects="$1" -v places="$2" 'BEGIN {
		print "profil.data\t1\nclock\t1000000\t0"
		print "totals\t" places "\t" places "\t0\t0\t0\t0\t1\t1\t0"
		print "program\t/bin/p"
		for (i = 0; i < objects; i++)
			printf "object\tfile\t/lib/%d.so\t%08x\tread\t1\t1\t\n", i, i + 1
		print "source\ta.c"
		for (i = 0; i < places / 2; i++)
			printf "function\t%d\t0x%x\t8\t-\tf%d\t\t0\t1\n",
				i % objects, 16 * i, i
		for (i = 0; i < places; i++)
			printf "place\t%d\t0\t0x%x\t0x%x\t%d\t1\t0\t%d:0:%d:0:0\n",
				int(i / 2) % objects, 8 * i, 8 * i, i / 2, i / 2, i
		print "eof\t" 5 + objects + places / 2 + places
	}'
}

large 1000 6000 >thousand
large 10000 60000 >myriad
small=$(instructions "$here/plain" report thousand)
large=$(instructions "$here/plain" report myriad)
check "60,000 places in 10,000 objects cost 12 times as much as a tenth" \
	at_most 1200 "$large" "$small"
check "two of them cost 4 times as much as one" at_most 400 \
	"$(instructions "$here/plain" report myriad myriad)" "$large"
check "all objects are in the report" reports 0 -anq --by object myriad
also "with all samples" [ "$(grep -cE '^ .* 6( +[0-9]+ %)?  +[0-9]*\.so$' "$out")" = 10000 ]

endless_pipe()
{
	yes | timeout 300 "$here/profil" report /dev/fd/0 >"$out" 2>"$err"
	[ $? = 125 ]
}
check "a pipe without end is refused" endless_pipe
also "prints a sentence" says \
	"^profil: /dev/fd/0: more than 256 MiB from a pipe: write them to a file"
# A reader that closes and reopens a FIFO would kill the writer now and then.
mkfifo fifo
reads_fifo()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		cat gap >fifo 2>/dev/null &
		sleep 0.02
		timeout 120 "$here/profil" report fifo >/dev/null 2>&1 || return
		wait "$!" || return
	done
}
check "a FIFO can be the first operand" reads_fifo
for file in gmon.out gap; do
	check "no memory is left at the end: $file" \
		status_is 0 env ASAN_OPTIONS=detect_leaks=1 \
		"$here/profil" report "$file"
done

# Memory of large files

# limited KIB [ARGUMENT]...: a report in KIB of address space
# shellcheck disable=SC3045 # the shells of Debian have it
limited()
{
	(ulimit -v "$1" && shift && status_is 0 "$here/plain" report "$@")
}

# 200,000,000 bins would take 16 bytes each if empty bins were kept.
large=400000000
write head $gnu 1:0 8:0x401000 8:$((0x401000 + large)) 4:$((large / 2)) 4:100 \
	$seconds
cp head sparse
truncate -s $((large + 61)) sparse
check "empty bins of a large histogram take no memory" \
	limited 100000 -o taken sparse
also "has no samples" grep -q '^total 0 samples' taken
large=40000000
write head $gnu 1:0 8:0x401000 8:$((0x401000 + large)) 4:$((large / 2)) 4:100 \
	$seconds
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "ab" }' >two
cat head two two two two two two two two two two two two two two two two two \
	two two two >dense
check "a sampled bin takes no more than 4 bytes" \
	limited 140000 -o taken dense
also "has all samples" grep -q '^total 503700000000 samples' taken
# The data of a page are in memory until they are complete.
awk 'BEGIN {
	name = sprintf("%250s", "")
	gsub(/ /, "n", name)
	print "profil.data\t1\nclock\t1000000\t0"
	print "totals\t2000\t2000\t0\t0\t0\t0\t1\t1\t0"
	print "program\t/bin/p\nobject\tfile\t/lib/p.so\t-\tread\t1\t1\t"
	for (i = 0; i < 2000; i++)
		printf "function\t0\t0x%x\t8\t-\t%s%d\t\t-\t0\n", 16 * i, name, i
	for (i = 0; i < 2000; i++)
		printf "place\t0\t0\t0x%x\t0x%x\t%d\t1\t0\n", 16 * i, 16 * i, i
	print "eof\t4005"
}' >wide
# whole_or_none: a page that is made in little memory is whole, or refused.
whole_or_none()
{
	refused=0 made=0
	for kib in $(seq 10000 250 30000); do
		if limited "$kib" --html -o page -i wide; then
			cmp page whole || return 1
			made=$((made + 1))
		else
			refused=$((refused + 1))
		fi
	done
	echo "# $made made, $refused refused"
	[ "$made" -gt 0 ] && [ "$refused" -gt 0 ]
}
check "a page of long names is made" reports 0 --html -o whole -i wide
also "is whole in any amount of memory, or refused" whole_or_none
# Twenty thousand histograms of one bin each
LC_ALL=C awk 'function number(value, bytes) {
	for (; bytes; bytes--) {
		printf "%c", value % 256
		value = int(value / 256)
	}
}
BEGIN {
	for (at = 4198400; at < 4198400 + 16 * 20000; at += 16) {
		number(0, 1); number(at, 8); number(at + 8, 8)
		number(1, 4); number(100, 4)
		printf "seconds"; number(0, 8); printf "s"; number(1, 2)
	}
}' >many
write head $gnu
cat head many >dense
check "short histograms take no more memory than they have bins" \
	limited 100000 -o taken dense
also "has all samples" grep -q '^total 20000 samples' taken

# overwrites: a file that is a mount cannot be replaced; none is left beside it.
overwrites()
{
	touch held
	# shellcheck disable=SC2016 # of the other shell
	$in_mounts sh -c 'mount --bind held held && exec "$0" export -f folded -o held -i dense' \
		"$here/profil" || return 1
	[ -s held ] && [ "$(echo held*)" = held ]
}

# In a chroot(2) root has no user namespaces, and in a container perhaps no mounts.
in_mounts="unshare -m"
[ "$(id -u)" = 0 ] || in_mounts="unshare -rm"
name="a file that cannot be replaced is overwritten"
if $in_mounts true 2>/dev/null; then
	check "$name" overwrites
else
	check "$name # SKIP without mount namespaces" true
fi
finish
