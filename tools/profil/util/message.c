// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions of err(3) that the command calls, in place of the C library's
 *
 * A message may contain a name of another user, for example of a file that find(1)
 * has found. So each message is printed without control characters.
 */
#include <stdarg.h>

#include "util/text.h"

/* The message, to be freed, or NULL */
static char *make_message(const char *format, va_list arguments)
{
	char *text, *printable;

	if (vasprintf(&text, format, arguments) < 0)
		return NULL;
	printable = profil_text_printable(text);
	free(text);
	return printable;
}

static void print_message(const char *format, va_list arguments, int error)
{
	char *text = make_message(format, arguments);

	fprintf(stderr, "%s: %s", program_invocation_short_name,
		text ? text : format);
	if (error)
		fprintf(stderr, ": %s", strerror(error));
	fputc('\n', stderr);
	free(text);
}

void errx(int status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, 0);
	va_end(arguments);
	exit(status);
}

void err(int status, const char *format, ...)
{
	int error = errno;
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, error);
	va_end(arguments);
	exit(status);
}

void warnx(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, 0);
	va_end(arguments);
}

void warn(const char *format, ...)
{
	int error = errno;
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, error);
	va_end(arguments);
}
