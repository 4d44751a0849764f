/* SPDX-License-Identifier: GPL-2.0-only */
/* The whole of a terminal, with keys. Where there is no terminal, it is plain text. */
#ifndef PROFIL_SCREEN_H
#define PROFIL_SCREEN_H

#include <termios.h>

#include "util/base.h"

/*
 * A terminal
 * @is_full: stdout is a terminal, and pages replace each other
 * @lines: lines of a page; 0 for no limit
 * @columns: columns of a page; 0 for no limit
 * @pending: character that was read behind an Escape, for the next key, or 0
 * @before: state of stdin before
 */
struct screen {
	bool is_full;
	bool has_keys;
	size_t lines;
	size_t columns;
	char pending;
	struct termios before;
};

/* Take the terminal, if stdout is one; with @keys also the keys of stdin. */
void profil_screen_begin(struct screen *screen, bool keys);
void profil_screen_end(struct screen *screen);

/* Set the size for the next page. */
void profil_screen_measure(struct screen *screen);

/* The terminal has another size now. */
bool profil_screen_is_resized(const struct screen *screen);

/*
 * Print @page, of any number of lines, in place of the last one. What does not fit on
 * the terminal is left out.
 */
void profil_screen_show(const struct screen *screen, const char *page);

/* A key that has no character; KEY_NONE: no key was pressed */
enum key {
	KEY_NONE,
	KEY_ENTER = 256,
	KEY_ESCAPE,
	KEY_UP,
	KEY_DOWN,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_OTHER,
};

/*
 * The next key that was pressed: a character or one of enum key; KEY_NONE where no keys
 * are read, too
 */
int profil_screen_key(struct screen *screen);

#endif
