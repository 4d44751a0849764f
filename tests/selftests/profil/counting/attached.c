// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of samples of an attached process for its CPU time. Needs
 * machine_counts(), so that every due sample is taken.
 */
#include "harness.h"

#include "common.h"

#define SITE 5
#define WORK_NS (200 * NSEC_PER_MSEC)

/* What the process tells of itself. */
struct worker {
	struct profil_stats seen;
	void *counters;
	__u64 own_ns;
	__u64 used_ns;
	__u64 own_used_ns; /* part of it, from the return of START to STOP */
	__u64 switches;
	int error;
};

/*
 * Spin, with a session of its own if @own_ns. CPU time from here on: START of
 * the attached session has been before.
 */
static int work(void *argument)
{
	struct worker *worker = argument;
	int fd = device_open();
	__u64 own_since;

	worker->seen = stats_blank(NULL, 0);
	worker->switches = -switches();
	worker->used_ns = thread_ns();
	if (worker->own_ns)
		worker->error =
			start_sites(fd, worker->counters, 4, worker->own_ns);
	own_since = thread_ns();
	spin(SITE, WORK_NS);
	worker->own_used_ns = thread_ns() - own_since;
	if (worker->own_ns && !worker->error)
		worker->error = stop(fd, &worker->seen);
	worker->used_ns = thread_ns() - worker->used_ns;
	worker->switches += switches();
	return worker->error != 0;
}

/* The process begins and ends with some work that is not in used_ns. */
static bool due(__u64 samples, __u64 least_ns, const struct worker *worker,
		__u64 period_ns)
{
	return all_due(samples, least_ns, worker->used_ns + 5 * NSEC_PER_MSEC,
		       period_ns, worker->switches);
}

static void measure(const profil_data *self, __u64 own_ns, __u64 attached_ns)
{
	struct worker *worker = new_shared(page_size());
	struct profil_stats seen = stats_blank(NULL, 0);
	int fd = device_open();
	__u64 least_ns, own_samples;
	pid_t pid;

	worker->counters = new_shared(page_size());
	worker->own_ns = own_ns;
	memset(self->counters, 0, page_size());
	pid = tracee_new(work, worker);
	ASSERT_OK(sample_tracee(fd, pid, 0, self->counters, attached_ns));
	EXPECT_TRUE(exited_with(pid, 0));
	ASSERT_OK(stop(fd, &seen));
	close(fd);
	TH_LOG("own %llu us: %llu; attached %llu us: %llu; CPU %llu us, own %llu us; %llu switches",
	       own_ns / NSEC_PER_USEC, own_ns ? worker->seen.samples : 0,
	       attached_ns / NSEC_PER_USEC, seen.samples,
	       worker->used_ns / NSEC_PER_USEC,
	       worker->own_used_ns / NSEC_PER_USEC, worker->switches);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	/* START of the own session waits: samples in it are allowed, not demanded. */
	least_ns = worker->own_used_ns;
	EXPECT_TRUE(due(seen.samples, least_ns, worker, attached_ns));
	own_samples = worker->seen.samples;
	if (own_ns)
		EXPECT_TRUE(due(own_samples, least_ns, worker, own_ns));
}

TEST_F(profil, attached_process_is_sampled_at_the_rate_asked_for)
{
	measure(self, 0, NSEC_PER_MSEC);
	measure(self, 0, FAST_NS);
}

TEST_F(profil, own_and_attached_session_keep_their_rates)
{
	measure(self, NSEC_PER_MSEC, FAST_NS);
	measure(self, FAST_NS, NSEC_PER_MSEC);
	measure(self, FAST_NS, FAST_NS);
}

/*
 * Regions are changed while the process runs: no sample is missing.
 *
 * The process shares the CPU with this one, whose calls and waits take samples
 * by chance. So the number is compared with that of the same waits without a
 * START.
 */
struct attached_run {
	bool replaces;
	unsigned int starts;
	__u64 samples;
	__s64 missing;
};

static void run_attached(const profil_data *self, struct attached_run *run)
{
	struct worker *worker = new_shared(page_size());
	struct report *report = new_report();
	int fd = device_open();
	pid_t pid;

	memset(self->counters, 0, page_size());
	pid = tracee_new(work, worker);
	ASSERT_OK(attach_to(fd, pid, 0));
	ASSERT_OK(start_with_totals(fd, self->counters, FAST_NS,
				    &report->totals));
	tracee_release(pid);
	while (!waitpid(pid, NULL, WNOHANG)) {
		if (run->replaces &&
		    !start_with_totals(fd, self->counters, FAST_NS,
				       &report->totals))
			run->starts++;
		sleep_ns(3 * NSEC_PER_MSEC);
	}
	ASSERT_OK(stop(fd, NULL));
	close(fd);
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_EQ(report->totals.hits,
		  counters_sum(self->counters, 4, NR_SITES));
	run->samples = report->totals.samples;
	run->missing = (__s64)(worker->used_ns / FAST_NS) - run->samples;
	TH_LOG("%u replaced sessions, %llu samples, %lld missing", run->starts,
	       run->samples, run->missing);
}

TEST_F(profil, sessions_follow_each_other_without_a_gap)
{
	struct attached_run one = { .replaces = false };
	struct attached_run many = { .replaces = true };

	run_attached(self, &one);
	run_attached(self, &many);
	EXPECT_LT(40, many.starts);
	/* Fewer than one for each second session. */
	EXPECT_LT(many.missing - one.missing, many.starts / 2);
}

TEST_HARNESS_MAIN
