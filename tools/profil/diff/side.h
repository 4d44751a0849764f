/* SPDX-License-Identifier: GPL-2.0-only */
/* Operand of `profil diff`: the files of one side */
#ifndef PROFIL_SIDE_H
#define PROFIL_SIDE_H

#include <stddef.h>

/**
 * struct side - files that are named by an operand
 * @files: their paths, ended by NULL
 * @text: copy of the operand, which @files point into
 */
struct side {
	char **files;
	char *text;
};

/*
 * Split @operand at its commas, unless a file has all of it as its name. Exits
 * if a name is empty.
 */
void profil_side_parse(struct side *side, const char *operand);
void profil_side_free(struct side *side);

#endif
