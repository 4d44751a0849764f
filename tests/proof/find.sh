#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proofs about the counter of a sample in a region, and in an overflow bin, for all
# values

. "$(dirname "$0")/prove.sh"

last='/^static u64 last_pc/,/^}/s'

prove 'a sample is on the counter of the formula' \
	find.c sample_is_on_counter_of_formula --unwind 3 -- \
	'region.h:s/index << map->shift/index/' \
	'region.h:s/pc - region->offset/pc/' \
	"region.c:$last,region->size >> map->shift,region->size," \
	"region.c:$last,reach > U64_MAX - region->offset,0,"
prove 'another is on the first counter of the bin' \
	find.c other_sample_is_on_first_counter --unwind 3 -- \
	'region.h:s/map->overflow < map->nr_regions/0/' \
	'region.h:s/map->regions\[hit->region\].base/map->regions[0].base/'
finish
