/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Confined child, which reads files that are not trusted
 *
 * The child opens files for reading, and writes to descriptors that are open: its
 * file in memory, stdout and stderr. It makes, changes and removes no file, has no
 * network, executes nothing, starts no process and sends no signal. Its private memory
 * is limited to the memory of the machine, and its CPU time to ten minutes. Of the
 * capabilities it has CAP_DAC_READ_SEARCH, if profil has it.
 */
#ifndef PROFIL_ELF_CONFINED_H
#define PROFIL_ELF_CONFINED_H

#include <sys/types.h>

#include "elf/debuginfod.h"

/**
 * struct confined - a child
 * @output: path of the file that it writes, or NULL
 * @fd: descriptor of its file in memory, to be closed
 * @noted: the last number of profil_confined_note(), or UINT32_MAX
 * @status: its exit status, or less than 0: the signal, negated, that has ended it
 * @pid: its process; of no use after its end
 * @socket: descriptor for requests; of no use after its end
 */
struct confined {
	const char *output;
	int fd;
	uint32_t noted;
	int status;
	pid_t pid;
	int socket;
};

/*
 * Fork, and return true in the child. profil_output_open() opens the file in memory
 * there, in place of any file but stdout, and profil_output_close() has the parent copy
 * it to @output. The parent fetches files from servers for the child, waits for its end,
 * and returns false. It waits at most @deadline seconds (0: without limit), without the
 * time for servers. If fork(2) fails, it has printed a message, and the status is
 * EXIT_PROFIL. A child does not fork: the result is true, and *@confined is the child.
 */
bool profil_confine(struct confined *confined, const char *output,
		    unsigned int deadline);

/*
 * The same, but return false at once: @confined->pid is less than 0 if fork(2) failed.
 * profil_confined_answer() is for a socket that is readable, and returns false when the
 * child has ended or asks for nonsense. profil_confined_end() ends the child, and sets
 * its status.
 */
bool profil_confine_begin(struct confined *confined, const char *output);
bool profil_confined_answer(const struct confined *confined);
void profil_confined_end(struct confined *confined);

/* Exit with the status of a child that executed a verb, or as the signal that ended it */
void profil_confined_exit(const struct confined *confined)
	__attribute__((noreturn));

/* Write the content of the file in memory to @out. */
void profil_confined_copy(const struct confined *confined, FILE *out);

/* Remember @number, in a child; what it is at is known if it fails. */
void profil_confined_note(uint32_t number);

/*
 * Descriptor of the file with the build ID @id of @size bytes, or -1. Servers
 * that do not answer are asked no more, after a warning.
 */
int profil_debuginfod_find(enum debuginfod_kind kind, const void *id,
			   size_t size);

#endif
