// SPDX-License-Identifier: GPL-2.0-only
/* Names of files in a table: the base name, and as much of the directory as differs */
#include "profile/path_tails.h"
#include "util/text.h"

/* Strings of a profile are unique. */
static void add(struct path_tails *tails, const char *path)
{
	struct index_key key = { { (uintptr_t)path } };

	if (profil_index_map_add(&tails->indices, key, tails->nr) == tails->nr)
		ARRAY_ADD(tails->paths, tails->nr, path);
}

/* Bytes at the end that both have */
static size_t common_end(const char *one, const char *other)
{
	size_t length = strlen(one), size = strlen(other), same = 0;

	while (same < length && same < size &&
	       one[length - same - 1] == other[size - same - 1])
		same++;
	return same;
}

static int by_end(const void *a, const void *b)
{
	const char *one = *(const char *const *)a;
	const char *other = *(const char *const *)b;
	size_t same = common_end(one, other);
	size_t left = strlen(one) - same, right = strlen(other) - same;

	if (!left || !right)
		return compare_numbers(left, right);
	return compare_numbers((unsigned char)one[left - 1],
			       (unsigned char)other[right - 1]);
}

static void sort(struct path_tails *tails)
{
	ARRAY_SORT(tails->paths, tails->nr, by_end);
}

void profil_path_tails_free(struct path_tails *tails)
{
	free(tails->paths);
	profil_index_map_free(&tails->indices);
	*tails = (struct path_tails){ 0 };
}

/* The same, and the slash in front of them, which the beginning of a path stands for */
static size_t common_names(const char *one, const char *other)
{
	size_t same = common_end(one, other);
	size_t left = strlen(one) - same, right = strlen(other) - same;

	return same + ((!left && right && other[right - 1] == '/') ||
		       (!right && left && one[left - 1] == '/'));
}

/* Bytes at the end of @path that another path has; those beside it have the most. */
static size_t shared_end(const struct path_tails *tails, const char *path)
{
	const char **at = bsearch(&path, tails->paths, tails->nr,
				  sizeof(*tails->paths), by_end);
	size_t index = at ? at - tails->paths : 0, before = 0, after = 0;

	if (at && index)
		before = common_names(path, tails->paths[index - 1]);
	if (at && index + 1 < tails->nr)
		after = common_names(path, tails->paths[index + 1]);
	return before > after ? before : after;
}

const char *profil_path_tail(const struct path_tails *tails, const char *path)
{
	const char *base = profil_text_base(path), *tail;
	size_t shared = tails->nr > 1 ? shared_end(tails, path) : 0;

	if (shared <= strlen(base))
		return base;
	tail = path + strlen(path) - lesser(shared, strlen(path));
	tail -= tail > path;
	while (tail > path && tail[-1] != '/')
		tail--;
	return tail;
}

void profil_path_tails_read_sources(struct path_tails *tails,
				    const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_place *place =
			profile_place_of(profile, &profile->samples[i]);
		const struct profile_frame *frame =
			profile_frames_of(profile, place);

		if (frame && *frame->file)
			add(tails, frame->file);
	}
	sort(tails);
}

void profil_path_names_read(struct path_names *names,
			    const struct profile *profile)
{
	*names = (struct path_names){ 0 };
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		uint32_t object = profile_place_of(profile, sample)->object;

		add(&names->objects, profile->objects[object].path);
		add(&names->programs, profile->programs[sample->program].path);
	}
	sort(&names->objects);
	sort(&names->programs);
}

void profil_path_names_free(struct path_names *names)
{
	profil_path_tails_free(&names->objects);
	profil_path_tails_free(&names->programs);
}
