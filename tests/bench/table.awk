# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f table.awk -v commit=COMMIT -v page=PAGE RESULTS-KERNEL...: turns results into
# a page for people, with two sections of the PAGE that was there before. The column
# of each file is named by KERNEL, which ends the file's name. With -v only=clocks the
# section about CPU clocks alone is printed.

FNR == 1 {
	kernels[++nr] = FILENAME
	sub(/.*-/, "", kernels[nr])
}

$1 == "result" {
	median[nr, $2] = $3
	lowest[nr, $2] = $4
	highest[nr, $2] = $5
}

function value(file, name)
{
	if (!((file, name) in median)) {
		printf "table.awk: there is no result %s for %s\n", name,
			kernels[file] >"/dev/stderr"
		failed = 1
		exit 1
	}
	return median[file, name]
}

# A cell: the median, and the distances of the lowest and the highest from it.
function cell(file, name, factor, m)
{
	m = value(file, name)
	return sprintf("%.0f (%+.0f %+.0f)", m * factor,
		       (lowest[file, name] - m) * factor,
		       (highest[file, name] - m) * factor)
}

# A median above the bar is met by some rounds if the lowest is not above it.
function judge(file, name, bar, factor)
{
	if (value(file, name) * factor <= bar + 0.5)
		return "met"
	return lowest[file, name] * factor <= bar ? "met by some rounds" : "missed"
}

function worse(a, b)
{
	return a == "missed" || b == "" || b == "met" ? a : b
}

# The end of a row: the bar, the verdict, and the reason of a miss.
function close_row(bar, verdict, reason)
{
	printf " %s | %s%s |\n", bar, verdict,
		verdict == "missed" && reason ? ": " reason : ""
}

# A row of one result, times FACTOR, 1 by default. A BAR of "" is none.
function row(text, name, bar, factor, reason, file, verdict)
{
	if (!factor)
		factor = 1
	printf "| %s |", text
	for (file = 1; file <= nr; file++) {
		printf " %s |", cell(file, name, factor)
		if (bar != "")
			verdict = worse(judge(file, name, bar, factor), verdict)
	}
	close_row(bar, verdict, reason)
}

# The number of a row that is computed from the results A and B
function compute(file, kind, a, b, above, below)
{
	if (kind == "ratio")
		return value(file, a) / value(file, b)
	if (kind == "difference")
		return value(file, a) - value(file, b)
	if (kind == "doubling")
		return (value(file, a) - value(file, b)) / 12
	if (kind == "with a session")
		return 1 + value(file, a "/more") / value(file, a "/without")
	if (kind == "missing")
		return 1 - value(file, a) / 1000
	# The error of the worst phase; results are thousandths of the right value.
	value(file, a)
	above = highest[file, a] - 1000
	below = 1000 - lowest[file, a]
	return (above > below ? above : below) / 1000
}

# A row of numbers that are computed, with as many DIGITS
function computed(text, kind, a, b, bar, digits, reason, file, number, verdict)
{
	printf "| %s |", text
	for (file = 1; file <= nr; file++) {
		number = compute(file, kind, a, b)
		printf " %." digits "f |", number
		if (bar != "")
			verdict = worse(number > bar ? "missed" : "met", verdict)
	}
	close_row(bar, verdict, reason)
}

function ratio(text, dividend, divisor, bar, reason)
{
	computed(text, "ratio", dividend, divisor, bar, 3, reason)
}

# A row of the program accuracy: the error in per cent and the samples that were
# due; the bar is the largest of the limits.
function accuracy_row(text, name, reason, file, error, limit, bar, verdict)
{
	printf "| %s |", text
	for (file = 1; file <= nr; file++) {
		error = value(file, name) / 100
		limit = highest[file, name] / 100
		printf " %+.3f %% of %d |", error, lowest[file, name]
		verdict = worse(error > limit || error < -limit ? "missed" : "met",
				verdict)
		if (limit > bar)
			bar = limit
	}
	close_row(sprintf("%.3f %%", bar), verdict, reason)
}

function accuracy_rows(rate, text, threads)
{
	accuracy_row("1 thread spins, " text, "accuracy/threads-1-" rate)
	for (threads = 2; threads <= 8; threads++)
		accuracy_row(threads " threads spin, " text,
			     "accuracy/threads-" threads "-" rate)
	accuracy_row("Bursts of 0.3 ms in each ms, 20 phases, " text,
		     "accuracy/bursts-" rate, "the time of each switch, see below")
}

function heading(text, file)
{
	printf "\n## %s\n\n| Measurement |", text
	for (file = 1; file <= nr; file++)
		printf " %s |", kernels[file]
	printf " At most | Result |\n|---|"
	for (file = 1; file <= nr; file++)
		printf "---|"
	print "---|---|"
}

# The part of a busy program's time, in per cent, at an instruction a nanosecond.
function share(name, hertz)
{
	return sprintf("%.2g %%", value(1, name) * hertz / 1e7)
}

function times(a, b)
{
	return sprintf("%.0f times", value(1, a) / value(1, b))
}

# Prints a section of the page that is not measured here, such as one that needs a
# compiler in the guest.
function keep(text, line, inside, blank)
{
	while ((getline line <page) > 0) {
		if (line ~ /^## /)
			inside = line == "## " text
		if (inside && line != "") {
			print blank line
			blank = ""
		} else if (line == "") {
			blank = "\n"
		}
	}
	close(page)
}

function clocks()
{
	heading("Samples against the CPU clocks of the threads")
	accuracy_rows("tick", "tick's rate")
	accuracy_rows("1khz", "1 kHz")
	accuracy_rows("10khz", "10 kHz")
	print ""
	print "A cell has the error of the sum of all runs, and the number of samples due: the"
	print "sum of the CPU clocks of all threads, in periods. The threads share one CPU."
	print "\"At most\" is three standard deviations: each interval of one period has one"
	print "sample time, so a process that is on the CPU in a fraction f of the interval"
	print "is sampled with probability f, with the variance f(1 - f)."
	print ""
	print "The CPU clock of a thread includes a part of each switch to and from the"
	print "thread, when the scheduler has switched interrupts off and no sample is"
	print "possible: some 4 microseconds of each burst at an instruction per nanosecond."
	print ""
	print "The section is of commit " commit ". `tests/bench/run clocks` renews it alone."
}

END {
	if (failed)
		exit 1
	if (only == "clocks") {
		clocks()
		exit
	}
	print "# What profiling costs"
	print ""
	print "In short, on Linux " kernels[1] ":"
	print ""
	print "* At 250 Hz a busy program gives up " share("path-whole/tick", 250) \
		" of its time to profiling,"
	print "  at 1 kHz " share("sample/1khz", 1000) "."
	print "* At 250 Hz a sample by SIGPROF costs " \
		times("sample/libc-tick", "path-whole/tick") " as much, one by perf"
	print "  " times("sample/perf-tick", "path-whole/tick") "."
	print "* A loaded module adds nothing to a tick before its first session. From then on"
	print "  its hook adds " value(1, "path/hook") " instructions to each tick of each CPU, until it is"
	print "  unloaded."
	print ""
	print "`make bench` writes this page. Numbers are instructions unless a row"
	print "names another unit: the guest executes one instruction in each"
	print "nanosecond of its own clocks, on one CPU, so that a busy host changes"
	print "no number. A number is the median of all rounds; the distances of the"
	print "lowest and the highest round follow in parentheses. A sample of the"
	print "driver is measured between two points of its interrupt (the module"
	print "stopwatch), other profilers by the time of a loop. The percentages"
	print "above assume one instruction per nanosecond. Instructions are not"
	print "cycles: on a real machine an interrupt costs more than its instructions,"
	print "so a session at the tick's rate, which shares the tick's interrupt,"
	print "saves more than the numbers show."

	heading("Cost per sample, instructions")
	row("Module loaded, before the first session: added to each tick",
	    "path/loaded", 0)
	row("Hook on the tick, from the first session on: added to each tick",
	    "path/hook", "")
	row("Session at the tick's rate: added to the hook", "path/tick", 105)
	row("Session at the tick's rate and the hook", "path-whole/tick", 150, 1,
	    "the hook is a third of it, most of it ftrace's call")
	row("Session at 1 kHz", "sample/1khz", 1100)
	row("Empty timer at 1 kHz, for comparison", "sample/empty-timer-1khz", "")
	row("Session at 1 kHz minus empty timer at 1 kHz", "path/1khz", 100)
	row("Session at 10 kHz", "sample/10khz", "")
	computed("Session of an attached descriptor, tick's rate, minus own session",
		 "difference", "path/tick-attached", "path/tick", 20, 0)
	computed("Session of an attached descriptor, 1 kHz, minus own session",
		 "difference", "path/1khz-attached", "path/1khz", 20, 0)
	row("Table of the machine, sample at the tick", "path/tick-table", 180)
	computed("Table of the machine, tick's rate, minus own session",
		 "difference", "path/tick-table", "path/tick", 45, 0)
	row("Table of the machine, 1 kHz, above an empty timer",
		 "path/1khz-table", 170)
	row("Session at the tick's rate, a counter for each byte, kernel mode apart",
	    "path/tick-split", 150)
	row("Session at the tick's rate, 16 regions", "path/tick-16-regions", "")
	row("Session at the tick's rate, 256 regions", "path/tick-256-regions", "")
	row("Session at the tick's rate, 4096 regions", "path/tick-4096-regions", "")
	computed("Each doubling of the number of regions", "doubling",
		 "path/tick-4096-regions", "path/tick", 9, 1)
	row("Session at 10 kHz, 4096 pages of counters, all pinned",
	    "sparse-counters/10khz-all-pages-met", "")
	row("Session at 500 Hz, most samples the first on their page",
	    "sparse-counters/500hz-first-hits", "")
	row("Session at 10 kHz, counters' page absent, ring of deferred samples full",
	    "worst/full-ring", "")
	row("Increment of a counter that other CPUs always change first",
	    "worst/counter-never-won", 110)
	row("Session at the tick's rate, 1 other session", "many-sessions/1", "")
	row("Session at the tick's rate, 100 other sessions", "many-sessions/100", "")
	row("Session at the tick's rate, 10,000 other sessions",
	    "many-sessions/10000", "")
	ratio("10,000 sessions / 1 session", "many-sessions/10000",
	      "many-sessions/1", 1.1)

	heading("Cost per sample of other profilers, instructions")
	row("profil() of the C library (SIGPROF), tick's rate",
	    "sample/libc-tick", "")
	row("perf's cpu-clock into a ring, tick's rate", "sample/perf-tick", "")
	row("BPF program on cpu-clock, into an array, tick's rate",
	    "sample/bpf-clock-tick", "")
	row("BPF program on a kprobe of the tick, into an array",
	    "sample/bpf-tick", "")
	row("gperftools, tick's rate", "sample/gperftools-tick", "")
	row("SIGPROF from a POSIX timer, 1 kHz", "sample/sigprof-1khz", "")
	row("perf's cpu-clock into a ring, 1 kHz", "sample/perf-1khz", "")
	row("BPF program on cpu-clock, into an array, 1 kHz",
	    "sample/bpf-clock-1khz", "")
	ratio("Session / profil() of the C library, tick's rate", "path-whole/tick",
	      "sample/libc-tick", 0.04)
	ratio("Session / perf's cpu-clock, tick's rate", "path-whole/tick",
	      "sample/perf-tick", 0.08,
	      "the hook, which remains once there has been a session, is a third of it")
	ratio("Session / BPF program on cpu-clock, tick's rate", "path-whole/tick",
	      "sample/bpf-clock-tick", 0.11)
	ratio("Session / BPF program on a kprobe of the tick", "path-whole/tick",
	      "sample/bpf-tick", 0.38)
	ratio("Session / SIGPROF from a POSIX timer, 1 kHz", "sample/1khz",
	      "sample/sigprof-1khz", 0.27)
	ratio("Session / perf's cpu-clock, 1 kHz", "sample/1khz",
	      "sample/perf-1khz", 0.63)
	ratio("Session / BPF program on cpu-clock, 1 kHz", "sample/1khz",
	      "sample/bpf-clock-1khz", 0.85)

	heading("Cost that sessions add to other operations, instructions")
	row("Context switch, session at the tick's rate: added",
	    "switch-tick-session/more", 0, 0.5)
	row("Context switch between other programs, session at the tick's rate asleep: added",
	    "beside-tick/switch-tick-session", 0, 0.5)
	row("Context switch between other programs, fast session asleep: added",
	    "beside-1khz/switch-tick-session", 30, 0.5,
	    "some 17 are the call of the tracepoint, 14 a look into a table whose place and size depend on the memory")
	row("Context switch to or from a fast session: added",
	    "switch-fast-session/more", 200, 0.5)
	row("Context switch to or from a program with perf's cpu-clock: added",
	    "switch-perf-session/more", "", 0.5)
	row("Timer interrupts per second, idle CPU, fast session asleep: added",
	    "interrupts/idle-more", 0)
	row("Timer interrupts per second, other program, fast session asleep: added",
	    "interrupts/other-more", 0)
	row("mmap, first write and munmap of a page, no session",
	    "map-unmap/without", "")
	row("mmap, first write and munmap of a page: added by a session",
	    "map-unmap/more", "")
	row("The same by an unprofiled program beside a profiled one: added",
	    "beside-tick/map-unmap", "")
	row("The same beside one at 1 kHz: added", "beside-1khz/map-unmap", "")
	row("mlock and munlock of 128 KiB, no session",
	    "start-stop-for-lock-unlock/without", "")
	computed("START and STOP / mlock and munlock, 128 KiB", "with a session",
		 "start-stop-for-lock-unlock", "", 1, 3)
	row("START at the tick's rate, the first of the module: duration in ns",
	    "start-first/tick", "")
	row("START at the tick's rate, a later one: duration in ns",
	    "start-next/tick", "")
	row("START at 1 kHz, the first of the module: duration in ns",
	    "start-first/1khz", "")
	row("START at 1 kHz, a later one: duration in ns",
	    "start-next/1khz", "")
	row("fork, exit and wait, no session", "fork/without", "")
	row("fork, exit and wait: added by a session", "fork/more", "")
	row("fork, exit and wait by an unprofiled program beside a profiled one: added",
	    "beside-tick/fork", "")
	row("fork, exit and wait by one beside a program at 1 kHz: added",
	    "beside-1khz/fork", "")
	row("exit to the end of the wait: added by a session", "exit/more", "")
	computed("fork, exit and wait: with a session / without", "with a session",
		 "fork", "", 1.05, 3, "each child gets a session of its own")
	row("fork, exec, exit and wait, no session", "fork-exec/without", "")
	computed("fork, exec, exit and wait: with a session / without",
		 "with a session", "fork-exec", "", "", 3)
	row("exec to the end of a program that does nothing", "startup/without", "")
	row("exec to the end of that program: added by profil run", "startup/more",
	    "")
	row("Memory per session with one region, bytes",
	    "memory/session-bytes", "")

	keep("Memory that a run locks")
	heading("Accuracy")
	computed("Fraction of samples missing, 1 kHz", "missing",
		 "delivered/1khz", "", 0.003, 4)
	computed("Error for 1 ms of work in every 4, 1 kHz, worst of eight phases",
		 "error", "duty-cycle/1khz", "", 0.1, 3)
	computed("Error for 1 ms of work in every 4, tick's rate, worst of eight phases",
		 "error", "duty-cycle/tick", "", "", 3)

	clocks()
	keep("The account of 100,000,000 samples")
	heading("Four CPUs at 10 kHz, on an emulator's clocks, which drop interrupts")
	row("Samples lost, 1 thread", "threads/1-lost", 0)
	row("Samples lost, 4 threads", "threads/4-lost", 0)
	row("Samples lost, 8 threads", "threads/8-lost", 0)
	row("Samples lost of 1000 on a counter that three CPUs write",
	    "threads/hammered-lost", 1)
	ratio("Samples of 4 threads, one counter / many counters",
	      "threads/4-on-one-counter", "threads/4-on-many-counters", "")
	ratio("Samples of 8 threads, one counter / many counters",
	      "threads/8-on-one-counter", "threads/8-on-many-counters", "")
}
