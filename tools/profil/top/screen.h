/* SPDX-License-Identifier: GPL-2.0-only */
/* The whole of a terminal, with keys; or plain text where there is none */
#ifndef PROFIL_TOP_SCREEN_H
#define PROFIL_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/**
 * struct screen - a terminal
 * @is_full: stdout is a terminal, and pages replace each other
 * @has_keys: keys are read from stdin
 * @before: state of stdin before
 */
struct screen {
	bool is_full;
	bool has_keys;
	struct termios before;
};

/* Take the terminal, if stdout is one; with @keys also the keys of stdin. */
void profil_screen_begin(struct screen *screen, bool keys);
void profil_screen_end(struct screen *screen);

/* Lines and columns of a page; 0 for no limit */
void profil_screen_size(const struct screen *screen, size_t *lines,
			size_t *columns);

/* Print @page, of any number of lines, in place of the last one. */
void profil_screen_show(const struct screen *screen, const char *page);

/* The next key that was pressed, or 0 */
int profil_screen_key(const struct screen *screen);

#endif
