/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions in the unwind table of a file */
#ifndef PROFIL_UNWIND_H
#define PROFIL_UNWIND_H

#include <gelf.h>

#include "util/base.h"

/*
 * Functions in the unwind table of a file; all 0 if it has none
 * @starts: link-time addresses of their first bytes, ascending
 * @elf: the file; private
 * @pairs: index of the table, at @address and @offset of the file; private
 */
struct unwind {
	uint64_t *starts;
	size_t nr;
	Elf *elf;
	const unsigned char *pairs;
	uint64_t address;
	uint64_t offset;
};

/*
 * Read the table whose index is @segment of @elf, if it is of the usual kind, and the
 * first. It is valid as long as @elf; @starts is freed by the caller.
 */
void profil_unwind_read(struct unwind *unwind, Elf *elf,
			const GElf_Phdr *segment);

/* End of the function @nr; where that is not known, the start of the next one */
uint64_t profil_unwind_end(const struct unwind *unwind, size_t nr);

#endif
