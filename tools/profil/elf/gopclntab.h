/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of Go, by their table in the file */
#ifndef PROFIL_GOPCLNTAB_H
#define PROFIL_GOPCLNTAB_H

struct Elf;
struct boundaries;

/*
 * Add the functions of Go in @elf to the symbols of @boundaries, whose segments have been
 * read. Their names are valid as long as @elf.
 */
void profil_go_functions_read(struct boundaries *boundaries, struct Elf *elf);

/* A section of @elf has Go in its name. */
bool profil_is_of_go(Elf *elf);

#endif
