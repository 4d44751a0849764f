// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages: warn(3) in place of the C library's, and the ends of the command
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

void die_err(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, 0);
	exit(EXIT_PROFIL);
}

void die_errno(const char *format, ...)
{
	int error = errno;
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, error);
	exit(EXIT_PROFIL);
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
