/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that processes have mapped */
#ifndef PROFIL_MAPPED_FILE_H
#define PROFIL_MAPPED_FILE_H

#include "process/process.h"
#include "util/regular_file.h"

/*
 * Descriptor that names the file @path of @identity, which the process @pid has mapped,
 * wherever the file is now; 0 if that is not possible
 */
int profil_mapped_file_open(pid_t pid, const char *path,
			    const struct file_identity *identity);

/*
 * This file is memory for generated code: it is no ELF file, as far as that can be
 * known.
 */
bool profil_mapped_file_is_memory(pid_t pid, const char *path,
				  const struct file_identity *identity);

/* The mapping is of a file that was deleted, or that never had a name. */
bool profil_mapping_is_nameless(const struct process_mapping *mapping);

#endif
