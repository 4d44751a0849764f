// SPDX-License-Identifier: GPL-2.0-only
#include "model.h"

unsigned __int128 model_product(u64 x, u32 scale)
{
	return (unsigned __int128)x * scale / 65536;
}

unsigned __int128 model_index(u64 distance, u32 scale, u32 width,
			      enum model_rule rule)
{
	switch (rule) {
	case MODEL_BSD:
		return model_product(distance / width, scale);
	case MODEL_AIX:
		return (model_product(distance, scale) + width - 1) / width;
	default:
		return model_product(distance, scale) / width;
	}
}

static bool is_overflow(const struct profil_region *region)
{
	return region->flags & PROFIL_REGION_OVERFLOW;
}

static u64 counters_of(const struct model *model,
		       const struct profil_region *region)
{
	return region->size / model->width;
}

bool model_enabled(const struct model *model, u32 i)
{
	const struct profil_region *region = &model->regions[i];

	if (!counters_of(model, region))
		return false;
	return is_overflow(region) || region->scale >= 2;
}

static unsigned __int128 index_in(const struct model *model, u32 i,
				  u64 distance)
{
	return model_index(distance, model->regions[i].scale, model->width,
			   model->rule);
}

static bool contains(const struct model *model, u32 i, u64 pc)
{
	const struct profil_region *region = &model->regions[i];

	return pc >= region->offset && index_in(model, i, pc - region->offset) <
					       counters_of(model, region);
}

/* Set bit after bit: the PCs that a region contains have no holes. */
u64 model_last(const struct model *model, u32 i)
{
	u64 last = model->regions[i].offset;

	for (u64 step = 1ULL << 63; step; step >>= 1) {
		if (last <= U64_MAX - step && contains(model, i, last + step))
			last += step;
	}
	return last;
}

static u32 find_overflow(const struct model *model)
{
	for (u32 i = 0; i < model->nr; i++) {
		if (is_overflow(&model->regions[i]) && model_enabled(model, i))
			return i;
	}
	return MODEL_NONE;
}

u32 model_find(const struct model *model, u64 pc, u64 *counter)
{
	const struct profil_region *region, *best = NULL;
	u32 i;

	for (i = 0; i < model->nr; i++) {
		region = &model->regions[i];
		if (best && region->offset <= best->offset)
			continue;
		if (!is_overflow(region) && model_enabled(model, i) &&
		    contains(model, i, pc))
			best = region;
	}
	if (best) {
		i = best - model->regions;
		*counter = best->base +
			   index_in(model, i, pc - best->offset) * model->width;
		return i;
	}
	i = find_overflow(model);
	if (i != MODEL_NONE)
		*counter = model->regions[i].base;
	return i;
}
