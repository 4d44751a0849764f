/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code to be executed: files with the text of the sites, and programs that are copies of
 * the running one.
 */
#ifndef PROFIL_TEST_PROGRAM_H
#define PROFIL_TEST_PROGRAM_H

#include "common.h"

/*
 * Files with the text of all sites at CODE_AT, where a page of any size begins. A sample
 * at a site has the offset code_offset() in the file.
 */
#define CODE_AT 0x30000
static inline __u64 code_offset(unsigned int nr)
{
	return CODE_AT + nr * SITE_BYTES + SITE_LOOP;
}

/* A new file at @path, or in a memfd with NULL. A descriptor or -1. */
int code_file(const char *path);

/*
 * Map the code of @fd at @at, or anywhere with NULL. The text of site 0, or NULL if it
 * cannot be mapped.
 */
const char *code_map(int fd, const char *at);

/* The offset of @pc in the file that is mapped there; NOWHERE if there is none. */
#define NOWHERE UINT64_MAX
__u64 offset_of(const void *pc);

/*
 * Copy the program that runs to @path. 0 or -1.
 *
 * program_new() executes such a copy in a child, which ends with the caller. Its first
 * argument is @what, the second @argument: with these no test of the program begins.
 *
 *	"spin": spin at the site SPIN_SITE for @argument nanoseconds
 *	"zeros": read from /dev/zero, @argument bytes in each call
 *	"random": the same by getrandom(2)
 *	"write": write @argument bytes, in one call, to a pipe that holds half as many
 *	"chain": execute itself @argument times
 *	"branch": spin there until SIGUSR1, which is blocked, is pending; then have a
 *		child that does so for @argument nanoseconds, and wait for its end
 */
#define SPIN_SITE 9
int program_copy(const char *path);
pid_t program_new(const char *path, const char *what, __u64 argument);

/* Has the process executed @path, and does it sleep in a system call? */
bool program_sleeps(pid_t pid, const char *path);

/* A copy of do_call(), in memory that no sample has seen */
long (*new_call(void))(long nr, long first, long second, long third);

/* Wait for @child; its CPU time, or 0 if it has not exited with 0. */
__u64 cpu_time_of(pid_t child);

/**
 * struct folder - a directory for the files of a test
 * @path: its path
 * @program: a path in it
 *
 * folder_end() removes the files in it, and it.
 */
struct folder {
	char path[32];
	char program[48];
};

struct folder folder_new(void);
void folder_end(const struct folder *folder);

#endif /* PROFIL_TEST_PROGRAM_H */
