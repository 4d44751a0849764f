// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spend MS milliseconds of CPU time, print a line, and exit with STATUS:
 *
 *	spinner [ARGUMENT]... MS STATUS
 *
 * The program is linked in several ways: with the C library, static, for 32 bits, with
 * musl, and with AddressSanitizer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

#define NS_PER_MS 1000000

WORK_FUNCTION(heavy, "")

int main(int argc, char **argv)
{
	if (argc < 3)
		return 99;
	work_for(heavy, strtoull(argv[argc - 2], NULL, 10) * NS_PER_MS);
	puts("foreign code ran");
	return atoi(argv[argc - 1]);
}
