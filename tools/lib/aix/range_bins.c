// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <limits.h>

#include "aix/range_bins.h"
#include "core/pages.h"

/* Offset from p_low, an even number, of the first byte of @counter's text */
static uint64_t first_byte(uint64_t counter, uint32_t scale)
{
	return ((counter << 16) + scale - 1) / scale * 2;
}

static uint64_t bin_of(uint64_t byte, unsigned int text, uint64_t nr)
{
	uint64_t bin = (byte + text - 1) / text;

	return bin < nr ? bin : nr;
}

static void add(HISTCOUNTER *bin, uint64_t count)
{
	*bin = count < (uint64_t)USHRT_MAX - *bin ? *bin + count : USHRT_MAX;
}

static void spread(const struct range_bins *bins, uint64_t first, uint64_t end,
		   uint64_t count)
{
	uint64_t each;

	if (first == bins->nr)
		first--;
	if (end <= first)
		end = first + 1;
	each = end - first;
	for (uint64_t k = 0; k < each; k++)
		add(&bins->counts[first + k],
		    count * (k + 1) / each - count * k / each);
}

int profil_range_bins_make(struct range_bins *bins, const struct prof *prof,
			   unsigned int text, uint64_t nr)
{
	uint64_t counters = profil_ranges_counters(prof, false);

	bins->nr = nr;
	bins->mapped = nr * sizeof(*bins->counts);
	bins->counts = profil_pages(bins->mapped);
	if (!bins->counts)
		return -ENOMEM;
	for (uint64_t i = 0; i < counters; i++)
		if (prof->p_buff[i])
			spread(bins,
			       bin_of(first_byte(i, prof->p_scale), text, nr),
			       bin_of(first_byte(i + 1, prof->p_scale), text,
				      nr),
			       prof->p_buff[i]);
	return 0;
}

void profil_range_bins_free(struct range_bins *bins)
{
	munmap(bins->counts, bins->mapped);
	*bins = (struct range_bins){ 0 };
}
