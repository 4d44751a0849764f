// SPDX-License-Identifier: GPL-2.0-only
/* Inlined, local and nested functions of C */
#include <stdio.h>
#include <stdlib.h>

static inline int square(int value)
{
	return value * value + rand();
}

static inline int fourth(int value)
{
	return square(square(value));
}

static __attribute__((noinline)) int sum(int nr)
{
	int total = 0;

	for (int i = 0; i < nr; i++)
		total += fourth(i) ^ nr;
	return total;
}

int main(int argc, char **argv)
{
	printf("%d %s\n", sum(argc), argv[0]);
	return 0;
}
