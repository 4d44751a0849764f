// SPDX-License-Identifier: GPL-2.0-only
/*
 * The limit of sessions: a user has max_sessions at most, and a 64th as many have
 * their counters in one address space. What has ended, or has failed, counts no more.
 */
#include "harness.h"

#include <stdatomic.h>

#include "helpers.h"

#define MOST 8

FIXTURE(limit)
{
	int fd;
	void *counters;
	char saved[32]; /* the limit before */
	uid_t user;
	struct holder holders[MOST];
	unsigned int nr; /* of holders */
};

#define limit_data FIXTURE_DATA(limit)

FIXTURE_SETUP(limit)
{
	begin_test(_metadata);
	SKIP_UNLESS_ROOT();
	/* Those of the test before were root's, too. */
	ASSERT_TRUE(wait_until_unused());
	self->fd = open_device(_metadata);
	self->counters = new_pages(page_size());
	ASSERT_OK(param_read("max_sessions", self->saved, sizeof(self->saved)));
	self->user = new_user();
}

FIXTURE_TEARDOWN(limit)
{
	param_write("max_sessions", self->saved);
	while (self->nr)
		holder_end(&self->holders[--self->nr]);
	close(self->fd);
}

/* Add a holder. The result of its START. */
static int add(limit_data *self, struct holder holder)
{
	self->holders[self->nr++] = holder;
	return holder.result;
}

static int add_of(limit_data *self, uid_t user)
{
	return add(self, holder_of(self->fd, user));
}

static int add_by(limit_data *self, int (*become)(const void *mapped),
		  uid_t owner)
{
	struct mapped mapped = { .owner = owner, .id = 1 };

	return add(self, holder_new(self->fd, become, &mapped, 1));
}

static void end_last(limit_data *self)
{
	holder_end(&self->holders[--self->nr]);
}

static int start_own(const limit_data *self, __u64 period_ns)
{
	return start_sites(self->fd, self->counters, 4, period_ns);
}

/* A user */
TEST_F(limit, user_has_as_many_sessions_as_the_limit)
{
	ASSERT_OK(set_max_sessions(3));
	EXPECT_EQ(0, add_of(self, self->user));
	EXPECT_EQ(0, add_of(self, self->user));
	EXPECT_EQ(0, add_of(self, self->user));
	EXPECT_EQ(-EAGAIN, add_of(self, self->user));
	EXPECT_EQ(0, add_of(self, new_user()));
	ASSERT_OK(set_max_sessions(4));
	EXPECT_EQ(0, add_of(self, self->user));
	EXPECT_EQ(-EAGAIN, add_of(self, self->user));
}

/* Sessions beyond a limit that has been lowered go on. */
TEST_F(limit, lowered_limit_ends_no_session)
{
	ASSERT_OK(start_own(self, 0));
	ASSERT_OK(set_max_sessions(0));
	EXPECT_EQ(-EAGAIN, start_own(self, NSEC_PER_SEC));
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	EXPECT_EQ(tick_ns(self->fd), stats_now(self->fd).period_ns);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 2));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(-EAGAIN, start_own(self, 0));
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

/* The session that START replaces counts until it has ended. */
TEST_F(limit, only_session_of_a_limit_of_one_is_not_replaced)
{
	ASSERT_OK(set_max_sessions(1));
	ASSERT_OK(start_own(self, 0));
	EXPECT_EQ(-EAGAIN, start_own(self, NSEC_PER_SEC));
	EXPECT_EQ(tick_ns(self->fd), stats_now(self->fd).period_ns);
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_OK(start_own(self, NSEC_PER_SEC));
	EXPECT_EQ(NSEC_PER_SEC, stats_now(self->fd).period_ns);
}

/*
 * An address space: threads call START at the same time, in the place of each other's
 * sessions.
 */
#define STARTERS 8

struct starters {
	const limit_data *limit;
	atomic_int refused;
	atomic_bool over;
	atomic_int other_errors;
};

static void *start_until_over(void *argument)
{
	struct starters *starters = argument;

	while (!starters->over) {
		int error = start_own(starters->limit, NSEC_PER_SEC);

		if (error == -EAGAIN)
			starters->refused++;
		else if (error)
			starters->other_errors++;
	}
	return NULL;
}

/* The user's limit is not reached: at most two sessions are in the space, not eight. */
TEST_F(limit, space_has_a_64th_of_the_limit)
{
	struct starters starters = { .limit = self };
	pthread_t threads[STARTERS];

	ASSERT_OK(set_max_sessions(2 * SPACE_PART + SPACE_PART - 1));
	for (int i = 0; i < STARTERS; i++)
		ASSERT_OK(pthread_create(&threads[i], NULL, start_until_over,
					 &starters));
	/* Were each refused START charged, none would be left. */
	EXPECT_TRUE(WAIT_FOR(starters.refused > 3 * SPACE_PART));
	starters.over = true;
	for (int i = 0; i < STARTERS; i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(0, starters.other_errors);
	/* What was refused is not charged: the user has room in other processes. */
	for (int i = 0; i < 3; i++)
		EXPECT_OK(add_of(self, 0));
	EXPECT_OK(start_own(self, NSEC_PER_SEC));
	EXPECT_OK(start_own(self, 0));
}

/* One that runs, and the one that replaces it */
TEST_F(limit, space_has_two_sessions_at_least)
{
	ASSERT_OK(set_max_sessions(2));
	for (unsigned int round = 1; round <= 5; round++)
		ASSERT_OK(start_own(self, round * 100 * NSEC_PER_MSEC));
	EXPECT_EQ(500 * NSEC_PER_MSEC, stats_now(self->fd).period_ns);
}

/* Forked children */

/* The only child without a session is counted; the others have one. */
TEST_F(limit, children_beyond_the_limit_have_no_session)
{
	struct report *report = new_report();
	pid_t children[3];

	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	ASSERT_OK(set_max_sessions(3));
	for (unsigned int i = 0; i < 3; i++) {
		children[i] = fork();
		ASSERT_LE(0, children[i]);
		if (!children[i]) {
			report->ready += has_session(self->fd) ? 1 : 0x10;
			for (;;)
				pause();
		}
		while (report->ready % 0x10 + report->ready / 0x10 <= (int)i)
			sleep_ns(NSEC_PER_MSEC);
	}
	EXPECT_EQ(0x12, report->ready);
	EXPECT_EQ(1, stats_now(self->fd).unprofiled_children);
	for (unsigned int i = 0; i < 3; i++)
		kill_child(children[i]);
	EXPECT_EQ(1, end_session(self->fd).unprofiled_children);
}

/* User namespaces */

/* A user of a namespace, in a namespace inside of that */
static int become_nested(const void *mapped)
{
	int error = become_mapped(mapped);

	if (error)
		return error;
	return unshare(CLONE_NEWUSER) ? -errno : 0;
}

TEST_F(limit, users_of_a_namespace_count_as_its_owner)
{
	if (access("/proc/self/ns/user", R_OK))
		SKIP(return, "the kernel has no user namespaces");
	ASSERT_OK(set_max_sessions(3));
	EXPECT_EQ(0, add_of(self, self->user));
	EXPECT_EQ(0, add_by(self, become_mapped, self->user));
	EXPECT_EQ(0, add_by(self, become_nested, self->user));
	EXPECT_EQ(-EAGAIN, add_of(self, self->user));
	EXPECT_EQ(-EAGAIN, add_by(self, become_mapped, self->user));
	EXPECT_EQ(-EAGAIN, add_by(self, become_nested, self->user));
	EXPECT_EQ(0, add_of(self, MAPPED_ID));
}

TEST_F(limit, users_of_a_namespace_of_root_count_for_themselves)
{
	if (access("/proc/self/ns/user", R_OK))
		SKIP(return, "the kernel has no user namespaces");
	ASSERT_OK(set_max_sessions(1));
	EXPECT_EQ(0, add_of(self, 0));
	EXPECT_EQ(0, add_by(self, become_mapped, 0));
	EXPECT_EQ(-EAGAIN, add_of(self, MAPPED_ID));
}

/*
 * What has ended counts no more. The rounds below would add to the number of
 * sessions or take from it.
 */

/*
 * Each START fails at another point; the first ones before a session is charged. The session
 * is the one before, or none.
 */
static bool each_start_fails(const limit_data *self)
{
	struct profil_stats before = stats_now(self->fd), after;
	char *shared = new_shared(page_size());
	struct profil_region regions[2] = { sites_region(self->counters, 4),
					    sites_region(NULL, 4) };
	struct profil_start good = start_of(regions, 1, 4, 0), bad[2];
	bool failed = shared;

	for (unsigned int i = 0; i < 2; i++)
		bad[i] = good;
	bad[0].width = 3;
	bad[1].nr_regions = 2; /* in a hole */
	*(struct profil_start *)shared =
		good; /* which cannot be written back */
	failed &= !mprotect(shared, page_size(), PROT_READ);
	for (unsigned int i = 0; i < 2; i++)
		failed &= start(self->fd, &bad[i]) < 0;
	failed &= start(self->fd, (struct profil_start *)shared) == -EFAULT;
	munmap(shared, page_size());
	after = stats_now(self->fd);
	return failed && before.flags == after.flags &&
	       before.period_ns == after.period_ns;
}

static bool forks_and_ends(bool killed)
{
	pid_t child = fork();

	if (!child && killed)
		raise(SIGKILL);
	if (!child)
		_exit(0);
	return child > 0 && waitpid(child, NULL, 0) == child;
}

/*
 * In a child: its forks fail after the address space has been copied, as its namespace
 * of process IDs has ended. Of the copies' sessions no page is pinned while it lives.
 */
static int fail_to_fork(const limit_data *self)
{
	if (unshare(CLONE_NEWPID) || !CHILD_OK(0) ||
	    start_sites(self->fd, self->counters, 4, 0))
		return 1;
	for (unsigned int i = 0; i < 10; i++)
		if (fork() != -1 || errno != ENOMEM)
			return 2;
	if (!spin_until(1, self->counters, 4,
			counter(self->counters, 4, 1) + 1))
		return 3;
	if (stop(self->fd, NULL))
		return 4;
	return WAIT_FOR(!pages_pinned()) ? 0 : 5;
}

static void run_round(const limit_data *self)
{
	ASSERT_TRUE(each_start_fails(self));
	ASSERT_OK(start_own(self, 0));
	ASSERT_TRUE(each_start_fails(self));
	ASSERT_OK(start_own(self, NSEC_PER_SEC));
	ASSERT_TRUE(forks_and_ends(false));
	ASSERT_TRUE(forks_and_ends(true));
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_TRUE(CHILD_OK(fail_to_fork(self)));
}

TEST_F(limit, nothing_is_left_of_sessions_that_have_ended)
{
	for (unsigned int round = 0; round < 10; round++)
		run_round(self);
	ASSERT_TRUE(wait_for_references(1));
	ASSERT_OK(set_max_sessions(2));
	EXPECT_EQ(0, add_of(self, 0));
	EXPECT_EQ(0, add_of(self, 0));
	EXPECT_EQ(-EAGAIN, add_of(self, 0));
	while (self->nr)
		end_last(self);
	ASSERT_TRUE(wait_for_references(1));
	ASSERT_OK(start_own(self, 0));
	EXPECT_TRUE(only_session_is_charged(self->fd, self->counters));
}

TEST_HARNESS_MAIN
