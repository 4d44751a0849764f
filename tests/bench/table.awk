# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f table.awk RESULTS-OF-6.12 RESULTS-OF-6.1: results to a page for people

FNR == 1 {
	file++
}

$1 == "result" {
	median[file, $2] = $3
	lowest[file, $2] = $4
	highest[file, $2] = $5
}

function value(file, name)
{
	if (!((file, name) in median)) {
		printf "table.awk: there is no result %s\n", name >"/dev/stderr"
		failed = 1
		exit 1
	}
	return median[file, name]
}

# A cell: the median, and how far the lowest and the highest are off.
function cell(file, name, factor, m)
{
	m = value(file, name)
	return sprintf("%.0f (%+.0f %+.0f)", m * factor,
		       (lowest[file, name] - m) * factor,
		       (highest[file, name] - m) * factor)
}

function verdict(bad)
{
	return bad ? "missed" : "met"
}

# Over the bar, and by how much less than the rounds differ.
function judge(file, name, bar, factor)
{
	if (value(file, name) * factor <= bar + 0.5)
		return 0
	return lowest[file, name] * factor <= bar ? 1 : 2
}

function worse(a, b)
{
	return a > b ? a : b
}

# A row of results as they are; a BAR of "" is none.
function row(text, name, bar, factor, judged)
{
	if (!factor)
		factor = 1
	judged = bar == "" ? 3 : worse(judge(1, name, bar, factor),
				       judge(2, name, bar, factor))
	printf "| %s | %s | %s | %s | %s |\n", text, cell(1, name, factor),
		cell(2, name, factor), bar, verdicts[judged]
}

# A row of two numbers that were worked out.
function worked_out(text, a, b, bar, format)
{
	printf "| %s | " format " | " format " | %s | %s |\n", text, a, b, bar,
		bar == "" ? "" : verdict(a > bar || b > bar)
}

function ratio(text, of, to, bar)
{
	worked_out(text, value(1, of) / value(1, to), value(2, of) / value(2, to),
		   bar, "%.3f")
}

# What an operation takes with a session, for what it takes without.
function with_for_without(text, name, bar)
{
	worked_out(text, 1 + value(1, name "/more") / value(1, name "/without"),
		   1 + value(2, name "/more") / value(2, name "/without"), bar,
		   "%.3f")
}

function doubling(file, most, one)
{
	most = value(file, "sample/tick-4096-regions")
	one = value(file, "sample/tick")
	return (most - one) / 12
}

function over_empty(file)
{
	return value(file, "sample/1khz") - value(file, "sample/empty-timer-1khz")
}

# How far the worst phase is from the truth.
function worst(file, name, up, down)
{
	value(file, name)
	up = highest[file, name] - 1000
	down = 1000 - lowest[file, name]
	return (up > down ? up : down) / 1000
}

function heading(text)
{
	printf "\n## %s\n\n| | 6.12 | 6.1 | at most | |\n|---|---|---|---|---|\n",
		text
}

BEGIN {
	verdicts[0] = "met"
	verdicts[1] = "met by some rounds"
	verdicts[2] = "missed"
	verdicts[3] = ""
}

END {
	if (failed)
		exit 1
	print "# What profiling costs"
	print ""
	print "Made by `make bench`, which writes this page. Numbers are instructions"
	print "unless something else is said: the guest executes one in each"
	print "nanosecond of its own clocks, on one CPU, so that they are the same"
	print "whatever else the host does. Each is a median, with the lowest and the"
	print "highest of the rounds behind it. Instructions are not cycles: on a real"
	print "machine an interrupt costs more than its instructions, so that to share"
	print "the tick's, as the driver does at the tick's rate, saves more than it"
	print "seems here."

	heading("A sample, all told, beyond the same loop without")
	row("module loaded, no session: added to a tick", "sample/loaded", 0)
	row("at the tick", "sample/tick", 150)
	row("at 1 kHz", "sample/1khz", 1100)
	row("a timer that does nothing, at 1 kHz", "sample/empty-timer-1khz", "")
	worked_out("at 1 kHz, beyond that", over_empty(1), over_empty(2), 100,
		   "%.0f")
	row("at 10 kHz", "sample/10khz", "")
	row("at the tick, 16 regions", "sample/tick-16-regions", "")
	row("at the tick, 256 regions", "sample/tick-256-regions", "")
	row("at the tick, 4096 regions", "sample/tick-4096-regions", "")
	worked_out("each doubling of the regions", doubling(1), doubling(2), 10,
		   "%.1f")
	row("at 10 kHz, all over 4096 pages of counters, all met before",
	    "sparse-counters/10khz-all-pages-met", "")
	row("the same at 500 Hz, nearly each the first on its page",
	    "sparse-counters/500hz-first-hits", "")
	row("at 10 kHz, nearly each on a page that is not there, with the ring full",
	    "worst/full-ring", "")
	row("of a sample: an increment that others always come before",
	    "worst/counter-never-won", 110)
	row("at the tick, 1 other process profiled", "many-sessions/1", "")
	row("at the tick, 100 others", "many-sessions/100", "")
	row("at the tick, 10,000 others", "many-sessions/10000", "")
	ratio("10,000 for 1", "many-sessions/10000", "many-sessions/1", 1.1)

	heading("What else there is, in the same loop")
	row("profil() of the C library (SIGPROF), at the tick",
	    "sample/libc-tick", "")
	row("perf's cpu-clock to a ring, at the tick's rate", "sample/perf-tick", "")
	row("a BPF program on cpu-clock, into an array, at the tick's rate",
	    "sample/bpf-clock-tick", "")
	row("a BPF program on a kprobe of the tick, by user PC, into an array",
	    "sample/bpf-tick", "")
	row("gperftools, at the tick's rate", "sample/gperftools-tick", "")
	row("SIGPROF by a timer, at 1 kHz", "sample/sigprof-1khz", "")
	row("perf's cpu-clock to a ring, at 1 kHz", "sample/perf-1khz", "")
	row("a BPF program on cpu-clock, at 1 kHz", "sample/bpf-clock-1khz", "")
	ratio("profil at the tick, for the C library's", "sample/tick",
	      "sample/libc-tick", 0.04)
	ratio("for perf's", "sample/tick", "sample/perf-tick", 0.08)
	ratio("for BPF on cpu-clock", "sample/tick", "sample/bpf-clock-tick", 0.11)
	ratio("for BPF on the tick", "sample/tick", "sample/bpf-tick", 0.38)
	ratio("profil at 1 kHz, for SIGPROF by a timer", "sample/1khz",
	      "sample/sigprof-1khz", 0.27)
	ratio("for perf's", "sample/1khz", "sample/perf-1khz", 0.63)
	ratio("for BPF on cpu-clock", "sample/1khz", "sample/bpf-clock-1khz", 0.85)

	heading("What sessions add to other things")
	row("context switch, a session at the tick", "switch-tick-session/more", 0,
	    0.5)
	row("context switch, a fast session asleep elsewhere",
	    "switch-fast-elsewhere/more", 30, 0.5)
	row("context switch to or from a fast session",
	    "switch-fast-session/more", 200, 0.5)
	row("the same with perf's cpu-clock", "switch-perf-session/more", "", 0.5)
	row("interrupts a second, idle CPU, fast session asleep",
	    "interrupts/idle-more", 0)
	row("interrupts a second, other program, fast session asleep",
	    "interrupts/other-more", 0)
	row("mmap, touch, munmap of a page", "map-unmap/without", "")
	row("added by a session", "map-unmap/more", "")
	row("mlock + munlock of 128 KiB", "start-stop-for-lock-unlock/without", "")
	with_for_without("START + STOP with 128 KiB, for that",
			 "start-stop-for-lock-unlock", 1)
	row("the first START, at the tick: its time, with all waiting, in ns",
	    "start-first/tick", "")
	row("a START soon after another session, the same", "start-next/tick", "")
	row("the first START, at 1 kHz", "start-first/1khz", "")
	row("a START soon after another session, the same", "start-next/1khz", "")
	row("fork, exit and wait", "fork/without", "")
	row("added by a session", "fork/more", "")
	row("of that, from exit to the end of the wait", "exit/more", "")
	with_for_without("with a session, for without", "fork", 1.05)
	row("fork, exec, exit and wait", "fork-exec/without", "")
	with_for_without("with a session, for without", "fork-exec", "")
	row("memory of a session with one region, in bytes",
	    "memory/session-bytes", "")

	heading("How true it is")
	worked_out("1 kHz: missing of what was asked",
		   1 - value(1, "delivered/1khz") / 1000,
		   1 - value(2, "delivered/1khz") / 1000, 0.003, "%.4f")
	worked_out("works 1 ms in every 4, at 1 kHz: off by, worst phase of eight",
		   worst(1, "duty-cycle/1khz"), worst(2, "duty-cycle/1khz"), 0.1, "%.3f")
	worked_out("the same at the tick, which cannot do this",
		   worst(1, "duty-cycle/tick"), worst(2, "duty-cycle/tick"), "", "%.3f")

	heading("Four CPUs, at 10 kHz, by the clocks of an emulator that drops interrupts")
	row("lost samples, 1 thread", "threads/1-lost", 0)
	row("lost samples, 4 threads", "threads/4-lost", 0)
	row("lost samples, 8 threads", "threads/8-lost", 0)
	row("of 1000 samples on a counter that three CPUs write, lost",
	    "threads/hammered-lost", 1)
	ratio("samples, 4 threads on one counter, for on many",
	      "threads/4-on-one-counter", "threads/4-on-many-counters", "")
	ratio("samples, 8 threads on one counter, for on many",
	      "threads/8-on-one-counter", "threads/8-on-many-counters", "")
}
