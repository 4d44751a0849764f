// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"

static pthread_t threads[BUSY_THREADS_MAX];
static unsigned int nr_threads;
static volatile bool over;

static void *spin_on(void *site)
{
	while (!over)
		spin((unsigned int)(uintptr_t)site, NSEC_PER_MSEC);
	return NULL;
}

int busy_threads_begin(unsigned int nr, unsigned int first, bool spread)
{
	over = false;
	for (nr_threads = 0; nr_threads < nr; nr_threads++) {
		uintptr_t site = first + (spread ? nr_threads : 0);
		int error = pthread_create(&threads[nr_threads], NULL, spin_on,
					   (void *)site);

		if (error) {
			busy_threads_end();
			return error;
		}
	}
	return 0;
}

void busy_threads_end(void)
{
	over = true;
	while (nr_threads)
		pthread_join(threads[--nr_threads], NULL);
}

unsigned int busy_threads_for_all_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus < BUSY_THREADS_MAX ? (unsigned int)cpus : BUSY_THREADS_MAX;
}
