#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proofs about the increment of a counter, for each width

# shellcheck source=tests/proof/prove.sh
. "$(dirname "$0")/prove.sh"

# prove_width BYTES MEMBER OTHER: MEMBER of the union has the width, OTHER not.
prove_width()
{
	local exchange="cmpxchg(&counter->$2, old"

	prove "an increment of $1 bytes adds one, once, to one counter" \
		counter.c "increment_of_$1_bytes" --unwind 9 -- \
		"counter.h:s/$exchange/cmpxchg(\\&counter->$3, old/" \
		"counter.h:s/$exchange, old + 1)/counter->$2 = old + 1, old/" \
		'counter.h:s/old >= max/old > max/' \
		'counter.h:s/old + 1 == max/old == max/' \
		'counter.h:s/if (seen == old)/if (seen <= old)/' \
		'counter.h:s/define COUNTER_TRIES 8/define COUNTER_TRIES 7/' \
		'counter.h:s/return COUNTER_ABSENT/return COUNTER_ADDED/'
}

prove_width 2 half word
prove_width 4 word longword
prove_width 8 longword word
finish
