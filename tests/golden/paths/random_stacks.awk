# SPDX-License-Identifier: GPL-2.0-only
# Folded stacks of twelve functions that call each other and themselves, by the number in the
# variable seed; with the variable change, one of them calls another one more often.

function below(n)
{
	state = state * 16807 % 2147483647
	return state % n
}

BEGIN {
	state = seed
	for (i = 0; i < 150; i++) {
		stack = "prog/f0"
		depth = below(7)
		for (j = 0; j < depth; j++) {
			f = below(12)
			stack = stack ";" (f % 3 ? "prog" : "lib.so") "/f" f
		}
		# f0 is in prog, as above.
		gsub(/lib.so\/f0/, "prog/f0", stack)
		hits = 1 + below(20)
		if (change && stack ~ /f4;.*f7/)
			hits *= 3
		print stack, hits
	}
}
