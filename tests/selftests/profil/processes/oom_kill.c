// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel kills a process whose memory control group is full. Its session
 * ends, and nothing is left of it. Needs root, and memory control groups in cgroup2.
 */
#include "harness.h"

#define GROUPS "/sys/fs/cgroup"
#define GROUP GROUPS "/profil-oom"
#define LIMIT_BYTES 0x800000UL
#define GROUP_LIMIT "8388608"
#define MOST_PAGES 64 /* so many are pinned at START */

FIXTURE(group)
{
	int fd;
};

static bool make_group(void)
{
	write_text(GROUPS "/cgroup.subtree_control", "+memory");
	mkdir(GROUP, 0755);
	write_text(GROUP "/memory.swap.max", "0");
	return !write_text(GROUP "/memory.max", GROUP_LIMIT);
}

FIXTURE_SETUP(group)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	SKIP_UNLESS_ROOT();
	if (!make_group())
		SKIP(return, "needs memory control groups");
}

FIXTURE_TEARDOWN(group)
{
	close(self->fd);
	rmdir(GROUP);
	EXPECT_NE(0, access(GROUP, F_OK));
	write_text(GROUPS "/cgroup.subtree_control", "-memory");
}

static unsigned long kills(void)
{
	unsigned long nr = 0;
	char line[80];

	FOR_EACH_LINE(GROUP "/memory.events", line)
	{
		if (sscanf(line, "oom_kill %lu", &nr) == 1)
			break;
	}
	return nr;
}

/*
 * The counters reach over twice the memory that the group may have. Use more memory than
 * there is, by counters or by other memory.
 */
static void die(int fd, struct report *report, size_t by_samples)
{
	char *memory = new_reserved(2 * LIMIT_BYTES);

	if (!memory || write_text(GROUP "/cgroup.procs", "0") ||
	    start_spread(fd, memory, 2 * LIMIT_BYTES, FAST_NS) ||
	    !spin_until_samples(fd, 1, 3))
		_exit(125);
	report->ready = 1;
	for (size_t i = 0; i < 2 * LIMIT_BYTES; i += page_size()) {
		memory[i]++;
		if (by_samples && i % (64 * page_size()) == 0)
			spin(i / page_size() / 64 % NR_SITES, FAST_NS);
	}
	_exit(0);
}

/* Fork a child that calls @die_by, and is killed for lack of memory: nothing is left. */
static void check_death(int fd, struct report *report,
			void (*die_by)(int fd, struct report *report,
				       size_t how),
			size_t how)
{
	unsigned long before = kills();
	pid_t child = IN_CHILD((die_by(fd, report, how), 0));
	int status;

	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
	{
		TH_LOG("status %#x", status);
	}
	EXPECT_EQ(1, report->ready);
	EXPECT_LT(before, kills());
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_F(group, out_of_memory_leaves_nothing)
{
	for (unsigned int i = 0; i < 6; i++)
		check_death(self->fd, new_report(), die, i & 1);
}

/*
 * START touches the counters that it pins, and nothing else uses memory here, so
 * that the kill comes inside a START, at a page that varies with @pages.
 */
static void die_in_call(int fd, struct report *report, size_t pages)
{
	char *memory = new_reserved(2 * LIMIT_BYTES);
	size_t size = pages * page_size(), at;

	if (!memory || write_text(GROUP "/cgroup.procs", "0"))
		_exit(125);
	for (at = 0; at + size <= 2 * LIMIT_BYTES; at += size) {
		struct profil_region region =
			region_of(memory + at, size, profil_sites, 0x10000);

		report->ready = 1;
		report->counter++;
		if (start_one(fd, region, 4, FAST_NS, 0) ||
		    stats_now(fd).pinned_pages != pages)
			_exit(124);
		report->ready = 0;
		if (report->counter % 2 && stop(fd, NULL))
			_exit(123);
	}
	_exit(0);
}

/* Every session that a START has begun has ended, that of the last START, too. */
TEST_F(group, out_of_memory_in_start_leaves_nothing)
{
	for (size_t pages = 16; pages <= MOST_PAGES; pages += 12) {
		struct report *report = new_report();

		check_death(self->fd, report, die_in_call, pages);
		EXPECT_LT(1, report->counter);
		TH_LOG("%zu pages: killed in START number %llu", pages,
		       report->counter);
	}
}

TEST_HARNESS_MAIN
