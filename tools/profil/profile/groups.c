// SPDX-License-Identifier: GPL-2.0-only
/* Groups of samples */
#include "profile/groups.h"

void profil_groups_free(struct groups *groups)
{
	free(groups->array);
	profil_index_set_free(&groups->set);
	*groups = (struct groups){ 0 };
}

static bool has_numbers(const void *groups, uint32_t index, const void *numbers)
{
	const struct group *group = groups;

	return !memcmp(group[index].numbers, numbers, sizeof(group->numbers));
}

static uint32_t hash_of(const struct group *group)
{
	struct index_key key = { 0 };

	for (int i = 0; i < GROUP_NUMBERS; i++) {
		key.words[1] = group->numbers[i];
		key.words[0] = profil_index_hash(&key);
	}
	return key.words[0];
}

static uint64_t address_of(const struct profile *profile,
			   const struct group *group)
{
	return profile_place_of(profile, group->hottest)->address;
}

/* The hottest sample of equal ones is that with the lowest address. */
static bool is_hotter(const struct profile *profile, const struct group *one,
		      const struct group *other)
{
	if (one->most != other->most)
		return one->most > other->most;
	return address_of(profile, one) < address_of(profile, other);
}

size_t profil_groups_add(struct groups *groups, const struct profile *profile,
			 struct group part)
{
	size_t index = profil_index_set_add(&groups->set, hash_of(&part),
					    groups->nr, has_numbers,
					    groups->array, part.numbers);
	struct group *group;

	part.most = part.samples;
	if (index == groups->nr) {
		ARRAY_ADD(groups->array, groups->nr, part);
		return index;
	}
	group = &groups->array[index];
	if (is_hotter(profile, &part, group)) {
		group->most = part.most;
		group->hottest = part.hottest;
	}
	group->samples += part.samples;
	group->kernel += part.kernel;
	return index;
}

static int by_numbers(const void *a, const void *b)
{
	const struct group *one = a, *other = b;

	for (int i = 0; i < GROUP_NUMBERS; i++)
		if (one->numbers[i] != other->numbers[i])
			return one->numbers[i] < other->numbers[i] ? -1 : 1;
	return 0;
}

void profil_groups_sort(struct groups *groups)
{
	ARRAY_SORT(groups->array, groups->nr, by_numbers);
}
