// SPDX-License-Identifier: GPL-2.0-only
/*
 * The third example of AIX's monitor manual: some functions that lie one behind
 * the other, with -pg. The compiler is told to leave them in their order.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <mon.h>

static volatile double sum;

__attribute__((noinline)) int zit(int from)
{
	for (int i = from; i < from + 1000; i++)
		sum += 1.0 / i;
	return from + 1;
}

__attribute__((noinline)) int zat(int from)
{
	for (int i = from; i < from + 10000; i++)
		sum += 1.0 / i;
	return from + 1;
}

__attribute__((noinline)) int zot(int from)
{
	sum += from;
	return from + 1;
}

/* A function that counts no call of its own, to spend time in zit()'s range */
__attribute__((noinline, no_instrument_function)) static int spend(int calls)
{
	while (calls < 1000) {
		zit(calls + 1);
		zat(calls + 1);
		calls = zot(calls);
	}
	return calls;
}

int main(void)
{
	_mondata.prof_type = _PROF_TYPE_IS_PG;
	if (monstartup((uintptr_t)zit, (uintptr_t)zot))
		return EXIT_FAILURE;
	spend(0);
	exit(0);
}
