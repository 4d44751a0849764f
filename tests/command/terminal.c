// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run COMMAND on a terminal of 80 columns and 24 lines, or of another size, and press
 * a key after each page that it prints, of KEYS in turn:
 *
 *	terminal [-s COLUMNSxLINES] KEYS COMMAND [ARGUMENT]...
 *
 * A page ends with the control sequence that clears the rest of the screen. What the
 * command prints goes to stdout, and its exit status is passed on. In place of a key,
 * U and D are the arrows up and down, N is page down, E is Enter, X is Escape, W is
 * none, Z and C are Ctrl-Z and Ctrl-C, and R makes the terminal 40 columns wide and
 * 10 lines high. A command that prints many pages after the last key is killed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pages after the last key */
#define MAX_PAGES 100

static const char page_end[] = "\033[J";

static struct winsize size = { .ws_row = 24, .ws_col = 80 };

static int open_terminal(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	if (fd < 0 || grantpt(fd) || unlockpt(fd) ||
	    ioctl(fd, TIOCSWINSZ, &size))
		exit(99);
	return fd;
}

static void become(int terminal, char **argv)
{
	const char *name = ptsname(terminal);
	int fd;

	setsid();
	fd = open(name, O_RDWR);
	close(terminal);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	execvp(argv[0], argv);
	_exit(98);
}

/* The end of a page; @matched has the number of characters that were matched. */
static bool is_page_end(char next, size_t *matched)
{
	if (next != page_end[*matched])
		*matched = next == page_end[0];
	else
		++*matched;
	if (page_end[*matched])
		return false;
	*matched = 0;
	return true;
}

static const char *sequence_of(const char *key)
{
	static char character[2];

	switch (*key) {
	case 'U':
		return "\033[A";
	case 'D':
		return "\033[B";
	case 'N':
		return "\033[6~";
	case 'E':
		return "\r";
	case 'X':
		return "\033";
	case 'W':
		return "";
	case 'Z':
		return "\032";
	case 'C':
		return "\003";
	}
	character[0] = *key;
	return character;
}

static void press(int terminal, const char *key)
{
	static const struct winsize small = { .ws_row = 10, .ws_col = 40 };
	const char *sequence = sequence_of(key);

	if (*key == 'R') {
		if (ioctl(terminal, TIOCSWINSZ, &small))
			exit(97);
		return;
	}
	if (write(terminal, sequence, strlen(sequence)) < 0)
		exit(97);
}

/* Press the next key, or count the pages after the last one. */
static void end_page(int terminal, const char **keys, pid_t pid)
{
	static int pages;

	if (**keys)
		press(terminal, (*keys)++);
	else if (++pages == MAX_PAGES)
		kill(pid, SIGKILL);
}

static void relay(int terminal, const char *keys, pid_t pid)
{
	size_t matched = 0;
	char next;

	while (read(terminal, &next, 1) == 1) {
		putchar(next);
		if (is_page_end(next, &matched))
			end_page(terminal, &keys, pid);
	}
}

int main(int argc, char **argv)
{
	int status, terminal;
	pid_t pid;

	if (argc > 3 && !strcmp(argv[1], "-s") &&
	    sscanf(argv[2], "%hux%hu", &size.ws_col, &size.ws_row) == 2) {
		argc -= 2;
		argv += 2;
	}
	if (argc < 3)
		return 99;
	terminal = open_terminal();
	pid = fork();
	if (!pid)
		become(terminal, argv + 2);
	relay(terminal, argv[1], pid);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 96;
	return WEXITSTATUS(status);
}
