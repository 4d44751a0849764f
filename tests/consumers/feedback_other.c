// SPDX-License-Identifier: GPL-2.0-only
/* A local function that has the name of another one */
#include "feedback.h"

static __attribute__((noinline)) unsigned int helper(unsigned int n)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < n % 64; i++)
		sum = step(sum + i);
	return sum;
}

unsigned int other_work(unsigned int n)
{
	return helper(n) + helper(n / 3);
}
