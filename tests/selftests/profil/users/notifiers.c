// SPDX-License-Identifier: GPL-2.0-only
/*
 * The notifier of a session is called for each change of memory between its first
 * counter and its last. Where no counter's page is pinned it queues no work, so that
 * who changes the memory, perhaps another user, does not pay for the session.
 */
#include "harness.h"

#include "helpers.h"

#define CHANGES 50

/**
 * self - a session with counters on both sides of other memory
 * @low: a page of counters, in front of CHANGES pages of other memory
 * @high: a page of counters, behind them
 */
FIXTURE(notifiers)
{
	char *low;
	char *other;
	char *high;
};

static int begin_session(const FIXTURE_DATA(notifiers) * self)
{
	struct profil_region regions[2] = { sites_region(self->low, 4),
					    sites_region(self->high, 4) };
	struct profil_start start = start_of(regions, 2, 4, 0);

	return call(device_open(), PROFIL_IOC_START, &start);
}

FIXTURE_SETUP(notifiers)
{
	size_t page = page_size();
	int error = geteuid() ? -EPERM : trace_works();

	begin_test(_metadata);
	if (error)
		SKIP(return, "needs root and tracefs: %s", strerror(-error));
	self->low = new_pages((CHANGES + 2) * page);
	self->other = self->low + page;
	self->high = self->other + CHANGES * page;
	/* A kernel without huge pages refuses. */
	madvise(self->low, (CHANGES + 2) * page, MADV_NOHUGEPAGE);
	ASSERT_OK(begin_session(self));
	ASSERT_EQ(2, status_pages("VmPin:"));
}

FIXTURE_TEARDOWN(notifiers)
{
	trace_end();
}

static void discard(char *page)
{
	*page = 1;
	ASSERT_OK(madvise(page, page_size(), MADV_DONTNEED));
}

TEST_F(notifiers, memory_without_counters_queues_no_work)
{
	long before = traced();

	for (unsigned int i = 0; i < CHANGES; i++)
		discard(self->other + i * page_size());
	EXPECT_EQ(before, traced());
}

/* The owner of a file shortens it, which the session's program maps many times. */
TEST_F(notifiers, file_that_its_owner_shortens_queues_no_work)
{
	int fd = memfd_create("profil", MFD_CLOEXEC);
	long before;

	ASSERT_OK(ftruncate(fd, page_size()));
	for (unsigned int i = 0; i < CHANGES; i++) {
		char *at = self->other + i * page_size();

		ASSERT_EQ(at, mmap(at, page_size(), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_FIXED, fd, 0));
		*at = 1;
	}
	sleep_ns(100 *
		 NSEC_PER_MSEC); /* a work that is queued is not queued again */
	before = traced();
	ASSERT_OK(ftruncate(fd, 0));
	EXPECT_EQ(before, traced());
}

/* The session unpins its page once. */
TEST_F(notifiers, page_of_counters_queues_a_work_once)
{
	long before = traced(), after;

	discard(self->low);
	(void)WAIT_FOR(status_pages("VmPin:") <= 1);
	EXPECT_EQ(1, status_pages("VmPin:"));
	after = traced();
	EXPECT_EQ(before + 1, after);
	for (unsigned int i = 0; i < CHANGES; i++)
		discard(self->low);
	EXPECT_EQ(after, traced());
}

TEST_HARNESS_MAIN
