#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proofs about the increment of a counter, for each width

. "$(dirname "$0")/prove.sh"

# prove_width BYTES MEMBER OTHER: MEMBER of the union has the width, OTHER not.
prove_width()
{
	prove "an increment of $1 bytes adds one, once, to one counter" \
		counter.c "increment_of_$1_bytes" --unwind 9 -- \
		"counter.h:s/try_cmpxchg(&counter->$2,/try_cmpxchg(\\&counter->$3,/" \
		"counter.h:s/try_cmpxchg(&counter->$2,[^;]*/(counter->$2 = new, true)/" \
		'counter.h:s/old >= max/old > max/' \
		'counter.h:s/new == max/old == max - 2/' \
		'counter.h:s/new = old + 1/new = old + 2/' \
		'counter.h:s/if (!likely(/if (likely(/' \
		'counter.h:s/define COUNTER_TRIES 8/define COUNTER_TRIES 7/' \
		'counter.h:s/return COUNTER_ABSENT/return COUNTER_ADDED/'
}

prove_width 2 half word
prove_width 4 word longword
prove_width 8 longword word
finish
