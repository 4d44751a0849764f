// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPU of an attached process goes off while the process runs there, and comes
 * back: the samples go on.
 */
#include "harness.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "tracee.h"

#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"
#define SITE 5
#define ROUNDS 5

static unsigned int spin_site = SITE;

static int move_to_cpu1(pid_t pid)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	return sched_setaffinity(pid, sizeof(cpus), &cpus) ? -errno : 0;
}

static bool counts_on(const profil_data *self)
{
	return wait_for_count(self->fd, self->counters, SITE,
			      counter(self->counters, 4, SITE) + 5);
}

/* The kernel moves the process away, although it is for this CPU only. */
static void check_rounds(struct __test_metadata *_metadata,
			 const profil_data *self, pid_t pid)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		ASSERT_OK(move_to_cpu1(pid));
		EXPECT_TRUE(counts_on(self));
		ASSERT_OK(write_text(CPU1_ONLINE, "0"));
		EXPECT_TRUE(counts_on(self));
		ASSERT_OK(write_text(CPU1_ONLINE, "1"));
	}
}

TEST_F(profil, attached_session_survives_cpu_hotplug)
{
	pid_t pid = tracee_that_spins(&spin_site);
	struct profil_stats seen = stats_blank(NULL, 0);

	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can go offline");
	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	check_rounds(_metadata, self, pid);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	kill_child(pid);
}

TEST_HARNESS_MAIN
