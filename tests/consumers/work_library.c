// SPDX-License-Identifier: GPL-2.0-only
/* A library with an exported function and a local one */
#include "work.h"

unsigned int library_work(unsigned int turns);

static __attribute__((noinline)) unsigned int local_work(unsigned int turns)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < turns; i++)
		sum += square_of_sum(sum, i);
	return sum;
}

unsigned int library_work(unsigned int turns)
{
	unsigned int sum = local_work(turns);

	for (unsigned int i = 0; i < turns; i++)
		sum = sum * 31 + square(i);
	return sum;
}
