# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f races.awk LOG: prints the lines that name the module in reports of the
# data race detector. A report has its functions in its first line, and ends with a
# line of "=".
#
# START asks for a capability in the calling thread, for which the kernel sets
# PF_SUPERPRIV in the thread's flags, while another CPU may read them to send a
# signal. Both accesses are the kernel's, to its own field: the first line names the
# module where one of them is the module's.

BEGIN {
	of_kernel = "data-race in .*ns_capable"
}

/BUG: KCSAN/ {
	in_report = $0 !~ of_kernel || /\[profil(_defects)?\]/
}

/====/ {
	in_report = 0
}

in_report && /\[profil(_defects)?\]/
