/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_EH_FRAME_H
#define PROFIL_EH_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

/**
 * struct eh_frame - start addresses of functions, from the unwind table
 * @starts: link-time addresses, ascending
 * @nr: elements of @starts
 */
struct eh_frame {
	uint64_t *starts;
	size_t nr;
};

/* Read the table of @elf; without one of the usual kind @eh_frame is empty. */
void profil_eh_frame_read(struct eh_frame *eh_frame, Elf *elf);
void profil_eh_frame_free(struct eh_frame *eh_frame);

/* Last start at or below @address; @address if there is none */
uint64_t profil_eh_frame_find(const struct eh_frame *eh_frame,
			      uint64_t address);

#endif
