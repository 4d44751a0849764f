// SPDX-License-Identifier: LGPL-2.1-or-later
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/log.h"

/* One write(): lines of several processes do not mix. No malloc(). */
void profil_log(const char *format, ...)
{
	char line[PATH_MAX + 256] = "libprofil: ";
	size_t used = strlen(line), room = sizeof(line) - used - 1;
	va_list list;

	va_start(list, format);
	vsnprintf(line + used, room, format, list);
	va_end(list);
	strcat(line, "\n");
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return;
}
