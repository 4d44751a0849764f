// SPDX-License-Identifier: GPL-2.0-only
/* Text of HTML */
#include <stdlib.h>
#include <string.h>

#include "html/escape.h"
#include "util/text.h"

static const char *entity_of(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void profil_html_text(FILE *out, const char *text, size_t width)
{
	char *printable = profil_text_utf8(text);
	size_t bytes = profil_text_bytes(printable, width);

	for (size_t i = 0; i < bytes; i++) {
		const char *entity = entity_of(printable[i]);

		if (entity)
			fputs(entity, out);
		else
			fputc(printable[i], out);
	}
	if (printable[bytes])
		fputs("…", out);
	free(printable);
}

void profil_html_name(FILE *out, const char *name)
{
	profil_html_text(out, name, HTML_NAME);
}
