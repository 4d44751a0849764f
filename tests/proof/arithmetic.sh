#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proofs about the arithmetic, for all values of 64 and of 32 bits

. "$(dirname "$0")/prove.sh"

prove 'the index is that of the formula' \
	arithmetic.c index_equals_formula --unsigned-overflow-check -- \
	'scale.h:s/bytes += (1U << shift) - 1/bytes += 1U << shift/' \
	'scale.h:s/distance >> shift, scale/distance, scale/' \
	'scale.h:s/return bytes >> shift/return bytes >> 1/'
prove 'the index is in the buffer if and only if the distance is in reach' \
	arithmetic.c reach_equals_formula --unsigned-overflow-check -- \
	'scale.h:s/scale_up((nr - 1) << shift/scale_up(nr << shift/' \
	'scale.h:s/(nr << shift) - 1/nr << shift/' \
	'scale.h:s/ | ((1U << shift) - 1)//'
prove 'a division in two steps is a division' \
	arithmetic.c division_by_hand --
finish
