// SPDX-License-Identifier: GPL-2.0-only
/* Times of a recording */
#include <time.h>

#include "record/recording.h"

#define SECOND 1000000000ULL

void profil_recording_begin(struct recording *recording)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	recording->begin_ns = now.tv_sec * SECOND + now.tv_nsec;
	recording->start_ns = profil_child_now();
	recording->end_ns = CHILD_NEVER;
	if (recording->duration_ns)
		recording->end_ns =
			recording->start_ns + recording->duration_ns;
}
