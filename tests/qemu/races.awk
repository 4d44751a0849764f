# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f races.awk LOG: prints the functions of the module in reports of the data race
# detector. A report has a call trace of each access, and ends with a line of "=".
# Functions below an interrupt in a trace were interrupted and have no part in the
# race. The last lines of a report name the work that a worker was running, also where
# the race is in the code of workqueues.
#
# Some functions of the kernel, which the module calls, access only data of the kernel,
# and some of those accesses race with others of the kernel:
#
#	ns_capable(), which START calls, sets PF_SUPERPRIV in the flags of the thread
#	without a lock, while another CPU may read them to send a signal.
#
#	Pinning pages for long sets PF_MEMALLOC_PIN there. Pinning and unpinning read the
#	flags and the head of pages, which others change.
#
#	An allocation for a full memory cgroup reclaims pages, with statistics.
#
#	mmu_interval_read_begin() reads a sequence number that an invalidation writes.
#
# An access in one of these functions, or in what it calls, is the kernel's.

BEGIN {
	name = "[A-Za-z_0-9.]+[+]0x[0-9a-f]+[/]0x[0-9a-f]+"
	of_kernel = "^(ns_capable(_noaudit)?|pin_user_pages_remote|" \
		"unpin_user_pages_dirty_lock|kmem_cache_alloc.*|__kmalloc.*|" \
		"__alloc_pages.*|mmu_interval_read_begin)$"
}

/BUG: KCSAN/ {
	in_report = 1
}

/====/ {
	in_report = 0
}

/ to 0x[0-9a-f]+ of [0-9]+ bytes by / {
	skipped = 0
}

/ asm_(sysvec|exc)_/ {
	skipped = 1
}

in_report && !skipped && $0 ~ name {
	match($0, name)
	called = substr($0, RSTART, RLENGTH)
	sub(/[+].*/, "", called)
	skipped = called ~ of_kernel
}

in_report && !skipped && /\+0x[0-9a-f]+\/0x[0-9a-f]+ \[profil(_defects)?\]/
