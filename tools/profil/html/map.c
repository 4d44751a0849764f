// SPDX-License-Identifier: GPL-2.0-only
/* Map of the code: a strip for each object, drawn as SVG */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "html/escape.h"
#include "html/map.h"
#include "html/strip.h"
#include "util/memory.h"
#include "util/text.h"

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
 * struct label - name of a function below a strip
 * @from: left end, in percent of the strip
 * @to: right end
 */
struct label {
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
		    !profil_strip_read(strip, profile, order[i]))
			continue;
		map->nr++;
		most = profil_strip_most(strip);
		map->most = most > map->most ? most : map->most;
	}
	free(order);
}

static void print_legend(const struct map *map)
{
	fputs("<div class=legend><span>samples in a part:</span>", map->out);
	for (int level = 1; level <= STRIP_LEVELS; level++) {
		uint64_t least = profil_strip_least(level, map->most);
		uint64_t next = profil_strip_least(level + 1, map->most);
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
		profil_strip_level(part->samples, map->most), at);
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

static void print_label(const struct map *map, const struct label *label,
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

static bool overlaps(const struct label *labels, int nr,
		     const struct label *label)
{
	for (int i = 0; i < nr; i++)
		if (label->from < labels[i].to && labels[i].from < label->to)
			return true;
	return label->from < 0 || label->to > 100;
}

/* Place of the name: right of @at, or left of it */
static bool place_label(struct label *labels, int nr, double at, double width)
{
	labels[nr] = (struct label){ at, at + width };
	if (!overlaps(labels, nr, &labels[nr]))
		return true;
	labels[nr] = (struct label){ at - width, at };
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
	struct label labels[MAX_NAMES + 1];
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
