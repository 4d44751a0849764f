// SPDX-License-Identifier: GPL-2.0-only
/* Functions of a profile by name */
#include "print/find.h"
#include "util/short_names.h"
#include "util/text.h"

/* Names of other functions that match */
#define MAX_OTHERS 4

/* Characters of each */
#define NAME 60

/* @is_part: a part of its name or symbol is enough. */
static bool has_name(const struct profile_function *function, const char *name,
		     bool is_part)
{
	if (!name)
		return true;
	if (is_part)
		return strstr(function->name, name) ||
		       strstr(function->symbol, name);
	return !strcmp(function->name, name) || !strcmp(function->symbol, name);
}

/* Functions with a weight and the name, in the order of the profile */
static uint32_t collect(const struct profile *profile, const double *weights,
			const char *name, const regex_t *object, bool is_part,
			uint32_t *found)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		const struct profile_function *function =
			&profile->functions[i];
		const char *path = profile->objects[function->object].path;

		if (weights[i] && has_name(function, name, is_part) &&
		    profil_text_matches(object, path))
			found[nr++] = i;
	}
	return nr;
}

static int by_weight(const void *a, const void *b, void *data)
{
	const double *weights = data;
	const uint32_t *one = a, *other = b;

	return compare_reals(weights[*other], weights[*one]) ?:
		       compare_numbers(*one, *other);
}

uint32_t *profil_functions_find(const struct profile *profile,
				const double *weights, const char *name,
				const regex_t *object, uint32_t *nr)
{
	uint32_t *found =
		profil_grow(NULL, profile->nr_functions + 1ULL, sizeof(*found));

	*nr = collect(profile, weights, name, object, false, found);
	if (!*nr)
		*nr = collect(profile, weights, name, object, true, found);
	qsort_r(found, *nr, sizeof(*found), by_weight, (void *)weights);
	return found;
}

void profil_functions_print_others(FILE *out, const struct profile *profile,
				   const uint32_t *functions, uint32_t nr)
{
	uint32_t shown = lesser(nr, MAX_OTHERS);
	char *names[MAX_OTHERS];

	if (!nr)
		return;
	for (uint32_t i = 0; i < shown; i++) {
		const char *name = profile->functions[functions[i]].name;

		names[i] = profil_text_printable(name);
	}
	profil_short_names(names, shown, NAME, profil_text_sign("…", "..."));
	fprintf(out, "%u other function%s: ", nr,
		nr == 1 ? " matches" : "s match");
	for (uint32_t i = 0; i < shown; i++) {
		fprintf(out, "%s%s", i ? ", " : "", names[i]);
		free(names[i]);
	}
	fputs(nr > MAX_OTHERS ? ", ...\n" : "\n", out);
}
