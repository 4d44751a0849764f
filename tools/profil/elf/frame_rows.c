// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of a file, by which the driver goes from a function to its caller
 *
 * Entries are run one after the other, so that rows come in the order of their offsets.
 */
#include "elf/frame_entries.h"
#include "elf/frame_record.h"
#include "elf/frame_rows.h"
#include "elf/frame_rule.h"
#include "elf/gopclntab.h"

/* Code between functions */

/* Bytes of the operand of a no-operation whose second byte is @modes */
static size_t operand_size(uint8_t modes)
{
	static const uint8_t sizes[] = { 0, 1, 4, 0 };
	uint8_t mode = modes >> 6, base = modes & 7;

	if (!mode && base == 5)
		return 4;
	return sizes[mode] + (mode < 3 && base == 4);
}

/* Bytes of the instruction at @code that assemblers align functions with; 0: another one */
static size_t padding_at(const uint8_t *code, size_t size)
{
	size_t at = 0;

	if (!code[0] || code[0] == 0xcc)
		return 1;
	while (at < size && (code[at] == 0x66 || code[at] == 0x2e))
		at++;
	if (at < size && code[at] == 0x90)
		return at + 1;
	if (size - at < 3 || code[at] != 0x0f || code[at + 1] != 0x1f)
		return 0;
	at += 3 + operand_size(code[at + 2]);
	return at <= size ? at : 0;
}

static bool is_padding(const struct cfa_machine *machine, const uint8_t *code,
		       size_t size)
{
	size_t length;

	if (machine == &profil_cfa_arm64)
		return profil_is_padding_of_arm64(code, size);

	for (; size; code += length, size -= length) {
		length = padding_at(code, size);
		if (!length)
			return false;
	}
	return true;
}

/* Rows */

static const struct profil_row no_rule = { .rule = PROFIL_RULE_NONE };
static const struct profil_row outermost = { .rule = PROFIL_RULE_END };
static const struct profil_row by_rbp = { .rule = PROFIL_RULE_BY_RBP };
static const struct profil_row by_lr = { .rule = PROFIL_RULE_LR };

/* Bytes of the members behind the offset of a row */
#define RULE_BYTES \
	(sizeof(struct profil_row) - offsetof(struct profil_row, rule))

/* From @offset on, which is not below that of the last row, @row holds. */
static inline void add_row(struct frame_rows *rows, uint32_t offset,
			   struct profil_row row)
{
	size_t nr = rows->nr;

	if (nr && rows->array[nr - 1].offset == offset)
		rows->nr = --nr;
	if (nr > PROFIL_MAX_ROWS ||
	    (nr && !memcmp(&rows->array[nr - 1].rule, &row.rule, RULE_BYTES)))
		return;
	row.offset = offset;
	ARRAY_ADD(rows->array, rows->nr, row);
}

/*
 * rbp is saved in the first word of a frame, below the return address; rbx is not kept. Code
 * of Go 1.19 moves rsp before it saves rbp: at that instruction rbp of the caller is wrong.
 * Rules of Go's functions do not read it.
 */
static struct profil_row row_of_depth(int64_t depth)
{
	if (depth < 0 || depth % 8 || depth > INT16_MAX - 8)
		return no_rule;
	return (struct profil_row){
		.rule = (uint16_t)(depth + 8) | PROFIL_RULE_SP,
		.bp = depth ? -2 : 0,
		.bx = -1,
	};
}

static void run_depths(struct frame_rows *rows, const struct frame_entry *entry)
{
	struct cfa_bytes depths = frame_program_of(entry);
	uint64_t at = entry->begin, size;
	int64_t depth = -1;

	while (at < entry->end &&
	       profil_go_next_depth(&depths, &depth, &size)) {
		add_row(rows, at, row_of_depth(depth));
		at = size < entry->end - at ? at + size : entry->end;
	}
	if (at < entry->end)
		add_row(rows, at, by_rbp);
}

/* Most rows are the one before, @row, with another offset of the CFA from rsp. */
static struct profil_row next_row(const struct cfa_program *program,
				  bool is_signal, struct profil_row row)
{
	int64_t offset = program->state.cfa_offset;

	if (program->bytes.is_wrong)
		return no_rule;
	if (program->has_new_rules ||
	    PROFIL_RULE_KIND(row.rule) != PROFIL_RULE_SP || offset <= 0 ||
	    offset > INT16_MAX || offset % 8)
		return profil_frame_rule(&program->state, is_signal);
	row.rule = offset | PROFIL_RULE_SP;
	return row;
}

/* What it can remember has 3 KB, too much to be cleared for each entry. */
static void begin_entry(struct cfa_program *program,
			const struct frame_entry *entry,
			const struct frame_entries *entries)
{
	const struct frame_common *common = &entries->common[entry->common];

	program->bytes = frame_program_of(entry);
	program->code = common->code;
	program->data = common->data;
	program->first = &common->first;
	program->machine = entries->machine;
	profil_cfa_begin(program);
}

/* On arm64: where a frame record is in use, and where the return address is in x30 */
static void run_records(struct frame_rows *rows,
			const struct frame_entry *entry,
			const struct frame_entries *entries)
{
	bool is_signal = entries->common[entry->common].is_signal;
	uint64_t at = entry->begin, begin = at, from = 0, next, step;
	struct profil_row row = no_rule, before;
	struct cfa_program program;

	begin_entry(&program, entry, entries);
	do {
		step = profil_cfa_advance(&program);
		next = step && step < entry->end - at ? at + step : entry->end;
		before = row;
		row = program.bytes.is_wrong ?
			      no_rule :
			      profil_frame_record(&program.state, is_signal);
		if (row.rule == PROFIL_RULE_RECORD &&
		    before.rule != PROFIL_RULE_RECORD && from != UINT64_MAX)
			from = profil_frame_record_from(entries->file, begin,
							at, entry->end);
		if (row.rule != PROFIL_RULE_RECORD)
			begin = at;
		if (row.rule != PROFIL_RULE_RECORD || at >= from)
			add_row(rows, at, row);
		else if (from == UINT64_MAX)
			add_row(rows, at, no_rule);
		else
			add_row(rows, at, by_lr);
		if (row.rule == PROFIL_RULE_RECORD && at < from && from < next)
			add_row(rows, from, row);
		at = next;
	} while (at < entry->end);
}

static void run_entry(struct frame_rows *rows, const struct frame_entry *entry,
		      const struct frame_entries *entries)
{
	bool is_signal = entries->common[entry->common].is_signal;
	struct profil_row row = no_rule;
	struct cfa_program program;
	uint64_t at = entry->begin, step;

	begin_entry(&program, entry, entries);
	do {
		step = profil_cfa_advance(&program);
		row = next_row(&program, is_signal, row);
		add_row(rows, at, row);
		at = step < entry->end - at ? at + step : entry->end;
	} while (step && at < entry->end);
}

/* No function may be at @begin, or above it, so far. */
static void drop_rows(struct frame_rows *rows, uint32_t begin)
{
	while (rows->nr && rows->array[rows->nr - 1].offset >= begin)
		rows->nr--;
}

static void run(struct frame_rows *rows, const struct frame_entry *entry,
		const struct frame_entries *entries)
{
	if (entry->common == FRAME_IS_OUTERMOST)
		add_row(rows, entry->begin, outermost);
	else if (entry->common == FRAME_OF_GO)
		run_depths(rows, entry);
	else if (entry->common == FRAME_OF_PLT)
		add_row(rows, entry->begin, by_lr);
	else if (entries->machine == &profil_cfa_arm64)
		run_records(rows, entry, entries);
	else
		run_entry(rows, entry, entries);
}

/*
 * Where functions overlap, none of them is believed. Padding behind a function, which is
 * not executed, needs no row of its own.
 */
static void add_rows(struct frame_rows *rows,
		     const struct frame_entries *entries)
{
	uint32_t end = 0;

	for (size_t i = 0; i < entries->nr; i++) {
		const struct frame_entry *entry = &entries->array[i];

		if (entry->begin < end) {
			drop_rows(rows, entry->begin);
			add_row(rows, entry->begin, no_rule);
			if (entry->end > end)
				end = entry->end;
			continue;
		}
		if (end && !is_padding(entries->machine, entries->file + end,
				       entry->begin - end))
			add_row(rows, end, by_rbp);
		run(rows, entry, entries);
		end = entry->end;
	}
	if (end)
		add_row(rows, end, by_rbp);
}

static bool is_for_machine(Elf *elf, const struct cfa_machine *machine)
{
	GElf_Ehdr head;

	return elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head) &&
	       head.e_ident[EI_CLASS] == ELFCLASS64 &&
	       head.e_ident[EI_DATA] == ELFDATA2LSB &&
	       head.e_machine == machine->elf &&
	       (head.e_type == ET_EXEC || head.e_type == ET_DYN);
}

/* Code before the first function is not described, either. */
void profil_frame_rows_read(struct frame_rows *rows, Elf *elf,
			    const struct cfa_machine *machine)
{
	struct frame_entries entries;
	uint64_t first = UINT64_MAX;

	*rows = (struct frame_rows){ 0 };
	if (!elf || !is_for_machine(elf, machine))
		return;
	profil_frame_entries_read(&entries, elf, machine);
	for (size_t i = 0; i < entries.nr_loads; i++)
		first = lesser(first, entries.loads[i].p_offset);
	if (entries.nr_loads && (entries.nr || profil_is_of_go(elf)))
		add_row(rows, first, by_rbp);
	add_rows(rows, &entries);
	if (rows->nr > PROFIL_MAX_ROWS || entries.nr > PROFIL_MAX_ROWS)
		rows->nr = 0;
	profil_frame_entries_free(&entries);
}

void profil_frame_rows_free(struct frame_rows *rows)
{
	free(rows->array);
}
