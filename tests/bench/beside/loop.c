// SPDX-License-Identifier: GPL-2.0-only
/* loop: the time of a loop of five seconds, in instructions */
#include "bench.h"

int main(void)
{
	__u64 begin = wall_ns();

	work(5 * NSEC_PER_SEC);
	printf("%llu\n", wall_ns() - begin);
	return 0;
}
