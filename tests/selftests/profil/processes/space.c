// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session is that of an address space: processes that share it share the session, and
 * its end, by exec or exit, ends the session. A descriptor of /dev/profil acts on the
 * process that uses it, and closing it does not end a session.
 */
#include "harness.h"

#include "buffer.h"
#include "program.h"

enum way { BY_EXIT, BY_SIGKILL, BY_SEGFAULT, BY_STOP_AND_EXIT, WAYS };

static void raise_segfault(void)
{
	volatile char *volatile nowhere = NULL;

	*nowhere = 0;
}

static void *spin_600_ms(void *site)
{
	spin((unsigned int)(uintptr_t)site, 600 * NSEC_PER_MSEC);
	return NULL;
}

/* A profiled child that ends in @way, or waits to be killed. */
static void die(int fd, void *counters, struct report *report, enum way way)
{
	pthread_t thread;

	if (start_sites(fd, counters, 4, FAST_NS) ||
	    pthread_create(&thread, NULL, spin_600_ms, (void *)6) ||
	    !spin_until(1, counters, 4, 5))
		_exit(125);
	report->ready = 1;
	if (way == BY_SEGFAULT)
		raise_segfault();
	if (way == BY_STOP_AND_EXIT && stop(fd, NULL))
		_exit(125);
	if (way == BY_SIGKILL)
		spin(2, 100 * NSEC_PER_SEC);
	_exit(0);
}

static void check_end(int fd, enum way way)
{
	struct report *report = new_report();
	void *counters = new_shared(page_size());
	pid_t child = IN_CHILD((die(fd, counters, report, way), 0));
	int status;

	while (!report->ready && !waitpid(child, &status, WNOHANG))
		sleep_ns(NSEC_PER_MSEC);
	if (way == BY_SIGKILL)
		kill(child, SIGKILL);
	waitpid(child, &status, 0);
	EXPECT_EQ(1, report->ready);
	EXPECT_EQ(way == BY_SIGKILL || way == BY_SEGFAULT, WIFSIGNALED(status));
	EXPECT_LE(5, counter(counters, 4, 1));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_F(profil, counters_survive_every_kind_of_exit)
{
	for (enum way way = 0; way < WAYS; way++)
		check_end(self->fd, way);
}

static void *outlive_leader(void *argument)
{
	const profil_data *self = argument;
	__u64 before;

	sleep_ns(20 * NSEC_PER_MSEC);
	before = counter(self->counters, 4, 3);
	_exit(!has_session(self->fd) ||
	      !spin_until(3, self->counters, 4, before + 5));
}

TEST_F(profil, session_outlives_the_thread_that_started_it)
{
	EXPECT_TRUE(PASSES_IN_CHILD(({
		pthread_t thread;

		ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
		ASSERT_OK(pthread_create(&thread, NULL, outlive_leader, self));
		syscall(SYS_exit, 0);
	})));
}

static int count_in_shared_space(void *argument)
{
	const profil_data *self = argument;

	return !has_session(self->fd) || !spin_until(2, self->counters, 4, 3);
}

static void check_sharing(const profil_data *self, int flags)
{
	struct profil_stats seen;
	pid_t child;

	memset(self->counters, 0, page_size());
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = child_by_clone(flags, count_in_shared_space, (void *)self);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_LE(3, counter(self->counters, 4, 2));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 3));
	seen = end_session(self->fd);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, processes_in_the_same_address_space_share_the_session)
{
	check_sharing(self, CLONE_VM | CLONE_VFORK);
	check_sharing(self, CLONE_VM);
}

static int stop_in_shared_space(void *argument)
{
	const profil_data *self = argument;

	return stop(self->fd, NULL);
}

TEST_F(profil, process_in_the_same_address_space_can_stop_the_session)
{
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = child_by_clone(CLONE_VM, stop_in_shared_space, (void *)self);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_FALSE(has_session(self->fd));
}

TEST_F(profil, closing_every_descriptor_keeps_the_session)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	int fd;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(close(self->fd));
	EXPECT_TRUE(spin_until(8, self->counters, 4, 5));
	fd = open(PROFIL_DEVICE, O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_OK(stop(fd, &seen));
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(seen.hits, counter(self->counters, 4, 8));
	self->fd = fd;
}

#define AFTER_EXEC "after-exec"

static void exec_self(void)
{
	execl("/proc/self/exe", "exec", AFTER_EXEC, NULL);
	_exit(126);
}

/*
 * The executed program has no session and can start one. Return 0 or the step
 * that failed.
 */
static int after_exec(void)
{
	void *counters = new_pages(page_size());
	int fd = device_open();

	if (!counters || fd < 0)
		return 1;
	spin(5, 10 * NSEC_PER_MSEC);
	if (has_session(fd))
		return 2;
	if (start_sites(fd, counters, 4, FAST_NS))
		return 3;
	if (!spin_until(5, counters, 4, 3))
		return 4;
	return stop(fd, NULL) ? 5 : 0;
}

TEST_F(profil, exec_ends_the_session_and_the_new_program_can_start_one)
{
	void *counters = new_shared(page_size());

	EXPECT_TRUE(PASSES_IN_CHILD(({
		ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
		ASSERT_TRUE(spin_until(1, counters, 4, 3));
		exec_self();
	})));
	EXPECT_TRUE(wait_for_nothing_left(1));
	EXPECT_LE(3, counter(counters, 4, 1));
	EXPECT_EQ(0, counter(counters, 4, 5));
}

/*
 * A program visits new pages of its counters until it ends. After wait() its file can be
 * written, as nothing has its address space.
 */
#define VISIT_PAGES "visit-pages"
#define COPY "/tmp/profil-copy"

static int visit_pages(void)
{
	size_t size = 16 * MIB;
	char *counters = new_reserved(size);

	if (start_buffer(device_open(), counters, size, PAGE_SCALE))
		return 1;
	for (unsigned int i = 0; i < NR_SITES; i++)
		spin(i, FAST_NS);
	return 0;
}

TEST_F(profil, file_of_a_program_that_has_ended_can_be_written)
{
	int file;

	ASSERT_OK(program_copy(COPY));
	for (unsigned int round = 0; round < 20; round++) {
		ASSERT_TRUE(CHILD_OK(execl(COPY, "copy", VISIT_PAGES, NULL)));
		file = open(COPY, O_WRONLY | O_CLOEXEC);
		ASSERT_LE(0, file);
		close(file);
	}
	unlink(COPY);
}

static int exec_in_child(void *nothing)
{
	(void)nothing;
	exec_self();
	return 0;
}

TEST_F(profil, exec_of_a_child_keeps_the_parents_session)
{
	static const int flags[] = { 0, CLONE_VM | CLONE_VFORK };

	for (size_t i = 0; i < ARRAY_LENGTH(flags); i++) {
		pid_t child;

		memset(self->counters, 0, page_size());
		ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
		child = child_by_clone(flags[i], exec_in_child, NULL);
		EXPECT_TRUE(exited_with(child, 0));
		EXPECT_TRUE(has_session(self->fd));
		EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
		EXPECT_EQ(0, counter(self->counters, 4, 5));
	}
}

static void *exec_in_thread(void *nothing)
{
	exec_self();
	return nothing;
}

TEST_F(profil, exec_from_a_thread_ends_the_session)
{
	EXPECT_TRUE(PASSES_IN_CHILD(({
		pthread_t thread;

		ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
		ASSERT_OK(pthread_create(&thread, NULL, exec_in_thread, NULL));
		spin(1, 100 * NSEC_PER_SEC);
		_exit(1);
	})));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], AFTER_EXEC))
		return after_exec();
	if (argc == 2 && !strcmp(argv[1], VISIT_PAGES))
		return visit_pages();
	return test_harness_run(argc, argv);
}
