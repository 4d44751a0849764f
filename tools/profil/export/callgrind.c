// SPDX-License-Identifier: GPL-2.0-only
/*
 * callgrind.out of Valgrind
 *
 * Lines set the object, the source file and the function of the costs that
 * follow. A cost is an instruction, a line, all samples and those in kernel
 * mode. The cost of a call comes after lines with the function that is called; samples
 * are the number of calls there, as callgrind_annotate takes 0 for no call.
 */
#include "export/calls.h"
#include "export/format.h"
#include "util/text.h"

/* Name of an unknown file */
#define UNKNOWN "???"

/* Names of one kind, of which each has a number, and how many have been written */
struct names {
	struct profile_strings *table;
	uint32_t written;
};

/*
 * A file that is written. @own_file: number of the source file of the function. @file:
 * that of the last cost
 */
struct callgrind {
	const struct profile *profile;
	FILE *out;
	struct names objects;
	struct names files;
	struct names functions;
	uint32_t own_file;
	uint32_t file;
};

/* Set the position @word; the first use of a number has the name. */
static void put(FILE *out, const char *word, struct names *names,
		uint32_t number)
{
	fprintf(out, "%s=(%" PRIu32 ")", word, number);
	if (number > names->written) {
		names->written = number;
		fprintf(out, " %s", names->table->array[number]);
	}
	fputc('\n', out);
}

static uint32_t number_of_file(struct callgrind *callgrind, const char *file)
{
	return profil_strings_take(callgrind->files.table,
				   profil_text_utf8(*file ? file : UNKNOWN));
}

/* Begin a function in an object and a source file; the names are freed. */
static void put_position(struct callgrind *callgrind, char *object,
			 char *function, const char *file)
{
	uint32_t object_number =
		profil_strings_take(callgrind->objects.table, object);
	uint32_t function_number =
		profil_strings_take(callgrind->functions.table, function);

	callgrind->own_file = number_of_file(callgrind, file);
	callgrind->file = callgrind->own_file;
	put(callgrind->out, "ob", &callgrind->objects, object_number);
	put(callgrind->out, "fl", &callgrind->files, callgrind->file);
	put(callgrind->out, "fn", &callgrind->functions, function_number);
}

/* Begin the function around @place, in the object of the place. */
static void put_function(struct callgrind *callgrind,
			 const struct profile_place *place)
{
	const struct profile *profile = callgrind->profile;

	put_position(callgrind,
		     profil_export_object_name(profile, place->object),
		     profil_export_place_name(profile, place),
		     profil_calls_file(profile, place));
}

/* Set the file of the next cost. */
static void set_file(struct callgrind *callgrind, uint32_t file)
{
	if (file == callgrind->file)
		return;
	put(callgrind->out, file == callgrind->own_file ? "fe" : "fi",
	    &callgrind->files, file);
	callgrind->file = file;
}

/* The innermost frame has the source line; code from another file is inlined. */
static void put_file(struct callgrind *callgrind,
		     const struct profile_place *place)
{
	const struct profile_frame *frame =
		profile_frames_of(callgrind->profile, place);
	uint32_t file = callgrind->own_file;

	if (frame && *frame->file)
		file = number_of_file(callgrind, frame->file);
	set_file(callgrind, file);
}

static void put_cost(FILE *out, uint64_t address, uint32_t line,
		     uint64_t samples, uint64_t kernel)
{
	fprintf(out, "%#" PRIx64 " %" PRIu32 " %" PRIu64, address, line,
		samples);
	if (kernel)
		fprintf(out, " %" PRIu64, kernel);
	fputc('\n', out);
}

static bool is_same_function(const struct profile_place *one,
			     const struct profile_place *other)
{
	return one->function != PROFILE_NONE && one->object == other->object &&
	       one->function == other->function;
}

static void put_samples(struct callgrind *callgrind)
{
	const struct profile *profile = callgrind->profile;
	const struct profile_place *last = NULL;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		const struct profile_place *place =
			profile_place_of(profile, sample);
		const struct profile_frame *frame =
			profile_frames_of(profile, place);

		if (!last || !is_same_function(last, place))
			put_function(callgrind, place);
		put_file(callgrind, place);
		put_cost(callgrind->out, place->address,
			 frame ? frame->line : 0, profile_samples_of(sample),
			 sample->kernel);
		last = place;
	}
}

/* Recordings of callers */

static char *text_of(const struct calls *calls, uint32_t number)
{
	return profil_copy_string(calls->strings->array[number]);
}

/* A function within itself has its level behind the name. */
static char *function_text(const struct calls *calls,
			   const struct calls_function *function)
{
	const char *name = calls->strings->array[function->name];

	if (function->level == 1)
		return profil_copy_string(name);
	return profil_format("%s'%" PRIu32, name, function->level);
}

/* Begin the function of costs. */
static void begin_function(struct callgrind *callgrind,
			   const struct calls *calls, uint32_t index)
{
	const struct calls_function *it = &calls->functions[index];

	put_position(callgrind, text_of(calls, it->object),
		     function_text(calls, it), calls->strings->array[it->file]);
}

/* Set the function that is called, the number of calls and its position. */
static void put_callee(struct callgrind *callgrind, const struct calls *calls,
		       const struct calls_cost *cost)
{
	const struct calls_function *it = &calls->functions[cost->callee];
	uint32_t object = profil_strings_take(callgrind->objects.table,
					      text_of(calls, it->object));
	uint32_t file =
		number_of_file(callgrind, calls->strings->array[it->file]);
	uint32_t function = profil_strings_take(callgrind->functions.table,
						function_text(calls, it));

	put(callgrind->out, "cob", &callgrind->objects, object);
	put(callgrind->out, "cfi", &callgrind->files, file);
	put(callgrind->out, "cfn", &callgrind->functions, function);
	fprintf(callgrind->out, "calls=%" PRIu64 " %#" PRIx64 " %" PRIu32 "\n",
		cost->samples, it->address, it->line);
}

static void put_calls(struct callgrind *callgrind)
{
	uint32_t last = PROFILE_NONE;
	struct calls calls;

	profil_calls_make(&calls, callgrind->profile, UNKNOWN);
	for (uint32_t i = 0; i < calls.nr_costs; i++) {
		const struct calls_cost *cost = &calls.costs[i];
		const char *file = calls.strings->array[cost->file];

		if (cost->function != last)
			begin_function(callgrind, &calls, cost->function);
		last = cost->function;
		set_file(callgrind, number_of_file(callgrind, file));
		if (cost->callee != PROFILE_NONE)
			put_callee(callgrind, &calls, cost);
		put_cost(callgrind->out, cost->address, cost->line,
			 cost->samples, cost->kernel);
	}
	profil_calls_free(&calls);
}

/* Samples without a place */
static void put_name(struct callgrind *callgrind, const char *name,
		     uint64_t samples)
{
	put_position(callgrind, profil_text_utf8(name), profil_text_utf8(name),
		     "");
	fprintf(callgrind->out, "0 0 %" PRIu64 "\n", samples);
}

static void put_command(FILE *out, const struct profile_head *head)
{
	fputs("cmd:", out);
	for (uint32_t i = 0; i < head->argc; i++) {
		char *word = profil_text_utf8(head->argv[i]);

		fprintf(out, " %s", word);
		free(word);
	}
	fputc('\n', out);
}

static void put_head(struct callgrind *callgrind)
{
	const struct profile *profile = callgrind->profile;
	uint64_t kernel = 0;

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		kernel += profile->samples[i].kernel;
	fputs("# callgrind format\nversion: 1\ncreator: profil\n",
	      callgrind->out);
	put_command(callgrind->out, &profile->head);
	fputs("positions: instr line\nevents: Samples Kernel\n",
	      callgrind->out);
	fprintf(callgrind->out, "summary: %" PRIu64 " %" PRIu64 "\n\n",
		profil_profile_total(profile), kernel);
}

static void write_callgrind(const struct profile *profile, FILE *out)
{
	struct callgrind callgrind = {
		.profile = profile,
		.out = out,
		.objects.table = profil_strings_new(),
		.files.table = profil_strings_new(),
		.functions.table = profil_strings_new(),
	};

	put_head(&callgrind);
	if (profile->nr_stacks)
		put_calls(&callgrind);
	else
		put_samples(&callgrind);
	if (profile->head.outside)
		put_name(&callgrind, EXPORT_OUTSIDE, profile->head.outside);
	if (profile->head.lost)
		put_name(&callgrind, EXPORT_LOST, profile->head.lost);
	profil_strings_free(callgrind.objects.table);
	profil_strings_free(callgrind.files.table);
	profil_strings_free(callgrind.functions.table);
}

const struct export_format profil_format_callgrind = {
	.file = "callgrind.out.profil",
	.next = "callgrind_annotate ",
	.write = write_callgrind,
};
