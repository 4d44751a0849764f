#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proofs about the counter of a sample in user mode and of one in kernel mode, for
# all values, in regions whose buffer is split and in others

. "$(dirname "$0")/prove.sh"

half='/^static inline u64 region_half/,/^}/s'
kernel_half='/^static inline u64 region_kernel_half/,/^}/s'
last='/^static u64 last_pc/,/^}/s'

prove 'a sample is on the counter of the formula, in the half of its mode' \
	halves.c sample_is_on_counter_of_its_mode --unwind 3 -- \
	"region.h:$half,size / 2,size," \
	"region.h:$half,PROFIL_REGION_SPLIT,PROFIL_REGION_OVERFLOW," \
	"region.h:$kernel_half,size / 2,size / 4," \
	"region.h:$kernel_half,size / 2 : 0,size / 2 : region->size," \
	"region.h:$kernel_half,PROFIL_REGION_SPLIT,PROFIL_REGION_OVERFLOW," \
	'region.h:s/if (kernel)/if (!kernel)/' \
	'region.h:s/if (kernel)/if (1)/' \
	'region.h:s/counter += region_kernel_half/counter += region_half/' \
	'region.h:s/index << map->shift/index/' \
	'region.h:s/pc - region->offset/pc/' \
	"region.c:$last,region_half(region),region->size," \
	"region.c:$last,reach > U64_MAX - region->offset,0,"
prove 'another is on the first counter of the half' \
	halves.c other_sample_is_on_first_counter_of_its_mode --unwind 3 -- \
	"region.h:$kernel_half,size / 2,size / 4," \
	"region.h:$kernel_half,PROFIL_REGION_SPLIT,PROFIL_REGION_OVERFLOW," \
	'region.h:s/(kernel ? region_kernel_half(bin) : 0)/0/' \
	'region.h:s/(kernel ? region_kernel_half/(true ? region_kernel_half/' \
	'region.h:s/map->overflow < map->nr_regions/0/'
finish
