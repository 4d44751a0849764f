// SPDX-License-Identifier: GPL-2.0-only
/* Reasons why functions have no names */
#include <stdlib.h>
#include <string.h>

#include "print/hints.h"
#include "util/memory.h"
#include "util/text.h"

/* Percent of all samples: files with less in nameless functions have no line */
#define SHARE 2

/**
 * struct naming - names of the functions in an object
 * @samples: samples in the object
 * @nameless: samples in functions without a symbol
 */
struct naming {
	uint64_t samples;
	uint64_t nameless;
};

static struct naming *namings_of(const struct profile *profile)
{
	struct naming *namings =
		profil_grow(NULL, profile->nr_objects + 1, sizeof(*namings));

	memset(namings, 0, profile->nr_objects * sizeof(*namings));
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];
		struct naming *naming = &namings[place->object];
		uint64_t samples = place->user + place->kernel;
		bool is_named = place->function != PROFILE_NONE &&
				*profile->functions[place->function].symbol;

		naming->samples += samples;
		naming->nameless += is_named ? 0 : samples;
	}
	return namings;
}

static void print_nameless(FILE *out, const struct profile_object *object,
			   const struct naming *naming, const char *name)
{
	if (!strcmp(object->path, "[vdso]"))
		return;
	fprintf(out, "%s has %s symbols", name,
		naming->nameless < naming->samples ? "only some" : "no");
	if (*object->package) {
		char *package = profil_text_printable(object->package);

		fprintf(out, ": apt install %s", package);
		free(package);
	}
	fputc('\n', out);
}

static void print_hint(FILE *out, const struct profile_object *object,
		       const struct naming *naming)
{
	char *name = profil_text_printable(profil_text_base(object->path));

	if (object->names == PROFILE_NAMES_REPLACED)
		fprintf(out,
			"%s was replaced after it was run: its functions have offsets in place of names\n",
			name);
	else if (object->names == PROFILE_NAMES_UNREADABLE)
		fprintf(out,
			"%s can no longer be read: its functions have offsets in place of names\n",
			name);
	else
		print_nameless(out, object, naming, name);
	free(name);
}

/* Programs that write the names of their code on request, and the request */
static const struct {
	const char *program;
	const char *options;
} compilers[] = {
	{ "node", "--perf-basic-prof" },
	{ "java", "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" },
};

static void print_generated(FILE *out, const char *path)
{
	const char *program = profil_text_base(path);
	char *name = profil_text_printable(program);

	fprintf(out,
		"code that %s has generated has no names from /tmp/perf-PID.map",
		name);
	for (size_t i = 0; i < sizeof(compilers) / sizeof(*compilers); i++)
		if (!strcmp(program, compilers[i].program))
			fprintf(out, ", which %s %s writes", name,
				compilers[i].options);
	fputc('\n', out);
	free(name);
}

/*
 * Sum of the generated code of the program of object @first, which has an object
 * for each process. Nothing if a process before it has such code.
 */
static struct naming generated_by(const struct profile *profile,
				  const struct naming *namings, uint32_t first)
{
	struct naming sum = { 0 };

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (object->kind != PROFILE_JIT ||
		    object->path != profile->objects[first].path)
			continue;
		if (i < first)
			return (struct naming){ 0 };
		sum.samples += namings[i].samples;
		sum.nameless += namings[i].nameless;
	}
	return sum;
}

/* Of a map there may be names of some code only. */
static void print_generators(FILE *out, const struct profile *profile,
			     const struct naming *namings)
{
	uint64_t total = profil_profile_total(profile);

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		struct naming code;

		if (profile->objects[i].kind != PROFILE_JIT)
			continue;
		code = generated_by(profile, namings, i);
		if (code.nameless == code.samples &&
		    code.nameless * 100.0 > (double)total * SHARE)
			print_generated(out, profile->objects[i].path);
	}
}

void profil_hints_print(FILE *out, const struct profile *profile)
{
	struct naming *namings = namings_of(profile);
	uint64_t total = profil_profile_total(profile);
	int skipped = 0;

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];
		const struct naming *naming = &namings[i];

		if (object->kind != PROFILE_FILE || !naming->samples)
			continue;
		if (object->names == PROFILE_NAMES_SKIPPED)
			skipped++;
		else if (object->names != PROFILE_NAMES_READ ||
			 naming->nameless * 100.0 > (double)total * SHARE)
			print_hint(out, object, naming);
	}
	print_generators(out, profile, namings);
	if (skipped)
		fprintf(out,
			"interrupted: the names of %d file%s were not looked up\n",
			skipped, skipped == 1 ? "" : "s");
	free(namings);
}
