/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs of a recording, by what people call them */
#ifndef PROFIL_RECORD_PROGRAM_H
#define PROFIL_RECORD_PROGRAM_H

#include "record/growing.h"

/**
 * struct executed - a program that the driver has seen
 * @file: path of its file
 * @identity: identity of the file
 * @cgroup: path of its cgroup, or ""
 * @thread: name of a thread
 * @pid: a process, or 0 if that has ended
 * @is_alone: the recording has had this process alone
 */
struct executed {
	const char *file;
	const struct file_identity *identity;
	const char *cgroup;
	char thread[PROFILE_COMM];
	uint32_t pid;
	bool is_alone;
};

/*
 * Index of the program in the profile, by what it is called. One that is not sure any
 * more, as processes of one file and name have different scripts, is called without.
 */
uint32_t profil_growing_program(struct growing *growing,
				const struct executed *executed);
void profil_started_free(struct started_programs *programs);

#endif
