# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/check sets the variables
#
# Tests on machines that are set up in other ways. To be sourced.

isolation='nohz_full=2,3 isolcpus=domain,managed_irq,2,3'

# Programs that depend on the clock, and those that pin pages, which an isolated
# CPU counts by itself
isolated_programs=$(printf '/selftests/%s ' machines/isolated sampling/threads \
	buffers/pinning)

check_machines()
{
	in_guest '6.12 isolated' "$isolated_programs" -s 4 -a "$isolation"
	in_guest '6.12 suspended' /selftests/machines/suspend -s 4
}
