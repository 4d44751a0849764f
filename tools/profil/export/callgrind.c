// SPDX-License-Identifier: GPL-2.0-only
/*
 * callgrind.out of Valgrind
 *
 * Lines set the object, the source file and the function of the costs that
 * follow. A cost is an instruction, a line, all samples and those in kernel
 * mode.
 */
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

/* Source file with the function around @place */
static const char *own_file_of(const struct profile *profile,
			       const struct profile_place *place)
{
	const struct profile_frame *frames = profile_frames_of(profile, place);
	const char *file = "";

	if (place->function != PROFILE_NONE)
		file = profile->functions[place->function].file;
	if (!*file && frames)
		file = frames[place->nr_frames - 1].file;
	return file;
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
		     own_file_of(profile, place));
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
	if (file == callgrind->file)
		return;
	put(callgrind->out, file == callgrind->own_file ? "fe" : "fi",
	    &callgrind->files, file);
	callgrind->file = file;
}

static void put_cost(const struct callgrind *callgrind,
		     const struct profile_sample *sample)
{
	const struct profile_place *place =
		profile_place_of(callgrind->profile, sample);
	const struct profile_frame *frame =
		profile_frames_of(callgrind->profile, place);

	fprintf(callgrind->out, "%#" PRIx64 " %" PRIu32 " %" PRIu64,
		place->address, frame ? frame->line : 0,
		profile_samples_of(sample));
	if (sample->kernel)
		fprintf(callgrind->out, " %" PRIu64, sample->kernel);
	fputc('\n', callgrind->out);
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

		if (!last || !is_same_function(last, place))
			put_function(callgrind, place);
		put_file(callgrind, place);
		put_cost(callgrind, sample);
		last = place;
	}
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
