/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DATA_LINES_H
#define PROFIL_DATA_LINES_H

#include "profile/data_file.h"

/* Lines of text in a file that gzip may have compressed */
struct data_lines;

struct data_lines *profil_data_lines_open(int fd);
void profil_data_lines_close(struct data_lines *lines);

/*
 * Read the next line, without its end; valid until the next call. *@line is NULL
 * after the last. Errors: DATA_UNREADABLE, DATA_CUT, DATA_DAMAGED, DATA_LARGE,
 * and DATA_LINE for a byte of zero.
 */
enum data_error profil_data_lines_next(struct data_lines *lines, char **line);

#endif
