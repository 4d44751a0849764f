// SPDX-License-Identifier: GPL-2.0-only
/* Groups of samples */
#include "profile/groups.h"

/*
 * A sample has numbers, such as one for each key of a row. The samples of a group are
 * those with equal numbers, which follow each other when they are sorted by them.
 */

void profil_groups_free(struct groups *groups)
{
	free(groups->array);
	*groups = (struct groups){ 0 };
}

struct group *profil_groups_add(struct groups *groups,
				const struct profile_sample *sample,
				uint64_t samples)
{
	ARRAY_ADD(groups->array, groups->nr,
		  (struct group){
			  .samples = samples,
			  .kernel = sample->kernel,
			  .hottest = sample,
		  });
	return &groups->array[groups->nr - 1];
}

static int by_numbers(const void *a, const void *b)
{
	const struct group *one = a, *other = b;

	for (int i = 0; i < GROUP_NUMBERS; i++)
		if (one->numbers[i] != other->numbers[i])
			return one->numbers[i] < other->numbers[i] ? -1 : 1;
	return 0;
}

size_t profil_groups_find(const struct groups *groups,
			  const struct group *group)
{
	const struct group *found = NULL;

	if (groups->nr)
		found = bsearch(group, groups->array, groups->nr,
				sizeof(*group), by_numbers);
	return found ? (size_t)(found - groups->array) : GROUP_NONE;
}

/* The hottest sample first, and of equal ones that with the lowest address */
static int by_heat(const void *a, const void *b, void *profile)
{
	const struct group *one = a, *other = b;
	const struct profile_place *x = profile_place_of(profile, one->hottest);
	const struct profile_place *y =
		profile_place_of(profile, other->hottest);

	return by_numbers(a, b)					     ?:
		       compare_numbers(other->samples, one->samples) ?:
		       compare_numbers(x->address, y->address)	     ?:
		       compare_numbers((uintptr_t)one->hottest,
				       (uintptr_t)other->hottest);
}

static void add_samples(void *to, const void *from)
{
	struct group *group = to;
	const struct group *other = from;

	group->samples += other->samples;
	group->kernel += other->kernel;
}

void profil_groups_join(struct groups *groups, const struct profile *profile)
{
	struct group *array = groups->array;

	/* Equal numbers follow each other, and the first of them is the hottest. */
	if (groups->nr)
		qsort_r(array, groups->nr, sizeof(*array), by_heat,
			(void *)profile);
	groups->nr = ARRAY_JOIN(array, groups->nr, by_numbers, add_samples);
}
