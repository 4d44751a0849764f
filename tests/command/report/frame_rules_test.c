// SPDX-License-Identifier: GPL-2.0-only
/* Rules of code that compilers seldom make, and rows of files that are not right */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/symbols.h"
#include "row_at.h"

/* Rules of the functions of frame_rules.S, at an offset from a symbol there */

struct rule_case {
	const char *symbol;
	unsigned int offset;
	struct profil_row row;
};

static const struct rule_case cases[] = {
	{ "plain", 0, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "bp_saved", 1, { 0, PROFIL_RULE_SP | 8, -2, 0 } },
	{ "bp_in_register", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "bp_far", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "bp_farthest", 0, { 0, PROFIL_RULE_SP | 8, -126, 0 } },
	{ "bp_above", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "bx_in_register", 0, { 0, PROFIL_RULE_SP | 8, 0, -1 } },
	{ "bx_saved", 0, { 0, PROFIL_RULE_SP | 8, 0, -3 } },
	{ "cfa_by_r10", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "cfa_by_bx", 0, { 0, PROFIL_RULE_BX | 16, 0, 0 } },
	{ "cfa_not_aligned", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "cfa_far", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "cfa_farthest", 0, { 0, PROFIL_RULE_SP | 32760, 0, 0 } },
	{ "cfa_at_sp", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "address_elsewhere", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "sp_saved", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "outermost", 0, { 0, PROFIL_RULE_END, 0, 0 } },
	{ "realigned",
	  0,
	  { 0, PROFIL_RULE_BP_DEREF | (uint16_t)-8, PROFIL_ROW_AT_BP, -1 } },
	{ "by_word_of_stack", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "plt", 0, { 0, PROFIL_RULE_PLT | 6 * 8, 0, 0 } },
	{ "not_plt", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "of_signal", 0, { 0, PROFIL_RULE_SIGNAL, 0, 0 } },
	{ "not_of_signal", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "signal_by_sp", 0, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "remembered", 0, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "remembered", 1, { 0, PROFIL_RULE_SP | 16, 0, 0 } },
	{ "remembered", 2, { 0, PROFIL_RULE_SP | 24, 0, 0 } },
	{ "remembered", 3, { 0, PROFIL_RULE_SP | 16, 0, 0 } },
	{ "remembered", 4, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "recalled", 0, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "recalled", 1, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "unknown", 0, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "unknown", 1, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "unknown", 2, { 0, PROFIL_RULE_NONE, 0, 0 } },
	{ "bare", 0, { 0, PROFIL_RULE_BY_RBP, 0, 0 } },
	{ "bare", 1, { 0, PROFIL_RULE_BY_RBP, 0, 0 } },
	{ "behind_bare", 0, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "padding", 9, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "last", 1, { 0, PROFIL_RULE_SP | 8, 0, 0 } },
	{ "last", 2, { 0, PROFIL_RULE_BY_RBP, 0, 0 } },
};

#define LR                              \
	{                               \
		0, PROFIL_RULE_LR, 0, 0 \
	}
#define RECORD                               \
	{                                    \
		0, PROFIL_RULE_RECORD, -2, 0 \
	}
#define NONE                              \
	{                                 \
		0, PROFIL_RULE_NONE, 0, 0 \
	}

/* The same of frame_records.S, for arm64 */
static const struct rule_case records[] = {
	{ "leaf", 0, LR },
	{ "leaf", 4, LR },
	{ "usual", 0, LR },
	{ "usual", 4, LR },
	{ "usual", 7, LR },
	{ "usual", 8, RECORD },
	{ "usual", 12, RECORD },
	{ "usual", 16, LR },
	{ "late", 12, LR },
	{ "late", 16, RECORD },
	{ "late", 20, RECORD },
	{ "late", 24, LR },
	{ "high", 8, LR },
	{ "high", 12, RECORD },
	{ "high", 20, LR },
	{ "at_once", 4, LR },
	{ "at_once", 8, RECORD },
	{ "at_once", 12, RECORD },
	{ "at_once", 16, LR },
	{ "unset", 0, LR },
	{ "unset", 4, NONE },
	{ "unset", 8, NONE },
	{ "unset", 12, LR },
	{ "among_others", 8, LR },
	{ "among_others", 12, LR },
	{ "among_others", 16, RECORD },
	{ "among_others", 20, RECORD },
	{ "among_others", 32, LR },
	{ "unset_among_others", 8, LR },
	{ "unset_among_others", 12, NONE },
	{ "unset_among_others", 24, NONE },
	{ "unset_among_others", 28, LR },
	{ "unset_returns_early", 4, NONE },
	{ "unset_returns_early", 12, LR },
	{ "unset_returns_early", 16, NONE },
	{ "unset_returns_early", 20, NONE },
	{ "unset_returns_early", 24, LR },
	{ "address_alone", 4, NONE },
	{ "address_alone", 12, LR },
	{ "reversed", 4, NONE },
	{ "reversed", 12, LR },
	{ "returns_early", 8, RECORD },
	{ "returns_early", 16, LR },
	{ "returns_early", 20, RECORD },
	{ "returns_early", 24, RECORD },
	{ "returns_early", 28, LR },
	{ "signed", 4, LR },
	{ "signed", 12, RECORD },
	{ "signed", 20, LR },
	{ "outermost", 0, { 0, PROFIL_RULE_END, 0, 0 } },
	{ "of_signal", 0, { 0, PROFIL_RULE_BY_RBP, 0, 0 } },
	{ "bare", 0, { 0, PROFIL_RULE_BY_RBP, 0, 0 } },
};

/* Offset of a symbol in the file, whose code has its offset as its address */
static uint64_t offset_of_symbol(const struct symbols *symbols,
				 const char *name)
{
	const struct boundaries *boundaries = &symbols->boundaries;

	for (size_t i = 0; i < boundaries->nr_symbols; i++)
		if (!strcmp(boundaries->symbols[i].name, name))
			return boundaries->symbols[i].address;
	return 0;
}

/* The rows of @file, beside this program, are those of @cases, @nr of them. */
static bool has_rows(const char *file, const struct cfa_machine *machine,
		     const struct rule_case *cases, size_t nr)
{
	const struct cfa_machine *other = &profil_cfa_x86_64;
	char self[4096] = "", path[4200];
	struct symbols *symbols;
	struct frame_rows rows;

	if (machine == other)
		other = &profil_cfa_arm64;
	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	*strrchr(self, '/') = '\0';
	snprintf(path, sizeof(path), "%s/%s", self, file);
	symbols = profil_symbols_open(path, NULL);
	profil_symbols_read(symbols);
	profil_frame_rows_read(&rows, symbols->elf, machine);
	for (size_t i = 0; i < nr; i++) {
		uint64_t offset = offset_of_symbol(symbols, cases[i].symbol);
		const struct profil_row *row =
			row_at(&rows, offset + cases[i].offset);

		if (offset && row && row->rule == cases[i].row.rule &&
		    row->bp == cases[i].row.bp && row->bx == cases[i].row.bx)
			continue;
		CHECK(row);
		tap_note("%s + %u: 0x%x %d %d", cases[i].symbol,
			 cases[i].offset, row->rule, row->bp, row->bx);
		return false;
	}
	CHECK(is_ascending(&rows));
	profil_frame_rows_free(&rows);
	profil_frame_rows_read(&rows, symbols->elf, other);
	CHECK(!rows.nr);
	profil_symbols_close(symbols);
	return true;
}

TEST("a rule stands for what the driver can do, and for nothing else")
{
	return has_rows("frame_rules.so", &profil_cfa_x86_64, cases,
			ARRAY_LENGTH(cases));
}

TEST("on arm64 a frame record is used from where x29 points to it")
{
	return has_rows("frame_records.so", &profil_cfa_arm64, records,
			ARRAY_LENGTH(records));
}

/* Files that are not right */

/* A copy of this program in memory */
static char *copy_of_self(size_t *size)
{
	FILE *self = fopen("/proc/self/exe", "re");
	char *copy;

	fseek(self, 0, SEEK_END);
	*size = ftell(self);
	rewind(self);
	copy = malloc(*size);
	if (fread(copy, 1, *size, self) != *size)
		abort();
	fclose(self);
	return copy;
}

/* Rows of @size bytes, which are in order; -1 if they are not */
static long rows_of(char *bytes, size_t size, struct frame_rows *rows)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory(bytes, size);
	profil_frame_rows_read(rows, elf, NATIVE_MACHINE);
	elf_end(elf);
	return is_ascending(rows) ? (long)rows->nr : -1;
}

static long number_of_rows(char *bytes, size_t size)
{
	struct frame_rows rows;
	long nr = rows_of(bytes, size, &rows);

	profil_frame_rows_free(&rows);
	return nr;
}

TEST("files for other machines have no rows")
{
	static const struct {
		size_t offset;
		char value;
	} changes[] = {
		{ EI_CLASS, ELFCLASS32 },
		{ EI_DATA, ELFDATA2MSB },
		{ offsetof(Elf64_Ehdr, e_machine), EM_386 },
		{ offsetof(Elf64_Ehdr, e_type), ET_REL },
	};
	size_t size;
	char *bytes = copy_of_self(&size);

	CHECK(number_of_rows(bytes, size) > 100);
	for (size_t i = 0; i < ARRAY_LENGTH(changes); i++) {
		char *it = &bytes[changes[i].offset], before = *it;

		*it = changes[i].value;
		CHECK_EQUAL(0, number_of_rows(bytes, size));
		*it = before;
	}
	CHECK(number_of_rows(bytes, size) > 100);
	free(bytes);
	return true;
}

TEST("a file that ends anywhere has rows in order")
{
	size_t size;
	char *bytes = copy_of_self(&size);

	for (size_t end = 0; end < size; end += size / 200 + 1) {
		char *part = malloc(end + 1);

		memcpy(part, bytes, end);
		CHECK(number_of_rows(part, end) >= 0);
		free(part);
	}
	free(bytes);
	return true;
}

/* The section .eh_frame of @bytes */
static Elf64_Shdr eh_frame_of(const char *bytes)
{
	const Elf64_Ehdr *head = (const void *)bytes;
	const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff);
	const char *names = bytes + sections[head->e_shstrndx].sh_offset;

	for (int i = 0; i < head->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, ".eh_frame"))
			return sections[i];
	abort();
}

TEST("rows of entries with bytes at random are in order")
{
	size_t size;
	char *bytes = copy_of_self(&size), *copy = malloc(size);
	Elf64_Shdr section = eh_frame_of(bytes);

	for (int i = 0; i < 2000; i++) {
		int changes = 1 + rand() % 20;

		memcpy(copy, bytes, size);
		while (changes--)
			copy[section.sh_offset + rand() % section.sh_size] =
				rand();
		CHECK(number_of_rows(copy, size) >= 0);
	}
	free(copy);
	free(bytes);
	return true;
}

/* Each entry refers to the one before it, or to itself. */
TEST("entries without a common part have no rows of their own")
{
	size_t size;
	char *bytes = copy_of_self(&size);
	Elf64_Shdr section = eh_frame_of(bytes);
	char *at = bytes + section.sh_offset, *end = at + section.sh_size;
	uint32_t length, back = 4, last = 0;

	for (; at < end; at += 4 + length) {
		memcpy(&length, at, 4);
		if (last)
			memcpy(at + 4, &back, 4);
		back = last ? 4 + length + 4 : 4;
		last = length;
	}
	/* Those of the first common part alone, or none */
	CHECK(number_of_rows(bytes, size) <= 3);
	free(bytes);
	return true;
}

/* The entry behind @first is of the code from the second byte of that one on. */
static bool overlap(char *first, uint32_t *begin)
{
	uint32_t length, common;
	int32_t to;
	char *second;

	memcpy(&length, first, 4);
	second = first + 4 + length;
	memcpy(&common, second + 4, 4);
	memcpy(&to, first + 8, 4);
	*begin = to;
	to += 1 - (int32_t)(second - first);
	memcpy(second + 8, &to, 4);
	return common;
}

TEST("functions that overlap have no rule")
{
	size_t size;
	char *bytes = copy_of_self(&size);
	Elf64_Shdr section = eh_frame_of(bytes);
	char *at = bytes + section.sh_offset;
	struct frame_rows rows;
	uint32_t length, begin;
	const struct profil_row *row;

	/* The third entry or a later one, behind another entry for a function */
	for (int i = 0; i < 8; i++) {
		memcpy(&length, at, 4);
		at += 4 + length;
	}
	CHECK(overlap(at, &begin));
	begin += section.sh_addr + (at + 8 - bytes - section.sh_offset);
	CHECK(rows_of(bytes, size, &rows) > 100);
	/* Code of this program has its offset as its address. */
	row = row_at(&rows, begin);
	CHECK(row && row->rule != PROFIL_RULE_NONE);
	row = row_at(&rows, begin + 1);
	CHECK(row && row->rule == PROFIL_RULE_NONE);
	CHECK_EQUAL(begin + 1, row->offset);
	profil_frame_rows_free(&rows);
	free(bytes);
	return true;
}

/* Code that entries claim */

/* An entry for the function at @begin, an offset in the file, and its @size bytes there */
struct claim {
	uint64_t begin;
	char *size;
};

static uint32_t number_at(const char *at)
{
	uint32_t number;

	memcpy(&number, at, 4);
	return number;
}

/* The entries of @bytes for functions, at most @most. Code has its offset as its address. */
static size_t claims_of(char *bytes, struct claim *claims, size_t most)
{
	Elf64_Shdr section = eh_frame_of(bytes);
	char *at = bytes + section.sh_offset, *end = at + section.sh_size;
	uint64_t bias = section.sh_addr - section.sh_offset;
	size_t nr = 0;

	for (; at + 8 < end && nr < most; at += 4 + number_at(at))
		if (number_at(at + 4))
			claims[nr++] = (struct claim){
				bias + (uint64_t)(at + 8 - bytes) +
					(uint64_t)(int32_t)number_at(at + 8),
				at + 12,
			};
	return nr;
}

static void set_claimed(struct claim *claim, uint32_t bytes)
{
	memcpy(claim->size, &bytes, 4);
}

/* Where @claims has two entries or more, @rows has no rule. */
static bool are_disclaimed(const struct frame_rows *rows,
			   const struct claim *claims, size_t nr, size_t size)
{
	uint8_t *claimed = calloc(size, 1);
	size_t at, twice = 0;

	for (size_t i = 0; i < nr; i++)
		for (uint32_t n = 0; n < number_at(claims[i].size); n++)
			claimed[claims[i].begin + n]++;
	for (at = 0; at < size; at++)
		if (claimed[at] > 1 && ++twice)
			CHECK_EQUAL(PROFIL_RULE_NONE, row_at(rows, at)->rule);
	free(claimed);
	CHECK(twice);
	return true;
}

#define MOST_CLAIMS 20000
#define CHANGED 200

TEST("code that several entries claim has no rule, however they overlap")
{
	static struct claim claims[MOST_CLAIMS];
	size_t size;
	char *bytes = copy_of_self(&size);
	size_t nr = claims_of(bytes, claims, MOST_CLAIMS - 1);
	struct frame_rows rows;

	CHECK(nr > CHANGED);
	for (int i = 0; i < CHANGED; i++) {
		struct claim *claim = &claims[rand() % (nr - CHANGED / 2)];

		set_claimed(claim,
			    number_at(claim->size) + (uint32_t)rand() % 400);
	}
	CHECK(rows_of(bytes, size, &rows) > 100);
	CHECK(are_disclaimed(&rows, claims, nr, size));
	profil_frame_rows_free(&rows);
	free(bytes);
	return true;
}

/* The executable segment of @bytes */
static Elf64_Phdr code_of(const char *bytes)
{
	const Elf64_Ehdr *head = (const void *)bytes;
	const Elf64_Phdr *loads = (const void *)(bytes + head->e_phoff);

	for (int i = 0; i < head->e_phnum; i++)
		if (loads[i].p_type == PT_LOAD && loads[i].p_flags & PF_X)
			return loads[i];
	abort();
}

TEST("an entry up to the end of its segment has a rule, and no entry beyond it")
{
	static struct claim claims[MOST_CLAIMS];
	size_t size;
	char *bytes = copy_of_self(&size);
	size_t nr = claims_of(bytes, claims, MOST_CLAIMS - 1);
	Elf64_Phdr code = code_of(bytes);
	struct claim *last = claims;
	struct frame_rows rows;
	uint32_t left;

	for (size_t i = 0; i < nr; i++)
		if (claims[i].begin > last->begin)
			last = &claims[i];
	left = code.p_offset + code.p_filesz - last->begin;
	for (uint32_t beyond = 0; beyond < 2; beyond++) {
		set_claimed(last, left + beyond);
		CHECK(rows_of(bytes, size, &rows) > 100);
		CHECK_EQUAL(beyond, row_at(&rows, last->begin)->rule ==
					    PROFIL_RULE_BY_RBP);
		profil_frame_rows_free(&rows);
	}
	free(bytes);
	return true;
}
