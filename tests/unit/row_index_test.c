// SPDX-License-Identifier: GPL-2.0-only
/* src/row_index.h: the row of a PC, and which rows are refused. */
#include "row_index.h"
#include "random.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 3000

static struct profil_row rows[ROWS_MAX];

/* Gaps of text and of padding, few of them huge: @spread is the logarithm of the largest. */
static u32 random_rows(unsigned int spread)
{
	u32 nr = 1 + (u32)random_below(random_one_in(2) ? 6 : ROWS_MAX), i;
	u64 at = random_below(random_one_in(2) ? 4 : 1ULL << 31);

	for (i = 0; i < nr; i++) {
		rows[i] = (struct profil_row){
			.offset = (u32)at,
			.rule = PROFIL_RULE_SP | 16,
			.bp = -2,
		};
		at += 1 + random_below(1ULL << random_below(spread));
		if (at > 0xffffffff)
			return i + 1;
	}
	return nr;
}

/* All rows are looked at. */
static const struct profil_row *find_slowly(u32 nr, u32 offset)
{
	const struct profil_row *found = NULL;
	u32 i;

	for (i = 0; i < nr && rows[i].offset <= offset; i++)
		found = &rows[i];
	return found;
}

static u32 random_offset(u32 nr)
{
	u32 near = rows[random_below(nr)].offset;

	return random_one_in(4) ? (u32)random_u64() :
				  near + (u32)random_below(3) - 1;
}

TEST("the row of an offset is the last one at or before it")
{
	for (u32 i = 0; i < 5000; i++) {
		u32 nr = random_rows(1 + (u32)random_below(33));
		u32 *words = calloc(row_index_words(nr), sizeof(*words));
		struct row_index index;

		row_index_make(&index, rows, nr, words);
		for (u32 j = 0; j < 200; j++) {
			u32 offset = random_offset(nr);
			const struct profil_row *found =
				row_index_find(&index, offset);

			CASE(found == find_slowly(nr, offset),
			     "%u rows from %#x to %#x: %#x", nr, rows[0].offset,
			     rows[nr - 1].offset, offset);
		}
		CASE(index.blocks <= row_index_max_blocks(nr),
		     "%u rows: %u blocks", nr, index.blocks);
		CASE(index.block_log2 < 32, "%u rows: blocks of 2^%u", nr,
		     index.block_log2);
		free(words);
	}
	return true;
}

/* Evenly spread rows, as those of text, are in blocks of eight at most. */
TEST("a search looks at few rows")
{
	for (u32 nr = 1; nr <= ROWS_MAX; nr++) {
		u32 words[ROWS_MAX], widest = 0;
		struct row_index index;

		for (u32 i = 0; i < nr; i++)
			rows[i].offset = i * 80;
		row_index_make(&index, rows, nr, words);
		for (u32 i = 0; i < index.blocks; i++)
			if (words[i + 1] - words[i] > widest)
				widest = words[i + 1] - words[i];
		CASE(widest <= 9, "%u rows: a block of %u", nr, widest);
	}
	return true;
}

#define RULE(kind, n) ((__u16)((n) | PROFIL_RULE_##kind))

static const struct {
	struct profil_row row;
	bool is_valid;
} cases[] = {
	{ { 0, RULE(NONE, 0), 0, 0 }, true },
	{ { 0, RULE(NONE, PROFIL_RULE_BY_RBP), 0, 0 }, true },
	{ { 0, RULE(NONE, 16), 0, 0 }, false },
	{ { 0, RULE(NONE, -8), 0, 0 }, false },
	{ { 0, RULE(NONE, 0), -2, 0 }, false },
	{ { 0, RULE(NONE, 0), 0, -2 }, false },
	{ { 0, RULE(END, 0), 0, 0 }, true },
	{ { 0, RULE(END, 8), 0, 0 }, false },
	{ { 0, RULE(END, 0), -1, 0 }, false },
	{ { 0, RULE(SP, 8), 0, 0 }, true },
	{ { 0, RULE(SP, 0), 0, 0 }, false },
	{ { 0, RULE(SP, -8), 0, 0 }, false },
	{ { 0, RULE(SP, 32760), -128, -128 }, true },
	{ { 0, RULE(SP, 16), PROFIL_ROW_AT_BP, 0 }, true },
	{ { 0, RULE(SP, 16), 0, PROFIL_ROW_AT_BP }, false },
	{ { 0, RULE(SP, 16), 1, 0 }, false },
	{ { 0, RULE(SP, 16), 126, 0 }, false },
	{ { 0, RULE(SP, 16), 0, 1 }, false },
	{ { 0, RULE(BP, 16), -2, -3 }, true },
	{ { 0, RULE(BP, -32768), -2, 0 }, true },
	{ { 0, RULE(BP_DEREF, -8), PROFIL_ROW_AT_BP, 0 }, true },
	{ { 0, RULE(PLT, 0), 0, 0 }, true },
	{ { 0, RULE(PLT, 88), 0, 0 }, true },
	{ { 0, RULE(PLT, 120), 0, 0 }, true },
	{ { 0, RULE(PLT, 128), 0, 0 }, false },
	{ { 0, RULE(PLT, 88), -2, 0 }, false },
	{ { 0, RULE(PLT, 88), PROFIL_ROW_AT_BP, 0 }, false },
	{ { 0, RULE(PLT, -8), 0, 0 }, false },
	{ { 0, RULE(SIGNAL, 0), 0, 0 }, true },
	{ { 0, RULE(SIGNAL, 8), 0, 0 }, false },
	{ { 0, RULE(SIGNAL, 0), -2, 0 }, false },
	{ { 0, RULE(BX, -24), -2, 0 }, true },
};

TEST("rows that no rule has are refused")
{
	for (u32 i = 0; i < ARRAY_LENGTH(cases); i++)
		CASE(row_is_valid(&cases[i].row) == cases[i].is_valid,
		     "case %u: rule %#x, rbp %d, rbx %d", i, cases[i].row.rule,
		     cases[i].row.bp, cases[i].row.bx);
	return true;
}

TEST("rows that are not in order are refused")
{
	for (u32 i = 0; i < 20000; i++) {
		u32 nr = random_rows(1 + (u32)random_below(20));
		u32 at = (u32)random_below(nr),
		    from = (u32)random_below(at + 1);

		CASE(rows_are_valid(rows, 0, nr), "%u rows in order", nr);
		if (!at)
			continue;
		rows[at].offset = rows[at - 1].offset;
		if (random_one_in(2))
			rows[at].offset =
				(u32)random_below(rows[at].offset + 1ULL);
		CASE(!rows_are_valid(rows, from, nr),
		     "%u rows, from %u on, row %u not in order", nr, from, at);
		CASE(rows_are_valid(rows, 0, at), "%u rows before", at);
	}
	return true;
}
