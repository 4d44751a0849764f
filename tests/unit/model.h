/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model: the formulas of the manuals in 128 bits, simple instead of fast, to
 * compare the pure code with. The two share struct profil_region only.
 */
#ifndef UNIT_MODEL_H
#define UNIT_MODEL_H

#include <linux/profil.h>
#include <linux/types.h>

#define MODEL_NONE U32_MAX

/**
 * enum model_rule - a manual's formula
 * @MODEL_BSD: ((pc - offset) / width) * scale / 65536
 * @MODEL_AIX: (pc - offset) * scale / 65536, rounded up to a counter
 * @MODEL_BYTES: ((pc - offset) * scale / 65536) / width
 */
enum model_rule { MODEL_BSD, MODEL_AIX, MODEL_BYTES, MODEL_NR_RULES };

/* A list of regions, and how they count; @width is 2, 4 or 8. */
struct model {
	const struct profil_region *regions;
	u32 nr;
	u32 width;
	enum model_rule rule;
};

/* floor(x * scale / 65536) */
unsigned __int128 model_product(u64 x, u32 scale);

/* The index of the counter for @distance, in a region without end. */
unsigned __int128 model_index(u64 distance, u32 scale, u32 width,
			      enum model_rule rule);

/* Does region @i count? */
bool model_enabled(const struct model *model, u32 i);

/* The last PC that region @i contains, be it in other regions or not. */
u64 model_last(const struct model *model, u32 i);

/* The region of @pc, or MODEL_NONE, and the address of the counter. */
u32 model_find(const struct model *model, u64 pc, u64 *counter);

#endif /* UNIT_MODEL_H */
