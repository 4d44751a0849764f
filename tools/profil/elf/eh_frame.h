/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_EH_FRAME_H
#define PROFIL_EH_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

/**
 * struct eh_frame - where the functions of a file begin, by its unwind table
 * @starts: the link-time addresses, ascending
 * @nr: how many
 */
struct eh_frame {
	uint64_t *starts;
	size_t nr;
};

/* Read the table of @elf; @eh_frame is empty if it has none of the usual kind. */
void profil_eh_frame_read(struct eh_frame *eh_frame, Elf *elf);
void profil_eh_frame_free(struct eh_frame *eh_frame);

/* The last beginning at or before @address; @address if there is none */
uint64_t profil_eh_frame_find(const struct eh_frame *eh_frame,
			      uint64_t address);

#endif
