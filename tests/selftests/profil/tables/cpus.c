// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table samples each CPU, also one that was offline, beside other tables and sessions.
 */
#include "one_table.h"

#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"

/* The samples at site @nr of this program in the half that was taken last */
static __u64 at_site(const struct table *table, unsigned int nr)
{
	struct place place =
		own_place((const char *)site(nr) + SITE_LOOP, false);

	return table_samples(table, &place.file, place.offset, false);
}

/* Several ticks */
#define STEP_NS (20 * NSEC_PER_MSEC)

/* Spin at a site until three samples of it are in one TAKE. */
static bool is_sampled(struct table *table, unsigned int nr)
{
	return EVENTUALLY((take(table, 0), at_site(table, nr) >= 3),
			  spin(nr, STEP_NS));
}

static void expect_sampled(struct table *table, unsigned int cpu)
{
	ASSERT_OK(run_on(0, cpu));
	EXPECT_TRUE(is_sampled(table, cpu));
}

static void check_each_cpu(one_table_data *self, __u64 period_ns)
{
	struct table *table = begin(self, 0, period_ns);
	unsigned int cpu, nr = sysconf(_SC_NPROCESSORS_ONLN);

	for (cpu = 0; cpu < nr && cpu < NR_SITES; cpu++)
		expect_sampled(table, cpu);
	take_last(table);
}

TEST_F(one_table, every_cpu_is_sampled)
{
	check_each_cpu(self, 0);
	check_each_cpu(self, FAST_NS);
}

static void check_unplugged(one_table_data *self, __u64 period_ns)
{
	struct table *table = begin(self, 0, period_ns);

	for (unsigned int round = 0; round < 3; round++) {
		ASSERT_OK(write_text(CPU1_ONLINE, "0"));
		expect_sampled(table, 0);
		ASSERT_OK(write_text(CPU1_ONLINE, "1"));
		expect_sampled(table, 1);
	}
	take_last(table);
}

TEST_F(one_table, table_survives_cpu_hotplug)
{
	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can go offline");
	ASSERT_OK(busy_threads_begin(2, 30, true));
	check_unplugged(self, 0);
	check_unplugged(self, FAST_NS);
	busy_threads_end();
}

/* TABLE while the CPU is offline; the CPU is sampled once it is online. */
TEST_F(one_table, cpu_onlined_later_is_sampled)
{
	struct table *table;

	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can go offline");
	ASSERT_OK(write_text(CPU1_ONLINE, "0"));
	table = begin(self, 0, FAST_NS);
	ASSERT_OK(write_text(CPU1_ONLINE, "1"));
	expect_sampled(table, 1);
	take_last(table);
}

/*
 * A sample waits for the end of a call that moves its task to CPU 1, and is looked up there;
 * the mappings have changed before the call. That back to CPU 0 has samples that do not wait.
 */
static int move_to_and_fro(unsigned long unused)
{
	int fd = code_file(NULL);
	cpu_set_t sets[2];

	(void)unused;
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		CPU_ZERO(&sets[cpu]);
		CPU_SET(cpu, &sets[cpu]);
	}
	for (;;) {
		munmap((void *)code_map(fd, NULL), SITES_BYTES);
		do_call(SYS_sched_setaffinity, 0, sizeof(sets[1]),
			(long)&sets[1]);
		do_call(SYS_sched_setaffinity, 0, sizeof(sets[0]),
			(long)&sets[0]);
	}
	return 0;
}

/* More samples than a CPU has room for, none of which is lost for lack of it */
#define MOVED_SAMPLES 1000

static bool have_moved(struct table *table, __u64 *samples)
{
	struct place place = own_place(after_call, true);

	take(table, 0);
	*samples += table_samples(table, &place.file, place.offset, true);
	return *samples >= MOVED_SAMPLES;
}

TEST_F(one_table, room_of_a_moved_sample_returns_to_its_cpu)
{
	struct table *table = begin(self, PROFIL_TABLE_TREE, FAST_NS);
	pid_t pid = child_that_waits(move_to_and_fro, 0);
	__u64 samples = 0;

	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(have_moved(table, &samples),
			       sleep_ns(20 * NSEC_PER_MSEC)));
	EXPECT_EQ(0, table->sum.no_item);
	kill_child(pid);
}

/* Tables of several periods and a session count the same program. */
TEST_F(one_table, tables_and_a_session_do_not_disturb_each_other)
{
	static const __u64 periods[] = { 0, FAST_NS, 10 * FAST_NS };
	void *counters = new_pages(page_size());
	struct table tables[3];

	for (unsigned int i = 0; i < 3; i++)
		ASSERT_OK(table_begin(&tables[i], self->fd,
				      table_args(0, periods[i])));
	ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
	for (unsigned int i = 0; i < 3; i++)
		EXPECT_TRUE(is_sampled(&tables[i], 7));
	EXPECT_TRUE(spin_until(7, counters, 4, 3));
	for (unsigned int i = 0; i < 3; i++) {
		take_last(&tables[i]);
		table_end(&tables[i]);
	}
	stop_and_check(self->fd, counters);
}

TEST_HARNESS_MAIN
