// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands of one attached descriptor in several threads, while the
 * attached processes fork, execute programs, attach descriptors of their own
 * and die. What the driver may have left is found by the kernel's checkers and
 * by the last lines of each test.
 */
#include "harness.h"

#include <pthread.h>

#include "common.h"

#define SITE 5
#define FAMILIES 6
#define THREADS 4
#define SECONDS 4

/* Fork children that end at once, as fast as possible. */
static int fork_forever(void *nothing)
{
	(void)nothing;
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		if (!fork())
			_exit(0);
	}
	return 0;
}

static int fork_in_a_group(void *nothing)
{
	setpgid(0, 0);
	return fork_forever(nothing);
}

/* Some of these fork on while the driver removes the others. */
#define BROTHERS 30

static int fork_among_others(void *nothing)
{
	int i;

	setpgid(0, 0);
	for (i = 0; i < BROTHERS; i++) {
		pid_t child = fork();

		if (!child && i % 8 == 7)
			return fork_forever(nothing);
		if (!child)
			for (;;)
				pause();
	}
	return fork_forever(nothing);
}

#define CLOSES 60

/* Children that are forked while the descriptor is closed are no targets. */
TEST_F(profil, descriptor_is_closed_amid_forks)
{
	static int (*const bodies[])(void *nothing) = {
		fork_among_others,
		fork_in_a_group,
		fork_in_a_group,
	};
	long before = references();
	int i;

	for (i = 0; i < CLOSES; i++) {
		pid_t pid = tracee_new(bodies[i % 3], NULL);
		int fd = device_open();

		ASSERT_OK(attach_to(fd, pid, PROFIL_ATTACH_CHILDREN));
		ASSERT_OK(start_sites(fd, self->counters, 4, FAST_NS));
		tracee_release(pid);
		sleep_ns((5 + i % 30) * NSEC_PER_MSEC);
		ASSERT_OK(close(fd));
		kill(-pid, SIGKILL);
		kill_child(pid);
		/* The process may have made its group after the first signal. */
		kill(-pid, SIGKILL);
	}
	EXPECT_TRUE(wait_for_nothing_left(before));
}

/* What processes and threads share. */
struct stage {
	volatile bool over;
	volatile pid_t members[FAMILIES];
	int fd;
};

/* A member of a family: a target that also profiles its parent or itself. */
static void profile_others(struct stage *stage, unsigned int *seed)
{
	void *counters = new_pages(page_size());
	pid_t other = stage->members[rand_r(seed) % FAMILIES];
	int fd = device_open();

	if (fd >= 0 && counters) {
		attach_untraced(fd, rand_r(seed) % 2 ? other : getpid(),
				rand_r(seed) % 2);
		start_sites(fd, counters, 4, FAST_NS);
	}
	spin(SITE, NSEC_PER_MSEC);
	if (rand_r(seed) % 2)
		close(fd);
}

static void act(struct stage *stage, unsigned int seed)
{
	switch (rand_r(&seed) % 5) {
	case 0:
		spin(SITE, rand_r(&seed) % 5 * NSEC_PER_MSEC);
		break;
	case 1:
		execl("/bin/busybox", "true", NULL);
		break;
	case 2:
		profile_others(stage, &seed);
		break;
	case 3:
		start_sites(stage->fd, new_pages(page_size()), 4, FAST_NS);
		spin(SITE, NSEC_PER_MSEC);
		break;
	default:
		if (!fork() && !fork())
			spin(SITE, NSEC_PER_MSEC);
	}
	_exit(0);
}

/* Fork one member after the other until the end. */
static void raise_family(struct stage *stage, unsigned int nr)
{
	unsigned int i;

	signal(SIGCHLD, SIG_DFL);
	for (i = 0; !stage->over; i++) {
		pid_t pid = fork();

		if (!pid)
			act(stage, i * FAMILIES + nr);
		stage->members[nr] = pid;
		if (i % 4 == 3)
			kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	_exit(0);
}

static void attach_somebody(struct stage *stage, unsigned int *seed)
{
	pid_t pid = stage->members[rand_r(seed) % FAMILIES];

	if (pid > 0)
		attach_untraced(stage->fd, rand_r(seed) % 8 ? pid : getpid(),
				rand_r(seed) % 2);
}

/* A private page of counters, which is unmapped amid the samples. */
static void start_somewhere(struct stage *stage, unsigned int *seed)
{
	void *counters = new_pages(page_size());

	if (!counters)
		return;
	start_sites(stage->fd, counters, 4, rand_r(seed) % 2 ? FAST_NS : 0);
	sleep_ns(rand_r(seed) % 3 * NSEC_PER_MSEC);
	munmap(counters, page_size());
}

/* Close the descriptor under the other threads. */
static void reopen(struct stage *stage)
{
	int fd = device_open();

	if (fd < 0)
		return;
	dup2(fd, stage->fd);
	close(fd);
}

static void call_something(struct stage *stage, unsigned int *seed)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	switch (rand_r(seed) % 16) {
	case 0:
		reopen(stage);
		break;
	case 1:
		stop(stage->fd, NULL);
		break;
	case 2:
	case 3:
	case 4:
		stats(stage->fd, &seen);
		break;
	case 5:
	case 6:
	case 7:
	case 8:
		start_somewhere(stage, seed);
		break;
	default:
		attach_somebody(stage, seed);
	}
}

static void *call_until_the_end(void *argument)
{
	struct stage *stage = argument;
	unsigned int seed = (unsigned int)gettid();

	while (!stage->over)
		call_something(stage, &seed);
	return NULL;
}

TEST_F(profil, commands_in_threads_while_processes_come_and_go)
{
	struct stage *stage = new_shared(page_size());
	pthread_t threads[THREADS];
	pid_t families[FAMILIES];
	long before = references();
	unsigned int i;

	stage->fd = device_open();
	for (i = 0; i < FAMILIES; i++) {
		families[i] = fork();
		if (!families[i])
			raise_family(stage, i);
	}
	for (i = 0; i < THREADS; i++)
		ASSERT_OK(pthread_create(&threads[i], NULL, call_until_the_end,
					 stage));
	sleep_ns(SECONDS * NSEC_PER_SEC);
	stage->over = true;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < FAMILIES; i++)
		EXPECT_TRUE(exited_with(families[i], 0));
	ASSERT_OK(close(stage->fd));
	/* START on a descriptor that is not attached yet profiles this process. */
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(before));
}

/* The lines of attached sessions, one for each target; -1 without debugfs. */
static int targets_of_sessions(void)
{
	FILE *file = fopen("/sys/kernel/debug/profil/sessions", "r");
	char line[256];
	int nr = 0;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		nr += !!strstr(line, "\tattached\t");
	fclose(file);
	return nr;
}

/* Attached processes that have ended do not accumulate. */
#define ENDED 200

TEST_F(profil, ended_processes_do_not_accumulate)
{
	pid_t alive = tracee_that_spins(SITE);
	int i;

	if (targets_of_sessions() < 0)
		SKIP(return, "needs debugfs");
	ASSERT_OK(attach_to(self->fd, alive, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (i = 0; i < ENDED; i++) {
		pid_t pid = tracee_that_spins(SITE);

		ASSERT_OK(attach_to(self->fd, pid, 0));
		kill_child(pid);
	}
	TH_LOG("%d targets", targets_of_sessions());
	EXPECT_GT(ENDED / 2, targets_of_sessions());
	kill_child(alive);
}

/*
 * The same for descriptors that are not used after START: fewer than the sessions
 * that may have their counters in one address space.
 */
#define IDLE 60

TEST_F(profil, ended_processes_of_idle_descriptors_do_not_accumulate)
{
	int i;

	if (targets_of_sessions() < 0)
		SKIP(return, "needs debugfs");
	for (i = 0; i < IDLE; i++) {
		int fd = device_open();
		pid_t pid = tracee_that_spins(SITE);

		ASSERT_LE(0, fd);
		ASSERT_OK(attach_to(fd, pid, 0));
		ASSERT_OK(start_sites(fd, self->counters, 4, FAST_NS));
		kill_child(pid);
	}
	TH_LOG("%d targets", targets_of_sessions());
	EXPECT_GT(IDLE / 2, targets_of_sessions());
}

TEST_HARNESS_MAIN
