// SPDX-License-Identifier: LGPL-2.1-or-later
/* The regions of a program, from its mappings */
#include <string.h>
#include <sys/mman.h>

#include "core/map.h"
#include "run/file_identity.h"
#include "run/layout.h"
#include "run/proc_maps.h"
#include "run/segments.h"

/* Parameters of reading the mappings, and the number of texts without counters */
struct look {
	struct layout *layout;
	uint32_t dropped;
	struct jit_scan scan;
};

static uint64_t counters_of(struct layout *c, const struct segment *text)
{
	uint64_t key = profil_segments_key(text);
	void *counters;

	for (uint32_t i = 0; i < c->nr_texts; i++)
		if (c->texts[i].key == key)
			return c->texts[i].counters;
	if (c->nr_texts == PROFIL_MAX_REGIONS)
		return 0;
	counters = profil_segments_map(c->run, c->fd, text, key);
	if (!counters)
		return 0;
	c->texts[c->nr_texts++] = (struct layout_text){
		.key = key,
		.counters = (uintptr_t)counters,
		.size = profil_segments_size(text),
	};
	return (uintptr_t)counters;
}

static struct profil_region *new_region(struct layout *c)
{
	int next = !c->current;

	return &c->regions[next][c->nr_regions[next]++];
}

/* Counters for code from @range->start on, or 0 */
static uint64_t jit_counters(const struct jit_range *range, void *data)
{
	struct layout *c = data;
	struct map map = {
		.start = range->start,
		.end = range->end,
		.offset = range->start,
		.path = c->program,
	};
	struct segment text = {
		.map = &map,
		.program = c->program,
		.text_bytes = c->text_bytes,
		.kind = RUN_TEXT_JIT,
		.pid = c->pid,
	};

	return counters_of(c, &text);
}

/* A text stays in the list when its memory is not executable at the moment. */
static void take_jit(struct look *look)
{
	struct layout *c = look->layout;

	for (uint32_t i = 0; i < c->jit.nr; i++) {
		const struct jit_text *text = &c->jit.texts[i];
		uint64_t length = text->range.end - text->range.start;

		if (!length)
			continue;
		if (!text->counters ||
		    c->nr_regions[!c->current] == PROFIL_MAX_REGIONS - 1) {
			look->dropped++;
			continue;
		}
		*new_region(c) = (struct profil_region){
			.base = text->counters,
			.size = 2 * run_counters_size(RUN_TEXT_JIT, length,
						      c->text_bytes),
			.offset = text->range.start,
			.scale = RUN_COUNTER * 0x10000 / c->text_bytes,
			.flags = PROFIL_REGION_SPLIT,
		};
	}
}

/* Path of the file of @map for this process, in a buffer; that of [vdso] stays. */
static const char *find_path(struct layout *c, const struct map *map)
{
	const char *root = *map->path == '/' ? c->root : "";
	const char *inner = map->path;
	size_t length = strlen(root), outer = strlen(c->outer), rest;

	if (!length)
		return map->path;
	if (!strncmp(inner, c->outer, outer) && inner[outer] == '/')
		inner += outer;
	rest = strlen(inner);
	if (length + rest >= sizeof(c->path))
		rest = 0;
	memcpy(c->path, root, length);
	memcpy(c->path + length, inner, rest);
	c->path[length + rest] = '\0';
	return c->path;
}

/* A segment without room counts as outside. */
static void take_file(struct look *look, const struct map *map)
{
	struct layout *c = look->layout;
	struct segment text = {
		.map = map,
		.file = find_path(c, map),
		.program = c->program,
		.text_bytes = c->text_bytes,
		.kind = RUN_TEXT_FILE,
	};
	uint64_t counters = 0;

	profil_file_identity(text.file, &text.identity);
	if (c->nr_regions[!c->current] < PROFIL_MAX_REGIONS - 1)
		counters = counters_of(c, &text);
	if (!counters) {
		look->dropped++;
		return;
	}
	*new_region(c) = (struct profil_region){
		.base = counters,
		.size = profil_segments_size(&text),
		.offset = map->start,
		.scale = RUN_COUNTER * 0x10000 / c->text_bytes,
		.flags = PROFIL_REGION_SPLIT,
	};
}

static void take_map(const struct map *map, void *data)
{
	struct jit_range range = { map->start, map->end };
	struct look *look = data;

	if (!*map->path) {
		profil_jit_take(&look->scan, map);
		return;
	}
	profil_jit_take_file(&look->scan, range);
	take_file(look, map);
}

/* A text is without counters at each look, and is counted once. */
static void note_dropped(struct layout *c, uint32_t dropped)
{
	if (dropped <= c->dropped)
		return;
	__atomic_fetch_add(&c->run->dropped, dropped - c->dropped,
			   __ATOMIC_RELAXED);
	c->dropped = dropped;
}

/* One counter of each mode counts the samples in none of the program's files. */
static void take_outside(struct layout *c)
{
	struct map map = { .path = c->program };
	struct segment text = {
		.map = &map,
		.program = c->program,
		.text_bytes = c->text_bytes,
		.kind = RUN_TEXT_OUTSIDE,
	};

	if (!c->outside)
		c->outside = counters_of(c, &text);
	if (!c->outside)
		return;
	*new_region(c) = (struct profil_region){
		.base = c->outside,
		.size = 2 * RUN_COUNTER,
		.flags = PROFIL_REGION_OVERFLOW | PROFIL_REGION_SPLIT,
	};
}

static bool is_news(const struct layout *c)
{
	uint32_t nr = c->nr_regions[0];

	return nr != c->nr_regions[1] ||
	       memcmp(c->regions[0], c->regions[1], nr * sizeof(**c->regions));
}

/* Many processes at once lock much memory, all on the account of one user. */
static uint32_t choose_text_bytes(const struct run *run)
{
	const struct profil_totals *totals = &run->totals;
	uint64_t ended = __atomic_load_n(&totals->ended, __ATOMIC_ACQUIRE);
	uint64_t sessions =
		__atomic_load_n(&totals->sessions, __ATOMIC_ACQUIRE) - ended;

	return run->crowd && sessions >= run->crowd ? 4 : 1;
}

/* The pages are touched as needed. */
struct layout *profil_layout_new(struct run *run, int fd)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	struct layout *c = profil_map(sizeof(*c), flags, -1, 0);

	if (c == MAP_FAILED)
		return NULL;
	c->run = run;
	c->fd = fd;
	c->text_bytes = choose_text_bytes(run);
	return c;
}

int profil_layout_read(struct layout *c, const char *maps, bool *news)
{
	struct look look = {
		.layout = c,
		.scan = { .jit = &c->jit, .counters = jit_counters, .data = c },
	};
	int ret;

	c->nr_regions[!c->current] = 0;
	ret = profil_proc_maps(maps, take_map, &look, c->buffer,
			       sizeof(c->buffer));
	if (ret)
		return ret;
	profil_jit_end(&look.scan);
	take_jit(&look);
	take_outside(c);
	note_dropped(c, look.dropped + look.scan.missed);
	*news = is_news(c);
	return 0;
}

void profil_layout_start(const struct layout *c, struct profil_start *start)
{
	int next = !c->current;

	*start = (struct profil_start){
		.size = sizeof(*start),
		.flags = PROFIL_F_BYTES,
		.width = RUN_COUNTER,
		.nr_regions = c->nr_regions[next],
		.regions = (uintptr_t)c->regions[next],
		.period_ns = c->run->period_ns,
		.totals = (uintptr_t)&c->run->totals,
	};
}

void profil_layout_started(struct layout *c, const struct profil_start *start)
{
	c->run->true_period_ns = start->period_ns;
	__atomic_fetch_add(&c->run->starts, 1, __ATOMIC_RELAXED);
	c->current = !c->current;
}

uint64_t profil_layout_outside(const struct layout *c)
{
	const uint32_t *counters = (uint32_t *)(uintptr_t)c->outside;

	if (!counters)
		return 0;
	return (uint64_t)__atomic_load_n(&counters[0], __ATOMIC_RELAXED) +
	       __atomic_load_n(&counters[1], __ATOMIC_RELAXED);
}

/*
 * Another thread may fork meanwhile: the child finds no counters that are
 * unmapped.
 */
void profil_layout_drop(struct layout *c)
{
	c->outside = 0;
	c->nr_regions[0] = 0;
	c->nr_regions[1] = 0;
	for (uint32_t i = 0; i < c->jit.nr; i++)
		c->jit.texts[i].counters = 0;
	while (c->nr_texts) {
		const struct layout_text *text = &c->texts[--c->nr_texts];

		profil_segments_unmap((void *)(uintptr_t)text->counters,
				      text->size);
	}
}

void profil_layout_renew(struct layout *c)
{
	for (uint32_t i = 0; i < c->jit.nr; i++) {
		struct jit_text *text = &c->jit.texts[i];

		if (text->range.start < text->range.end)
			text->counters = jit_counters(&text->range, c);
	}
}
