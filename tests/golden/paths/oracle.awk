# SPDX-License-Identifier: GPL-2.0-only
# Compares the numbers of profil diff --json with the stacks themselves: two folded files, of
# the sides, and the JSON of their recordings of 1 ms a sample, with all rows. Prints the
# differences, and how much was compared.

# Samples of a side: in the function itself, with it on the stack, and with these callers,
# which are object-less names, the nearest one first. One that calls itself is one caller.
function count(side, name, nr_callers, i, j, k, n, words, found, last)
{
	self = total = with = 0
	for (i = 0; i < nr[side]; i++) {
		n = split(stacks[side, i], words, ";")
		if (words[n] == name)
			self += samples[side, i]
		for (k = 1; k <= n && words[k] != name; k++)
			;
		if (k > n)
			continue
		total += samples[side, i]
		found = 0
		last = name
		for (j = k - 1; j > 0 && found < nr_callers; j--) {
			if (words[j] == last)
				continue
			last = words[j]
			sub(/^[^\/]*\//, "", words[j])
			if (words[j] != callers[found + 1])
				break
			found++
		}
		if (found == nr_callers)
			with += samples[side, i]
	}
}

function is_near(one, other, what)
{
	if (one - other < 0.0000011 && other - one < 0.0000011)
		return
	print what ": " one " in place of " other
	wrong++
}

function number(name)
{
	if (!match($0, "\"" name "\": [-0-9.]+"))
		return "none"
	return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) + 0
}

function string(name)
{
	match($0, "\"" name "\": \"[^\"]*\"")
	return substr($0, RSTART + length(name) + 5, RLENGTH - length(name) - 6)
}

# The before, after, change and error of a number; a sample is 1 ms.
function compare(prefix, before, after, what)
{
	is_near(number(prefix "before"), before / 1000, what " before")
	is_near(number(prefix "after"), after / 1000, what " after")
	is_near(number(prefix "change"), (after - before) / 1000, what " change")
	is_near(number(prefix "error"), sqrt(before + after + 0.5) / 1000, what " error")
}

FNR == 1 { file++ }

file < 3 {
	stacks[file, nr[file] + 0] = $1
	samples[file, nr[file]++ + 0] = $2
	n = split($1, words, ";")
	for (i = 1; i <= n; i++)
		if (!(words[i] in known)) {
			known[words[i]] = 1
			functions++
		}
}

/"function":/ {
	name = string("object") "/" string("function")
	count(1, name, 0)
	before = self
	total_before = total
	count(2, name, 0)
	compare("", before, self, name)
	compare("total_", total_before, total, name " total")
	rows++
}

/"path":/ {
	match($0, /\[[^]]*\]/)
	n = split(substr($0, RSTART + 1, RLENGTH - 2), words, /, /)
	for (i = 1; i <= n; i++) {
		gsub(/"/, "", words[i])
		callers[n + 1 - i] = words[i]
	}
	count(1, name, n)
	before = with
	count(2, name, n)
	compare("", before, with, name " via " words[1])
	paths++
}

END {
	if (rows != functions)
		print rows " rows of " functions " functions"
	print rows " rows and " paths + 0 " paths, " wrong + 0 " differences"
}
