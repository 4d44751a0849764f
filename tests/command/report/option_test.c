// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the output of the command does not show of its options: durations against
 * numbers worked out by hand, and the tables of the verbs. tests/golden has the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "util/option.h"
#include "util/value.h"
#include "verbs.h"

TEST("durations are converted")
{
	static const struct {
		const char *text;
		uint64_t nanoseconds;
	} durations[] = {
		{ "10", 10000000000 },	 { "1.5", 1500000000 },
		{ "10s", 10000000000 },	 { "500ms", 500000000 },
		{ "2m", 120000000000 },	 { "0.5h", 1800000000000 },
		{ "1.001", 1001000000 }, { "0.043ms", 43000 },
	};
	static const struct option_row row = { .kind = OPTION_SECONDS };
	uint64_t value;

	for (size_t i = 0; i < ARRAY_LENGTH(durations); i++) {
		CHECK(profil_value_store(&row, durations[i].text, &value));
		CHECK_EQUAL(durations[i].nanoseconds, value);
	}
	return true;
}

TEST("numbers have a comma or a blank between")
{
	static const struct option_row row = { .kind = OPTION_NUMBERS,
					       .least = 1,
					       .most = 99 };
	static const char *const wrong[] = { "",     "1,",  ",1",  "1,,2",
					     "1  2", "1;2", "1,0", "1,100" };
	struct option_numbers numbers = { 0 };

	CHECK(profil_value_store(&row, "7", &numbers));
	CHECK(profil_value_store(&row, "12,3 45", &numbers));
	CHECK_EQUAL(4, numbers.nr);
	CHECK_EQUAL(7, numbers.items[0]);
	CHECK_EQUAL(12, numbers.items[1]);
	CHECK_EQUAL(3, numbers.items[2]);
	CHECK_EQUAL(45, numbers.items[3]);
	free(numbers.items);
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		numbers = (struct option_numbers){ 0 };
		CHECK(!profil_value_store(&row, wrong[i], &numbers));
		free(numbers.items);
	}
	return true;
}

static bool is_alone(const struct option_row *row,
		     const struct option_row *before)
{
	for (; before < row; before++) {
		CHECK(strcmp(before->word, row->word));
		CHECK(!row->letter || before->letter != row->letter);
	}
	return true;
}

static bool is_complete(const struct option_row *row)
{
	bool is_choice = row->kind == OPTION_CHOICE ||
			 row->kind == OPTION_CHOICES;
	bool has_value = row->kind != OPTION_FLAG && row->kind != OPTION_HELP;

	CHECK(row->text);
	CHECK(is_choice == !!row->choices);
	CHECK(row->kind == OPTION_REFUSED || has_value == !!row->value);
	CHECK(row->kind != OPTION_NUMBER || row->least < row->most);
	return true;
}

TEST("the tables of all verbs are complete")
{
	for (const struct verb *const *at = profil_verbs; *at; at++) {
		const struct option_row *row = (*at)->options;

		for (; row->word; row++) {
			if (is_alone(row, (*at)->options) && is_complete(row))
				continue;
			tap_note("%s --%s", (*at)->name, row->word);
			return false;
		}
		CHECK(row - (*at)->options <= OPTION_ROWS);
	}
	return true;
}
