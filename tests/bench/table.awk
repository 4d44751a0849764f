# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f table.awk -v commit=COMMIT -v page=PAGE -v rows=ROWS RESULTS-KERNEL...: turns
# results into a page for people, with the rows in the file ROWS, and two sections of the
# PAGE that was there before. The column
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

# Prints what a line of the file rows stands for.
function print_line(line, field)
{
	split(line, field, / *\| */)
	if (line == "clocks")
		clocks()
	else if (sub(/^## /, "", line))
		heading(line)
	else if (sub(/^keep /, "", line))
		keep(line)
	else if (field[2] == "row")
		row(field[1], field[3], field[5], field[6], field[7])
	else if (field[2])
		computed(field[1], field[2], field[3], field[4], field[5], field[6],
			 field[7])
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

	while ((getline line <rows) > 0)
		print_line(line)
}
