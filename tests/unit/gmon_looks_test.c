// SPDX-License-Identifier: GPL-2.0-only
/* Unit test of the looks at the list of libraries, while threads load further ones */
#include <stdlib.h>
#include <string.h>

#include "core/objects.h"
#include "gprof/gmon.h"
#include "gprof/histogram.h"
#include "tap.h"

#define LIBRARIES 20
#define SIZE 0x1000

/* The libraries that are loaded, at places in a row; and those that count */
static unsigned int loaded, counting;

/* Another thread loads one, and asks for a look, when this one has read the list. */
void profil_objects(void (*take)(const struct object *object, void *data),
		    void *data)
{
	unsigned int nr = loaded;

	for (unsigned int i = 0; i < nr; i++) {
		uint64_t low = 0x500000 + (uint64_t)i * SIZE;
		char path[32];
		struct object object = { .base = low,
					 .low = low,
					 .high = low + SIZE,
					 .start = low,
					 .end = low + SIZE,
					 .entry = low,
					 .path = path };

		snprintf(path, sizeof(path), "/lib/%u.so", i);
		take(&object, data);
	}
	if (nr == LIBRARIES)
		return;
	loaded++;
	profil_gmon_refresh();
}

struct object profil_object_at(uint64_t address)
{
	return (struct object){ .start = address, .end = address + SIZE };
}

int profil_histogram_start(struct gmon *gmon)
{
	(void)gmon;
	return 0;
}

void profil_histogram_renew(struct gmon *gmon)
{
	counting = gmon->nr_objects - 1;
}

void profil_histogram_stop(void)
{
}

TEST("a library that is loaded during a look at the others counts, too")
{
	CHECK(!setenv("PROFIL_GMON_OBJECTS", "1", true));
	CHECK_EQUAL(0, profil_gmon_start(0x400000, 0x401000));
	profil_gmon_refresh();
	CHECK_EQUAL(LIBRARIES, loaded);
	CHECK_EQUAL(LIBRARIES, counting);
	profil_gmon_forget();
	return true;
}
