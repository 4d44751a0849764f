// SPDX-License-Identifier: GPL-2.0-only
/* Format of the input */
#include <elf.h>
#include <string.h>

#include "read/detect.h"
#include "read/read_gmon.h"
#include "read/read_mon.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/**
 * struct format - a format
 * @kind: name of the format
 * @is: recognizes the format; NULL for the last format, which has no mark
 * @read: reads the input, with addresses of @input->word bytes
 */
struct format {
	const char *kind;
	bool (*is)(struct input *input);
	enum read_error (*read)(struct input *input, struct gprof_data *data);
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

static enum read_error attempt(const struct format *format, struct input *input,
			       unsigned int word, struct gprof_data *data)
{
	enum read_error wrong;

	input->at = 0;
	input->word = word;
	input->sure = false;
	*data = (struct gprof_data){ .kind = format->kind, .word = word };
	wrong = format->read(input, data);
	if (wrong)
		profil_gprof_data_free(data);
	return wrong;
}

/* The error is that of 8 bytes, unless the content confirmed 4 bytes. */
static enum read_error read_alone(const struct format *format,
				  struct input *input, struct gprof_data *data)
{
	enum read_error usual = attempt(format, input, 8, data);
	struct read_details details = input->details;
	bool sure = input->sure;
	enum read_error wrong;

	if (!usual)
		return READ_OK;
	wrong = attempt(format, input, 4, data);
	if (!wrong || input->sure)
		return wrong;
	input->details = details;
	input->sure = sure;
	return usual;
}

static bool is_elf(struct input *input)
{
	const unsigned char *mark = profil_input_peek(input, 0, SELFMAG);

	return mark && !memcmp(mark, ELFMAG, SELFMAG);
}

/*
 * Any file could be a malformed mon.out, which has no mark: without a confirmed
 * head the error would be meaningless.
 */
static enum read_error refuse(const struct format *format, struct input *input,
			      enum read_error wrong)
{
	if (!input->size)
		return READ_EMPTY;
	if (is_elf(input))
		return READ_PROGRAM;
	if (!format->is && !input->sure)
		return READ_NEITHER;
	input->details.kind = format->kind;
	return wrong;
}

enum read_error profil_detect_read(struct input *input, struct gprof_data *data)
{
	const struct format *format = format_of(input);
	struct gprof_data more;
	enum read_error wrong = read_alone(format, input, &more);

	if (wrong)
		return refuse(format, input, wrong);
	wrong = profil_gprof_data_merge(data, &more);
	profil_gprof_data_free(&more);
	return wrong;
}
