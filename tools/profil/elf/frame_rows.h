/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a file, by which the driver goes from a function to its caller */
#ifndef PROFIL_ELF_FRAME_ROWS_H
#define PROFIL_ELF_FRAME_ROWS_H

#include <gelf.h>
#include <linux/profil.h>

#include "elf/cfa_program.h"
#include "util/base.h"

/* The machine that the command runs on */
#ifdef __aarch64__
#define NATIVE_MACHINE (&profil_cfa_arm64)
#else
#define NATIVE_MACHINE (&profil_cfa_x86_64)
#endif

/*
 * Rows of a file; all 0 if it has none
 * @array: the rows, with rising offsets
 */
struct frame_rows {
	struct profil_row *array;
	size_t nr;
};

/*
 * Compile .eh_frame of @elf, which may be NULL, into rows. A file for another machine
 * than @machine, one without .eh_frame and without functions of Go, and one with more than
 * PROFIL_MAX_ROWS, have none. Code has no rule where a row cannot say where its caller
 * is, where two functions overlap, and behind an instruction that is not known; code that
 * .eh_frame does not describe has PROFIL_RULE_BY_RBP. Takes O(n log n) for n bytes of
 * .eh_frame, and 40 bytes of memory for each.
 */
void profil_frame_rows_read(struct frame_rows *rows, Elf *elf,
			    const struct cfa_machine *machine);
void profil_frame_rows_free(struct frame_rows *rows);

#endif
