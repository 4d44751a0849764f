/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files with profiles: profil.data; gmon.out and mon.out with their programs; and those of
 * gperftools
 */
#ifndef PROFIL_FILES_H
#define PROFIL_FILES_H

#include "profile/profile.h"

/**
 * struct files - files of a kind, which are added up
 * @paths: their paths, of which - is stdin, one at least and ended by NULL. A
 *	program before a gmon.out, mon.out or one of gperftools is the one that wrote it.
 * @is_gprof: each is a gmon.out, a mon.out or one of gperftools, or such a program
 * @program: program that wrote files before which none is named; NULL: ./a.out, or for a
 *	file of gperftools the one that the file names
 * @how: how the user names the program, such as "with -e"
 * @rate: samples a second of a mon.out; 0 for the usual rate
 * @lines: look up source lines in the program
 * @kernel: count samples in kernel mode in functions of the kernel
 */
struct files {
	char **paths;
	bool is_gprof;
	const char *program;
	const char *how;
	unsigned int rate;
	bool lines;
	bool kernel;
};

/* The kind of @path, which may be NULL, by its first bytes; FILE_OTHER for a pipe */
enum file_kind { FILE_OTHER, FILE_DATA, FILE_PROGRAM, FILE_CPUPROF };
enum file_kind profil_files_kind(const char *path);

/* Exit if @path is no file that can be read. */
void profil_files_check(const char *path);

/*
 * Make a file of each of @paths that is a pipe or -, which have names in messages
 * afterwards. Exits if one cannot be read.
 */
void profil_files_copy_pipes(char **paths);

/* Read @files into @sum, of which samples may be divided. Exits on an error. */
void profil_files_read_exact(const struct files *files, struct profile *sum);

/*
 * Count samples in kernel mode in functions of the kernel. Exits if @profile, or one of
 * those that it is the sum of, has no functions of the kernel.
 */
void profil_files_enter_kernel(struct profile *profile);

/*
 * Read @files into @sum, whose samples are whole, with source lines, also those of
 * debuginfod. The kind is that of the first. Exits on an error.
 */
void profil_files_read(struct files *files, struct profile *sum);

/* The same for files of the kind profil.data */
void profil_files_read_data(char **paths, struct profile *sum);

#endif
