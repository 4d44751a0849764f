// SPDX-License-Identifier: GPL-2.0-only
/*
 * The terminal
 *
 * Control sequences are those of ECMA-48 and of xterm's second screen, which the
 * terminals of Linux have. A key without a character sends one: ESC [ and parameters,
 * or ESC O and a letter. Escape alone sends its first character, and nothing follows
 * within a moment, or another character.
 */
#include <poll.h>
#include <sys/ioctl.h>

#include "top/page.h"
#include "top/screen.h"
#include "util/output.h"

#define ESCAPE 0x1b

/* Milliseconds between the characters of a sequence, at most */
#define SEQUENCE_MS 50

/* Characters of a sequence that are compared */
#define SEQUENCE 8

static const struct {
	const char *sequence;
	enum key key;
} sequences[] = {
	{ "[A", KEY_UP },    { "OA", KEY_UP },	     { "[B", KEY_DOWN },
	{ "OB", KEY_DOWN },  { "[5~", KEY_PAGE_UP }, { "[6~", KEY_PAGE_DOWN },
	{ "[H", KEY_HOME },  { "OH", KEY_HOME },     { "[1~", KEY_HOME },
	{ "[7~", KEY_HOME }, { "[F", KEY_END },	     { "OF", KEY_END },
	{ "[4~", KEY_END },  { "[8~", KEY_END },
};

static bool read_character(int timeout_ms, char *character)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&input, 1, timeout_ms) > 0 &&
	       read(STDIN_FILENO, character, 1) == 1;
}

/* A sequence of [ ends with a character from @ on, one of O with the second. */
static bool is_end(const char *sequence, size_t length)
{
	return length > 1 && (*sequence != '[' || sequence[length - 1] >= '@');
}

static enum key read_sequence(char *pending)
{
	char sequence[SEQUENCE] = "";
	size_t length = 0;

	if (!read_character(SEQUENCE_MS, sequence))
		return KEY_ESCAPE;
	if (*sequence != '[' && *sequence != 'O') {
		*pending = *sequence;
		return KEY_ESCAPE;
	}
	while (!is_end(sequence, ++length) && length < SEQUENCE - 1)
		if (!read_character(SEQUENCE_MS, sequence + length))
			break;
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		if (!strcmp(sequence, sequences[i].sequence))
			return sequences[i].key;
	return KEY_OTHER;
}

int profil_screen_key(struct screen *screen)
{
	char character = screen->pending;

	screen->pending = '\0';
	if (!screen->has_keys || (!character && !read_character(0, &character)))
		return KEY_NONE;
	switch (character) {
	case ESCAPE:
		return read_sequence(&screen->pending);
	case '\r':
	case '\n':
		return KEY_ENTER;
	case '\0':
		return KEY_OTHER;
	default:
		return (unsigned char)character;
	}
}

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
