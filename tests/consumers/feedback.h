/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FEEDBACK_H
#define FEEDBACK_H

unsigned int other_work(unsigned int n);

/* An inlined function with two blocks in a line */
static inline unsigned int step(unsigned int n)
{
	return n & 1 ? 3 * n + 1 : n / 2;
}

#endif
