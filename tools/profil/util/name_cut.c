// SPDX-License-Identifier: GPL-2.0-only
/* A short name that is longer than its column, and is cut */
#include "util/function_name.h"
#include "util/name_cut.h"
#include "util/text.h"

/* Of this part of a short name, characters before the first difference are kept. */
#define BEFORE 6

static char *cut_right(const struct name_cut *cut)
{
	size_t kept = cut->width - profil_text_width(cut->dots);

	if (profil_text_width(cut->text) <= cut->width)
		return profil_copy_string(cut->text);
	return profil_format("%.*s%s", (int)profil_text_bytes(cut->text, kept),
			     cut->text, cut->dots);
}

/* The last @width characters of @text */
static const char *end_of(const char *text, size_t width)
{
	size_t all = profil_text_width(text);

	return text + profil_text_bytes(text, all > width ? all - width : 0);
}

/* The last components of @text that have @width characters or less, or NULL */
static const char *components(const char *text, size_t width)
{
	size_t from = strlen(text);
	const char *found = NULL;

	while ((from = profil_function_name_last(text, from)) &&
	       profil_text_width(text + from) <= width)
		found = text + from + (text[from] != ':');
	return found;
}

/* The word that the last component of @text begins with, and its bytes */
static const char *last_word(const char *text, int *length)
{
	const char *word = text + profil_function_name_last(text, strlen(text));

	word += strspn(word, ":./");
	*length = strcspn(word, "<({[ ");
	return word;
}

/* Some characters before the first difference */
static const char *before_mark(const struct name_cut *cut)
{
	const char *begin = cut->text + cut->mark;

	for (size_t i = 0; i < cut->width / BEFORE && begin > cut->text; i++)
		begin--;
	while (begin > cut->text && (*begin & 0xc0) == 0x80)
		begin--;
	return begin;
}

/*
 * The first word of the last component, and the end of the name or the difference; NULL
 * if the word is too long
 */
static char *cut_component(const struct name_cut *cut)
{
	size_t dots = profil_text_width(cut->dots), width = cut->width;
	const char *word, *begin;
	int length, kept;

	word = last_word(cut->text, &length);
	if (2 * (size_t)length > width || 2 * dots + length > width)
		return NULL;
	width -= 2 * dots + length;
	begin = end_of(cut->text, width);
	if (cut->mark && begin > before_mark(cut))
		begin = before_mark(cut);
	kept = profil_text_bytes(begin, width);
	return profil_format("%s%.*s%s%.*s", word > cut->text ? cut->dots : "",
			     length, word, cut->dots, kept, begin);
}

/* The first difference, and the last component as far as there is room */
static char *cut_around(const struct name_cut *cut)
{
	size_t dots = profil_text_width(cut->dots), width = cut->width;
	const char *end = components(cut->text, width / 2);
	const char *begin = before_mark(cut);
	int kept;

	if (!end)
		end = end_of(cut->text, width / 3);
	if (cut->text + cut->mark >= end_of(cut->text, width - dots))
		return profil_format("%s%s", cut->dots,
				     end_of(cut->text, width - dots));
	if (2 * dots + profil_text_width(end) > width)
		end = "";
	width -= dots + profil_text_width(end);
	if (begin > cut->text)
		width -= dots;
	kept = profil_text_bytes(begin, width);
	return profil_format("%s%.*s%s%s", begin > cut->text ? cut->dots : "",
			     kept, begin, cut->dots, end);
}

char *profil_name_cut(const struct name_cut *cut)
{
	size_t dots = profil_text_width(cut->dots);
	const char *text = cut->text, *end;
	char *component = NULL;
	size_t last;

	if (profil_text_width(text) <= cut->width || cut->width <= 2 * dots)
		return cut_right(cut);
	last = profil_function_name_last(text, strlen(text));
	end = components(text, cut->width - dots);
	if (!end && cut->has_shown && (!cut->mark || cut->mark > last))
		component = cut_component(cut);
	if (component)
		return component;
	if (cut->mark)
		return cut_around(cut);
	if (!last)
		return cut_right(cut);
	if (!end || 2 * profil_text_width(end) < cut->width)
		end = end_of(text, cut->width - dots);
	return profil_format("%s%s", cut->dots, end);
}
