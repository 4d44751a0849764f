# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f races.awk LOG: prints the functions of the module in reports of the data race
# detector. A report has its functions in its first line, a call trace of each access,
# and ends with a line of "=". Its last lines name the work that a worker was running,
# also where the race is in the code of workqueues.
#
# The kernel changes the flags of a thread that calls it, without a lock, and reads
# them elsewhere. START asks for a capability, for which the kernel sets PF_SUPERPRIV,
# while another CPU may read the flags to send a signal. Pinning pages for long sets
# PF_MEMALLOC_PIN, while the tick may read the flags of a worker of a workqueue. Both
# accesses are the kernel's, to its own field: the first line names the module where
# one of them is the module's.

BEGIN {
	of_kernel = "data-race in .*(ns_capable|__gup_longterm_locked)"
}

/BUG: KCSAN/ {
	in_report = $0 !~ of_kernel || /\[profil(_defects)?\]/
}

/====/ {
	in_report = 0
}

in_report && /\+0x[0-9a-f]+\/0x[0-9a-f]+ \[profil(_defects)?\]/
