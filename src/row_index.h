/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which rows walks take, and an index of rows, by which a walk finds that of a PC. Pure:
 * compiles on the host too.
 */
#ifndef PROFIL_ROW_INDEX_H
#define PROFIL_ROW_INDEX_H

#include <linux/profil.h>
#include <linux/types.h>

/* Rows, at least one, with rising offsets */
struct row_index {
	const struct profil_row *rows;
	/* of each block of text: the last row at or before its first byte; and the last row */
	u32 *words;
	u32 first; /* offset of the first row, where the first block begins */
	u32 block_log2; /* binary logarithm of the bytes of a block */
	u32 blocks; /* up to that of the last row */
};

#ifdef CONFIG_ARM64

static inline bool row_is_valid(const struct profil_row *row)
{
	switch (row->rule) {
	case PROFIL_RULE_NONE:
	case PROFIL_RULE_BY_RBP:
	case PROFIL_RULE_END:
	case PROFIL_RULE_LR:
		return !row->bp && !row->bx;
	case PROFIL_RULE_RECORD:
		return row->bp == -2 && !row->bx;
	default:
		return false;
	}
}

#else

static inline bool row_is_valid(const struct profil_row *row)
{
	int n = PROFIL_RULE_N(row->rule);
	bool is_saved = row->bp || row->bx;

	if (row->bx > 0 || (row->bp > 0 && row->bp != PROFIL_ROW_AT_BP))
		return false;
	switch (PROFIL_RULE_KIND(row->rule)) {
	case PROFIL_RULE_NONE:
		return !is_saved && (!n || n == PROFIL_RULE_BY_RBP);
	case PROFIL_RULE_END:
	case PROFIL_RULE_SIGNAL:
		return !is_saved && !n;
	case PROFIL_RULE_PLT:
		return !is_saved && n >= 0 && n < 128;
	case PROFIL_RULE_SP:
		return n > 0;
	default:
		return true;
	}
}

#endif

/* Are the rows from @from up to @to such as walks know, and each behind the one before? */
static inline bool rows_are_valid(const struct profil_row *rows, u32 from,
				  u32 to)
{
	u32 i;

	for (i = from; i < to; i++)
		if (!row_is_valid(&rows[i]) ||
		    (i && rows[i].offset <= rows[i - 1].offset))
			return false;
	return true;
}

/* The most blocks of @nr rows: four rows are in one, on average, and eight at most. */
static inline u32 row_index_max_blocks(u32 nr)
{
	return nr / 4 + 2;
}

static inline size_t row_index_words(u32 nr)
{
	return row_index_max_blocks(nr) + 1;
}

/* Fill @words of row_index_words(@nr). A block has 2 GiB at most. */
static inline void row_index_make(struct row_index *index,
				  const struct profil_row *rows, u32 nr,
				  u32 *words)
{
	u32 span = rows[nr - 1].offset - rows[0].offset, i, block = 0;

	index->rows = rows;
	index->words = words;
	index->first = rows[0].offset;
	index->block_log2 = 0;
	while (span >> index->block_log2 >= row_index_max_blocks(nr))
		index->block_log2++;
	index->blocks = (span >> index->block_log2) + 1;
	for (i = 1; i < nr; i++)
		while ((u64)block << index->block_log2 <
		       rows[i].offset - index->first)
			words[block++] = i - 1;
	while (block <= index->blocks)
		words[block++] = nr - 1;
}

/* The last row at or before @offset, or NULL */
static inline const struct profil_row *
row_index_find(const struct row_index *index, u32 offset)
{
	u32 block, low, high, middle;

	if (offset < index->first)
		return NULL;
	block = (offset - index->first) >> index->block_log2;
	if (block >= index->blocks)
		block = index->blocks - 1;
	low = index->words[block];
	high = index->words[block + 1];
	while (low < high) {
		middle = low + (high - low + 1) / 2;
		if (index->rows[middle].offset <= offset)
			low = middle;
		else
			high = middle - 1;
	}
	return &index->rows[low];
}

#endif /* PROFIL_ROW_INDEX_H */
