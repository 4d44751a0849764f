// SPDX-License-Identifier: LGPL-2.1-or-later
/* sprofil(): a list of regions, with counters of one width */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <sys/profil.h>

#include "api/dialect.h"
#include "core/device.h"
#include "core/driver.h"
#include "core/fallback.h"
#include "core/pages.h"
#include "core/result.h"
#include "core/user_copy.h"

#define EXPORT __attribute__((visibility("default")))
#define FAST_NS 1000000

/* Lists up to this length are translated on the stack, longer ones in a mapping. */
#define SHORT_LIST 64
/* Elements that are read from the caller at a time */
#define AT_ONCE 16

_Static_assert(PROFIL_MAX == PROFIL_MAX_REGIONS,
	       "the header and the driver disagree");

/* IRIX is strict, and has no counters of 64 bits. */
static bool is_strict(unsigned int flags)
{
	return flags & PROF_STRICT || profil_dialect() == PROFIL_DIALECT_IRIX;
}

static int take_flags(unsigned int flags, struct profil_start *start)
{
	switch (flags & ~(PROF_FAST | PROF_STRICT)) {
	case PROF_USHORT:
		start->width = 2;
		break;
	case PROF_UINT:
		start->width = 4;
		break;
	case PROF_UINT64:
		if (is_strict(flags))
			return -EINVAL;
		start->width = 8;
		break;
	default:
		return -EINVAL;
	}
	start->period_ns = flags & PROF_FAST ? FAST_NS : 0;
	return 0;
}

static int translate(const struct prof *prof, struct profil_region *region)
{
	if (prof->pr_scale > UINT32_MAX)
		return -EINVAL;
	*region = (struct profil_region){
		.base = (uintptr_t)prof->pr_base,
		.size = prof->pr_size,
		.offset = prof->pr_off,
		.scale = prof->pr_scale,
	};
	if (!prof->pr_off && prof->pr_scale == 2)
		region->flags = PROFIL_REGION_OVERFLOW;
	return 0;
}

/* EFAULT anywhere in the list has precedence over EINVAL. */
static int translate_list(const struct prof *profp, int count,
			  struct profil_region *regions)
{
	struct prof some[AT_ONCE];
	int bad = 0;

	for (int i = 0; i < count; i++) {
		int left = count - i < AT_ONCE ? count - i : AT_ONCE;

		if (i % AT_ONCE == 0 &&
		    profil_user_copy_from(some, profp + i,
					  left * sizeof(*profp)))
			return -EFAULT;
		if (translate(&some[i % AT_ONCE], &regions[i]))
			bad = -EINVAL;
	}
	return bad;
}

static int tell_period(struct timeval *tvp, uint64_t period_ns)
{
	uint64_t us = (period_ns + 500) / 1000;
	struct timeval period = {
		.tv_sec = us / 1000000,
		.tv_usec = us % 1000000,
	};

	return tvp ? profil_user_copy_to(tvp, &period, sizeof(period)) : 0;
}

static int stop_all(struct timeval *tvp, const struct profil_version *version)
{
	int ret = profil_driver_stop();

	return ret ? ret : tell_period(tvp, version->tick_ns);
}

static int start_list(const struct prof *profp, struct profil_start *start,
		      struct profil_region *regions, unsigned int flags,
		      const struct profil_version *version)
{
	int ret = translate_list(profp, start->nr_regions, regions);

	if (ret)
		return ret;
	if (start->period_ns && start->period_ns < version->min_period_ns)
		return -EACCES;
	start->regions = (uintptr_t)regions;
	if (is_strict(flags))
		return profil_irix_start(start);
	return profil_driver_start(start);
}

static int start_long_list(const struct prof *profp, struct profil_start *start,
			   unsigned int flags,
			   const struct profil_version *version)
{
	size_t size = start->nr_regions * sizeof(struct profil_region);
	void *regions = profil_pages(size);
	int ret;

	if (!regions)
		return -ENOMEM;
	ret = start_list(profp, start, regions, flags, version);
	munmap(regions, size);
	return ret;
}

static int start_short_list(const struct prof *profp,
			    struct profil_start *start, unsigned int flags,
			    const struct profil_version *version)
{
	struct profil_region regions[SHORT_LIST];

	return start_list(profp, start, regions, flags, version);
}

static int start_profile(const struct prof *profp, int profcnt,
			 struct timeval *tvp, unsigned int flags,
			 const struct profil_version *version)
{
	struct profil_start start = { .size = sizeof(start) };
	int ret;

	if (profcnt <= 0 || profcnt > PROFIL_MAX)
		return -E2BIG;
	ret = take_flags(flags, &start);
	if (ret)
		return ret;
	start.nr_regions = profcnt;
	if (profcnt > SHORT_LIST)
		ret = start_long_list(profp, &start, flags, version);
	else
		ret = start_short_list(profp, &start, flags, version);
	return ret ? ret : tell_period(tvp, start.period_ns);
}

static int switch_profile(struct prof *profp, int profcnt, struct timeval *tvp,
			  unsigned int flags)
{
	struct profil_version version;
	int ret = profil_device_version(&version);

	if (ret == -ENODEV)
		return profil_fallback_sprofil(profp, profcnt, tvp, flags);
	if (ret)
		return ret;
	if (!profcnt && !is_strict(flags))
		return stop_all(tvp, &version);
	ret = start_profile(profp, profcnt, tvp, flags, &version);
	if (ret)
		profil_driver_stop();
	return ret;
}

EXPORT int sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
		   unsigned int flags)
{
	int saved = errno;

	return profil_result(switch_profile(profp, profcnt, tvp, flags), saved);
}
