// SPDX-License-Identifier: GPL-2.0-only
/*
 * The terminal
 *
 * Control sequences are those of ECMA-48 and of xterm's second screen, which the
 * terminals of Linux have.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "top/screen.h"
#include "util/output.h"

#define SECOND_SCREEN "\033[?1049h\033[?25l"
#define FIRST_SCREEN "\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

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

void profil_screen_size(const struct screen *screen, size_t *lines,
			size_t *columns)
{
	struct winsize size = { 0 };

	if (screen->is_full)
		ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	*lines = size.ws_row;
	*columns = size.ws_col;
}

static void print_line(const char *line, size_t length)
{
	fwrite(line, 1, length, stdout);
	fputs(CLEAR_LINE "\r\n", stdout);
}

void profil_screen_show(const struct screen *screen, const char *page)
{
	if (!screen->is_full) {
		fputs(page, stdout);
		fflush(stdout);
		return;
	}
	fputs(HOME, stdout);
	while (*page) {
		size_t length = strcspn(page, "\n");

		print_line(page, length);
		page += length + !!page[length];
	}
	fputs(CLEAR_REST, stdout);
	fflush(stdout);
}

int profil_screen_key(const struct screen *screen)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char key;

	if (!screen->has_keys || poll(&input, 1, 0) <= 0 ||
	    read(STDIN_FILENO, &key, 1) != 1)
		return 0;
	return key;
}
