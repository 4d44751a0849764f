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
 * @lines: lines of a page; 0 for no limit
 * @columns: columns of a page; 0 for no limit
 * @pending: as of profil_key_read()
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

/* The next key that was pressed, as of profil_key_read() */
int profil_screen_key(struct screen *screen);

/**
 * enum key - a key that has no character
 * @KEY_NONE: no key was pressed
 * @KEY_ENTER: Enter
 * @KEY_ESCAPE: Escape
 * @KEY_UP: arrow up
 * @KEY_DOWN: arrow down
 * @KEY_PAGE_UP: page up
 * @KEY_PAGE_DOWN: page down
 * @KEY_HOME: to the beginning
 * @KEY_END: to the end
 * @KEY_OTHER: a key that is not in this list
 */
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
 * The next key from @fd, a terminal that does not collect lines: a character or one
 * of enum key. KEY_NONE if none was pressed. *@pending, 0 at first, is a character that
 * was read behind an Escape, for the next call.
 */
int profil_key_read(int fd, char *pending);

#endif
