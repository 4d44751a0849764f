#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Samples in the gmon.out of gcc -pg programs that are built without libprofil,
# on a machine that counts instructions
# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
# shellcheck source=tests/common/profil_run.sh
. "$here/profil_run.sh"
# shellcheck source=tests/lib/gprof/gprof_run.sh
. "$here/gprof_run.sh"
program=$here/gprof_workload

# is_share PERCENT FUNCTION OTHER: FUNCTION has this share of the samples of
# both, within five deviations of root(n * p * (1 - p)) each, and 1 %.
is_share()
{
	awk -v percent="$1" -v one="$(in_function "$2")" \
		-v other="$(in_function "$3")" '
		function root(n,  r) { while ((r + 1) * (r + 1) <= n) r++; return r }
		BEGIN {
			n = one + other
			due = n * percent / 100
			slack = 5 * root(n * percent * (100 - percent) / 10000) + 4 + n / 100
			printf "# %d of %d, %d are due\n", one, n, due
			exit !(n >= 30 && one >= due - slack && one <= due + slack)
		}'
}

# is_due FUNCTION MS: FUNCTION has the samples due for MS of CPU time, less at
# most 10 % for reading the clock.
is_due()
{
	awk -v n="$(in_function "$1")" -v rate="$(value rate)" -v ms="$2" '
		BEGIN {
			due = ms * rate / 1000
			printf "# %d samples, %d are due\n", n, due
			exit !(n >= due * 0.9 - 1 && n <= due + 2)
		}'
}

check "two loops of 3 to 1" ends_with 0 "$program" shares 200
also "writes a readable gmon.out" reads gmon.out "$program"
also "has samples of 3 to 1" is_share 75 heavy light
also "heavy() has the samples due" is_due heavy 600
also "light() has the samples due" is_due light 200
also "is read by gprof" gprof_of "$program" gmon.out
gprof_samples()
{
	awk -v rate="$(value rate)" '$NF == "heavy" { printf "%.0f\n", $3 * rate }' \
		"$flat"
}
# gprof prints seconds with two decimals.
is_near()
{
	awk -v a="$1" -v b="$2" -v r="$(value rate)" \
		'BEGIN { d = a - b; exit !(d <= r * 0.006 && d >= -r * 0.006) }'
}
also "gprof prints the same time" \
	is_near "$(gprof_samples)" "$(in_function heavy)"

check "PROFIL_GMON_RATE=1000" \
	ends_with 0 PROFIL_GMON_RATE=1000 "$program" shares 200
also "writes a readable gmon.out" reads gmon.out "$program"
also "is the rate in the file" is "$(value rate)" 1000
also "has the samples due" is_due heavy 600

check "moncontrol(0) and then moncontrol(1)" ends_with 0 "$program" pause
also "writes a readable gmon.out" reads gmon.out "$program"
also "has no samples of the pause" is "$(in_function heavy)" 0
also "has the samples due after the pause" is_due light 200

for way in gprof_workload gprof_workload-static gprof_workload-musl; do
	[ -e "$here/$way" ] || continue
	check "$way calls profil() itself" ends_with 0 "$here/$way" itself
	also "gets its samples before and after _mcleanup()" \
		is "$(cat "$out")" "1 1"
	also "writes a readable gmon.out" reads gmon.out "$here/$way"
	also "has none of profil()'s samples" is "$(in_function heavy)" 0
done

for signal in 15 9 11; do
	check "signal $signal" ends_with $((128 + signal)) "$program" \
		kill "$signal"
	also "leaves a recent readable gmon.out" reads gmon.out "$program"
	also "has samples" [ "$(value samples)" -gt 0 ]
done

check "a forked child" ends_with 0 "$program" fork
also "writes a readable gmon.out" reads "gmon.out.$(cat "$out")" "$program"
also "has the time of the process" is_due heavy 200

for way in gprof_workload gprof_workload-static gprof_workload-musl; do
	program=$here/$way
	[ -e "$program" ] || continue
	for verb in anew ended; do
		check "$way: children that call monstartup(): $verb" \
			ends_with 0 "$program" "$verb"
		children=$(cat "$out")
		for child in $children; do
			also "writes a readable gmon.out for each" \
				reads "gmon.out.$child" "$program"
			also "has the time of the process" is_due heavy 200
		done
	done
done
program=$here/gprof_workload

export LD_LIBRARY_PATH="$here"
check "PROFIL_GMON_OBJECTS=1" ends_with 0 PROFIL_GMON_OBJECTS=1 \
	"$here/gprof_library-linked" linked 1000
also "writes a gmon.out for the library" \
	reads gmon.out.libgprof_library.so "$here/libgprof_library.so"
also "has samples" [ "$(in_function work_of_library)" -gt 0 ]
check "a library that is opened later" ends_with 0 PROFIL_GMON_OBJECTS=1 \
	"$here/gprof_library-opened" "$here/libgprof_library.so" 1000
also "writes a gmon.out for the library" \
	reads gmon.out.libgprof_library.so "$here/libgprof_library.so"
also "has samples" [ "$(in_function work_of_library)" -gt 0 ]

check "gcc -pg under profil run" \
	ends_with 0 profil run -an -- "$program" shares 200
also "profil run has the samples" [ "$(samples "$err" heavy)" -gt 0 ]
also "writes a readable gmon.out" reads gmon.out "$program"
also "gmon.out has no samples" is "$(value samples)" 0

check "gcc -pg without the driver" without_driver PROFIL_REQUIRE=0 "$program" \
	shares 500
also "writes a readable gmon.out" reads gmon.out "$program"
also "each has its share" is_share 75 heavy light

cd /
rm -rf "$work"
finish
