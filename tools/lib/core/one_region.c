// SPDX-License-Identifier: LGPL-2.1-or-later
/* One region of 16-bit counters, as each dialect's profil() takes it */
#include <errno.h>

#include "core/driver.h"
#include "core/fallback.h"
#include "core/one_region.h"

static int start_region(const struct one_region *one)
{
	struct profil_region region = {
		.base = (uintptr_t)one->buf,
		.size = one->size,
		.offset = one->offset,
		.scale = one->scale,
		.flags = one->everything ? PROFIL_REGION_OVERFLOW : 0,
	};
	struct profil_start start = {
		.size = sizeof(start),
		.flags = one->flags,
		.width = sizeof(*one->buf),
		.nr_regions = 1,
		.regions = (uintptr_t)&region,
	};

	return profil_driver_start(&start);
}

bool profil_one_region_is_on(const struct one_region *one)
{
	return one->size >= sizeof(*one->buf) && one->scale > 1;
}

/* For the libc, NULL alone ends a profile. */
static int switch_fallback(const struct one_region *one)
{
	return profil_fallback_profil(profil_one_region_is_on(one) ? one->buf :
								     NULL,
				      one->size, one->offset, one->scale);
}

int profil_one_region_switch(const struct one_region *one)
{
	int ret = profil_one_region_is_on(one) ? start_region(one) :
						 profil_driver_stop();

	if (ret == -ENODEV)
		return switch_fallback(one);
	if (ret)
		profil_driver_stop();
	return ret;
}
