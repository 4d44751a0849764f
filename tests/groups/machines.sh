# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/check sets the variables
#
# Tests on machines that are set up in other ways. To be sourced.

# A kernel that takes its clock for unstable, as it does on a busy host, never stops
# the tick. One that is late itself warns of that, which does not end this guest; any
# other warning fails it at the end (late_host of tests/qemu/run).
isolation='nohz_full=2,3 isolcpus=domain,managed_irq,2,3 tsc=reliable panic_on_warn=0'

# Programs that depend on the clock, and those that pin pages, which an isolated
# CPU counts by itself
isolated_programs=$(printf '/selftests/%s ' machines/isolated sampling/threads \
	buffers/pinning)

# Programs whose stacks NUMA balancing, or something else, keeps from walks
numa_programs='/selftests/machines/numa /selftests/callers/forged'

# check_32 NAME PROCESSOR [OPTION OF RUN]...: the library, in 32-bit programs. The
# guest has it in place of the 64-bit library.
check_32()
{
	local name=$1 build=$work/$2 programs

	if ! programs=$(tests/machines/build_32 "$2" "$build" 2>"$work/log"); then
		fail "$name does not build" <"$work/log"
		return
	fi
	# shellcheck disable=SC2086 # words
	in_guest "$name" "$(printf '/tests_32/%s ' $programs)" "${@:3}" \
		-f "$build/tests=/tests_32" \
		-f "$build/lib/libprofil.so.1=/usr/local/lib/libprofil.so.1"
}

check_machines()
{
	in_guest '6.12 isolated' "$isolated_programs" -s 4 -a "$isolation"
	in_guest '6.12 suspended, with NUMA nodes' "$numa_programs \
		/selftests/machines/suspend /selftests/machines/lockdown" -s 4 -N
	check_32 '6.12 i386' i386
}

check_noftrace()
{
	in_guests noftrace "/selftests/machines/breakpoints $kprobe_programs \
		$clock_programs /selftests/sampling/fast_clock" \
		"$clock_counting" -k noftrace
	in_guest 'noftrace suspended' /selftests/machines/suspend -k noftrace -s 4
	in_guest 'noftrace isolated' "$isolated_programs" -k noftrace -s 4 \
		-a "$isolation"
	in_guest 'debug suspended, with NUMA nodes' \
		"$numa_programs /selftests/machines/suspend" -k debug -s 4 -N
}

# The guest has armhf's loader, libraries and gprof beside those of arm64.
check_armhf()
{
	local root

	on_host armhf
	root=$(sysroot_of armhf)
	check_32 '6.12-arm64 armhf' armhf -k 6.12-arm64 \
		-f "$root/lib/ld-linux-armhf.so.3=/lib/ld-linux-armhf.so.3" \
		-f "$root/lib/arm-linux-gnueabihf=/lib/arm-linux-gnueabihf" \
		-f "$root/usr/bin/arm-linux-gnueabihf-gprof=/usr/bin/gprof"
}
