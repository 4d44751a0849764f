# SPDX-License-Identifier: GPL-2.0-only
# A profil.data with the stacks of the input, which is folded: FUNCTION;FUNCTION... SAMPLES,
# the outermost function first. A function is object/name; a sample is 1 ms. The addresses
# begin at the number in the variable base, so that two builds differ.

# Index of the object and of the function of each name, in the order of their appearance
function index_of(name, parts)
{
	if (name in functions)
		return functions[name]
	split(name, parts, "/")
	if (!(parts[1] in objects)) {
		objects[parts[1]] = nr_objects
		object_names[nr_objects++] = parts[1]
	}
	owner[nr_functions] = objects[parts[1]]
	text[nr_functions] = parts[2]
	return functions[name] = nr_functions++
}

# Index of the stack of the last of these functions below its parent
function stack_of(parent, f)
{
	if (!((parent, f) in stacks)) {
		parents[nr_stacks] = parent
		places[nr_stacks] = f
		stacks[parent, f] = nr_stacks++
	}
	return stacks[parent, f]
}

function address(f)
{
	return sprintf("0x%x", base + 64 * f + 16)
}

function line(words)
{
	print words
	nr_lines++
}

BEGIN { nr_objects = nr_functions = nr_stacks = nr_lines = 0 }

{
	nr = split($1, names, ";")
	parent = "-"
	for (i = 1; i <= nr; i++)
		parent = stack_of(parent, index_of(names[i]))
	counts[parent] += $2
	self[places[parent]] += $2
	total += $2
}

END {
	OFS = "\t"
	ns = sprintf("%.0f", total * 1000000)
	line("profil.data\t1")
	line("command\tprog")
	line("host\th\tx86_64\t6.1")
	line("time\t1700000000000000000\t" ns "\t" ns "\t0")
	line("clock\t1000000\t0")
	line("end\t1\t0\t0\t0")
	line("totals\t" total "\t" total "\t0\t0\t0\t0\t0\t0\t0")
	line("program\t/opt/prog")
	for (i = 0; i < nr_objects; i++) {
		line("object\tfile\t/opt/" object_names[i] "\t" build i "\tread\t0\t1\t")
		line("segment\t" i "\t0x1000\t0x1000\t65536")
	}
	for (i = 0; i < nr_functions; i++)
		line("function\t" owner[i] "\t" sprintf("0x%x", base + 64 * i) \
			"\t64\t-\t" text[i] "\t\t-\t0")
	# Places with samples come first, by object.
	for (o = 0; o < nr_objects; o++)
		for (i = 0; i < nr_functions; i++)
			if (owner[i] == o && self[i]) {
				place[i] = nr_places++
				line("place\t" o "\t0\t" address(i) "\t" address(i) \
					"\t" i "\t" self[i] "\t0")
			}
	for (i = 0; i < nr_functions; i++)
		if (!self[i]) {
			place[i] = nr_places++
			line("caller\t" owner[i] "\t0\t" address(i) "\t" address(i) \
				"\t" i "\t0\t0")
		}
	for (i = 0; i < nr_stacks; i++)
		line("stack\t" parents[i] "\t" place[places[i]] "\t" counts[i] + 0 "\t0")
	print "eof\t" nr_lines
}
