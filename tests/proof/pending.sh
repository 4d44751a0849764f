#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proofs about the ring of deferred samples, each of one function, from any state
#
# The ring has 16 entries and 4 buckets instead of 256 and 64.
# Documentation/proof.md has the reason why that is enough.

. "$(dirname "$0")/prove.sh"

# reduce: makes a copy of the sources with a smaller ring.
reduce()
{
	cp -r "$top/src" "$work/reduced"
	sed -i 's/^#define PENDING_MAX 256$/#define PENDING_MAX 16/
		s/^#define PENDING_BITS 6$/#define PENDING_BITS 2/' \
		"$work/reduced/pending.h"
	[[ $(grep -cE '^#define PENDING_(MAX 16|BITS 2)$' \
		"$work/reduced/pending.h") == 2 ]] ||
		die "src/pending.h has other sizes than $0 replaces"
	sources=$work/reduced
}

reduce
prove 'a new ring is empty' pending.c new_ring_is_empty -- \
	'pending.h:s/pending->tail = 0/pending->tail = 1/'
prove 'a push adds one sample to one entry, and refuses one if all are taken' \
	pending.c push_adds_one_sample --unwind 17 -- \
	'pending.h:s/pending->pc\[at\] == pc &&//' \
	'pending.h:s/samples\[at\] < PENDING_SAMPLES_MAX/samples[at]/' \
	'pending.h:s/->tail >= PENDING_MAX/->tail > PENDING_MAX/' \
	'pending.h:s/->tail >= PENDING_MAX/->tail >= PENDING_MAX - 1/' \
	'pending.h:s/samples\[at\] = 1/samples[at] = 0/' \
	'pending.h:s/u32 at = pending->head %/u32 at = pending->tail %/'
prove 'a sample that is not refused is in the ring' \
	pending.c push_loses_no_sample --unwind 17 -- \
	'pending.h:s/if (distance >= nearer_than)/if (0)/' \
	'pending.h:s/pending->samples\[at\]++;//'
prove 'the oldest entry is read whole and removed, and no other' \
	pending.c take_removes_oldest --unwind 17 -- \
	'pending.h:s/count = pending->samples\[at\]/count = 1/' \
	'pending.h:s/at = pending->tail %/at = pending->head %/' \
	'pending.h:s/if (pending->tail != end)/if (1)/' \
	'pending.h:s/pending->tail++/pending->tail += 2/'
finish
