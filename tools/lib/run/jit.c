// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finding the code in anonymous memory that needs texts */
#include <stddef.h>

#include "run/jit.h"

static uint32_t count(const struct jit *jit)
{
	return __atomic_load_n(&jit->nr, __ATOMIC_ACQUIRE);
}

/* First address from @at on that is in no text */
static uint64_t skip_texts(const struct jit *jit, uint64_t at)
{
	uint32_t nr = count(jit);
	uint32_t i = 0;

	while (i < nr) {
		const struct jit_range *range = &jit->texts[i++].range;

		if (at < range->start || at >= range->end)
			continue;
		at = range->end;
		i = 0;
	}
	return at;
}

static bool is_in_texts(const struct jit *jit, struct jit_range range)
{
	return skip_texts(jit, range.start) >= range.end;
}

bool profil_jit_covers(const struct jit *jit, struct jit_range range)
{
	return count(jit) == JIT_TEXTS || is_in_texts(jit, range);
}

/* The largest range around @at, in @memory, in reach, and in no text */
static struct jit_range widen(const struct jit *jit, uint64_t at,
			      struct jit_range memory)
{
	if (at - memory.start > JIT_REACH)
		memory.start = at - JIT_REACH;
	if (memory.end - at > JIT_REACH)
		memory.end = at + JIT_REACH;
	for (uint32_t i = 0; i < jit->nr; i++) {
		const struct jit_range *text = &jit->texts[i].range;

		if (text->end <= at && text->end > memory.start)
			memory.start = text->end;
		if (text->start > at && text->start < memory.end)
			memory.end = text->start;
	}
	return memory;
}

static void add_texts(struct jit_scan *scan, struct jit_range code)
{
	struct jit *jit = scan->jit;

	while (!profil_jit_covers(jit, code)) {
		uint64_t at = skip_texts(jit, code.start);
		struct jit_text *text = &jit->texts[jit->nr];

		text->range = widen(jit, at, scan->memory);
		text->counters = scan->counters(&text->range, scan->data);
		__atomic_store_n(&jit->nr, jit->nr + 1, __ATOMIC_RELEASE);
	}
	scan->missed += !is_in_texts(jit, code);
}

void profil_jit_end(struct jit_scan *scan)
{
	for (uint32_t i = 0; i < scan->nr; i++)
		add_texts(scan, scan->codes[i]);
	scan->nr = 0;
}

/* Another thread may be reading the range: each of its states is a range. */
static void end_text(struct jit_text *text)
{
	__atomic_store_n(&text->range.end, text->range.start, __ATOMIC_RELAXED);
	text->counters = 0;
}

void profil_jit_take_file(struct jit_scan *scan, struct jit_range file)
{
	struct jit *jit = scan->jit;

	for (uint32_t i = 0; i < jit->nr; i++) {
		uint64_t start = jit->texts[i].range.start;

		if (start >= file.start && start < file.end)
			end_text(&jit->texts[i]);
	}
}

void profil_jit_take(struct jit_scan *scan, const struct map *map)
{
	if (map->start != scan->memory.end) {
		profil_jit_end(scan);
		scan->memory.start = map->start;
	}
	scan->memory.end = map->end;
	if (map->executable && scan->nr < JIT_CODES)
		scan->codes[scan->nr++] =
			(struct jit_range){ map->start, map->end };
}
