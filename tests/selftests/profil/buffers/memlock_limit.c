// SPDX-License-Identifier: GPL-2.0-only
/*
 * RLIMIT_MEMLOCK limits the memory that all processes of a user have pinned. A
 * huge page counts as a whole.
 */
#include "harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buffer.h"
#include "module.h"
#include "report.h"

#define HUGE_PAGES (HUGE_BYTES / page_size())

static __u64 pinned_now(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return stats(fd, &seen) ? POISON_U64 : seen.pinned_pages;
}

/* The number of bytes of [@at, @at + @bytes) in huge pages. */
static size_t bytes_in_huge_pages(const void *at, size_t bytes)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	unsigned long from = 0, to = 0, kib = 0, all = 0, a, b;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx ", &a, &b) == 2) {
			from = a;
			to = b;
		}
		if (sscanf(line, "AnonHugePages: %lu", &kib) == 1 &&
		    from < (uintptr_t)at + bytes && to > (uintptr_t)at)
			all += kib * 1024;
	}
	if (file)
		fclose(file);
	return all;
}

/* Huge pages, all present; NULL if the kernel gives none. */
static char *new_huge_present(size_t bytes)
{
	char *pages = new_huge(bytes);
	size_t at;

	for (at = 0; pages && at < bytes; at += page_size())
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
	unsigned int round;

	SKIP_UNLESS_HUGE(huge);
	ASSERT_OK(become_user(new_user(), HUGE_PAGES + 10));
	for (round = 0; round < 3; round++) {
		ASSERT_OK(start_buffer(self->fd, huge, 8 * page, 0x10000));
		EXPECT_EQ(8, pinned_now(self->fd));
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
	ASSERT_EQ(4, pinned_now(self->fd));
	EXPECT_EQ(HUGE_PAGES, status_pages("VmPin:"));
	ASSERT_OK(madvise(huge, 3 * page, MADV_DONTNEED));
	EXPECT_TRUE(wait_for_pinned(self->fd, 1));
	EXPECT_EQ(HUGE_PAGES, status_pages("VmPin:"));
	/* the next sample pins an ordinary page in place of the first */
	EXPECT_TRUE(spin_until_at(0, huge, 8, 2));
	EXPECT_EQ(2, pinned_now(self->fd));
	EXPECT_EQ(HUGE_PAGES + 1, status_pages("VmPin:"));
	ASSERT_OK(madvise(huge + 3 * page, page, MADV_DONTNEED));
	EXPECT_TRUE(wait_for_pinned(self->fd, 1));
	EXPECT_EQ(1, status_pages("VmPin:"));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(0, status_pages("VmPin:"));
}

/*
 * Several processes
 */

/**
 * struct other - a child of another user, with a limit of its own
 * @pid: waits to be killed, and ends with its parent
 * @result: the first result of its action
 */
struct other {
	pid_t pid;
	int result;
};

#define NO_RESULT (-1000)

/* Repeat @act; only the first result is stored. */
static void repeat_action(int fd, int (*act)(int fd), volatile int *result)
{
	*result = act(fd);
	for (;;) {
		sleep_ns(50 * NSEC_PER_MSEC);
		act(fd);
	}
}

static struct other fork_other(int fd, uid_t user, size_t limit,
			       int (*act)(int fd))
{
	volatile int *result = new_shared(page_size());
	struct other other;

	*result = NO_RESULT;
	other.pid = fork();
	if (!other.pid) {
		if (become_user(user, limit) ||
		    prctl(PR_SET_PDEATHSIG, SIGKILL))
			_exit(1);
		repeat_action(fd, act, result);
	}
	while (*result == NO_RESULT && !waitpid(other.pid, NULL, WNOHANG))
		sleep_ns(NSEC_PER_MSEC);
	other.result = *result;
	return other;
}

static void end_other(const struct other *other)
{
	kill(other->pid, SIGKILL);
	waitpid(other->pid, NULL, 0);
}

static int pin_three(int fd)
{
	static void *pages;

	if (!pages)
		pages = new_pages(3 * page_size());
	return start_buffer(fd, pages, 3 * page_size(), 0x10000);
}

/* The charge of a process is returned shortly after its end: try again. */
static int start_eventually(int fd, void *counters, size_t size)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	int err;

	do {
		err = start_buffer(fd, counters, size, 0x10000);
		sleep_ns(NSEC_PER_MSEC);
	} while (err == -ENOMEM && wall_ns() < until);
	return err;
}

TEST_F(profil, limit_applies_to_all_processes_of_a_user)
{
	uid_t user = new_user();
	struct other first = fork_other(self->fd, user, 4, pin_three);
	struct other second = fork_other(self->fd, user, 4, pin_three);
	struct other stranger = fork_other(self->fd, new_user(), 4, pin_three);
	char *buffer = new_pages(4 * page_size());

	ASSERT_NE(NULL, buffer);
	EXPECT_OK(first.result);
	EXPECT_EQ(-ENOMEM, second.result);
	EXPECT_OK(stranger.result);
	end_other(&second);
	end_other(&first);
	/* After become_user() PR_SET_PDEATHSIG would not end the children. */
	end_other(&stranger);
	ASSERT_OK(become_user(user, 4));
	EXPECT_OK(start_eventually(self->fd, buffer, 4 * page_size()));
}

static bool spin_until_lost(int fd, unsigned int nr)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (!stats(fd, &seen) && !seen.lost) {
		if (wall_ns() > until)
			return false;
		spin(nr, NSEC_PER_MSEC);
	}
	return seen.lost;
}

/*
 * Parent and child have three pages each. The limit has room for two of the
 * child.
 */
static int count_in_child(int fd, char *buffer)
{
	size_t page = page_size();
	unsigned int nr;

	for (nr = 0; nr < 2; nr++)
		if (!spin_until_at(nr, buffer + nr * page, 8, 1))
			return 1;
	if (pinned_now(fd) != 2 || !spin_until_lost(fd, 2))
		return 2;
	return all_bytes(buffer + 2 * page, 0, page) ? 0 : 3;
}

TEST_F(profil, limit_applies_to_forked_children)
{
	size_t page = page_size();
	char *buffer = new_pages(3 * page);
	pid_t child;

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(become_user(new_user(), 5));
	ASSERT_OK(start_buffer(self->fd, buffer, 3 * page, PAGE_SCALE));
	child = fork();
	if (!child)
		_exit(count_in_child(self->fd, buffer));
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_EQ(3, status_pages("VmPin:"));
}

#define HUGE_EACH 8

/*
 * Pin one page in each of as many huge pages as START accepts. Return their
 * number.
 */
static int pin_huge(int fd)
{
	struct profil_region regions[HUGE_EACH];
	static char *huge;
	__u32 nr;

	if (!huge)
		huge = new_huge_present(HUGE_EACH * HUGE_BYTES);
	if (!huge)
		return -ENOMEM;
	for (nr = 0; nr < HUGE_EACH; nr++)
		regions[nr] =
			region_of(huge + nr * HUGE_BYTES, 8, site(nr), 0x10000);
	for (nr = HUGE_EACH; nr; nr--) {
		struct profil_start args = start_of(regions, nr, 8, FAST_NS);

		if (!start(fd, &args))
			break;
	}
	return (int)nr;
}

/*
 * The number of pages pinned in the whole system, exact while no process pins
 * or unpins. stat_refresh adds the counts of each CPU to the sums in
 * /proc/vmstat.
 */
static unsigned long pages_pinned(void)
{
	if (system("cat /proc/sys/vm/stat_refresh 2>/dev/null"))
		return 0;
	return vm_event("nr_foll_pin_acquired") -
	       vm_event("nr_foll_pin_released");
}

/* The pages of a process that has ended are unpinned shortly after its end. */
static bool wait_for_pages_pinned(unsigned long most)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (pages_pinned() > most) {
		if (wall_ns() > until)
			return false;
		sleep_ns(10 * NSEC_PER_MSEC);
	}
	return true;
}

#define NR_HOSTILE 6
#define LIMIT (4 * HUGE_PAGES)

/* A stopped process is in no system call: it neither pins nor unpins. */
static bool all_stopped(const struct other *others)
{
	int i, status;

	for (i = 0; i < NR_HOSTILE; i++) {
		kill(others[i].pid, SIGSTOP);
		if (waitpid(others[i].pid, &status, WUNTRACED) < 0 ||
		    !WIFSTOPPED(status))
			return false;
	}
	return true;
}

static void continue_all(const struct other *others)
{
	int i;

	for (i = 0; i < NR_HOSTILE; i++)
		kill(others[i].pid, SIGCONT);
}

/* The victim's session loses no sample, and its totals are right. */
static void check_victim(struct __test_metadata *_metadata,
			 const profil_data *self)
{
	struct profil_totals *totals = new_shared(page_size());
	struct profil_region region = sites_region(self->counters, 8);
	struct profil_start args = start_of(&region, 1, 8, FAST_NS);

	ASSERT_NE(NULL, totals);
	args.totals = (uintptr_t)totals;
	ASSERT_OK(become_user(new_user(), 2));
	ASSERT_OK(start(self->fd, &args));
	EXPECT_TRUE(spin_until(3, self->counters, 8, 20));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(1, totals->sessions);
	EXPECT_EQ(1, totals->ended);
	EXPECT_EQ(0, totals->lost);
	EXPECT_EQ(totals->samples, totals->hits + totals->outside);
	EXPECT_EQ(totals->hits, counters_sum(self->counters, 8, NR_SITES));
}

TEST_F(profil, hostile_user_stays_within_the_limit_and_harms_no_other)
{
	struct other hostile[NR_HOSTILE];
	uid_t user = new_user();
	int i, huge = 0;
	pid_t victim;

	ASSERT_TRUE(wait_for_pages_pinned(0));
	for (i = 0; i < NR_HOSTILE; i++) {
		hostile[i] = fork_other(self->fd, user, LIMIT, pin_huge);
		if (hostile[i].result < 0)
			SKIP(return, "no transparent huge pages");
		huge += hostile[i].result;
	}
	EXPECT_LT(0, huge);
	EXPECT_GE(LIMIT, (unsigned long)huge * HUGE_PAGES);
	ASSERT_TRUE(all_stopped(hostile));
	EXPECT_TRUE(wait_for_pages_pinned(huge))
	{
		TH_LOG("%d huge pages, %lu pages pinned", huge, pages_pinned());
	}
	continue_all(hostile);
	victim = fork();
	if (!victim) {
		check_victim(_metadata, self);
		EXIT_CHILD();
	}
	EXPECT_TRUE(exited_with(victim, 0));
	for (i = 0; i < NR_HOSTILE; i++)
		end_other(&hostile[i]);
}

/* One page for the counters, and none for the totals */
static int start_over_limit(int fd, void *counters)
{
	struct profil_totals *totals = new_shared(page_size());

	if (!totals || become_user(new_user(), 1))
		return 1;
	if (start_with_totals(fd, counters, FAST_NS, totals) != -ENOMEM)
		return 2;
	return status_pages("VmPin:") ? 3 : 0;
}

TEST_F(profil, totals_above_the_limit_are_refused_and_unpinned)
{
	pid_t child;

	if (geteuid())
		SKIP(return, "needs root");
	child = fork();
	if (!child)
		_exit(start_over_limit(self->fd, self->counters));
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_HARNESS_MAIN
