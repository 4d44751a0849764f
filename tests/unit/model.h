/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the manuals say, in 128 bits and with no thought of speed: the pure code
 * is compared with this. It shares nothing with that but struct profil_region.
 */
#ifndef UNIT_MODEL_H
#define UNIT_MODEL_H

#include <linux/profil.h>
#include <linux/types.h>

#define MODEL_NONE U32_MAX

/* A list of regions and how they are counted; @width is 2, 4 or 8. */
struct model {
	const struct profil_region *regions;
	u32 nr;
	u32 width;
	bool round_up;
};

/* floor(x * scale / 65536) */
unsigned __int128 model_product(u64 x, u32 scale);

/* The counter for @distance, as if there were room for it. */
unsigned __int128 model_index(u64 distance, u32 scale, u32 width,
			      bool round_up);

/* Whether region @i is on. */
bool model_enabled(const struct model *model, u32 i);

/* The last PC that region @i contains, whoever else does; it is on. */
u64 model_last(const struct model *model, u32 i);

/* The region that takes @pc, or MODEL_NONE, and the address of the counter. */
u32 model_find(const struct model *model, u64 pc, u64 *counter);

#endif /* UNIT_MODEL_H */
