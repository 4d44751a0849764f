/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_EH_FRAME_H
#define PROFIL_EH_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

/**
 * struct frames - where the functions of a file begin, by its unwind table
 * @starts: the link-time addresses, ascending
 * @nr: how many
 */
struct frames {
	uint64_t *starts;
	size_t nr;
};

/* Read the table of @elf; @frames is empty if it has none of the usual kind. */
void profil_frames_read(struct frames *frames, Elf *elf);
void profil_frames_free(struct frames *frames);

/* The last beginning at or before @address; @address if there is none */
uint64_t profil_frames_find(const struct frames *frames, uint64_t address);

#endif
