// SPDX-License-Identifier: GPL-2.0-only
/*
 * Third example of AIX's monitor manual: consecutive functions, with -pg. The
 * compiler's -fno-toplevel-reorder keeps them in their order.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <time.h>
#include <linux/profil.h>
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

/* Spend time until there are samples: a busy machine may miss ticks. */
__attribute__((noinline, no_instrument_function)) static void zut(void)
{
	struct profil_stats stats = { .size = sizeof(stats) };
	int fd = open(PROFIL_DEVICE, O_RDWR);

	do {
		for (int i = 0; i < 1000000; i++)
			sum += 1;
	} while (!ioctl(fd, PROFIL_IOC_STATS, &stats) && stats.hits < 10);
}

__attribute__((noinline)) int zot(int from)
{
	sum += from;
	return from + 1;
}

/* Spend time in zit()'s range; calls of spend() are not counted. */
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
	zut();
	exit(0);
}
