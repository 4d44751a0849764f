// SPDX-License-Identifier: GPL-2.0-only
/* Map of the code: a strip for each object, drawn as SVG */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "html/page.h"
#include "util/memory.h"
#include "util/text.h"

/*
 * Strips: the code of an object from its first address to its last, in parts of
 * equal size, each as dark as it has samples
 */

/* Parts of a strip */
#define STRIP_PARTS 480

/* Levels of heat */
#define STRIP_LEVELS 8

/**
 * struct strip_part - part of a strip
 * @samples: samples in it
 * @function: function with most of them, or PROFILE_NONE
 * @most: samples of @function
 */
struct strip_part {
	uint64_t samples;
	uint32_t function;
	uint64_t most;
};

/**
 * struct strip - code of an object
 * @object: index of the object
 * @low: lowest address
 * @size: bytes from the lowest to the highest address
 * @step: bytes of a part
 * @first: index of the object's first place
 * @end: index after its last place
 * @parts: the parts
 */
struct strip {
	uint32_t object;
	uint64_t low;
	uint64_t size;
	uint64_t step;
	uint32_t first;
	uint32_t end;
	struct strip_part parts[STRIP_PARTS];
};

/* Sets the places of the object; they follow each other. */
static void find_places(struct strip *strip, const struct profile *profile)
{
	uint32_t i = 0;

	while (i < profile->nr_places &&
	       profile->places[i].object != strip->object)
		i++;
	strip->first = i;
	while (i < profile->nr_places &&
	       profile->places[i].object == strip->object)
		i++;
	strip->end = i;
}

static void widen(uint64_t *low, uint64_t *high, uint64_t from, uint64_t size)
{
	uint64_t last = from + (size ? size - 1 : 0);

	if (from < *low)
		*low = from;
	if (last >= from && last > *high)
		*high = last;
}

/* Executable segments, and places that a malformed file has outside of them */
static void find_range(struct strip *strip, const struct profile *profile)
{
	uint64_t high = 0;

	strip->low = UINT64_MAX;
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object == strip->object)
			widen(&strip->low, &high, profile->segments[i].address,
			      profile->segments[i].size);
	for (uint32_t i = strip->first; i < strip->end; i++)
		widen(&strip->low, &high, profile->places[i].address, 1);
	strip->size = high - strip->low;
	strip->step = strip->size / STRIP_PARTS + 1;
	if (strip->size < UINT64_MAX)
		strip->size++;
}

/* Places are in the order of offsets, so those of a function are together. */
static void add_places(struct strip *strip, const struct profile *profile)
{
	const struct profile_place *last = NULL;
	struct strip_part *in = NULL;
	uint64_t together = 0;

	for (uint32_t i = strip->first; i < strip->end; i++) {
		const struct profile_place *place = &profile->places[i];
		uint64_t at = (place->address - strip->low) / strip->step;
		uint64_t samples = place->user + place->kernel;
		struct strip_part *part = &strip->parts[at];

		if (part != in || last->function != place->function)
			together = 0;
		together += samples;
		part->samples += samples;
		if (together > part->most) {
			part->most = together;
			part->function = place->function;
		}
		in = part;
		last = place;
	}
}

/* Read the strip of @object; false if the object has no samples. */
static bool strip_read(struct strip *strip, const struct profile *profile,
		       uint32_t object)
{
	memset(strip, 0, sizeof(*strip));
	strip->object = object;
	for (int i = 0; i < STRIP_PARTS; i++)
		strip->parts[i].function = PROFILE_NONE;
	find_places(strip, profile);
	if (strip->first == strip->end)
		return false;
	find_range(strip, profile);
	add_places(strip, profile);
	return true;
}

/* Most samples of a part */
static uint64_t strip_most(const struct strip *strip)
{
	uint64_t most = 0;

	for (int i = 0; i < STRIP_PARTS; i++)
		if (strip->parts[i].samples > most)
			most = strip->parts[i].samples;
	return most;
}

/*
 * Least samples of a part of @level, from 1 to STRIP_LEVELS, where @most is the
 * largest number: the levels are equal on a logarithmic scale.
 */
static uint64_t strip_least(int level, uint64_t most)
{
	return ceil(pow(most, (level - 1.0) / STRIP_LEVELS));
}

/* Level of a part with @samples */
static int strip_level(uint64_t samples, uint64_t most)
{
	int level = STRIP_LEVELS;

	while (level > 1 && samples < strip_least(level, most))
		level--;
	return level;
}

/* Objects that are shown, and the least share of the last, in percent */
#define MAX_OBJECTS 12
#define LEAST 0.5

/* Names of functions below a strip, and their characters */
#define MAX_NAMES 4
#define NAME_WIDTH 32

/* Characters of a name in the text of a part */
#define TITLE_WIDTH 80

/* Width of a character, in percent of the strip */
#define CHARACTER 0.66

/**
 * struct map - strips of a page
 * @out: destination
 * @hot: functions of the profile
 * @strips: the strips
 * @nr: elements of @strips
 * @most: most samples of a part of any strip
 */
struct map {
	FILE *out;
	const struct hot *hot;
	struct strip *strips;
	uint32_t nr;
	uint64_t most;
};

/**
 * struct map_label - name of a function below a strip
 * @from: left end, in percent of the strip
 * @to: right end
 */
struct map_label {
	double from;
	double to;
};

static void read_strips(struct map *map)
{
	const struct profile *profile = map->hot->profile;
	uint32_t nr = profile->nr_objects;
	uint32_t *order = profil_hot_order(map->hot->objects, nr);

	map->strips = profil_grow(NULL, MAX_OBJECTS, sizeof(*map->strips));
	for (uint32_t i = 0; i < nr && map->nr < MAX_OBJECTS; i++) {
		struct strip *strip = &map->strips[map->nr];
		uint64_t most;

		if (profil_hot_percent(map->hot, map->hot->objects[order[i]]) <
			    LEAST &&
		    i)
			break;
		if (profile->objects[order[i]].kind != PROFILE_FILE ||
		    !strip_read(strip, profile, order[i]))
			continue;
		map->nr++;
		most = strip_most(strip);
		map->most = most > map->most ? most : map->most;
	}
	free(order);
}

static void print_legend(const struct map *map)
{
	fputs("<div class=legend><span>samples in a part:</span>", map->out);
	for (int level = 1; level <= STRIP_LEVELS; level++) {
		uint64_t least = strip_least(level, map->most);
		uint64_t next = strip_least(level + 1, map->most);
		uint64_t last = level < STRIP_LEVELS ? next - 1 : map->most;

		if (last < least)
			continue;
		fprintf(map->out,
			"<span><svg aria-hidden=true viewBox=\"0 0 18 12\">\n"
			"<rect class=h%d width=18 height=12 rx=2></rect></svg>%" PRIu64,
			level, least);
		if (last > least)
			fprintf(map->out, "–%" PRIu64, last);
		fputs("</span>", map->out);
	}
	fputs("</div>\n", map->out);
}

static const char *name_of(const struct map *map, uint32_t function)
{
	if (function == PROFILE_NONE)
		return "no function";
	return map->hot->profile->functions[function].name;
}

/* The script filters the table by the row that a part names. */
static void print_part(const struct map *map, const struct strip *strip, int at)
{
	const struct strip_part *part = &strip->parts[at];
	uint64_t address = strip->low + at * strip->step;

	if (!part->samples)
		return;
	fprintf(map->out, "<rect class=h%d x=%d width=1 height=1",
		strip_level(part->samples, map->most), at);
	if (part->function != PROFILE_NONE &&
	    map->hot->row_of[part->function] < HOT_ROWS)
		fprintf(map->out, " data-f=%" PRIu32,
			map->hot->row_of[part->function]);
	fprintf(map->out, "><title>0x%" PRIx64 ": %" PRIu64 " sample%s, ",
		address, part->samples, part->samples == 1 ? "" : "s");
	profil_html_text(map->out, name_of(map, part->function), TITLE_WIDTH);
	if (part->most < part->samples)
		fputs(" and others", map->out);
	fputs("</title></rect>\n", map->out);
}

/* Parts at the right end may be beyond the last address. */
static int parts_of(const struct strip *strip)
{
	return (strip->size - 1) / strip->step + 1;
}

static void print_label(const struct map *map, const struct map_label *label,
			const char *name, double at)
{
	if (label->from < at)
		fprintf(map->out, "<span class=left style=\"right:%.2f%%\">",
			100 - at);
	else
		fprintf(map->out, "<span style=\"left:%.2f%%\">", at);
	profil_html_text(map->out, name, NAME_WIDTH);
	fputs("</span>", map->out);
}

static bool overlaps(const struct map_label *labels, int nr,
		     const struct map_label *label)
{
	for (int i = 0; i < nr; i++)
		if (label->from < labels[i].to && labels[i].from < label->to)
			return true;
	return label->from < 0 || label->to > 100;
}

/* Place of the name: right of @at, or left of it */
static bool place_label(struct map_label *labels, int nr, double at,
			double width)
{
	labels[nr] = (struct map_label){ at, at + width };
	if (!overlaps(labels, nr, &labels[nr]))
		return true;
	labels[nr] = (struct map_label){ at - width, at };
	return !overlaps(labels, nr, &labels[nr]);
}

/* Middle of the function's hottest part, in percent of the strip */
static double position_of(const struct strip *strip, uint32_t function)
{
	const struct strip_part *best = NULL;

	for (int i = 0; i < STRIP_PARTS; i++) {
		const struct strip_part *part = &strip->parts[i];

		if (part->function == function &&
		    (!best || part->most > best->most))
			best = part;
	}
	return best ? 100 * (best - strip->parts + 0.5) / parts_of(strip) : -1;
}

/* Names of the object's hottest functions, as far as there is room */
static void print_labels(const struct map *map, const struct strip *strip)
{
	struct map_label labels[MAX_NAMES + 1];
	int nr = 0, tried = 0;

	fputs("<div class=names aria-hidden=true>", map->out);
	for (size_t i = 0; i < map->hot->nr && nr < MAX_NAMES && tried < 12;
	     i++) {
		const struct hot_row *row = &map->hot->rows[i];
		const char *name = profil_hot_name(map->hot, row);
		size_t width = strnlen(name, NAME_WIDTH) + 2;
		double at;

		if (row->object != strip->object ||
		    row->function == PROFILE_NONE)
			continue;
		tried++;
		at = position_of(strip, row->function);
		if (at < 0 || !place_label(labels, nr, at, width * CHARACTER))
			continue;
		print_label(map, &labels[nr++], name, at);
	}
	fputs("</div>\n", map->out);
}

static void print_size(FILE *out, uint64_t size)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB" };
	double number = size;
	int unit = 0;

	while (number >= 1024 && unit < 3) {
		number /= 1024;
		unit++;
	}
	fprintf(out, "%.*f %s", unit ? 1 : 0, number, units[unit]);
}

static void print_head(const struct map *map, const struct strip *strip)
{
	const char *path = map->hot->profile->objects[strip->object].path;
	uint64_t samples = map->hot->objects[strip->object];

	fputs("<div class=object>\n<h3><span class=mono>", map->out);
	profil_html_name(map->out, profil_text_base(path));
	fprintf(map->out,
		"</span><span>%.1f&nbsp;%%</span><span class=where>%.3f s · ",
		profil_hot_percent(map->hot, samples),
		samples * map->hot->period);
	profil_html_name(map->out, path);
	fputs("</span></h3>\n", map->out);
}

static void print_axis(const struct map *map, const struct strip *strip)
{
	fprintf(map->out, "<div class=axis><span>0x%" PRIx64 "</span><span>",
		strip->low);
	print_size(map->out, strip->size);
	fputs(" of code, ", map->out);
	print_size(map->out, strip->step);
	fprintf(map->out, " in a part</span><span>0x%" PRIx64 "</span></div>\n",
		strip->low + strip->size);
}

static void print_strip(const struct map *map, const struct strip *strip)
{
	print_head(map, strip);
	fprintf(map->out,
		"<svg class=strip role=img viewBox=\"0 0 %d 1\" preserveAspectRatio=none\n"
		"aria-label=\"samples by address\">\n",
		parts_of(strip));
	for (int i = 0; i < STRIP_PARTS; i++)
		print_part(map, strip, i);
	fputs("</svg>\n", map->out);
	print_labels(map, strip);
	print_axis(map, strip);
	fputs("</div>\n", map->out);
}

void profil_html_map(FILE *out, const struct hot *hot)
{
	struct map map = { .out = out, .hot = hot };

	read_strips(&map);
	if (map.nr) {
		fputs("<section>\n<h2>Code by address</h2>\n"
		      "<p class=quiet>The code of each file from its first address to its last.\n"
		      "Click a part to find its function in the table.</p>\n",
		      out);
		print_legend(&map);
		for (uint32_t i = 0; i < map.nr; i++)
			print_strip(&map, &map.strips[i]);
		fputs("</section>\n", out);
	}
	free(map.strips);
}
