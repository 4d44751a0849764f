// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The histogram for gmon.out
 *
 * The driver's counters have 32 bits and the libc's 16. Both have one per
 * GMON_BIN bytes of text.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <sys/profil.h>

#include "core/driver.h"
#include "core/env.h"
#include "core/fallback.h"
#include "core/log.h"
#include "core/owner.h"
#include "gprof/histogram.h"

#define SECOND 1000000000ULL
#define WIDTH_OF_DRIVER 4
#define WIDTH_OF_LIBC 2

/* Owner's generation when counting was started; 0: not started */
static unsigned int mine;

#if defined(PROFIL_STATIC) && defined(__GLIBC__)
/* This reference links the libc's function into a static program. */
__typeof__(profil) __profil;
static __typeof__(profil) *const linked_in __attribute__((used)) = __profil;
#endif

static uint32_t scale_of(uint32_t width)
{
	return 0x10000 / GMON_BIN * width;
}

static uint32_t list_regions(struct gmon *gmon)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < gmon->nr_objects; i++) {
		const struct gmon_object *text = &gmon->objects[i];

		if (text->present)
			gmon->regions[nr++] = (struct profil_region){
				.base = (uintptr_t)text->counters,
				.size = (text->high - text->low) / GMON_BIN *
					gmon->width,
				.offset = text->low,
				.scale = scale_of(gmon->width),
			};
	}
	return nr;
}

static int start_driver(struct gmon *gmon)
{
	struct profil_start start = {
		.size = sizeof(start),
		.width = gmon->width,
		.nr_regions = list_regions(gmon),
		.regions = (uintptr_t)gmon->regions,
		.period_ns = gmon->period_ns,
	};
	int ret = profil_driver_start(&start);

	if (!ret)
		gmon->rate = (SECOND + start.period_ns / 2) / start.period_ns;
	return ret;
}

/* A rate that the driver refuses is replaced by that of the tick. */
static int start_at_rate(struct gmon *gmon)
{
	static const char too_fast[] =
		"the driver refuses PROFIL_GMON_RATE and samples at each tick";
	unsigned long rate = profil_env_number("PROFIL_GMON_RATE", 0);
	int ret;

	gmon->period_ns = rate && rate <= SECOND ? SECOND / rate : 0;
	ret = start_driver(gmon);
	if (gmon->period_ns && (ret == -EINVAL || ret == -EACCES)) {
		profil_log(too_fast);
		gmon->period_ns = 0;
		ret = start_driver(gmon);
	}
	return ret;
}

static int start_libc(struct gmon *gmon)
{
	const struct gmon_object *text = &gmon->objects[0];

	return profil_fallback_profil(text->counters,
				      (text->high - text->low) / GMON_BIN *
					      WIDTH_OF_LIBC,
				      text->low, scale_of(WIDTH_OF_LIBC));
}

/* The width of the counters stays the same from the first count on. */
static int start_first(struct gmon *gmon)
{
	int ret;

	gmon->width = WIDTH_OF_DRIVER;
	gmon->rate = sysconf(_SC_CLK_TCK);
	ret = start_at_rate(gmon);
	if (ret == -ENODEV) {
		gmon->width = WIDTH_OF_LIBC;
		ret = start_libc(gmon);
	}
	return ret;
}

/* Same source of samples as before: the file has one rate. */
static int start_again(struct gmon *gmon)
{
	return gmon->width == WIDTH_OF_LIBC ? start_libc(gmon) :
					      start_driver(gmon);
}

int profil_histogram_start(struct gmon *gmon)
{
	static const char sentence[] =
		"the driver takes no samples (%s); gmon.out gets only the calls";
	int ret = gmon->width ? start_again(gmon) : start_first(gmon);

	if (!ret)
		mine = profil_owner_generation();
	else if (ret != -ENODEV)
		profil_log(sentence, strerror(-ret));
	else if (profil_env_is_on("PROFIL_REQUIRE"))
		return ret;
	return 0;
}

static bool is_on(void)
{
	return mine && mine == profil_owner_generation();
}

/* Nothing changes for the libc's profil(), which counts only the program. */
void profil_histogram_renew(struct gmon *gmon)
{
	if (is_on() && profil_driver_is_owner() && !start_driver(gmon))
		mine = profil_owner_generation();
}

void profil_histogram_stop(void)
{
	if (is_on() && profil_driver_stop() == -ENODEV)
		profil_fallback_profil(NULL, 0, 0, 0);
	mine = 0;
}
