// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sample that takes long, while the memory of counters is invalidated twice.
 * The second call has to wait for the sample, too, although the first one has
 * dropped the page. On x86 the call returns after the sample in any case, since
 * it also interrupts the CPU for its TLB; so the test counts waits. Needs three CPUs and
 * tests/faulty/module/slow_sample.c.
 */
#include "two_regions.h"

#define HELPER "/slow_sample.ko"
#define PARAMETER(name) "/sys/module/slow_sample/parameters/" name
#define ROUNDS 5

/* Time for a thread to reach a system call that does not return */
#define CALL_NS (500 * NSEC_PER_MSEC)

/* How often this thread has waited for samples */
static unsigned long waits(void)
{
	return number_in(PARAMETER("waits"));
}

static int watch_this_thread(void)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", gettid());
	return write_text(PARAMETER("watched"), text);
}

/* True while the sample is under way. */
static bool is_sampling(void)
{
	char text[8];

	return !read_text(PARAMETER("sampling"), text, sizeof(text)) &&
	       *text == 'Y';
}

static void *drop_page(void *memfd)
{
	fallocate((int)(intptr_t)memfd,
		  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		  (off_t)page_size());
	return NULL;
}

struct round {
	bool slow_before; /* the sample is under way before mprotect() */
	unsigned long waits; /* for samples, in mprotect() */
};

/* Punch a hole and call mprotect() while a sample is under way. */
static struct round invalidate_twice(const struct pair *pair, int memfd)
{
	struct round round = { 0 };
	pthread_t thread;

	EXPECT_OK(write_text(PARAMETER("armed"), "1"));
	EXPECT_TRUE(EVENTUALLY(is_sampling(), 0));
	EXPECT_OK(pthread_create(&thread, NULL, drop_page,
				 (void *)(intptr_t)memfd));
	sleep_ns(CALL_NS);
	round.slow_before = is_sampling();
	round.waits = waits();
	EXPECT_OK(mprotect(pair->first, page_size(), PROT_READ));
	round.waits = waits() - round.waits;
	pthread_join(thread, NULL);
	return round;
}

/* Site 33 has a full counter: no sample there is a plain hit. */
static struct pair new_shared_pair(int memfd)
{
	struct pair pair = { .second = new_pages(page_size()) };

	EXPECT_OK(ftruncate(memfd, (off_t)page_size()));
	pair.first = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_SHARED,
			  memfd, 0);
	EXPECT_NE(MAP_FAILED, pair.first);
	((__u32 *)pair.second)[1] = UINT32_MAX;
	return pair;
}

/* A host that stops the machine may end the sample early: try again. */
TEST_F(profil, every_invalidation_waits_for_samples)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC);
	struct round round = { 0 };
	struct pair pair;
	unsigned int i;

	if (busy_threads_for_all_cpus() < 3 || access(HELPER, R_OK))
		SKIP(return, "needs three CPUs and %s", HELPER);
	ASSERT_LE(0, memfd);
	ASSERT_OK(load_file(HELPER, ""));
	ASSERT_OK(watch_this_thread());
	pair = new_shared_pair(memfd);
	ASSERT_OK(busy_threads_begin(1, 33, false));
	for (i = 0; i < ROUNDS && !(round.slow_before && round.waits); i++) {
		ASSERT_OK(mprotect(pair.first, page_size(),
				   PROT_READ | PROT_WRITE));
		/* START pins the page, which has no samples. */
		ASSERT_OK(start_pair(self->fd, &pair));
		round = invalidate_twice(&pair, memfd);
	}
	busy_threads_end();
	EXPECT_TRUE(round.slow_before);
	EXPECT_LT(0, round.waits);
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(0, syscall(SYS_delete_module, "slow_sample", O_NONBLOCK));
}

TEST_HARNESS_MAIN
