// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process is killed at a random moment, which often lies inside a call. Its
 * sessions end, and nothing is left of it.
 */
#include "harness.h"

#include "fault_injection.h"

#define VICTIMS 64
#define LARGE 0x400000UL /* not pinned as a whole at START */

struct victim {
	int fd;
	void *counters; /* LARGE bytes */
	struct report *report; /* ready after some calls; counts STARTs */
	void *pages; /* for change_mappings(), or NULL */
	unsigned int nr;
};

#define MAPPED (4UL << 20)

/* Keep the lock of the mappings, so that calls wait for it. */
static void *change_mappings(void *pages)
{
	for (;;) {
		mprotect(pages, MAPPED, PROT_READ);
		mprotect(pages, MAPPED, PROT_READ | PROT_WRITE);
	}
	return NULL;
}

static int begin(const struct victim *victim, unsigned int nr)
{
	return nr % 2 ? start_spread(victim->fd, victim->counters, LARGE,
				     FAST_NS) :
			start_sites(victim->fd, victim->counters, 4, FAST_NS);
}

/* Make calls about this process, until it is killed. */
static void profile_itself(const struct victim *victim)
{
	int fd = victim->fd;
	pthread_t thread;

	if (victim->pages &&
	    pthread_create(&thread, NULL, change_mappings, victim->pages))
		_exit(1);
	for (unsigned int nr = 0;; nr++) {
		struct profil_stats seen = stats_blank(NULL, 0);

		madvise(victim->counters, LARGE, MADV_DONTNEED);
		victim->report->counter += !begin(victim, nr);
		spin(nr % NR_SITES, FAST_NS);
		stats(fd, &seen);
		if (nr % 3 == 0 && !fork())
			_exit(0);
		if (nr % 5 == 0)
			stop(fd, &seen);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		victim->report->ready = 1;
	}
}

/* The moments are the same in each run; what they find is not. */
static void kill_at(pid_t child, const struct victim *victim, __u64 longest_ns)
{
	static unsigned short state[3] = { 1, 2, 3 };

	if (victim->nr % 4)
		while (!victim->report->ready)
			sleep_ns(100 * NSEC_PER_USEC);
	sleep_ns(nrand48(state) % longest_ns);
	kill(child, SIGKILL);
}

/* Kill processes that make @calls, each within @longest_ns after the first calls. */
static void kill_victims(struct victim *victim,
			 void (*calls)(const struct victim *victim),
			 __u64 longest_ns)
{
	struct report *report = victim->report;
	unsigned int nr = rounds_of(VICTIMS, 32);

	ASSERT_OK(prctl(PR_SET_CHILD_SUBREAPER, 1));
	for (victim->nr = 0; victim->nr < nr; victim->nr++) {
		pid_t child = IN_CHILD((calls(victim), 0));
		int status;

		ASSERT_LE(0, child);
		kill_at(child, victim, longest_ns);
		ASSERT_EQ(child, waitpid(child, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
		report->ready = 0;
	}
	EXPECT_LT(nr / 2, report->counter);
	TH_LOG("%llu sessions", report->counter);
}

/* No child and no child of a victim is left, and a session counts as before. */
static void check_nothing_left(const profil_data *self)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
	EXPECT_EQ(ECHILD, errno);
	memset(self->counters, 0, page_size());
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	if (!geteuid())
		EXPECT_TRUE(wait_for_nothing_left(1));
}

#define LONGEST_NS (4 * NSEC_PER_MSEC)

static void check_killed_calls(const profil_data *self, bool contended)
{
	struct victim victim = {
		.fd = self->fd,
		.counters = new_pages(LARGE),
		.report = new_report(),
		.pages = contended ? new_pages(MAPPED) : NULL,
	};

	/* mprotect() takes long with pages of which each child has a copy. */
	if (contended)
		memset(victim.pages, 1, MAPPED);
	kill_victims(&victim, profile_itself, LONGEST_NS);
	check_nothing_left(self);
}

TEST_F(profil, killed_calls_leave_nothing)
{
	check_killed_calls(self, false);
	/* While mappings change, a fatal signal finds many calls waiting for a lock. */
	check_killed_calls(self, true);
}

/* exec. A program that is executed finds the report by a descriptor. */
#define AGAIN "--again"

static struct report *report_in(int file)
{
	void *report = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			    MAP_SHARED, file, 0);

	return report == MAP_FAILED ? NULL : report;
}

static void execute_again(int file)
{
	char number[16];
	char *const argv[] = { "killed_calls", AGAIN, number, NULL };

	snprintf(number, sizeof(number), "%d", file);
	execv("/proc/self/exe", argv);
	_exit(1);
}

/* This program, executed again: until it is killed, each has a session. */
__attribute__((constructor)) static void after_exec(int argc, char **argv)
{
	struct report *report;
	int fd, file;

	if (argc != 3 || strcmp(argv[1], AGAIN))
		return;
	file = atoi(argv[2]);
	report = report_in(file);
	fd = device_open();
	if (!report || fd < 0 ||
	    start_sites(fd, new_pages(page_size()), 4, FAST_NS))
		_exit(1);
	report->counter++;
	report->ready = 1;
	execute_again(file);
}

static void execute(const struct victim *victim)
{
	execute_again(victim->fd);
}

/* An exec takes longer than other calls. */
#define LONGEST_EXEC_NS (100 * NSEC_PER_MSEC)

TEST_F(profil, killed_exec_leaves_nothing)
{
	struct victim victim = { .fd = memfd_create("report", 0) };

	ASSERT_LE(0, victim.fd);
	ASSERT_OK(ftruncate(victim.fd, page_size()));
	victim.report = report_in(victim.fd);
	ASSERT_NE(NULL, victim.report);
	kill_victims(&victim, execute, LONGEST_EXEC_NS);
	close(victim.fd);
	check_nothing_left(self);
}

TEST_HARNESS_MAIN
