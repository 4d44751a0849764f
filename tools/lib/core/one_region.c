// SPDX-License-Identifier: LGPL-2.1-or-later
/* One region of 16-bit counters, of which each dialect has a profil() */
#include <errno.h>

#include "core/driver.h"
#include "core/fallback.h"
#include "core/one_region.h"

static int start_region(const struct single *single)
{
	struct profil_region region = {
		.base = (uintptr_t)single->buf,
		.size = single->size,
		.offset = single->offset,
		.scale = single->scale,
		.flags = single->everything ? PROFIL_REGION_OVERFLOW : 0,
	};
	struct profil_start start = {
		.size = sizeof(start),
		.flags = single->flags,
		.width = sizeof(*single->buf),
		.nr_regions = 1,
		.regions = (uintptr_t)&region,
	};

	return profil_driver_start(&start);
}

bool profil_single_is_on(const struct single *single)
{
	return single->size >= sizeof(*single->buf) && single->scale > 1;
}

int profil_single_switch(const struct single *single)
{
	int ret = profil_single_is_on(single) ? start_region(single) :
						profil_driver_stop();

	if (ret == -ENODEV)
		return profil_fallback_profil(single->buf, single->size,
					      single->offset, single->scale);
	if (ret)
		profil_driver_stop();
	return ret;
}
