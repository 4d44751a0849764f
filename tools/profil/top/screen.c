// SPDX-License-Identifier: GPL-2.0-only
/*
 * The terminal
 *
 * Control sequences are those of ECMA-48 and of xterm's second screen, which the
 * terminals of Linux have.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "top/clip.h"
#include "top/keys.h"
#include "top/screen.h"
#include "util/output.h"

#define SECOND_SCREEN "\033[?1049h\033[?25l"
#define FIRST_SCREEN "\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"
#define PLAIN "\033[0m"

/* Keys come at once and are not echoed; Ctrl-Z would leave the terminal so. */
static bool take_keys(struct screen *screen)
{
	struct termios keys;

	if (tcgetattr(STDIN_FILENO, &screen->before))
		return false;
	keys = screen->before;
	keys.c_lflag &= ~(ICANON | ECHO);
	keys.c_cc[VMIN] = 0;
	keys.c_cc[VTIME] = 0;
	keys.c_cc[VSUSP] = _POSIX_VDISABLE;
	return !tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

void profil_screen_begin(struct screen *screen, bool keys)
{
	*screen = (struct screen){
		.is_full = profil_output_columns(stdout),
	};
	if (!screen->is_full)
		return;
	screen->has_keys = keys && take_keys(screen);
	fputs(SECOND_SCREEN, stdout);
	fflush(stdout);
}

void profil_screen_end(struct screen *screen)
{
	if (!screen->is_full)
		return;
	fputs(FIRST_SCREEN, stdout);
	fflush(stdout);
	if (screen->has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &screen->before);
	*screen = (struct screen){ 0 };
}

/* The last column stays empty: behind it, the rest of the line would begin with it. */
void profil_screen_measure(struct screen *screen)
{
	struct winsize size = { 0 };

	if (screen->is_full)
		ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	screen->lines = size.ws_row;
	screen->columns = size.ws_col > 1 ? size.ws_col - 1 : size.ws_col;
}

bool profil_screen_is_resized(const struct screen *screen)
{
	struct screen now = *screen;

	profil_screen_measure(&now);
	return now.lines != screen->lines || now.columns != screen->columns;
}

/* A line that is cut may have lost the end of its colour. */
static void print_line(const struct screen *screen, const char *line,
		       size_t length)
{
	size_t columns = screen->columns ? screen->columns : SIZE_MAX;
	size_t shown = profil_clip(line, length, columns);

	fwrite(line, 1, shown, stdout);
	if (shown < length)
		fputs(PLAIN, stdout);
	fputs(CLEAR_LINE, stdout);
}

/* No line follows the last one: the terminal would scroll. */
static void print_page(const struct screen *screen, const char *page)
{
	size_t lines = screen->lines ? screen->lines : SIZE_MAX;

	fputs(HOME, stdout);
	for (size_t line = 0; *page && line < lines; line++) {
		size_t length = strcspn(page, "\n");

		if (line)
			fputs("\r\n", stdout);
		print_line(screen, page, length);
		page += length + !!page[length];
	}
}

void profil_screen_show(const struct screen *screen, const char *page)
{
	if (screen->is_full) {
		print_page(screen, page);
		fputs(CLEAR_REST, stdout);
	} else {
		fputs(page, stdout);
	}
	fflush(stdout);
}

int profil_screen_key(struct screen *screen)
{
	if (!screen->has_keys)
		return KEY_NONE;
	return profil_key_read(STDIN_FILENO, &screen->pending);
}
