// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters in a file whose server delivers their pages late. A sampled thread waits
 * for the page of its counter. Meanwhile other threads go on, and take samples at more
 * PCs than the driver can defer: those of the first PCs are counted in the end, all
 * others are lost. A thread or a call that waits for a page can be killed.
 */
#include "harness.h"

#include "buffer.h"
#include "program.h"
#include "table.h"

#define MOUNT_POINT "/tmp/profil-late"

/* The PCs of deferred samples */
#define DEFERRED_MAX 256

#define JUMPS 1024U
#ifdef __aarch64__
#define JUMP "b"
#define JUMP_BYTES 4U
#else
#define JUMP "jmp"
#define JUMP_BYTES 2U
#endif

/* Jumps to the next instruction: an emulator takes an interrupt behind each. */
static __attribute__((noinline, aligned(64))) void jump(void)
{
	__asm__ volatile(".rept 1024\n" JUMP " 1f\n1:\n.endr\n");
}

/*
 * The pages of the jumps: with the page in front, which the server delivers, and that
 * of a site behind them START does not pin so many.
 */
#define PAGES 64
#define ROOM (PAGES * page_size() / JUMPS) /* from a counter to the next one */

/*
 * Nothing but the jumps and the site has counters that the server withholds: a thread
 * executes neither before it shall wait.
 */
static int start_late(int fd, char *counters)
{
	size_t page = page_size(), before = page / ROOM * JUMP_BYTES;
	struct profil_region regions[2] = {
		region_of(counters, page + JUMPS * ROOM,
			  (const char *)jump - before,
			  (__u32)(0x10000 / JUMP_BYTES * ROOM)),
		region_of(counters + (PAGES + 1) * page, 8, site(0),
			  SITE_SCALE(8)),
	};
	struct profil_start args = start_of(regions, 2, 8, FAST_NS);

	return start(fd, &args);
}

/* A table of this process, whose TAKE waits for no page */
static void begin_meter(struct table *meter, int fd)
{
	struct profil_table args = table_args(PROFIL_TABLE_TREE, FAST_NS);

	ASSERT_OK(table_begin(meter, fd, args));
	ASSERT_OK(table_add_traced(meter, getpid(), 0));
}

/* The jumps that have samples in the half of @meter that was taken last, or in @seen */
static unsigned int nr_seen(const struct table *meter, bool seen[JUMPS])
{
	const struct profil_counter *half = table_half(meter);
	__u32 first = (__u32)offset_of(jump);
	unsigned int nr = 0;

	for (size_t i = 0; i < meter->nr; i++) {
		__u32 at =
			(PROFIL_KEY_OFFSET(half[i].key) - first) / JUMP_BYTES;

		if (half[i].key && at < JUMPS)
			seen[at] = true;
	}
	for (unsigned int i = 0; i < JUMPS; i++)
		nr += seen[i];
	return nr;
}

/* Twice as many as can be deferred: session and table have timers of their own. */
static bool enough_seen(struct table *meter)
{
	static bool seen[JUMPS];

	EXPECT_OK(table_take(meter, 0));
	return nr_seen(meter, seen) >= 2 * DEFERRED_MAX;
}

/* Longer than a TAKE, which has samples as well, at one PC */
static void jump_often(void)
{
	__u64 end = wall_ns() + 100 * NSEC_PER_MSEC;

	while (wall_ns() < end)
		for (unsigned int i = 0; i < 1000; i++)
			jump();
}

static unsigned int nr_counted(const char *counters)
{
	unsigned int nr = 0, i;

	for (i = 0; i < JUMPS; i++)
		nr += counter(counters + page_size() + i * ROOM, 8, 0) > 0;
	return nr;
}

/* Session and table have the same period. */
static void check_account(const struct profil_stats *seen, const char *counters,
			  __u64 ticks)
{
	size_t nr = (PAGES + 2) * page_size() / 8;
	unsigned int counted = nr_counted(counters);

	TH_LOG("%llu samples, %llu lost, %llu metered, %u jumps counted",
	       seen->samples, seen->lost, ticks, counted);
	EXPECT_LT(ticks / 4 * 3, seen->samples);
	EXPECT_EQ(seen->hits, counters_sum(counters, 8, nr));
	EXPECT_LT(0, seen->lost);
	EXPECT_GE(DEFERRED_MAX, counted);
	EXPECT_LT(DEFERRED_MAX / 4, counted);
}

static void spin_at_0(__u64 ns)
{
	spin(0, ns);
}

static int end_waiter(struct waiter *waiter, const struct fuse *fuse)
{
	waiter->over = true;
	return fuse_deliver(fuse) ?: -pthread_join(waiter->thread, NULL);
}

TEST_F(profil, samples_at_more_pcs_than_can_be_deferred_are_lost)
{
	struct profil_stats seen;
	struct waiter waiter;
	struct table meter;
	struct fuse fuse;
	int file = fuse_open_private(&fuse, MOUNT_POINT, FUSE_LATE);
	char *counters;

	if (file < 0)
		SKIP(return, "no FUSE: %s", strerror(-file));
	counters = stuck_counters_map(file);
	ASSERT_NE(NULL, counters);
	begin_meter(&meter, self->fd);
	ASSERT_OK(start_late(self->fd, counters));
	ASSERT_TRUE(waiter_begin(&waiter, spin_at_0));
	EXPECT_TRUE(EVENTUALLY(enough_seen(&meter), jump_often()));
	ASSERT_OK(end_waiter(&waiter, &fuse));
	seen = end_session(self->fd);
	EXPECT_OK(table_take(&meter, 0));
	check_account(&seen, counters, meter.sum.ticks);
	table_end(&meter);
	fuse_unmount(&fuse);
}

/*
 * mmap() would wait for the thread if that had the lock of the mappings. The page in
 * front, which START has pinned, is unpinned when the thread waits no more; that of the
 * site is pinned then.
 */
TEST_F(profil, mappings_change_while_a_thread_waits_for_a_page)
{
	struct profil_stats seen;
	struct waiter waiter;
	struct fuse fuse;
	int file = fuse_open_private(&fuse, MOUNT_POINT, FUSE_LATE);
	char *counters;

	if (file < 0)
		SKIP(return, "no FUSE: %s", strerror(-file));
	counters = stuck_counters_map(file);
	ASSERT_NE(NULL, counters);
	ASSERT_OK(start_late(self->fd, counters));
	ASSERT_TRUE(waiter_begin(&waiter, spin_at_0));
	for (unsigned int i = 0; i < 10; i++) {
		char *pages = new_pages(page_size());

		ASSERT_OK(munmap(pages, page_size()));
	}
	ASSERT_OK(madvise(counters, page_size(), MADV_DONTNEED));
	ASSERT_OK(end_waiter(&waiter, &fuse));
	EXPECT_TRUE(WAIT_FOR(status_pages("VmPin:") == 1));
	seen = end_session(self->fd);
	EXPECT_EQ(0, seen.lost);
	EXPECT_LT(0, seen.hits);
	EXPECT_EQ(seen.hits,
		  counters_sum(counters, 8, (PAGES + 2) * page_size() / 8));
	fuse_unmount(&fuse);
}

/*
 * The site, and a bin for all other PCs: none is outside. The first region, where no code
 * is, has so many pages that START pins none of the site.
 */
static int start_with_bin(int fd, char *counters, void *bin)
{
	size_t page = page_size();
	struct profil_region regions[3] = {
		region_of(counters, PAGES * page, (void *)page, 0x10000),
		region_of(counters + (PAGES + 1) * page, 8, site(0),
			  SITE_SCALE(8)),
		region_of(bin, 8, NULL, 2),
	};
	struct profil_start args = start_of(regions, 3, 8, FAST_NS);

	regions[2].flags = PROFIL_REGION_OVERFLOW;
	return start(fd, &args);
}

static void *deliver_later(void *fuse)
{
	sleep_ns(200 * NSEC_PER_MSEC);
	return (void *)(long)fuse_deliver(fuse);
}

/* Samples at the site, which has few PCs: several wait at one */
#define METERED 50

static __u64 taken_at_site(struct table *meter)
{
	const struct profil_counter *half;
	__u32 first = (__u32)offset_of(site(0));
	__u64 sum = 0;

	EXPECT_OK(table_take(meter, 0));
	half = table_half(meter);
	for (size_t i = 0; i < meter->nr; i++)
		if (half[i].key &&
		    PROFIL_KEY_OFFSET(half[i].key) - first < SITE_BYTES)
			sum += half[i].count;
	return sum;
}

/*
 * STOP, which waits for the page, takes no more samples. Those that have waited were
 * taken while the region had counters: they are lost, not outside.
 */
TEST_F(profil, samples_of_a_region_that_has_ended_meanwhile_are_lost)
{
	struct profil_stats seen;
	struct waiter waiter;
	struct table meter;
	pthread_t deliverer;
	__u64 metered = 0;
	struct fuse fuse;
	int file = fuse_open_private(&fuse, MOUNT_POINT, FUSE_LATE);
	char *counters;

	if (file < 0)
		SKIP(return, "no FUSE: %s", strerror(-file));
	counters = stuck_counters_map(file);
	ASSERT_NE(NULL, counters);
	ASSERT_OK(start_with_bin(self->fd, counters, self->counters));
	ASSERT_TRUE(waiter_begin(&waiter, spin_at_0));
	begin_meter(&meter, self->fd);
	EXPECT_TRUE(EVENTUALLY((metered += taken_at_site(&meter)) >= METERED,
			       spin(0, 20 * NSEC_PER_MSEC)));
	ASSERT_OK(munmap(counters, STUCK_BYTES));
	waiter.over = true;
	ASSERT_OK(pthread_create(&deliverer, NULL, deliver_later, &fuse));
	seen = end_session(self->fd);
	TH_LOG("%llu hits, %llu lost, %llu metered", seen.hits, seen.lost,
	       metered);
	EXPECT_EQ(0, seen.outside);
	EXPECT_LT(metered / 2, seen.lost);
	EXPECT_EQ(seen.hits, counter(self->counters, 8, 0));
	table_end(&meter);
	pthread_join(deliverer, NULL);
	pthread_join(waiter.thread, NULL);
	fuse_unmount(&fuse);
}

/* Wait for a page in the first sample, or have a thread do so, and in STATS for that. */
static void wait_for_page(int fd, int file, bool in_stats)
{
	static struct waiter waiter;
	void *counters = stuck_counters_map(file);

	if (!counters || start_late(fd, counters))
		_exit(1);
	if (!in_stats)
		spin_forever(0);
	if (!waiter_begin(&waiter, spin_at_0))
		_exit(2);
	stats_now(fd);
	_exit(3);
}

/* The server does not answer until the process has ended. */
static void check_killable(int fd, bool in_stats)
{
	struct fuse fuse;
	int file = fuse_open_private(&fuse, MOUNT_POINT, FUSE_LATE), status;
	pid_t child;

	if (file < 0)
		SKIP(return, "no FUSE: %s", strerror(-file));
	child = IN_CHILD((wait_for_page(fd, file, in_stats), 0));
	EXPECT_TRUE(WAIT_FOR(fuse_delays(child, child)));
	ASSERT_OK(kill(child, SIGKILL));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_TRUE(wait_for_nothing_left(1));
	close(file);
	fuse_unmount(&fuse);
}

TEST_F(profil, thread_or_stats_that_waits_for_a_page_can_be_killed)
{
	check_killable(self->fd, false);
	/* A test that is skipped has not failed. */
	if (!_metadata->exit_code)
		check_killable(self->fd, true);
}

TEST_HARNESS_MAIN
