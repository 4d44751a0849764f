# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f table.awk -v commit=COMMIT -v rows=ROWS RESULTS-KERNEL... PAGE: prints PAGE with
# results in its tables, in a column for each KERNEL. The file ROWS has the rows of each
# section. A section that was not measured stays as it is, and so does all text.

BEGIN {
	while ((getline line <rows) > 0) {
		if (line ~ /^## /)
			heading = line
		else if (heading && line)
			row_of[heading, ++nr_rows[heading]] = line
	}
	heading = ""
}

FILENAME ~ /results-[^\/]*$/ && FNR == 1 {
	kernels[++nr] = FILENAME
	sub(/.*-/, "", kernels[nr])
}

FILENAME ~ /results-[^\/]*$/ {
	if ($1 == "result") {
		median[nr, $2] = $3
		lowest[nr, $2] = $4
		highest[nr, $2] = $5
	}
	next
}

function value(file, name)
{
	if (!((file, name) in median)) {
		printf "table.awk: there is no result %s for %s\n", name,
			kernels[file] >"/dev/stderr"
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
	if (kind == "beside")
		return 1 + value(file, a) / value(file, b)
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

# Rows of 1 to 8 threads, whose results are named as ONE, and of bursts
function clocks(text, one, bursts, threads, name)
{
	for (threads = 1; threads <= 8; threads++) {
		name = one
		sub(/-1-/, "-" threads "-", name)
		accuracy_row(threads (threads == 1 ? " thread spins, " : \
			" threads spin, ") text, name)
	}
	accuracy_row("Bursts of 0.3 ms in each ms, 20 phases, " text, bursts,
		     "the time of each switch, see below")
}

# Prints what a line of the file rows stands for.
function print_row(line, field)
{
	split(line, field, / *\| */)
	if (field[2] == "row")
		row(field[1], field[3], field[5], field[6], field[7])
	else if (field[2] == "clocks")
		clocks(field[1], field[3], field[4])
	else
		computed(field[1], field[2], field[3], field[4], field[5], field[6],
			 field[7])
}

# A section is measured if the first result of its first row is there.
function measured(heading, field)
{
	split(row_of[heading, 1], field, / *\| */)
	return (heading in nr_rows) && ((1, field[3]) in median)
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

/^## / {
	heading = $0
	lines = 0
	is_new = measured(heading)
}

# The heading of a table stays, and the rows are replaced.
is_new && /^\|/ {
	if (++lines <= 2)
		print
	for (i = 1; lines == 2 && i <= nr_rows[heading]; i++)
		print_row(row_of[heading, i])
	next
}

is_new && /^The section is of commit / {
	sub(/commit [^.]*/, "commit " commit)
}

# The summary, in front of all sections
!heading && (1, "path-whole/tick") in median {
	if (/ gives up [0-9.e-]+ %/)
		sub(/[0-9.e-]+ %/, share("path-whole/tick", 250))
	else if (/^  at 1 kHz [0-9.e-]+ %/)
		sub(/[0-9.e-]+ %/, share("sample/1khz", 1000))
	else if (/ by SIGPROF costs [0-9]+ times/)
		sub(/[0-9]+ times/, times("sample/libc-tick", "path-whole/tick"))
	else if (/^  [0-9]+ times\.$/)
		sub(/[0-9]+ times/, times("sample/perf-tick", "path-whole/tick"))
	else if (/^  its hook adds [0-9.]+ /)
		sub(/[0-9.]+/, value(1, "path/hook"))
}

{
	print
}
