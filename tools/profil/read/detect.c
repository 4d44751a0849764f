// SPDX-License-Identifier: GPL-2.0-only
/* Format of the input */
#include <elf.h>
#include <string.h>

#include "read/detect.h"
#include "read/read_gmon.h"
#include "read/read_mon.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

static const char no_bytes[] =
	"empty file: the program is still running, or did not write it";
static const char is_program[] =
	"program or library: name the file that it has written, too";
static const char is_neither[] = "not a gmon.out or mon.out file";

/**
 * struct format - a format
 * @kind: name of the format
 * @is: recognizes the format; NULL for the last format, which has no mark
 * @read: reads the input, with addresses of @input->word bytes
 */
struct format {
	const char *kind;
	bool (*is)(struct input *input);
	bool (*read)(struct input *input, struct gprof_data *data);
};

static const struct format formats[] = {
	{ "gmon.out", profil_is_gmon_gnu, profil_read_gmon_gnu },
	{ "gmon.out", profil_is_gmon_bsd, profil_read_gmon_bsd },
	{ "mon.out", NULL, profil_read_mon },
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

/* The reason is that of 8 bytes, unless the content confirmed 4 bytes. */
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

static bool is_elf(struct input *input)
{
	const unsigned char *mark = profil_input_peek(input, 0, SELFMAG);

	return mark && !memcmp(mark, ELFMAG, SELFMAG);
}

/*
 * Any file could be a malformed mon.out, which has no mark: without a confirmed
 * head the reason would be meaningless.
 */
static bool refuse(const struct format *format, struct input *input)
{
	char why[sizeof(input->wrong)];

	if (!input->size)
		return profil_input_refuse(input, no_bytes);
	if (is_elf(input))
		return profil_input_refuse(input, is_program);
	if (!format->is && !input->sure)
		return profil_input_refuse(input, is_neither);
	memcpy(why, input->wrong, sizeof(why));
	return profil_input_refuse(input, "malformed %s: %s", format->kind,
				   why);
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
