/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frame records of arm64
 *
 * A function that calls another one stores x29 and x30, the return address, in two words of
 * its frame, a record, and has x29 point to it: so x29 leads over the records of all
 * callers. Only where the function that was sampled has no record yet, or no more, is the
 * return address in x30. .eh_frame says where; the CFA is not needed.
 */
#ifndef PROFIL_ELF_FRAME_RECORD_H
#define PROFIL_ELF_FRAME_RECORD_H

#include <linux/profil.h>

#include "elf/cfa_program.h"

/*
 * The row of code with @state, without an offset: PROFIL_RULE_LR, PROFIL_RULE_RECORD,
 * PROFIL_RULE_END, or PROFIL_RULE_NONE for another one. In a frame of a signal, with
 * @is_signal, it is PROFIL_RULE_BY_RBP.
 */
struct profil_row profil_frame_record(const struct cfa_state *state,
				      bool is_signal);

/*
 * Offset from which x29 points to the record that is in use from @at on, by .eh_frame: @at or
 * above it. The code of @file in which it was stored is between @begin and @at, and the function
 * ends at @end. UINT64_MAX: x29 is not set behind the store.
 */
uint64_t profil_frame_record_from(const uint8_t *file, uint64_t begin,
				  uint64_t at, uint64_t end);

/* Are the @size bytes at @code no code, or instructions that do nothing? */
bool profil_is_padding_of_arm64(const uint8_t *code, size_t size);

#endif
