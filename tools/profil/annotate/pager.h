/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_PAGER_H
#define PROFIL_PAGER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/**
 * struct pager - a program that shows output by pages
 * @process: its process ID, or 0 if it was not started
 * @out: where to print
 */
struct pager {
	pid_t process;
	FILE *out;
};

/*
 * Start $PAGER, or less(1), if @out is a terminal; otherwise the output goes to
 * @out. An empty PAGER, or "cat", is none.
 */
void profil_pager_begin(struct pager *pager, FILE *out);

/*
 * Wait for the pager. What it was not ready to read is dropped. Returns false if
 * the shell could not execute it.
 */
bool profil_pager_end(struct pager *pager);

#endif
