// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel kills a process whose memory control group is full. Its session
 * ends, and nothing is left of it. Needs root and memory control groups.
 */
#include "harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fault_injection.h"
#include "module.h"
#include "report.h"

#define GROUPS "/sys/fs/cgroup"
#define GROUP GROUPS "/profil-oom"
#define LIMIT_BYTES 0x2000000UL
#define GROUP_LIMIT "33554432"

/* The second version of control groups, where it is not mounted elsewhere */
static bool make_group(void)
{
	if (access(GROUPS "/cgroup.procs", F_OK))
		mount("none", GROUPS, "cgroup2", 0, NULL);
	write_text(GROUPS "/cgroup.subtree_control", "+memory");
	mkdir(GROUP, 0755);
	write_text(GROUP "/memory.swap.max", "0");
	return !write_text(GROUP "/memory.max", GROUP_LIMIT);
}

static unsigned long kills(void)
{
	FILE *file = fopen(GROUP "/memory.events", "r");
	unsigned long nr = 0;
	char line[80];

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "oom_kill %lu", &nr);
	if (file)
		fclose(file);
	return nr;
}

/* Use more memory than there is, by counters or by other memory. */
static void use_memory(char *memory, bool by_samples)
{
	size_t i;

	for (i = 0; i < 2 * LIMIT_BYTES; i += page_size()) {
		memory[i]++;
		if (by_samples && i % (64 * page_size()) == 0)
			spin(i / page_size() / 64 % NR_SITES, FAST_NS);
	}
	_exit(0);
}

/* The counters reach over twice the memory that the group may have. */
static void die(int fd, struct report *report, bool by_samples)
{
	char *memory = new_reserved(2 * LIMIT_BYTES);
	struct profil_region region =
		region_of(memory, 2 * LIMIT_BYTES, profil_sites,
			  2 * LIMIT_BYTES / NR_SITES * (0x10000 / SITE_BYTES));
	struct profil_start args = start_of(&region, 1, 4, FAST_NS);

	args.totals = (uintptr_t)&report->totals;
	if (!memory || write_text(GROUP "/cgroup.procs", "0") ||
	    start(fd, &args) || !spin_until_samples(fd, 1, 3))
		_exit(125);
	report->ready = 1;
	use_memory(memory, by_samples);
}

static void check_kill(struct __test_metadata *_metadata, int fd,
		       bool by_samples)
{
	struct report *report = new_report();
	unsigned long before = kills();
	pid_t child;
	int status;

	ASSERT_NE(NULL, report);
	child = fork();
	if (!child)
		die(fd, report, by_samples);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
	{
		TH_LOG("status %#x", status);
	}
	EXPECT_EQ(1, report->ready);
	EXPECT_LT(before, kills());
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_EQ(1, report->totals.sessions);
	EXPECT_LE(3, report->totals.samples);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_F(profil, out_of_memory_leaves_nothing)
{
	unsigned int i;

	if (geteuid() || !make_group())
		SKIP(return, "needs root and memory control groups");
	for (i = 0; i < 6; i++)
		check_kill(_metadata, self->fd, i & 1);
	EXPECT_OK(rmdir(GROUP));
}

TEST_HARNESS_MAIN
