// SPDX-License-Identifier: GPL-2.0-only
/* Moments of a recording */
#include "record/mark.h"

void profil_mark_free(struct mark *mark)
{
	free(mark->samples);
	free(mark->stacks);
	free(mark->kernel);
	*mark = (struct mark){ 0 };
}

/* Which of the stacks have samples, or have stacks with samples below them; to be freed */
static bool *used_stacks(const struct profile_stack *stacks, uint32_t nr)
{
	bool *are_used = profil_zeros(nr + 1ULL, 1);

	for (uint32_t i = nr; i-- > 0;) {
		are_used[i] |= stacks[i].user || stacks[i].kernel;
		if (are_used[i] && stacks[i].parent != PROFILE_NONE)
			are_used[stacks[i].parent] = true;
	}
	return are_used;
}

struct profile_stack *profil_mark_stacks_since(const struct mark *mark,
					       const struct profile *profile,
					       bool **are_used)
{
	struct profile_stack *stacks =
		profil_grow(NULL, profile->nr_stacks + 1ULL, sizeof(*stacks));

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		stacks[i] = profile->stacks[i];
		if (i < mark->nr_stacks) {
			stacks[i].user -= mark->stacks[i].user;
			stacks[i].kernel -= mark->stacks[i].kernel;
		}
	}
	*are_used = used_stacks(stacks, profile->nr_stacks);
	return stacks;
}
