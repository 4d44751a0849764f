// SPDX-License-Identifier: GPL-2.0-only
/* Times of a recording */
#include <time.h>

#include "record/recording.h"

#define SECOND 1000000000ULL

struct cpu_time profil_recording_cpu(const struct recording *recording)
{
	bool is_alone = recording->is_attached && !recording->with_children;
	struct cpu_time time = is_alone ?
				       profil_cpu_time_alone(recording->pid) :
				       profil_cpu_time(recording->pid);

	if (time.all_ns < recording->cpu_before.all_ns)
		return (struct cpu_time){ 0 };
	time.all_ns -= recording->cpu_before.all_ns;
	time.kernel_ns -= recording->cpu_before.kernel_ns;
	return time;
}

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
