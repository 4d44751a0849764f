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
#include <inttypes.h>
#include <stdbool.h>

#include "export/bolt.h"
#include "elf/local_number.h"
#include "profile/main_object.h"

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
		       const struct profile_place *place, uint32_t object)
{
	const struct profile_function *function;

	if (place->object != object || place->function == PROFILE_NONE)
		return false;
	function = &profile->functions[place->function];
	return place->user && place->address >= function->address &&
	       is_writable(function->symbol);
}

/**
 * struct writer - a file that is written
 * @out: the file
 * @profile: the profile
 * @numbers: numbers of the object's local symbols
 * @function: function with the number @number, or PROFILE_NONE
 * @number: number of a local symbol, which is searched once
 */
struct writer {
	FILE *out;
	const struct profile *profile;
	struct local_numbers numbers;
	uint32_t function;
	uint32_t number;
};

static uint32_t number_of(struct writer *writer, uint32_t index)
{
	const struct profile_function *function =
		&writer->profile->functions[index];
	const struct local_numbers *numbers = &writer->numbers;

	if (index != writer->function)
		writer->number = profil_local_number(numbers, function->symbol,
						     function->address);
	writer->function = index;
	return writer->number;
}

static void put_place(struct writer *writer, const struct profile_place *place)
{
	const struct profile_function *function =
		&writer->profile->functions[place->function];

	fputs("1 ", writer->out);
	put_symbol(writer->out, function->symbol);
	if (function->is_local)
		fprintf(writer->out, "/%" PRIu32,
			number_of(writer, place->function));
	fprintf(writer->out, " %" PRIx64 " %" PRIu64 "\n",
		place->address - function->address, place->user);
}

enum export_error profil_export_bolt(const struct profile *profile, FILE *out)
{
	struct writer writer = { out, profile, .function = PROFILE_NONE };
	const struct profile_object *object;
	struct main_object one;
	enum export_error error =
		export_error_of(profil_main_object(profile, &one));

	if (error)
		return error;
	object = &profile->objects[one.object];
	profil_local_numbers_open(&writer.numbers, object->path,
				  object->build_id, object->build_id_size);
	fputs("no_lbr cycles\n", out);
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (is_counted(profile, &profile->places[i], one.object))
			put_place(&writer, &profile->places[i]);
	profil_local_numbers_close(&writer.numbers);
	return EXPORT_OK;
}

uint64_t profil_export_bolt_samples(const struct profile *profile)
{
	struct main_object one;
	uint64_t samples = 0;

	if (profil_main_object(profile, &one) != 1)
		return 0;
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (is_counted(profile, &profile->places[i], one.object))
			samples += profile->places[i].user;
	return samples;
}

enum export_error profil_export_bolt_check(const struct profile *profile)
{
	struct main_object one;
	enum export_error error =
		export_error_of(profil_main_object(profile, &one));

	if (error)
		return error;
	return profil_export_bolt_samples(profile) ? EXPORT_OK :
						     EXPORT_NO_SYMBOLS;
}
