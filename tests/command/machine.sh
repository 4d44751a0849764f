#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil record -a`, and of commands: each program has the samples of its CPU time,
# whatever its kind and however short it runs, and each sample is accounted for. For a
# machine that counts instructions.

here=${0%/*}
. "$here/profil_run.sh"
. "$here/recorded.sh"
workload=$here/workload
static=$here/spinner-static
groups=/sys/fs/cgroup
box=/tmp/box
cd "$work" || exit

# records STATUS [ARGUMENT]...: `profil record` at 1 kHz exits with STATUS.
records()
{
	expected=$1
	shift
	status_is "$expected" profil record -F 1000 "$@"
}

# of_program FILE PROGRAM [CGROUP]: samples of the program in all of its code
of_program()
{
	zcat "$1" | awk -F'\t' -v name="$2" -v cgroup="${3-}" '
		$1 == "program" {
			is_it[programs++] = $2 ~ name "$" &&
				(cgroup == "" || $3 == cgroup)
		}
		$1 == "place" && is_it[$3] { n += $7 + $8 }
		END { print n + 0 }'
}

# of_function FILE PROGRAM: samples of the program in heavy(), which Go calls main.heavy
of_function()
{
	zcat "$1" | awk -F'\t' -v name="$2" '
		$1 == "program" { is_it[programs++] = $2 ~ name "$" }
		$1 == "function" { is_heavy[functions++] = $6 ~ "heavy$" }
		$1 == "place" && is_it[$3] && is_heavy[$6] { n += $7 + $8 }
		END { print n + 0 }'
}

# is_near EXPECTED SLACK NUMBER: SLACK is for start and end of programs, and for five
# deviations: each turn on the CPU has a sample more or less, with the variance 1/3.
is_near()
{
	echo "# $3 samples, $1 are due"
	[ "$3" -ge $(($1 - $2)) ] && [ "$3" -le $(($1 + $2)) ]
}

# has_rows PATTERN...: the report has a line with each.
has_rows()
{
	for pattern; do
		grep -q -e "$pattern" "$out" && continue
		echo "# no line with $pattern"
		sed 's/^/# /' "$out"
		return 1
	done
}

# has_no_rows PATTERN: such rows are printed.
has_no_rows()
{
	! grep -e "$1" "$out" | sed 's/^/# /' | grep .
}

# Programs of all kinds

check "-a, while a command runs" records 3 -a -- \
	sh -c "$workload busy 200000000; $static 100 0; exit 3"
also "accounts for all samples" accounts profil.data
also "has a dynamic program" is_near 200 12 "$(of_program profil.data /workload)"
also "has a static program" is_near 100 10 "$(of_program profil.data /spinner-static)"
also "names its function" is_near 300 14 "$(hits profil.data heavy)"
also "prints a summary" says "^profil: all programs during sh .*[0-9.]* s wall, "
also "prints the next command" says "; next: profil report\$"
check "a report" status_is 0 profil report
also "is by program and function" \
	has_rows "^ .*  spinner-static *spinner-static *heavy" \
	"^ .*  workload *workload *heavy"
check "a report by program" status_is 0 profil report --by program
also "has each" has_rows "  workload" "  spinner-static"
check "a report of functions of the kernel" status_is 0 profil report -ak
also "has the kernel" has_rows '\[kernel\] *\[kernel\] *[a-z_]'

# is_in_kernel FILE PROGRAM: the program has functions of the kernel for all of its samples
# in kernel mode, and 50 at least.
is_in_kernel()
{
	zcat "$1" | awk -F'\t' -v name="$2" '
		$1 == "program" { is_it[programs++] = $2 ~ name "$" }
		$1 == "place" && is_it[$3] { entered += $8 }
		$1 == "kernel" && $4 != "" && is_it[$4] { there += $2 }
		END {
			print "# " entered " samples, in functions " there + 0
			exit entered != there || there < 50
		}'
}

# The first bytes come when the kernel has collected them.
random="dd if=/dev/urandom of=/dev/null bs=4k"
$random count=1
check "two programs in the kernel" records 0 -a -o calls.data -- \
	sh -c "$workload zeros 100000000; $random count=1000"
also "accounts for all samples" accounts calls.data
also "has functions for one" is_in_kernel calls.data /workload
also "has functions for the other" is_in_kernel calls.data /dd
check "a report of both" \
	status_is 0 profil report -aqki calls.data --by program,function
also "has them in their programs" \
	has_rows "  dd *.kernel. *chacha" "  workload *.kernel. *[a-z_]"
also "and in no other" has_no_rows '  workload *.kernel. *chacha'

# Programs of other kinds, those that the compilers here can build: 32-bit, with musl,
# with AddressSanitizer, and of Go, in whose 100 ms the start of its runtime is.
kinds=$(find "$here" -name 'spinner-*' ! -name '*-static' ! -name '*-libc')
# shellcheck disable=SC2086 # several programs
check "programs of other kinds" records 0 -a -o kinds.data -- \
	sh -c "for program; do \$program 100 0 || exit; done" kinds $kinds
also "accounts for all samples" accounts kinds.data
for kind in $kinds; do
	also "has ${kind##*/}" \
		[ "$(of_program kinds.data "/${kind##*/}")" -ge 90 ]
	also "names its function, ${kind##*/}" \
		[ "$(of_function kinds.data "/${kind##*/}")" -ge 50 ]
done

# work_for() takes steps of 400,000 instructions: 3.2 ms for 3, in a guest whose
# instructions take 1 or 4 ns. Each begins at another time between two samples: without
# pauses, whose lengths are any, all might begin right before one.
check "100 processes of 3.2 ms" records 0 -a -o short.data -- sh -c "for i in \$(seq 100)
	do $static 3 0; usleep \$((i * i * 617 % 1000)); done"
also "accounts for all samples" accounts short.data
also "has them all" is_near 320 30 "$(hits short.data heavy)"

check "--threads" records 0 -a --threads -o threads.data -- "$static" 50 0
also "accounts for all samples" accounts threads.data
check "a report by thread" status_is 0 profil report -i threads.data --by thread
also "has the name of the thread" has_rows "  spinner-static"

# Names that people use

ln -s spinner-static "$here/linked"
check "a file and a link to it" records 0 -a -o link.data -- \
	sh -c "$here/linked 100 0; $static 100 0"
also "has the link" is_near 100 10 "$(of_program link.data /linked)"
also "has the file" is_near 100 10 "$(of_program link.data /spinner-static)"
check "a report of both" \
	status_is 0 profil report -i link.data --by program,comm,object
also "has their names and the file" \
	has_rows "  linked  *linked  *spinner-static" \
	"  spinner-static  *spinner-static  *spinner-static"
also "has profil in the last row" has_rows '\[profil itself\]$'
also "and in no other" has_no_rows '  profil'
rm "$here/linked"

# record_script [OPTION]...: records while /bin/sh interprets spin.sh in the cgroup one,
# that process by the option -p.
record_script()
{
	/bin/sh spin.sh &
	spinner=$!
	echo "$spinner" >"$groups/one/cgroup.procs"
	[ "$1" = -a ] || set -- -p "$spinner"
	records 0 -q -o script.data --duration 0.3 "$@"
	status=$?
	kill "$spinner"
	wait "$spinner"
	return "$status"
}

# has_name NAME: the program has many samples.
has_name()
{
	[ "$(of_program script.data "$1")" -gt 100 ]
}

mkdir -p $groups/one
echo 'while :; do :; done' >spin.sh
check "a script, by -a" record_script -a
also "has its name" has_name '/bin/sh spin.sh'
check "a script, by -p" record_script -p
also "has its name" has_name '/bin/sh spin.sh'
echo 'read line' >other.sh
mkfifo line
/bin/sh other.sh <line &
exec 3>line
echo "$!" >"$groups/one/cgroup.procs"
check "two scripts in a cgroup" record_script -a
also "have none" has_name /bin/sh
exec 3>&-
wait

# Commands

cp "$static" privileged && chmod 4755 privileged && chmod 711 "$work"
check "a set-user-ID program" status_is 0 su nobody -c \
	"profil record -F 1000 -o /tmp/denied.data -- sh -c '$work/privileged 100 0; $static 100 0'"
also "accounts for all samples" accounts /tmp/denied.data
also "is dropped" [ "$(field /tmp/denied.data dropped 1)" = 1 ]
also "at its first sample" [ "$(field /tmp/denied.data denied 1)" -lt 5 ]
also "and no other" is_near 100 10 "$(hits /tmp/denied.data heavy)"
also "says so" says "^1 process has gained privileges, "
# two_users: each records a program of his own.
two_users()
{
	su nobody -c "profil record -q -F 1000 -o /tmp/other.data -- $static 200 0" &
	records 0 -o one.data -- "$static" 200 0 && wait "$!"
}
check "two users at once" two_users
also "the first has his samples" is_near 200 40 "$(hits one.data heavy)"
also "the other has his" is_near 200 40 "$(hits /tmp/other.data heavy)"
rm -f /tmp/denied.data /tmp/other.data

# The file is in another root directory, and has no path here: it is read while a
# program runs that has this root directory.
mkdir -p $box && cp "$static" $box/boxed
check "a program after chroot" records 0 -a --every 0.1 -o box.data -- \
	chroot $box /boxed 500 0
also "has the names of its code" is_near 500 12 "$(hits box.data heavy)"

# are_in_time: each part begins some multiple of 0.1 s after the first one, or up to half
# of that later: the counters of a part are taken after a grace period of the kernel. The
# time that saves take is longer.
are_in_time()
{
	first=''
	for part in parts/*; do
		begin=${part#parts/0}
		begin=${begin%-*}
		late=$(((begin - ${first:=$begin}) % 100000000))
		echo "# $part: $late ns"
		[ "$late" -lt 50000000 ] || return
	done
}

# The end of a recording

check "--duration" records 0 -a -o idle.data --duration 0.2
also "accounts for all samples" accounts idle.data
check "--every and --spool" records 0 -a --no-callers -o all.data --every 0.1 --spool parts -- \
	"$static" 2000 0
also "accounts for all samples" accounts all.data
also "has several parts" [ "$(find parts -type f | wc -l)" -ge 3 ]
also "begins each in time" are_in_time
parts=0
for part in parts/*; do
	parts=$((parts + $(hits "$part")))
	also "accounts for the samples of $part" accounts "$part"
done
also "has the samples of all parts" [ "$parts" = "$(hits all.data)" ]

# A cgroup

mkdir -p $groups/one/two
check "--cgroup" records 0 --cgroup one -o cgroup.data -- \
	sh -c "$static 50 0; echo \$\$ >$groups/one/two/cgroup.procs; $static 100 0"
also "accounts for all samples" accounts cgroup.data
also "has the programs in it" \
	is_near 100 10 "$(of_program cgroup.data /spinner-static /one/two)"
also "has no others" [ "$(of_program cgroup.data . /)" = 0 ]
check "a report by cgroup" status_is 0 profil report -i cgroup.data --by cgroup
also "has its name" has_rows "^cgroup /one during sh" "  /one/two"
check "--cgroup with the path of a report" records 0 --cgroup /one/two -- true
check "--cgroup with a directory" records 0 --cgroup $groups/one -- true
check "--cgroup that does not exist" records 125 --cgroup none -- true
also "says so" says "^profil: --cgroup none: not a directory of cgroup2, nor "
check "--cgroup with another file system" records 125 --cgroup /tmp -- true
also "says so" says "^profil: --cgroup /tmp: not a directory of cgroup2, nor "

# Two containers of one image, in cgroups as Kubernetes and containerd name them, which
# are removed before the recording looks at what was counted.
pods=/kubepods.slice/kubepods-burstable.slice
pod_of()
{
	echo "$pods/kubepods-burstable-pod0c6b_$1.slice/cri-containerd-5f0$1.scope"
}

in_pods()
{
	for pod in 1 2; do
		mkdir -p "$groups$(pod_of "$pod")"
		sh -c "echo \$\$ >$groups$(pod_of "$pod")/cgroup.procs &&
			exec chroot $box /boxed ${pod}00 0" || return
		rmdir "$groups$(pod_of "$pod")" || return
	done
}

record_pods()
{
	profil record -q -a -F 1000 -o pods.data &
	recorder=$!
	soon recorder_runs && in_pods &&
		kill -INT "$recorder" && wait "$recorder"
}

check "two containers of one image" record_pods
also "accounts for all samples" accounts pods.data
for pod in 1 2; do
	also "has container $pod" is_near ${pod}00 10 \
		"$(of_program pods.data /boxed "$(pod_of "$pod")")"
done
check "a report of the containers" \
	status_is 0 profil report -i pods.data --by cgroup,program
also "has their names" \
	has_rows "  $(pod_of 1)  *boxed" "  $(pod_of 2)  *boxed"
find $groups/kubepods.slice -depth -type d -exec rmdir {} +

# Refusals

check "an ordinary user" as_user "profil record -a -o /dev/null -- true"
also "needs CAP_PERFMON" says "^profil: profiling all programs needs CAP_PERFMON: "
for _ in 1 2 3 4 5 6 7 8; do
	profil record -a -q -o "$work/busy.$_" -- sleep 1000 &
	running="${running-} $!"
done
check "another recording than the eight that run" soon records 125 -a -- true
also "is refused" says "^profil: 8 recordings of the machine run already, "
# shellcheck disable=SC2086 # several processes
kill $running
wait

# profil top

check "profil top of the machine" status_is 0 profil top -F 1000 -d 0.2 -n 2
also "is about all programs" has_rows "^all programs, " " so far  program *object *function"

rm -r $box
rmdir $groups/one/two $groups/one
finish
