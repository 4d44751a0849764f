// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks on a machine with several NUMA nodes: the kernel makes their pages unreadable now
 * and then, to see who uses them. Nothing else is brought into memory for a walk.
 */
#include "fuse.h"
#include "stack_table.h"

#include <pthread.h>

#define SCANS "/sys/kernel/debug/sched/numa_balancing/"
#define STEP_NS (20 * NSEC_PER_MSEC)
#define MOUNT_POINT "/tmp/profil-numa"

/* The faults by which the kernel has seen who uses a page */
static unsigned long long hints(void)
{
	FILE *file = fopen("/proc/vmstat", "re");
	unsigned long long nr = 0;
	char line[64];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "numa_hint_faults %llu", &nr) == 1)
			break;
	if (file)
		fclose(file);
	return nr;
}

static bool has_nodes(void)
{
	return !access("/sys/devices/system/node/node1", F_OK);
}

/* With these the kernel looks at all pages each 100 ms. */
static struct setting {
	const char *path;
	char value[16]; /* after balancing_change() the one before */
} settings[] = {
	{ "/proc/sys/kernel/numa_balancing", "1" },
	{ SCANS "scan_delay_ms", "100" },
	{ SCANS "scan_period_min_ms", "100" },
	{ SCANS "scan_period_max_ms", "100" },
};

/* Change the settings, or restore them. */
static bool balancing_change(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(settings); i++) {
		struct setting *setting = &settings[i];
		char before[sizeof(setting->value)];

		if (read_text(setting->path, before, sizeof(before)) ||
		    write_text(setting->path, setting->value))
			return false;
		memcpy(setting->value, before, sizeof(before));
	}
	return true;
}

/* The base is on a page of its own, which the loop does not use meanwhile. */
static void *spin_on_two_stacks(void *unused)
{
	char *sp = (char *)new_pages(0x10000) + 0xf000;

	(void)unused;
	for (;;)
		switch_to(3, 200 * LOOPS, sp);
	return NULL;
}

static int spin_in_threads(unsigned long unused)
{
	pthread_t thread;

	(void)unused;
	if (pthread_create(&thread, NULL, spin_on_two_stacks, NULL))
		return 1;
	spin_on_two_stacks(NULL);
	return 0;
}

/* Of samples in user mode: all, and those with PROFIL_WALK_FAULT */
static void count_walks(const struct table *table, __u64 sums[2])
{
	struct stack stack;

	FOR_EACH_STACK(table, &stack)
	{
		if (stack.keys[stack.nr - 1] & PROFIL_KEY_KERNEL)
			continue;
		sums[0] += stack.count;
		if (stack.end == PROFIL_WALK_FAULT)
			sums[1] += stack.count;
	}
}

TEST_F(one_table, stacks_are_whole_under_numa_balancing)
{
	unsigned long long before = hints();
	__u64 sums[2] = { 0 };
	struct table *table;
	pid_t pid;

	if (!HAVE_STACKS || !has_nodes() || !balancing_change())
		SKIP(return, "no code for this processor, or one NUMA node");
	table = begin_stacks(self, 0, STACK_LOG2);
	pid = child_that_waits(spin_in_threads, 0);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(hints() - before >= 100, sleep_ns(STEP_NS)));
	EXPECT_TRUE(EVENTUALLY(counted_in_user_mode(table) >= 2000,
			       sleep_ns(STEP_NS)));
	kill_child(pid);
	EXPECT_TRUE(balancing_change());
	take(table, 0);
	count_walks(table, sums);
	EXPECT_LE(sums[1] * 1000, sums[0]);
	TH_LOG("%llu samples, %llu without a stack, %llu faults", sums[0],
	       sums[1], hints() - before);
}

static __u64 file_sp;

static int spin_on_a_file(unsigned long unused)
{
	(void)unused;
	for (;;)
		spin_with(file_sp, LOOPS, 0, 0);
	return 0;
}

/* A walk that read it would wait for its server. */
TEST_F(one_table, a_page_of_a_server_is_left_alone)
{
	int file, how[] = { MAP_SHARED, MAP_PRIVATE };
	struct table *table;
	struct fuse fuse;

	if (!HAVE_STACKS || !has_nodes())
		SKIP(return, "no code for this processor, or one NUMA node");
	file = fuse_open_private(&fuse, MOUNT_POINT, FUSE_STUCK);
	if (file < 0)
		SKIP(return, "no FUSE");
	table = begin_stacks(self, 0, STACK_LOG2);
	for (int i = 0; i < 2; i++) {
		char *pages = mmap(NULL, 2 * FUSE_STUCK_FROM, PROT_READ, how[i],
				   file, 0);

		ASSERT_NE(MAP_FAILED, pages);
		file_sp = (uintptr_t)pages + FUSE_STUCK_FROM;
		run_for(table, spin_on_a_file, 0, 200);
		EXPECT_LT(150, table->taken.walk_fault);
	}
	close(file);
	fuse_unmount(&fuse);
}

TEST_HARNESS_MAIN
