// SPDX-License-Identifier: GPL-2.0-only
/* Result of one check of the machine */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "doctor/finding.h"

void profil_finding_good(struct finding *finding, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(finding->text, FINDING_TEXT, format, values);
	va_end(values);
}

void profil_finding_wrong(struct finding *finding, const char *format, ...)
{
	va_list values;

	finding->is_wrong = true;
	va_start(values, format);
	vsnprintf(finding->text, FINDING_TEXT, format, values);
	va_end(values);
}

void profil_finding_mend(struct finding *finding, const char *format, ...)
{
	size_t length = strlen(finding->mend);
	va_list values;

	va_start(values, format);
	vsnprintf(finding->mend + length, FINDING_TEXT - length, format,
		  values);
	va_end(values);
}
