// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions of all kinds on all CPUs while the machine is suspended: in a kernel
 * with pm_test as far as each of its levels, else to memory until the alarm of
 * the machine's clock.
 */
#include "harness.h"
#include "table.h"

#define STATE "/sys/power/state"
#define PM_TEST "/sys/power/pm_test"
#define PM_TEST_DELAY "/sys/module/suspend/parameters/pm_test_delay"
#define WAKEUP_COUNT "/sys/power/wakeup_count"
#define ALARM "/sys/class/rtc/rtc0/wakealarm"

/* Attempts to suspend: an alarm that is too early prevents it. */
#define TRIES 5

/*
 * Suspend to memory until the alarm, six seconds ahead, and twice as many in each further
 * attempt. The count of wakeups has the kernel refuse if the alarm comes first.
 */
static int suspend_until_alarm(void)
{
	int error = -EBUSY, tries;

	for (tries = 0; tries < TRIES && error == -EBUSY; tries++) {
		char wakeups[32], ahead[16];

		snprintf(ahead, sizeof(ahead), "+%d", 6 << tries);
		error = write_text(ALARM, "0");
		if (!error)
			error = read_text(WAKEUP_COUNT, wakeups,
					  sizeof(wakeups));
		if (!error)
			error = write_text(ALARM, ahead);
		if (!error)
			error = write_text(WAKEUP_COUNT, wakeups);
		if (!error)
			error = write_text(STATE, "mem");
	}
	return error;
}

static void spin_on_each_cpu(const profil_data *self)
{
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF);

	EXPECT_EQ(nr, sysconf(_SC_NPROCESSORS_ONLN));
	for (cpu = 0; cpu < nr; cpu++) {
		__u64 before = counter(self->counters, 4, 40);

		ASSERT_OK(run_on(0, cpu));
		EXPECT_TRUE(spin_until(40, self->counters, 4, before + 3));
	}
}

/*
 * A program with a thread for each CPU, a session of its own and a table that has it,
 * which count at the same time.
 */
struct program {
	pid_t pid;
	void *own;
	struct table table;
	__u64 period_ns;
};

static int profile_threads(void *argument)
{
	const struct program *program = argument;
	unsigned int at = 7;
	int fd = device_open();

	if (start_sites(fd, program->own, 4, program->period_ns) ||
	    busy_threads_begin(busy_threads_for_all_cpus() - 1, 7, false))
		return 1;
	return spin_forever(at);
}

static void begin_program(struct program *program, int fd, __u64 own_ns,
			  __u64 table_ns)
{
	program->period_ns = own_ns;
	program->own = new_shared(page_size());
	program->pid = tracee_new(profile_threads, program);
	ASSERT_OK(table_begin(&program->table, fd,
			      table_args(PROFIL_TABLE_TREE, table_ns)));
	ASSERT_OK(table_add(&program->table, program->pid, 0));
	tracee_release(program->pid);
}

static void check_program(struct program *program)
{
	__u64 own = counter(program->own, 4, 7) + 5;
	__u64 hits = program->table.sum.hits + 5;

	EXPECT_TRUE(WAIT_FOR(counter(program->own, 4, 7) >= own));
	EXPECT_TRUE(WAIT_FOR(!table_take(&program->table, 0) &&
			     program->table.sum.hits >= hits));
}

static void end_program(struct program *program)
{
	kill_child(program->pid);
	EXPECT_OK(table_take(&program->table, PROFIL_TAKE_LAST));
	EXPECT_TRUE(table_adds_up(&program->table));
	table_end(&program->table);
}

/* Suspend as @level of pm_test says, or until the alarm. */
static void suspend(const char *level, const char *state)
{
	if (!level) {
		EXPECT_OK(suspend_until_alarm());
		return;
	}
	TH_LOG("%s %s", level, state);
	ASSERT_OK(write_text(PM_TEST, level));
	EXPECT_OK(write_text(STATE, state));
	EXPECT_OK(write_text(PM_TEST, "none"));
}

static const struct {
	const char *level;
	const char *state;
} levels[] = {
	{ "freezer", "mem" },	 { "devices", "mem" }, { "platform", "freeze" },
	{ "processors", "mem" }, { "core", "mem" },
};

static void suspend_and_check(const profil_data *self,
			      struct program programs[2], const char *level,
			      const char *state)
{
	suspend(level, state);
	spin_on_each_cpu(self);
	for (unsigned int i = 0; i < 2; i++)
		check_program(&programs[i]);
}

/* TEXT has the begin by the clock of boot time, which includes time suspended. */
static void check_begin(int fd)
{
	pid_t pid = child_that_spins(9);
	struct table_row row = {};
	struct table table;
	bool found = false;

	ASSERT_OK(table_begin(&table, fd,
			      table_args(PROFIL_TABLE_TREE, FAST_NS)));
	ASSERT_OK(table_add(&table, pid, 0));
	kill(pid, SIGCONT);
	ASSERT_TRUE(WAIT_FOR(!table_take(&table, 0) && table.taken.hits));
	FOR_EACH_ROW(&table, &row)
	{
		EXPECT_EQ(start_of_process(pid),
			  row.text.begin_ns / (10 * NSEC_PER_MSEC));
		found = true;
	}
	EXPECT_TRUE(found);
	kill_child(pid);
	table_end(&table);
}

TEST_F(profil, sessions_survive_suspend)
{
	struct program programs[2];

	if (geteuid() || access(STATE, W_OK) ||
	    (access(PM_TEST, W_OK) && access(ALARM, W_OK)))
		SKIP(return, "needs root, and pm_test or a clock with alarm");
	begin_program(&programs[0], self->fd, 0, FAST_NS);
	begin_program(&programs[1], self->fd, FAST_NS, 0);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	if (access(PM_TEST, W_OK)) {
		suspend_and_check(self, programs, NULL, "mem");
		check_begin(self->fd);
	} else {
		write_text(PM_TEST_DELAY, "1");
		for (size_t i = 0; i < ARRAY_LENGTH(levels); i++)
			suspend_and_check(self, programs, levels[i].level,
					  levels[i].state);
	}
	stop_and_check(self->fd, self->counters);
	end_program(&programs[0]);
	end_program(&programs[1]);
}

TEST_HARNESS_MAIN
