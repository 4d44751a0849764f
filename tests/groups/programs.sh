# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by the scripts that source this
#
# Sets of test programs, as arguments of tests/run_programs. To be sourced.

# Tests of the library and of the command that one kernel is enough for: they
# call the driver in no other way than the driver's own tests and api-preloaded.sh
# do. make torture and make account take other kernels.
one_kernel=$(printf -- '-x /tooltests/%s ' api-linked api-static api-musl \
	api-musl-static no_driver.sh gprof.sh gprof_samples.sh aix-linked aix-static \
	dialects.sh monitor-linked monitor-static orders-linked record.sh doctor.sh \
	attach.sh attach_rights.sh torture account)

# A program or two of each subject, for guests that are too slow for all
smoke=$(printf '/selftests/%s ' uapi/answers buffers/pages \
	buffers/stuck_pages counters/arithmetic processes/fork processes/space \
	sampling/fast_clock tables/names tables/rows tables/tree callers/stacks driver/hooks \
	driver/unload)
smoke+='/tooltests/api-preloaded.sh /tooltests/gprof.sh /tooltests/gprof_samples.sh '
smoke+=/tooltests/run.sh
