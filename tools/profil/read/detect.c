// SPDX-License-Identifier: GPL-2.0-only
/* Which format a file is in */
#include <elf.h>
#include <string.h>

#include "read/detect.h"
#include "read/read_gmon.h"
#include "read/read_mon.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

static const char no_bytes[] =
	"is empty: the program has not ended, or has not written it";
static const char is_program[] =
	"is a program or library: name the profile that it has written as well";
static const char is_neither[] = "is neither a gmon.out nor a mon.out";

/**
 * struct format - one of the formats
 * @kind: the kind of file
 * @broken: how a sentence begins about one that cannot be read
 * @is: whether a file is in the format; NULL for what is in no other one
 * @read: reads it, with addresses of one size
 */
struct format {
	const char *kind;
	const char *broken;
	bool (*is)(struct input *input);
	bool (*read)(struct input *input, struct gprof_data *data);
};

static const struct format formats[] = {
	{ "gmon.out", "is a broken gmon.out", profil_is_gmon_gnu,
	  profil_read_gmon_gnu },
	{ "gmon.out", "is a broken gmon.out", profil_is_gmon_bsd,
	  profil_read_gmon_bsd },
	{ "mon.out", "is a broken mon.out", NULL, profil_read_mon },
};

static const struct format *format_of(struct input *input)
{
	size_t last = ELEMENTS(formats) - 1;

	for (size_t i = 0; i < last; i++)
		if (formats[i].is(input))
			return &formats[i];
	return &formats[last];
}

static bool attempt(const struct format *format, struct input *input,
		    unsigned int word, struct gprof_data *data)
{
	input->at = 0;
	input->word = word;
	input->sure = false;
	*data = (struct gprof_data){ .kind = format->kind, .word = word };
	if (format->read(input, data))
		return true;
	profil_gprof_data_free(data);
	return false;
}

/* What went wrong is told by the usual attempt, unless the other one was sure. */
static bool read_alone(const struct format *format, struct input *input,
		       struct gprof_data *data)
{
	char usual[sizeof(input->wrong)];
	bool sure;

	if (attempt(format, input, 8, data))
		return true;
	memcpy(usual, input->wrong, sizeof(usual));
	sure = input->sure;
	if (attempt(format, input, 4, data))
		return true;
	if (!input->sure) {
		memcpy(input->wrong, usual, sizeof(usual));
		input->sure = sure;
	}
	return false;
}

/*
 * A file of which nothing is known is no mon.out, which has no mark: how it
 * fails to be one says nothing.
 */
static bool refuse(const struct format *format, struct input *input)
{
	char why[sizeof(input->wrong)];

	if (!input->size)
		return profil_input_refuse(input, no_bytes);
	if (profil_detect_is_elf(input))
		return profil_input_refuse(input, is_program);
	if (!format->is && !input->sure)
		return profil_input_refuse(input, is_neither);
	memcpy(why, input->wrong, sizeof(why));
	return profil_input_refuse(input, "%s: %s", format->broken, why);
}

bool profil_detect_is_elf(struct input *input)
{
	const unsigned char *mark = profil_input_peek(input, 0, SELFMAG);

	return mark && !memcmp(mark, ELFMAG, SELFMAG);
}

bool profil_detect_read(struct input *input, struct gprof_data *data)
{
	const struct format *format = format_of(input);
	struct gprof_data more;
	const char *wrong;

	if (!read_alone(format, input, &more))
		return refuse(format, input);
	wrong = profil_gprof_data_merge(data, &more);
	profil_gprof_data_free(&more);
	return !wrong ||
	       profil_input_refuse(input, "cannot be added up: %s", wrong);
}
