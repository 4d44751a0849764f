// SPDX-License-Identifier: GPL-2.0-only
/* Words of the command line as values, and the nearest word */
#include <ctype.h>

#include "util/option.h"
#include "util/text.h"
#include "util/value.h"

/* Upper limit of a duration: a hundred years */
#define MAX_SECONDS (100 * 365 * 86400.0)

/* strtod() accepts white space and other notations. */
static bool is_decimal(const char *text)
{
	return isdigit((unsigned char)*text) ||
	       (*text == '.' && isdigit((unsigned char)text[1]));
}

/* Read a decimal fraction; @end is the text after it. */
static bool read_fraction(const char *text, double *value, const char **end)
{
	size_t digits = strspn(text, "0123456789.");

	if (!is_decimal(text) || digits > 30)
		return false;
	*value = strtod(text, (char **)end);
	return *end == text + digits;
}

/* A decimal number of the range of @row */
static bool read_number(const struct option_row *row, const char *text,
			long *number)
{
	uint64_t value;

	if (!profil_text_number(text, 10, &value) ||
	    value < (uint64_t)row->least || value > (uint64_t)row->most)
		return false;
	*number = value;
	return true;
}

/* A share of 0 to 100, with or without a percent sign */
static bool read_percent(const char *text, double *percent)
{
	const char *end;
	double value;

	if (!read_fraction(text, &value, &end))
		return false;
	if (*end == '%')
		end++;
	if (*end || value > 100)
		return false;
	*percent = value;
	return true;
}

/* Seconds of a unit, or 0 if there is no such unit */
static double seconds_of(const char *unit)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "", 1 },   { "ms", 0.001 }, { "s", 1 },
		{ "m", 60 }, { "h", 3600 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].name))
			return units[i].seconds;
	return 0;
}

/* A duration above 0: a decimal fraction, and its unit unless that is seconds */
static bool read_duration(const char *text, uint64_t *nanoseconds)
{
	const char *end;
	double value;

	if (!read_fraction(text, &value, &end))
		return false;
	value *= seconds_of(end);
	if (value > MAX_SECONDS || value * 1e9 < 1)
		return false;
	*nanoseconds = value * 1e9 + 0.5;
	return true;
}

/* Index of the word of @length bytes, or -1 */
static int find_word(const char *text, size_t length, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == length &&
		    !memcmp(words[i], text, length))
			return i;
	return -1;
}

static bool add_choice(struct value_choices *choices, int at)
{
	if (at < 0 || choices->nr == VALUE_CHOICES)
		return false;
	for (int i = 0; i < choices->nr; i++)
		if (choices->at[i] == at)
			return false;
	choices->at[choices->nr++] = at;
	return true;
}

/* Different words of @words with commas between */
static bool read_choices(const char *text, const char *const *words,
			 struct value_choices *choices)
{
	struct value_choices read = { 0 };

	for (;;) {
		size_t length = strcspn(text, ",");

		if (!add_choice(&read, find_word(text, length, words)))
			return false;
		text += length;
		if (!*text++)
			break;
	}
	*choices = read;
	return true;
}

/* Numbers of the range of @row with a comma or a blank between, as pidof(1) has them */
static bool add_numbers(const struct option_row *row, const char *text,
			struct option_numbers *numbers)
{
	char *copy = profil_copy_string(text), *rest = copy, *word;
	bool are_good = true;
	long number;

	while (are_good && (word = strsep(&rest, ", "))) {
		are_good = read_number(row, word, &number);
		if (are_good)
			ARRAY_ADD(numbers->items, numbers->nr, number);
	}
	free(copy);
	return are_good;
}

bool profil_value_store(const struct option_row *row, const char *text,
			void *member)
{
	int word;

	switch (row->kind) {
	case OPTION_NUMBER:
		return read_number(row, text, member);
	case OPTION_NUMBERS:
		return add_numbers(row, text, member);
	case OPTION_PERCENT:
		return read_percent(text, member);
	case OPTION_SECONDS:
		return read_duration(text, member);
	case OPTION_CHOICES:
		return read_choices(text, row->choices, member);
	default:
		word = find_word(text, strlen(text), row->choices);
		if (word >= 0)
			*(int *)member = word;
		return word >= 0;
	}
}

/* Upper limit of letters of a word that is compared */
#define LONGEST 32

/* Letters i - 1 and i - 2 of @a are letters j - 2 and j - 1 of @b. */
static int is_exchanged(const char *a, const char *b, size_t i, size_t j)
{
	return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
}

/* Differences of the first i letters of @a from the first j letters of @b */
static int distance_of(const char *a, const char *b)
{
	int d[LONGEST + 1][LONGEST + 1];
	size_t m = strlen(a), n = strlen(b);

	for (size_t i = 0; i <= m; i++) {
		for (size_t j = 0; j <= n; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = lesser(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = lesser(d[i][j], d[i - 1][j - 1] + (a[i - 1] !=
								     b[j - 1]));
			if (is_exchanged(a, b, i, j))
				d[i][j] = lesser(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[m][n];
}

const char *profil_nearer(const char *word, const char *found,
			  const char *known)
{
	size_t length = strlen(known);
	int distance;

	if (strlen(word) > LONGEST || length > LONGEST)
		return found;
	distance = distance_of(word, known);
	if (distance > (int)length / 3 ||
	    (found && distance >= distance_of(word, found)))
		return found;
	return known;
}
