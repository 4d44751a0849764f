// SPDX-License-Identifier: GPL-2.0-only
/* Reasons why functions have no names, and what shows them */
#include <sys/utsname.h>

#include "print/hints.h"
#include "profile/profile.h"
#include "util/debug_server.h"
#include "util/text.h"

/* Percent of all samples: files with less in nameless functions have no line */
#define SHARE 2

/* Percent of all samples: less code of unknown compilers and interpreters has no line */
#define MUCH 10

static bool is_more(uint64_t samples, int percent, uint64_t total)
{
	return samples * 100.0 > (double)total * percent;
}

/* Files that were not read */

/* Samples that were taken before the file was replaced have names. */
static void print_unread(FILE *out, const struct profile_object *object,
			 const struct naming *naming)
{
	static const char *const reasons[] = {
		[PROFILE_NAMES_UNREADABLE] = "cannot be read",
		[PROFILE_NAMES_REPLACED] = "was replaced after it was run",
		[PROFILE_NAMES_MISSING] = "was deleted, or is in a container",
	};
	bool are_some = naming->nameless < naming->samples;
	char *name = profil_text_printable(profil_text_base(object->path));

	fprintf(out, "%s %s: %s functions have offsets in place of names\n",
		name, reasons[object->names], are_some ? "some of its" : "its");
	free(name);
}

/* Files without symbols */

/* Files that the line names; it counts the others. */
#define NAMED 3

/*
 * Files without symbols, the one with the most nameless samples first: @nr of @indices
 * of objects. @nr_some: files of whose samples some have names
 */
struct symbolless {
	const struct naming *namings;
	uint32_t *indices;
	uint32_t nr;
	uint32_t nr_some;
	bool are_of_system;
};

static int by_nameless(const void *a, const void *b, void *data)
{
	const struct naming *namings = data;
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return compare_numbers(namings[other].nameless, namings[one].nameless) ?:
		       compare_numbers(one, other);
}

static void find_symbolless(const struct profile *profile,
			    struct symbolless *files)
{
	uint64_t total = profil_profile_total(profile);

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];
		const struct naming *naming = &files->namings[i];

		if (object->kind != PROFILE_FILE ||
		    object->names != PROFILE_NAMES_READ ||
		    !strcmp(object->path, "[vdso]") ||
		    !is_more(naming->nameless, SHARE, total))
			continue;
		ARRAY_ADD(files->indices, files->nr, i);
		files->nr_some += naming->nameless < naming->samples;
		files->are_of_system |= profil_path_is_of_system(object->path);
	}
	if (files->nr)
		qsort_r(files->indices, files->nr, sizeof(*files->indices),
			by_nameless, (void *)files->namings);
}

static void print_files(FILE *out, const struct profile *profile,
			const struct symbolless *files)
{
	for (uint32_t i = 0; i < files->nr && i < NAMED; i++) {
		const struct profile_object *object =
			&profile->objects[files->indices[i]];
		bool is_last = i + 1 == files->nr;

		if (i)
			fputs(is_last ? " and " : ", ", out);
		profil_text_print(out, profil_text_base(object->path));
	}
	if (files->nr > NAMED)
		fprintf(out, " and %u more", files->nr - NAMED);
}

/*
 * Print what shows the names of files of the system. What the servers of DEBUGINFOD_URLS
 * lack, and what there is for another machine, is not known here.
 */
static void print_remedy(FILE *out, const struct profile *profile)
{
	const char *set = getenv("DEBUGINFOD_URLS");
	const char *server = profil_debug_server("");
	struct utsname system;

	if ((set && *set) || uname(&system) ||
	    strcmp(system.nodename, profile->head.host))
		return;
	if (server)
		fprintf(out,
			": DEBUGINFOD_URLS=%s profil report shows more names",
			server);
	else
		fputs(": install debugging symbols, and record again", out);
}

static void print_symbols(FILE *out, const struct profile *profile,
			  const struct naming *namings)
{
	struct symbolless files = { .namings = namings };

	find_symbolless(profile, &files);
	if (!files.nr)
		return;
	print_files(out, profile, &files);
	fprintf(out, files.nr == 1 ? " has %s symbols%s" : " have %s symbols%s",
		files.nr_some ? "only some" : "no",
		files.nr_some && files.nr_some < files.nr ? ", or none" : "");
	if (files.are_of_system)
		print_remedy(out, profile);
	fputc('\n', out);
	free(files.indices);
}

/* Generated code */

/* Programs that write the names of their code on request, and the request */
static const struct {
	const char *program;
	const char *options;
} compilers[] = {
	{ "node", "--perf-basic-prof" },
	{ "java", "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" },
};

/* The options of the program, or NULL if its code may be that of any library */
static const char *options_of(const char *program)
{
	for (size_t i = 0; i < sizeof(compilers) / sizeof(*compilers); i++)
		if (!strcmp(program, compilers[i].program))
			return compilers[i].options;
	return NULL;
}

static void print_generated(FILE *out, const char *path, uint64_t samples,
			    uint64_t total)
{
	const char *program = profil_text_base(path);
	const char *options = options_of(program);
	char *name;

	if (!is_more(samples, options ? SHARE : MUCH, total))
		return;
	name = profil_text_printable(program);
	fprintf(out,
		"code that %s has generated has no names from /tmp/perf-PID.map",
		name);
	if (options)
		fprintf(out, ", which %s %s writes", name, options);
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
		if (code.nameless == code.samples)
			print_generated(out, profile->objects[i].path,
					code.nameless, total);
	}
}

/* Interpreters */

/*
 * Languages whose functions are data of an interpreter, the beginning of the names of
 * its files, and a profiler that reads them
 */
static const struct {
	const char *language;
	const char *file;
	const char *profiler;
} interpreters[] = {
	{ "Python", "python",
	  "py-spy, or perf record -g with python3 -X perf of 3.12 or later" },
	{ "Perl", "perl", "perl -d:NYTProf" },
	{ "Ruby", "ruby", "rbspy" },
	{ "PHP", "php", "phpspy" },
};

#define INTERPRETERS (sizeof(interpreters) / sizeof(*interpreters))

/* As python3.11, libpython3.11.so.1.0, perl, or libperl.so.5.36 */
static bool is_file_of(const char *path, const char *interpreter)
{
	const char *name = profil_text_base(path);
	size_t length = strlen(interpreter);

	if (!strncmp(name, "lib", 3))
		name += 3;
	return !strncmp(name, interpreter, length) &&
	       strspn(name + length, "0123456789.-") >= !!name[length];
}

static void print_interpreters(FILE *out, const struct profile *profile,
			       const struct naming *namings)
{
	uint64_t total = profil_profile_total(profile);

	for (size_t i = 0; i < INTERPRETERS; i++) {
		uint64_t samples = 0;

		for (uint32_t j = 0; j < profile->nr_objects; j++)
			if (profile->objects[j].kind == PROFILE_FILE &&
			    is_file_of(profile->objects[j].path,
				       interpreters[i].file))
				samples += namings[j].samples;
		if (is_more(samples, MUCH, total))
			fprintf(out,
				"functions of %s are not seen, only those of its interpreter: %s shows them\n",
				interpreters[i].language,
				interpreters[i].profiler);
	}
}

/* Debugging information that is not all there */

static void print_lines(FILE *out, const struct profile_object *object)
{
	static const char *const texts[] = {
		[PROFILE_LINES_PACKED] =
			"no source lines of %s are known, as elfutils could not unpack its debugging sections: objcopy --decompress-debug-sections, and record again\n",
		[PROFILE_LINES_ALONE] =
			"inlined functions of %s are not known, as its .dwo files were not found: record where they were made\n",
	};
	char *name = profil_text_printable(profil_text_base(object->path));

	if (texts[object->lines])
		fprintf(out, texts[object->lines], name);
	free(name);
}

static void print_lacking(FILE *out, const struct profile *profile,
			  const struct naming *namings)
{
	uint64_t total = profil_profile_total(profile);

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (is_more(namings[i].samples, SHARE, total))
			print_lines(out, object);
	}
}

/* All */

/* Files with samples in the state @names */
static unsigned int count(const struct profile *profile,
			  const struct naming *namings,
			  enum profile_names names)
{
	unsigned int nr = 0;

	for (uint32_t i = 0; i < profile->nr_objects; i++)
		nr += profile->objects[i].kind == PROFILE_FILE &&
		      profile->objects[i].names == names && namings[i].samples;
	return nr;
}

static void print_failures(FILE *out, const struct profile *profile,
			   const struct naming *namings)
{
	unsigned int failed = count(profile, namings, PROFILE_NAMES_FAILED);
	unsigned int skipped = count(profile, namings, PROFILE_NAMES_SKIPPED);

	if (failed)
		fprintf(out,
			"the process that reads files has failed: the names of %u file%s were not looked up\n",
			failed, plural(failed));
	if (skipped)
		fprintf(out,
			"interrupted: the names of %u file%s were not looked up\n",
			skipped, plural(skipped));
}

void profil_hints_print(FILE *out, const struct profile *profile)
{
	struct naming *namings = profil_profile_namings(profile);

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (object->kind == PROFILE_FILE && namings[i].nameless &&
		    object->names != PROFILE_NAMES_READ &&
		    object->names != PROFILE_NAMES_FAILED &&
		    object->names != PROFILE_NAMES_SKIPPED)
			print_unread(out, object, &namings[i]);
	}
	print_symbols(out, profile, namings);
	print_lacking(out, profile, namings);
	print_generators(out, profile, namings);
	print_interpreters(out, profile, namings);
	print_failures(out, profile, namings);
	free(namings);
}
