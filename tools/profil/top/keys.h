/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys of a terminal */
#ifndef PROFIL_TOP_KEYS_H
#define PROFIL_TOP_KEYS_H

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
