// SPDX-License-Identifier: GPL-2.0-only
/* Trace the process with the ID in the argument until the end of this program. */
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc != 2 || ptrace(PTRACE_SEIZE, atoi(argv[1]), NULL, NULL))
		return 1;
	return pause();
}
