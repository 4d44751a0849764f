// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of files, by which the driver goes from a function to its caller
 *
 * The oracle is libdw: at each row, at the byte before it and at addresses at random, the
 * registers of the caller are computed by the row and by libdw, from the same registers
 * and the same memory. FRAME_ROWS has more files, separated by spaces.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "elf/gopclntab.h"
#include "elf/symbols.h"
#include "row_at.h"

#define RANDOM_ADDRESSES 20000

/* Registers by their numbers in DWARF */
enum { BX = 3, BP = 6, SP = 7, PC = 16, NR = 17 };

/* What a comparison has met */
struct figures {
	size_t compared;
	size_t refused;
	size_t padding;
	size_t lost;
	size_t kinds[8];
};

struct oracle {
	struct symbols *symbols;
	Dwarf_CFI *cfi;
	bool is_of_go; /* which says nothing of registers, nor of the outermost functions */
	struct frame_rows rows;
	struct figures figures;
};

/* Memory that has other bytes in each word */
static uint64_t word_at(uint64_t address)
{
	address = (address ^ (address >> 31)) * 0x7fb5d329728ea185ULL;
	return address ^ (address >> 27);
}

/* The operations that entries of .eh_frame use */
static bool evaluate(const Dwarf_Op *op, size_t nr, const uint64_t *registers,
		     uint64_t cfa, uint64_t *value)
{
	uint64_t stack[16] = { 0 };
	size_t top = 0;

	for (; nr--; op++) {
		unsigned int atom = op->atom;

		CHECK(top < 15);
		if (atom >= DW_OP_breg0 && atom <= DW_OP_breg16)
			stack[++top] =
				registers[atom - DW_OP_breg0] + op->number;
		else if (atom == DW_OP_bregx && op->number < NR)
			stack[++top] = registers[op->number] + op->number2;
		else if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
			stack[++top] = atom - DW_OP_lit0;
		else if (atom == DW_OP_call_frame_cfa)
			stack[++top] = cfa;
		else if (atom == DW_OP_plus_uconst)
			stack[top] += op->number;
		else if (atom == DW_OP_deref)
			stack[top] = word_at(stack[top]);
		else if (atom == DW_OP_plus && top--)
			stack[top] += stack[top + 1];
		else if (atom == DW_OP_and && top--)
			stack[top] &= stack[top + 1];
		else if (atom == DW_OP_shl && top--)
			stack[top] <<= stack[top + 1];
		else if (atom == DW_OP_ge && top--)
			stack[top] = (int64_t)stack[top] >=
				     (int64_t)stack[top + 1];
		else
			CHECK(atom == DW_OP_stack_value);
	}
	*value = stack[top];
	return true;
}

/* The caller's value of register @number by libdw; *@is_known is false if it is lost. */
static bool by_libdw(Dwarf_Frame *frame, int number, const uint64_t *registers,
		     uint64_t cfa, uint64_t *value, bool *is_known)
{
	Dwarf_Op memory[3], *ops;
	size_t nr;

	CHECK(!dwarf_frame_register(frame, number, memory, &ops, &nr));
	*value = registers[number];
	*is_known = nr || !ops;
	if (!nr)
		return true;
	if (ops->atom == DW_OP_regx && ops->number < NR) {
		*value = registers[ops->number];
		return true;
	}
	CHECK(evaluate(ops, nr, registers, cfa, value));
	if (ops[nr - 1].atom != DW_OP_stack_value)
		*value = word_at(*value);
	return true;
}

/* The same by @row, as its header says; the CFA is the caller's rsp. */
static void by_row(const struct profil_row *row, const uint64_t *from,
		   uint64_t *to)
{
	int n = PROFIL_RULE_N(row->rule);
	uint64_t cfa = 0;

	switch (PROFIL_RULE_KIND(row->rule)) {
	case PROFIL_RULE_SIGNAL:
		to[BP] = word_at(from[SP] + 15 * 8);
		to[BX] = word_at(from[SP] + 16 * 8);
		to[SP] = word_at(from[SP] + 20 * 8);
		to[PC] = word_at(from[SP] + 21 * 8);
		return;
	case PROFIL_RULE_SP:
		cfa = from[SP] + n;
		break;
	case PROFIL_RULE_BP:
		cfa = from[BP] + n;
		break;
	case PROFIL_RULE_BX:
		cfa = from[BX] + n;
		break;
	case PROFIL_RULE_BP_DEREF:
		cfa = word_at(from[BP] + n);
		break;
	case PROFIL_RULE_PLT:
		cfa = from[SP] + 8 + 8 * ((int)(from[PC] & 15) >= n / 8);
		break;
	}
	to[SP] = cfa;
	to[PC] = word_at(cfa - 8);
	to[BP] = row->bp == PROFIL_ROW_AT_BP ? word_at(from[BP]) :
		 row->bp		     ? word_at(cfa + 8 * row->bp) :
					       from[BP];
	to[BX] = row->bx ? word_at(cfa + 8 * row->bx) : from[BX];
}

/* The caller by @row is that of @frame. */
static bool is_same_caller(struct oracle *oracle, const struct profil_row *row,
			   Dwarf_Frame *frame, const uint64_t *from)
{
	uint64_t due[NR], seen[NR], cfa;
	bool is_known;
	size_t nr;
	Dwarf_Op *ops;

	if (PROFIL_RULE_KIND(row->rule) == PROFIL_RULE_END) {
		if (oracle->is_of_go)
			return true;
		CHECK(by_libdw(frame, PC, from, 0, &due[PC], &is_known));
		CHECK(!is_known);
		return true;
	}
	CHECK(!dwarf_frame_cfa(frame, &ops, &nr));
	CHECK(evaluate(ops, nr, from, 0, &cfa));
	by_row(row, from, seen);
	CHECK(by_libdw(frame, SP, from, cfa, &due[SP], &is_known) && is_known);
	CHECK(by_libdw(frame, PC, from, cfa, &due[PC], &is_known) && is_known);
	CHECK(by_libdw(frame, BP, from, cfa, &due[BP], &is_known) && is_known);
	CHECK(by_libdw(frame, BX, from, cfa, &due[BX], &is_known));
	CHECK_EQUAL(cfa, seen[SP]);
	CHECK_EQUAL(due[SP], seen[SP]);
	CHECK_EQUAL(due[PC], seen[PC]);
	if (oracle->is_of_go)
		return true;
	CHECK_EQUAL(due[BP], seen[BP]);
	/* That of libdw has no default for rbx, which functions have to keep. */
	if (due[BX] == seen[BX])
		return true;
	/* Lost: it has the return address. */
	CHECK_EQUAL(seen[PC], seen[BX]);
	oracle->figures.lost++;
	return true;
}

/* A byte of the instructions that assemblers fill gaps with */
static bool may_be_padding(const struct symbols *symbols, uint64_t offset)
{
	size_t size;
	const char *file = elf_rawfile(symbols->elf, &size);

	return offset < size &&
	       memchr("\x66\x2e\x0f\x1f\x84\x80\x44\x40\x00\x90\xcc",
		      file[offset], 11);
}

static bool agrees_at(struct oracle *oracle, uint64_t offset, uint64_t address)
{
	const struct profil_row *row = row_at(&oracle->rows, offset);
	uint64_t registers[NR];
	Dwarf_Frame *frame;
	bool passed;

	if (!row)
		return true;
	oracle->figures.compared++;
	oracle->figures.kinds[PROFIL_RULE_KIND(row->rule)]++;
	for (int i = 0; i < NR; i++)
		registers[i] = (uint64_t)rand() << 16 & ~15;
	registers[PC] = address;
	if (dwarf_cfi_addrframe(oracle->cfi, address, &frame)) {
		oracle->figures.padding += PROFIL_RULE_KIND(row->rule) != 0;
		return row->rule == PROFIL_RULE_BY_RBP ||
		       may_be_padding(oracle->symbols, offset);
	}
	oracle->figures.refused += !PROFIL_RULE_KIND(row->rule);
	passed = row->rule != PROFIL_RULE_BY_RBP &&
		 (row->rule == PROFIL_RULE_NONE ||
		  is_same_caller(oracle, row, frame, registers));
	free(frame);
	if (!passed)
		tap_note("at 0x%lx: rule 0x%x, rbp %d, rbx %d", (long)address,
			 row->rule, row->bp, row->bx);
	return passed;
}

/* Link-time address of @offset, if that is in an executable segment; or 0 */
static uint64_t address_of(const struct symbols *symbols, uint64_t offset)
{
	const struct boundaries *boundaries = &symbols->boundaries;

	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *load = &boundaries->loads[i];

		if (load->p_flags & PF_X && offset >= load->p_offset &&
		    offset - load->p_offset < load->p_filesz)
			return offset - load->p_offset + load->p_vaddr;
	}
	return 0;
}

static bool agrees(struct oracle *oracle, uint64_t offset)
{
	uint64_t address = address_of(oracle->symbols, offset);

	return !address || agrees_at(oracle, offset, address);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void show(const char *path, const struct oracle *oracle, uint64_t ns)
{
	const struct figures *figures = &oracle->figures;
	const struct frame_rows *rows = &oracle->rows;
	uint32_t without = 0;

	for (size_t i = 0; i + 1 < rows->nr; i++)
		if (PROFIL_RULE_KIND(rows->array[i].rule) == PROFIL_RULE_NONE)
			without += rows->array[i + 1].offset -
				   rows->array[i].offset;
	printf("# %s: %zu rows in %.1f ms, %u bytes without;", path, rows->nr,
	       ns / 1e6, without);
	printf(" of %zu: refused %zu, padding %zu, rbx lost %zu; kinds",
	       figures->compared, figures->refused, figures->padding,
	       figures->lost);
	for (size_t i = 0; i < ARRAY_LENGTH(figures->kinds); i++)
		printf(" %zu", figures->kinds[i]);
	printf("\n");
}

/* Of many rows each @step-th is compared. */
static bool agree_all(struct oracle *oracle, size_t step)
{
	const struct frame_rows *rows = &oracle->rows;
	uint64_t first = rows->array[0].offset;
	uint64_t size = rows->array[rows->nr - 1].offset - first;

	for (size_t i = 0; i < rows->nr; i += step) {
		uint64_t offset = rows->array[i].offset;

		CHECK(agrees(oracle, offset));
		CHECK(!i || agrees(oracle, offset - 1));
	}
	for (int i = 0; i < RANDOM_ADDRESSES; i++)
		CHECK(agrees(oracle, first + (uint64_t)rand() % (size + 1)));
	return true;
}

/* There are @least rows, of which about @most are compared. */
static bool agrees_with_libdw(const char *path, size_t least, size_t most)
{
	struct oracle oracle = { profil_symbols_open(path, NULL) };
	Dwarf *dwarf;
	uint64_t begin_ns;
	bool passed;

	profil_symbols_read(oracle.symbols);
	CHECK(oracle.symbols->elf);
	oracle.is_of_go = profil_is_of_go(oracle.symbols->elf);
	/* Without .eh_frame there is none; Go has .debug_frame. */
	dwarf = dwarf_begin_elf(oracle.symbols->elf, DWARF_C_READ, NULL);
	if (!oracle.is_of_go)
		oracle.cfi = dwarf_getcfi_elf(oracle.symbols->elf);
	else
		CHECK((oracle.cfi = dwarf_getcfi(dwarf)));
	begin_ns = now_ns();
	profil_frame_rows_read(&oracle.rows, oracle.symbols->elf,
			       NATIVE_MACHINE);
	begin_ns = now_ns() - begin_ns;
	passed = is_ascending(&oracle.rows) &&
		 (!oracle.rows.nr ||
		  agree_all(&oracle, oracle.rows.nr / most + 1));
	CHECK(oracle.rows.nr >= least);
	show(path, &oracle, begin_ns);
	if (!oracle.is_of_go)
		dwarf_cfi_end(oracle.cfi);
	dwarf_end(dwarf);
	profil_frame_rows_free(&oracle.rows);
	profil_symbols_close(oracle.symbols);
	return passed;
}

TEST("rows find the caller that libdw finds")
{
	static const char *const paths[] = {
		"/proc/self/exe",
		"[vdso]",
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib64/ld-linux-x86-64.so.2",
		"/lib/x86_64-linux-gnu/libcrypto.so.3",
		"/lib/x86_64-linux-gnu/libm.so.6",
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/bin/bash",
		"/bin/busybox",
		"/usr/bin/python3",
		"/usr/lib/gcc/x86_64-linux-gnu/12/cc1", /* of 30 MB */
	};

	for (size_t i = 0; i < ARRAY_LENGTH(paths); i++)
		CHECK((*paths[i] == '/' && access(paths[i], R_OK)) ||
		      agrees_with_libdw(paths[i], 20, 20000));
	return true;
}

/* The rows are those of Go's own table, and .debug_frame is of the linker. */
TEST("rows of a program of Go find the caller that libdw finds")
{
	FILE *source;

	if (access("/usr/bin/go", X_OK)) {
		tap_note("without Go");
		return true;
	}
	source = fopen("rows.go", "we");
	fputs("package main\nfunc main() { println(1) }\n", source);
	CHECK(!fclose(source));
	CHECK(!system("GO111MODULE=off go build -o rows-go rows.go"));
	CHECK(agrees_with_libdw("rows-go", 1000, 100000));
	return !unlink("rows.go") && !unlink("rows-go");
}

TEST("rows of more files find the caller that libdw finds")
{
	char *files = getenv("FRAME_ROWS"), *path;
	bool passed = true;

	for (path = files ? strtok(files, " ") : NULL; path;
	     path = strtok(NULL, " "))
		passed &= agrees_with_libdw(path, 0, 500000);
	return passed;
}
