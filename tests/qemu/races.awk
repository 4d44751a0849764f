# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f races.awk LOG: prints the functions of the module in reports of the data race
# detector. A report has its functions in its first line, a call trace of each access,
# and ends with a line of "=". Functions below an interrupt in a trace were interrupted
# and have no part in the race. The last lines of a report name the work that a worker
# was running, also where the race is in the code of workqueues.
#
# Some races are between two accesses of the kernel to a field of its own, in functions
# that the module calls; the first line names the module where an access is the
# module's:
#
#	ns_capable(), which START calls, sets PF_SUPERPRIV in the flags of the thread
#	without a lock, while another CPU may read them to send a signal.
#
#	Pinning pages for long sets PF_MEMALLOC_PIN there.
#
#	mmu_interval_read_begin() reads a sequence number that an invalidation writes.

BEGIN {
	of_kernel = "data-race in .*(ns_capable|__gup_longterm_locked|" \
		"__mmu_notifier_invalidate_range_start / mmu_interval_read_begin)"
}

/BUG: KCSAN/ {
	in_report = $0 !~ of_kernel || /\[profil(_defects)?\]/
}

/ to 0x[0-9a-f]+ of [0-9]+ bytes by / {
	interrupted = 0
}

/ asm_(sysvec|exc)_/ {
	interrupted = 1
}

/====/ {
	in_report = 0
}

in_report && !interrupted && /\+0x[0-9a-f]+\/0x[0-9a-f]+ \[profil(_defects)?\]/
