// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread calls START on a descriptor, and another thread attaches the
 * descriptor before START has read its arguments: these end at a page that
 * userfaultfd keeps absent. START has begun on a descriptor that was not
 * attached, so the session is that of the calling program.
 */
#include "harness.h"
#include "absent_page.h"
#include "tracee.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* The sites of the caller and of the attached process */
#define OWN_SITE 3
#define ATTACHED_SITE 5

static unsigned int attached_site = ATTACHED_SITE;

struct late {
	int fd;
	struct profil_start *args;
	int error;
};

/* The driver has to see zeros in the 8 bytes behind the arguments. */
static void prepare(struct late *late, const struct profil_region *region,
		    char *absent)
{
	late->args = (void *)(absent - sizeof(*late->args));
	*late->args = start_of(region, 1, 4, FAST_NS);
	late->args->size += 8;
}

static void *start_late(void *argument)
{
	struct late *late = argument;

	late->error = start(late->fd, late->args);
	return NULL;
}

/* Attach @fd to @pid while START on the same descriptor waits for @absent. */
static void attach_meanwhile(struct __test_metadata *_metadata,
			     struct late *late, pid_t pid, char *absent)
{
	int uffd = absent_page_keep(absent);
	pthread_t thread;

	if (uffd < 0)
		SKIP(return, "no userfaultfd for faults of the kernel");
	ASSERT_OK(pthread_create(&thread, NULL, start_late, late));
	ASSERT_TRUE(absent_page_awaited(uffd));
	EXPECT_OK(attach_untraced(late->fd, pid, 0));
	ASSERT_OK(absent_page_fill(uffd, absent));
	ASSERT_OK(pthread_join(thread, NULL));
	EXPECT_OK(late->error);
	close(uffd);
}

static void check_own_session(struct __test_metadata *_metadata,
			      const profil_data *self, int attached)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	EXPECT_EQ(0, stats_now(attached).flags & PROFIL_STATS_SESSION);
	EXPECT_NE(0, stats_now(self->fd).flags & PROFIL_STATS_SESSION);
	EXPECT_TRUE(spin_until(OWN_SITE, self->counters, 4, 20));
	EXPECT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, counter(self->counters, 4, ATTACHED_SITE));
}

TEST_F(profil, start_that_began_before_attach_profiles_its_caller)
{
	struct profil_region region = sites_region(self->counters, 4);
	struct late late = { .fd = device_open(), .error = -1 };
	pid_t pid = tracee_that_spins(&attached_site);
	char *pages = new_pages(2 * page_size());

	ASSERT_LE(0, late.fd);
	ASSERT_LT(0, pid);
	ASSERT_NE(NULL, pages);
	prepare(&late, &region, pages + page_size());
	tracee_release(pid);
	attach_meanwhile(_metadata, &late, pid, pages + page_size());
	if (!late.error)
		check_own_session(_metadata, self, late.fd);
	kill_child(pid);
	close(late.fd);
}

TEST_HARNESS_MAIN
