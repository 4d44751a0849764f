// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run COMMAND on a terminal of 80 columns and 24 lines, and press a key after each
 * page that it prints, of KEYS in turn:
 *
 *	terminal KEYS COMMAND [ARGUMENT]...
 *
 * A page ends with the control sequence that clears the rest of the screen. What the
 * command prints goes to stdout, and its exit status is passed on.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char page_end[] = "\033[J";

static int open_terminal(void)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
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

static void relay(int terminal, const char *keys)
{
	size_t matched = 0;
	char next;

	while (read(terminal, &next, 1) == 1) {
		putchar(next);
		if (is_page_end(next, &matched) && *keys &&
		    write(terminal, keys++, 1) < 0)
			exit(97);
	}
}

int main(int argc, char **argv)
{
	int status, terminal = open_terminal();
	pid_t pid;

	if (argc < 3)
		return 99;
	pid = fork();
	if (!pid)
		become(terminal, argv + 2);
	relay(terminal, argv[1]);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 96;
	return WEXITSTATUS(status);
}
