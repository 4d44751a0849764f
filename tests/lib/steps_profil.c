// SPDX-License-Identifier: GPL-2.0-only
/* The calls of steps, by <sys/profil.h> */
#include <sys/profil.h>

#include "steps.h"

int steps_profil(void *counters, size_t size, uintptr_t offset,
		 unsigned int scale)
{
	return profil(counters, size, offset, scale);
}

static struct prof region_for(const struct span *span, unsigned int width)
{
	char *counters = steps_buffer(span->buffer);

	return (struct prof){
		.pr_base = counters + span->counter * width,
		.pr_size = span_bytes(span, width),
		.pr_off = steps_text(span->at),
		.pr_scale = span_scale(span, width),
	};
}

int steps_list(const struct span *spans, const void *at, int nr, void *time,
	       unsigned int flags)
{
	unsigned int width = 2;
	struct prof some[6];

	if (flags & (PROF_UINT | PROF_UINT64))
		width = flags & PROF_UINT ? 4 : 8;
	for (int i = 0; spans && i < 6; i++)
		some[i] = region_for(&spans[i], width);
	return sprofil(spans ? some : (void *)at, nr, time, flags);
}
