// SPDX-License-Identifier: GPL-2.0-only
/* A library to be opened while a program runs; WORK is its one function. */

#define EXPORT __attribute__((visibility("default")))

EXPORT void WORK(unsigned long count)
{
	while (count--)
		__asm__ volatile("" ::: "memory");
}
