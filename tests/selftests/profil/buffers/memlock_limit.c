// SPDX-License-Identifier: GPL-2.0-only
/*
 * RLIMIT_MEMLOCK limits the memory that all processes of a user have pinned. A
 * huge page counts as a whole.
 */
#include "harness.h"

#include "buffer.h"
#include "helpers.h"

#define HUGE_PAGES (HUGE_BYTES / page_size())

/* The number of bytes of [@at, @at + @bytes) in huge pages. */
static size_t bytes_in_huge_pages(const void *at, size_t bytes)
{
	unsigned long from = 0, to = 0, kib = 0, all = 0, a, b;
	char line[256];

	FOR_EACH_LINE("/proc/self/smaps", line)
	{
		if (sscanf(line, "%lx-%lx ", &a, &b) == 2) {
			from = a;
			to = b;
		}
		if (sscanf(line, "AnonHugePages: %lu", &kib) == 1 &&
		    from < (uintptr_t)at + bytes && to > (uintptr_t)at)
			all += kib * 1024;
	}
	return all;
}

/* Huge pages, all present; NULL if the kernel gives none. */
static char *new_huge_present(size_t bytes)
{
	char *pages = new_huge(bytes);

	for (size_t at = 0; pages && at < bytes; at += page_size())
		pages[at] = 0;
	return pages && bytes_in_huge_pages(pages, bytes) >= bytes ? pages :
								     NULL;
}

#define SKIP_UNLESS_HUGE(pages)                                    \
	do {                                                       \
		if (!(pages))                                      \
			SKIP(return, "no transparent huge pages"); \
	} while (0)

TEST_F(profil, huge_page_is_charged_whole_and_once)
{
	char *huge = new_huge_present(2 * HUGE_BYTES);
	size_t page = page_size();

	SKIP_UNLESS_HUGE(huge);
	ASSERT_OK(become_user(new_user(), HUGE_PAGES + 10));
	for (unsigned int round = 0; round < 3; round++) {
		ASSERT_OK(start_buffer(self->fd, huge, 8 * page, 0x10000));
		EXPECT_EQ(8, stats_now(self->fd).pinned_pages);
		EXPECT_EQ(HUGE_PAGES, status_pages("VmPin:"));
		ASSERT_OK(stop(self->fd, NULL));
		EXPECT_EQ(0, status_pages("VmPin:"));
		/* one page in each of two huge pages: above the limit */
		EXPECT_EQ(-ENOMEM,
			  start_buffer(self->fd, huge + HUGE_BYTES - page,
				       2 * page, 0x10000));
		EXPECT_EQ(0, status_pages("VmPin:"));
	}
	/* ordinary pages are charged one by one */
	ASSERT_OK(start_buffer(self->fd, self->counters, page, 0x10000));
	EXPECT_EQ(1, status_pages("VmPin:"));
}

TEST_F(profil, huge_page_above_the_limit_is_refused)
{
	char *huge = new_huge_present(HUGE_BYTES);

	SKIP_UNLESS_HUGE(huge);
	ASSERT_OK(become_user(new_user(), HUGE_PAGES - 1));
	EXPECT_EQ(-ENOMEM, start_buffer(self->fd, huge, 512, SITE_SCALE(8)));
	EXPECT_EQ(0, status_pages("VmPin:"));
}

/*
 * A huge page that is mapped in small pages can lose some of them. The whole
 * huge page stays in memory while one small page is pinned.
 */
TEST_F(profil, huge_page_is_charged_until_its_last_page_is_unpinned)
{
	char *huge = new_huge_present(HUGE_BYTES);
	size_t page = page_size();

	SKIP_UNLESS_HUGE(huge);
	ASSERT_OK(become_user(new_user(), HUGE_PAGES + 10));
	ASSERT_OK(mprotect(huge + 100 * page, page,
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	ASSERT_OK(start_buffer(self->fd, huge, 4 * page, PAGE_SCALE));
	ASSERT_EQ(4, stats_now(self->fd).pinned_pages);
	EXPECT_EQ(HUGE_PAGES, status_pages("VmPin:"));
	ASSERT_OK(madvise(huge, 3 * page, MADV_DONTNEED));
	EXPECT_TRUE(wait_for_pinned(self->fd, 1));
	EXPECT_EQ(HUGE_PAGES, status_pages("VmPin:"));
	/* the next sample pins an ordinary page in place of the first */
	EXPECT_TRUE(spin_until_at(0, huge, 8, 2));
	EXPECT_EQ(2, stats_now(self->fd).pinned_pages);
	EXPECT_EQ(HUGE_PAGES + 1, status_pages("VmPin:"));
	ASSERT_OK(madvise(huge + 3 * page, page, MADV_DONTNEED));
	EXPECT_TRUE(wait_for_pinned(self->fd, 1));
	EXPECT_EQ(1, status_pages("VmPin:"));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(0, status_pages("VmPin:"));
}

/* A huge page that has no room is not charged by being asked for, however often. */
TEST_F(profil, huge_page_beyond_the_limit_is_never_pinned)
{
	__u32 scale = 2 * HUGE_BYTES / NR_SITES * (0x10000 / SITE_BYTES);
	char *huge = new_huge_present(2 * HUGE_BYTES);
	struct profil_stats stats;

	SKIP_UNLESS_HUGE(huge);
	ASSERT_OK(become_user(new_user(), HUGE_PAGES + 10));
	ASSERT_OK(start_buffer(self->fd, huge, 2 * HUGE_BYTES, scale));
	ASSERT_EQ(1, stats_now(self->fd).pinned_pages);
	/* Each sample in the second one asks again. */
	EXPECT_TRUE(EVENTUALLY((stats = stats_now(self->fd)).lost >= 5,
			       spin(NR_SITES * 3 / 4, NSEC_PER_MSEC)));
	EXPECT_EQ(1, stats.pinned_pages);
	EXPECT_EQ(HUGE_PAGES, status_pages("VmPin:"));
}

static int set_soft_limit(size_t pages)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return -errno;
	limit.rlim_cur = pages * page_size();
	return setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0;
}

static int raise_soft_limit(const void *pages)
{
	return set_soft_limit(*(const size_t *)pages);
}

/* The hard limit has room. */
TEST_F(profil, soft_limit_counts)
{
	char *buffer = new_pages(4 * page_size());

	ASSERT_OK(become_user(new_user(), 8));
	ASSERT_OK(set_soft_limit(3));
	EXPECT_EQ(-ENOMEM,
		  start_buffer(self->fd, buffer, 4 * page_size(), 0x10000));
	EXPECT_OK(start_buffer(self->fd, buffer, 3 * page_size(), 0x10000));
	EXPECT_EQ(3, status_pages("VmPin:"));
}

/* A process with a higher limit has brought the user above the limit of this one. */
TEST_F(profil, next_page_of_a_charged_huge_page_is_not_limited)
{
	char *huge = new_huge_present(HUGE_BYTES);
	size_t page = page_size(), more = HUGE_PAGES + 100;
	struct profil_stats stats;
	struct holder holder;

	SKIP_UNLESS_HUGE(huge);
	ASSERT_OK(madvise(huge, HUGE_BYTES, MADV_DONTFORK));
	ASSERT_OK(become_user(new_user(), more));
	ASSERT_OK(set_soft_limit(HUGE_PAGES + 10));
	ASSERT_OK(start_buffer(self->fd, huge, HUGE_BYTES, PAGE_SCALE));
	ASSERT_EQ(1, stats_now(self->fd).pinned_pages);
	holder = holder_new(self->fd, raise_soft_limit, &more, 50);
	EXPECT_OK(holder.result);
	EXPECT_TRUE(spin_until_at(1, huge + page, 8, 2));
	stats = stats_now(self->fd);
	EXPECT_EQ(2, stats.pinned_pages);
	EXPECT_EQ(0, stats.lost);
	EXPECT_EQ(HUGE_PAGES, status_pages("VmPin:"));
	holder_end(&holder);
}

/* Several processes */

/* May pin four pages */
static int become_with_4(const void *user)
{
	return become_user(*(const uid_t *)user, 4);
}

TEST_F(profil, limit_applies_to_all_processes_of_a_user)
{
	uid_t user = new_user(), other = new_user();
	struct holder first = holder_new(self->fd, become_with_4, &user, 3);
	struct holder second = holder_new(self->fd, become_with_4, &user, 3);
	struct holder stranger = holder_new(self->fd, become_with_4, &other, 3);
	size_t size = 4 * page_size();
	char *buffer = new_pages(size);
	int result;

	EXPECT_OK(first.result);
	EXPECT_EQ(-ENOMEM, second.result);
	EXPECT_OK(stranger.result);
	holder_end(&second);
	holder_end(&first);
	/* After become_user() PR_SET_PDEATHSIG would not end the children. */
	holder_end(&stranger);
	ASSERT_OK(become_user(user, 4));
	/* The charge of a process is returned shortly after its end. */
	(void)WAIT_FOR((result = start_buffer(self->fd, buffer, size,
					      0x10000)) != -ENOMEM);
	EXPECT_OK(result);
}

/*
 * Parent and child have three pages each. The limit has room for two of the
 * child.
 */
static int count_in_child(int fd, char *buffer)
{
	size_t page = page_size();

	for (unsigned int nr = 0; nr < 2; nr++)
		if (!spin_until_at(nr, buffer + nr * page, 8, 1))
			return 1;
	if (stats_now(fd).pinned_pages != 2 ||
	    !EVENTUALLY(stats_now(fd).lost, spin(2, NSEC_PER_MSEC)))
		return 2;
	return all_bytes(buffer + 2 * page, 0, page) ? 0 : 3;
}

TEST_F(profil, limit_applies_to_forked_children)
{
	size_t page = page_size();
	char *buffer = new_pages(3 * page);

	ASSERT_OK(become_user(new_user(), 5));
	ASSERT_OK(start_buffer(self->fd, buffer, 3 * page, PAGE_SCALE));
	EXPECT_TRUE(CHILD_OK(count_in_child(self->fd, buffer)));
	EXPECT_EQ(3, status_pages("VmPin:"));
}

TEST_HARNESS_MAIN
