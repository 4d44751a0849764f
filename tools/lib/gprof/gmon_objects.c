// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parts of the program and its libraries that are profiled for gmon.out */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/objects.h"
#include "core/pages.h"
#include "gprof/gmon_objects.h"

static uint64_t round_down(uint64_t address)
{
	return address / GMON_BIN * GMON_BIN;
}

static uint64_t round_up(uint64_t address)
{
	return round_down(address + GMON_BIN - 1);
}

/* One counter of 4 bytes per 4 bytes of text */
static size_t size_of(const struct gmon_object *text)
{
	return text->high - text->low;
}

/* Wiped in a forked child; only pages with counts take memory. */
static void *new_counters(size_t size)
{
	void *counters = profil_pages(size);

	if (!counters)
		return NULL;
	madvise(counters, size, MADV_WIPEONFORK);
	madvise(counters, size, MADV_DONTDUMP);
	return counters;
}

/* FNV-1a. Another library may have had the addresses before, and the name of the file. */
static uint64_t hash_of(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 0x100000001b3;
	return hash;
}

static struct gmon_object *add(struct gmon *gmon, const struct object *object,
			       uint64_t low, uint64_t high)
{
	struct gmon_object *text = &gmon->objects[gmon->nr_objects];

	if (gmon->nr_objects == PROFIL_MAX_REGIONS)
		return NULL;
	text->object = *object;
	text->object.path = NULL;
	text->low = round_down(low);
	text->high = round_up(high);
	text->present = true;
	text->name[0] = '\0';
	text->counters = new_counters(size_of(text));
	return text->counters ? text : NULL;
}

/* Complete before it is counted: another thread may be writing a checkpoint. */
static void publish(struct gmon *gmon)
{
	__atomic_store_n(&gmon->nr_objects, gmon->nr_objects + 1,
			 __ATOMIC_RELEASE);
}

/* Text in no file, such as code compiled at run time, is its own object. */
int profil_gmon_objects_program(struct gmon *gmon, uint64_t low, uint64_t high)
{
	struct object object = profil_object_at(low);

	if (low >= high || high > UINT64_MAX - GMON_BIN)
		return -EINVAL;
	if (!object.end)
		object = (struct object){
			.start = low,
			.end = high,
			.entry = low,
		};
	if (!add(gmon, &object, low, high))
		return -ENOMEM;
	publish(gmon);
	return 0;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_named(const struct gmon *gmon, const char *name)
{
	for (uint32_t i = 0; i < gmon->nr_objects; i++)
		if (!strcmp(gmon->objects[i].name, name))
			return true;
	return false;
}

/* Two libraries of one name get two files. */
static void name_text(const struct gmon *gmon, struct gmon_object *text,
		      const char *name)
{
	char new[sizeof(text->name)];

	snprintf(new, sizeof(new), "%s", name);
	for (unsigned int i = 2; is_named(gmon, new); i++)
		snprintf(new, sizeof(new), "%.240s-%u", name, i);
	memcpy(text->name, new, sizeof(new));
}

static bool is_of(const struct gmon_object *text, const struct object *object)
{
	return text->object.base == object->base &&
	       text->low == round_down(object->low) &&
	       text->high == round_up(object->high) &&
	       text->path_hash == hash_of(object->path);
}

static struct gmon_object *find(struct gmon *gmon, const struct object *object)
{
	for (uint32_t i = 1; i < gmon->nr_objects; i++)
		if (is_of(&gmon->objects[i], object))
			return &gmon->objects[i];
	return NULL;
}

static void take_library(const struct object *object, void *data)
{
	struct gmon *gmon = data;
	struct gmon_object *text;

	if (!*object->path)
		return;
	text = find(gmon, object);
	if (text) {
		text->present = true;
		return;
	}
	text = add(gmon, object, object->low, object->high);
	if (!text)
		return;
	text->path_hash = hash_of(object->path);
	name_text(gmon, text, last_name(object->path));
	publish(gmon);
}

static uint32_t count_present(const struct gmon *gmon)
{
	uint32_t present = 0;

	for (uint32_t i = 0; i < gmon->nr_objects; i++)
		present += gmon->objects[i].present;
	return present;
}

bool profil_gmon_objects_libraries(struct gmon *gmon)
{
	uint32_t texts = gmon->nr_objects, present = count_present(gmon);

	for (uint32_t i = 1; i < gmon->nr_objects; i++)
		gmon->objects[i].present = false;
	profil_objects(take_library, gmon);
	return gmon->nr_objects != texts || count_present(gmon) != present;
}

void profil_gmon_objects_wipe(struct gmon *gmon)
{
	for (uint32_t i = 0; i < gmon->nr_objects; i++)
		madvise(gmon->objects[i].counters, size_of(&gmon->objects[i]),
			MADV_DONTNEED);
}

void profil_gmon_objects_forget(struct gmon *gmon)
{
	for (uint32_t i = 0; i < gmon->nr_objects; i++)
		munmap(gmon->objects[i].counters, size_of(&gmon->objects[i]));
	gmon->nr_objects = 0;
}
