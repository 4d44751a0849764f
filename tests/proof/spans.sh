#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The span table: tests/unit/region_test.c tries all cases of few regions, and the
# search in each size of a table

# shellcheck disable=SC2317 # check and also call the functions
. "$(dirname "$0")/prove.sh"

# try_cases SOURCES: exits with 1 if a case refutes the sources, or accesses memory
# outside of the tables, and with 2 if they do not build.
try_cases()
{
	local unit=$here/../unit

	"${CC:-cc}" -O2 -fsanitize=address -I"$unit/include" -I"$unit" -I"$top/uapi" \
		-I"$1" -I"$unit/../common" "$unit"/{region_{test,check},model,random*}.c \
		"$unit/../common/tap.c" -o "$mutants/spans" || return 2
	TAP_ONLY="all cases" "$mutants/spans" >"$mutants/said" 2>&1 && return
	sed -n '/^#/p' "$mutants/said"
	return 1
}

is_refuted_by_case()
{
	local status=0

	mutate "$1" || return 1
	try_cases "$mutants/src" >/dev/null || status=$?
	((status == 1))
}

check 'the prescribed region takes each PC, in all cases' try_cases "$top/src"
for edit in 'region.c:s/return x < y ? -1 : 1/return x < y ? 1 : -1/' \
		'region.c:s/i > j ? -1 : i < j/i < j ? -1 : i > j/' \
		'region.c:s/last < sweep->next/last <= sweep->next/' \
		'region.c:s/last < limit ? last : limit/last/' \
		'region.c:s/sweep_to(&sweep, offset - 1)/sweep_to(\&sweep, offset)/' \
		'region.c:s/if (offset)$/if (1)/' \
		'region.c:s/sweep.next = offset;//' \
		'region.c:s/sweep->done = .*/;/' \
		'region.c:s/if (reach > U64_MAX - region->offset)/if (0)/' \
		'region.c:s/sweep_to(&sweep, U64_MAX)/sweep_to(\&sweep, U64_MAX - 1)/' \
		'region.c:s/else if (map->overflow == REGION_NONE)/else/' \
		'region.c:s/->scale > 1/->scale/' \
		'region.c:s/if (!(region_half(region) >> shift))/if (0)/' \
		'region.c:s/if (!(region_half(region) >> shift))/if (!(region->size >> shift))/' \
		'region.h:s/if (kernel)$/if (0)/' \
		'region.c:s/nr <= map->nr_spans \/ 2/nr < map->nr_spans \/ 2/' \
		'region.c:s/ ? map->nr_spans - nr/ ? map->nr_spans \/ 2/' \
		'region.h:s/step >= sizeof/step > sizeof/' \
		'region.h:s/step \/= 2/step \/= 4/' \
		'region.h:s/span->first <= pc \&\& pc <= span->last/1/' \
		'region.h:s/span->first <= pc \&\&/pc \&\&/' \
		'region.h:s/map->overflow < map->nr_regions/0/'; do
	also "refuted with $edit" is_refuted_by_case "$edit"
done
finish
