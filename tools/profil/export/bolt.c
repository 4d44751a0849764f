// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples for BOLT, as text
 *
 *	no_lbr cycles
 *	1 SYMBOL OFFSET SAMPLES
 *
 * The number 1 stands for a symbol with an offset, which is hexadecimal. BOLT
 * divides the samples of a block by its instructions if the event is "cycles".
 */
#include "export/format.h"
#include "resolve/resolve.h"

/* A space ends a field, and a backslash makes the next byte part of it. */
static void put_symbol(FILE *out, const char *symbol)
{
	for (; *symbol; symbol++) {
		if (*symbol == ' ' || *symbol == '\\')
			fputc('\\', out);
		fputc(*symbol, out);
	}
}

/* A symbol with a control character cannot be written. */
static bool is_writable(const char *symbol)
{
	if (!*symbol)
		return false;
	for (; *symbol; symbol++)
		if ((unsigned char)*symbol < ' ')
			return false;
	return true;
}

static bool is_counted(const struct profile *profile,
		       const struct profile_sample *sample, uint32_t object)
{
	const struct profile_place *place = profile_place_of(profile, sample);
	const struct profile_function *function;

	if (place->object != object || place->function == PROFILE_NONE)
		return false;
	function = &profile->functions[place->function];
	return sample->user && place->address >= function->address &&
	       is_writable(function->symbol);
}

/*
 * A file that is written. @function: function with the number @number of a local symbol,
 * which is searched once; PROFILE_NONE at first. @symbols may be NULL
 */
struct bolt_writer {
	FILE *out;
	const struct profile *profile;
	struct symbols *symbols;
	uint32_t function;
	uint32_t number;
};

static uint32_t number_of(struct bolt_writer *writer, uint32_t index)
{
	const struct profile_function *function =
		&writer->profile->functions[index];
	const char *symbol = function->symbol;

	if (index != writer->function)
		writer->number = profil_local_number(writer->symbols, symbol,
						     function->address);
	writer->function = index;
	return writer->number;
}

static void put_sample(struct bolt_writer *writer,
		       const struct profile_sample *sample)
{
	const struct profile_place *place =
		profile_place_of(writer->profile, sample);
	const struct profile_function *function =
		&writer->profile->functions[place->function];

	fputs("1 ", writer->out);
	put_symbol(writer->out, function->symbol);
	if (function->is_local)
		fprintf(writer->out, "/%" PRIu32,
			number_of(writer, place->function));
	fprintf(writer->out, " %" PRIx64 " %" PRIu64 "\n",
		place->address - function->address, sample->user);
}

static void write_bolt(const struct profile *profile, FILE *out)
{
	struct bolt_writer writer = { out, profile, .function = PROFILE_NONE };
	uint64_t samples;
	uint32_t object;

	profil_export_object(profile, &object, &samples);
	writer.symbols = profil_recorded_file_open(&profile->objects[object]);
	fputs("no_lbr cycles\n", out);
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		if (is_counted(profile, &profile->samples[i], object))
			put_sample(&writer, &profile->samples[i]);
	if (writer.symbols)
		profil_symbols_close(writer.symbols);
}

static const char *check_bolt(const struct profile *profile, uint64_t *samples)
{
	uint32_t object;
	const char *reason = profil_export_object(profile, &object, samples);

	*samples = 0;
	if (reason)
		return reason;
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		if (is_counted(profile, &profile->samples[i], object))
			*samples += profile->samples[i].user;
	return *samples ?
		       NULL :
		       "no sample in user mode is in a function with a symbol";
}

const struct export_format profil_format_bolt = {
	.file = "profil.bolt",
	.next = "llvm-bolt -nl PROGRAM -o FASTER -data=",
	.check = check_bolt,
	.write = write_bolt,
};
