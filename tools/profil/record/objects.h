/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects of the profile of a recording: files, and memory with generated code */
#ifndef PROFIL_OBJECTS_H
#define PROFIL_OBJECTS_H

#include "record/growing.h"

/*
 * An object of a profile; @path is that of the program if it is no file
 * @pid: for PROFILE_JIT, the process, or 0
 * @origin: its origin, of which the members up to @root are set
 */
struct code {
	enum profile_kind kind;
	const char *path;
	uint32_t pid;
	struct resolve_origin origin;
};

/*
 * Index of the object @code, which is added if it is new, and gets the descriptor of its
 * file
 */
uint32_t profil_growing_object(struct growing *growing,
			       const struct code *code);

/*
 * Index of the file @code that the process @pid has mapped. The file is looked for at its
 * first sight, and once more after each search for names.
 */
uint32_t profil_growing_file(struct growing *growing, struct code *code,
			     uint32_t pid, uint64_t begin_ns);

/*
 * The file of @code, which the process @pid has mapped, is memory for generated code, by
 * what was found out before about files that have samples, or else by the file
 */
bool profil_growing_is_memory(struct growing *growing, const struct code *code,
			      uint32_t pid);

#endif
