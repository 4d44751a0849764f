// SPDX-License-Identifier: GPL-2.0-only
/*
 * TAKE: no sample is lost or doubled, the half that was taken rests, and a table without a
 * reader counts what it has no room for.
 */
#include "one_table.h"

#include <poll.h>

#define TAKES 50

/* Code that runs through this many instructions, each a PC of its own */
#define LONG_CODE 0x400000UL

static void take_often(struct table *table)
{
	for (unsigned int i = 0; i < TAKES; i++) {
		__u32 before = table->taken.half;

		take(table, 0);
		EXPECT_GE(1, table->taken.half);
		if (i)
			EXPECT_NE(before, table->taken.half);
		spin(3, NSEC_PER_MSEC);
	}
}

/* Nothing is taken any more, by TAKE either. */
static void take_nothing_more(struct table *table)
{
	__u64 ticks;

	take_last(table);
	ticks = table->sum.ticks;
	spin(3, 10 * NSEC_PER_MSEC);
	take(table, 0);
	EXPECT_EQ(ticks, table->sum.ticks);
	EXPECT_EQ(0, table->taken.counters);
}

static void check_takes(one_table_data *self, __u32 flags, __u64 period_ns)
{
	struct table *table = begin(self, flags, period_ns);

	ASSERT_OK(busy_threads_begin(busy_threads_for_all_cpus(), 5, true));
	take_often(table);
	take_nothing_more(table);
	busy_threads_end();
	TH_LOG("%llu ticks, %llu hits, %llu kernel, %llu idle, %llu no item",
	       table->sum.ticks, table->sum.hits, table->sum.kernel_pcs,
	       table->sum.idle, table->sum.no_item);
	EXPECT_LT(0, table->sum.hits);
	EXPECT_EQ(0,
		  table->sum.full + table->sum.no_memory + table->sum.filtered);
}

TEST_F(one_table, takes_lose_no_sample)
{
	check_takes(self, 0, FAST_NS);
	check_takes(self, PROFIL_TABLE_THREADS, FAST_NS);
	check_takes(self, 0, 0);
	check_takes(self, PROFIL_TABLE_KERNEL_PCS, FAST_NS);
}

/* A CPU without a task has no timer, so a period of its own sees no idle CPU. */
TEST_F(one_table, own_period_samples_no_idle_cpu)
{
	struct table *table = begin(self, 0, FAST_NS);

	sleep_ns(200 * NSEC_PER_MSEC);
	take(table, 0);
	EXPECT_EQ(0, table->taken.idle);
}

/* TAKE until there are samples whose code is known. */
static bool has_samples(struct table *table)
{
	return EVENTUALLY((take(table, 0), table->taken.texts),
			  spin(3, 20 * NSEC_PER_MSEC));
}

TEST_F(one_table, half_rests_once_it_is_taken)
{
	size_t bytes =
		((size_t)1 << TABLE_LOG2) * sizeof(struct profil_counter);
	void *copy = new_pages(bytes);
	struct table *table = begin(self, 0, FAST_NS);

	ASSERT_OK(busy_threads_begin(busy_threads_for_all_cpus(), 5, true));
	EXPECT_TRUE(has_samples(table));
	memcpy(copy, table_half(table), bytes);
	spin(3, 50 * NSEC_PER_MSEC);
	EXPECT_EQ(0, memcmp(copy, table_half(table), bytes));
	busy_threads_end();
}

/* Every ID of the half has an answer, and no other number. */
static void check_ids(const struct table *table)
{
	const __u32 wrong_texts[] = { 0, table->taken.texts + 1, 0x1fffffff,
				      ~0U };
	const __u32 wrong_names[] = { 0, table->taken.names + 1, 0x1fffffff,
				      ~0U };
	struct profil_text text;
	struct profil_name name;

	for (__u32 id = 1; id <= table->taken.texts; id++) {
		EXPECT_OK(table_text(table, id, &text));
		EXPECT_GE(table->taken.names, text.program);
		EXPECT_GE(table->taken.names, text.file);
		EXPECT_GE(table->taken.names, text.cgroup);
	}
	for (__u32 id = 1; id <= table->taken.names; id++) {
		EXPECT_OK(table_name(table, id, &name, NULL, 0));
		EXPECT_EQ(0, name.reserved);
	}
	for (__u32 i = 0; i < 4; i++) {
		EXPECT_EQ(-EINVAL, table_text(table, wrong_texts[i], &text));
		EXPECT_EQ(-EINVAL,
			  table_name(table, wrong_names[i], &name, NULL, 0));
	}
}

TEST_F(one_table, ids_begin_with_1)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct table_row row;

	EXPECT_TRUE(has_samples(table));
	check_ids(table);
	FOR_EACH_ROW(table, &row)
	EXPECT_OK(row.error);
	take(table, PROFIL_TAKE_LAST);
	check_ids(table);
	take(table, 0);
	check_ids(table);
}

/* Two holders of a descriptor: each can see that the other has made a TAKE. */
TEST_F(one_table, sequence_counts_takes_by_all_holders)
{
	struct table *table = begin(self, 0, FAST_NS), other = *table;

	other.fd = dup(table->fd);
	ASSERT_LE(0, other.fd);
	for (__u64 i = 1; i <= 3; i++) {
		ASSERT_OK(table_take(table, 0));
		EXPECT_EQ(i, table->taken.sequence);
	}
	ASSERT_OK(table_take(&other, 0));
	EXPECT_EQ(4, other.taken.sequence);
	ASSERT_OK(table_take(table, PROFIL_TAKE_LAST));
	EXPECT_EQ(5, table->taken.sequence);
	EXPECT_FALSE(table_has_all_takes(table));
	ASSERT_OK(table_take(&other, PROFIL_TAKE_LAST));
	EXPECT_EQ(6, other.taken.sequence);
	close(other.fd);
}

/* The index of the counter of @key in the half that was taken last, or that of none */
static size_t place_of(const struct table *table, __u64 key)
{
	const struct profil_counter *half = table_half(table);
	size_t at = 0;

	while (at < table->nr && half[at].key != key)
		at++;
	return at;
}

/* TAKE: the key of the site in the first text, where samples have given it one */
static __u64 key_of_site(struct table *table, unsigned int nr)
{
	__u64 offset = offset_of((const char *)site(nr) + SITE_LOOP);
	__u64 key = 1ULL << 32 | (__u32)offset;

	take(table, 0);
	return place_of(table, key) < table->nr ? key : 0;
}

/*
 * A tree has one program, whose samples at one PC have one key in each interval. Its place
 * changes: who chooses PCs does not know where their counters are.
 */
#define PLACES 16

TEST_F(one_table, counter_has_another_place_after_each_take)
{
	struct table *table = begin(self, PROFIL_TABLE_TREE, FAST_NS);
	size_t places[PLACES], different = 0;
	pid_t pid = child_that_spins(3);

	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	for (unsigned int i = 0; i < PLACES; i++) {
		__u64 key = 0;
		bool seen = false;

		ASSERT_TRUE(EVENTUALLY((key = key_of_site(table, 3)),
				       sleep_ns(10 * NSEC_PER_MSEC)));
		places[i] = place_of(table, key);
		for (unsigned int j = 0; j < i; j++)
			seen |= places[j] == places[i];
		different += !seen;
	}
	TH_LOG("%zu different places in %u intervals", different, PLACES);
	EXPECT_LE(PLACES * 3 / 4, different);
	kill_child(pid);
}

/* A table without a reader */
#if defined(__x86_64__)
#define NOTHING "\x90"
#define RETURN "\xc3"
#elif defined(__aarch64__)
#define NOTHING "\x1f\x20\x03\xd5"
#define RETURN "\xc0\x03\x5f\xd6"
#endif
#define INSTRUCTION_BYTES (sizeof(NOTHING) - 1)

/*
 * A mapped file of instructions that do nothing. An emulator takes interrupts once in a
 * few hundred of them, so they are many.
 */
static void (*long_code(void))(void)
{
	int fd = memfd_create("code", MFD_CLOEXEC);
	char *code;
	size_t i;

	EXPECT_OK(ftruncate(fd, LONG_CODE));
	code = mmap(NULL, LONG_CODE, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_SHARED, fd, 0);
	close(fd);
	if (code == MAP_FAILED)
		_exit(1);
	for (i = 0; i < LONG_CODE; i += INSTRUCTION_BYTES)
		memcpy(code + i, NOTHING, INSTRUCTION_BYTES);
	memcpy(code + i - INSTRUCTION_BYTES, RETURN, INSTRUCTION_BYTES);
	return (void (*)(void))code;
}

static pid_t run_long_code(void)
{
	pid_t child = fork();
	void (*code)(void);

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	code = long_code();
	for (;;) {
		code();
		for (int i = 0; i < 1000; i++)
			sched_yield();
	}
}

/* The smallest table, which is soon full */
static struct table *begin_small(one_table_data *self, __u32 flags)
{
	struct profil_table args = table_args(flags, FAST_NS);

	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	return begin_with(self, args);
}

TEST_F(one_table, poll_reports_a_table_that_is_half_full)
{
	struct table *table = begin_small(self, 0);
	pid_t poller, child;

	EXPECT_EQ(0, table_events(table));
	poller = table_poller(table, POLLIN);
	child = run_long_code();
	EXPECT_EQ(POLLIN, table_polled(poller));
	kill_child(child);
	take(table, 0);
	TH_LOG("%u counters, %llu full", table->taken.counters,
	       table->taken.full);
	EXPECT_LE(table->nr / 2, table->taken.counters);
	EXPECT_EQ(0, table_events(table));
}

TEST_F(one_table, samples_without_room_are_counted)
{
	struct table *table = begin_small(self, PROFIL_TABLE_KERNEL_PCS);
	__u64 ns = NSEC_PER_SEC;
	pid_t child;

	child = run_long_code();
	/* Until a TAKE has samples without room; there was no TAKE for @ns. */
	while (sleep_ns(ns), take(table, 0),
	       !(table->taken.full && table->taken.kernel_full) &&
		       ns < TIMEOUT_NS)
		ns *= 2;
	TH_LOG("%u counters, %llu full", table->taken.counters,
	       table->taken.full);
	EXPECT_LT(0, table->taken.full);
	EXPECT_LT(0, table->taken.kernel_full);
	EXPECT_LE(table->nr / 2, table->taken.counters);
	EXPECT_GE(table->nr, table->taken.counters);
	kill_child(child);
	take_nothing_more(table);
}

/* Execute a new file whose name is as long as names of files can be. */
static void execute_long_name(const struct folder *folder, unsigned int nr)
{
	const char *code;
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/%0200u", folder->path, nr);
	fd = code_file(path);
	code = code_map(fd, NULL);
	ASSERT_NE(NULL, code);
	spin_at(code, 4 * FAST_NS);
	munmap((void *)code, SITES_BYTES);
	close(fd);
}

/* The memory for names is as much as that of the counters. */
TEST_F(one_table, names_without_room_are_counted)
{
	struct table *table = begin_small(self, 0);
	struct folder folder = folder_new();
	unsigned int nr = 0;

	EXPECT_TRUE(EVENTUALLY(table_events(table) == POLLIN,
			       execute_long_name(&folder, nr++)));
	take(table, 0);
	TH_LOG("%u files, %u names, %u counters", nr, table->taken.names,
	       table->taken.counters);
	EXPECT_GT(table->nr / 2, table->taken.counters);
	EXPECT_EQ(0, table->taken.full);
	for (nr = 0; nr < 200; nr++)
		execute_long_name(&folder, nr);
	take(table, 0);
	TH_LOG("%u names, %llu full", table->taken.names, table->taken.full);
	EXPECT_LT(0, table->taken.full);
	EXPECT_GT(table->nr, table->taken.counters);
	/* The next half has room, and the one that was full, when it is in use again. */
	for (unsigned int half = 0; half < 2; half++) {
		__u64 before = table_counted(table);

		EXPECT_TRUE(EVENTUALLY(table_counted(table) > before,
				       execute_long_name(&folder, nr++)));
		take(table, 0);
		EXPECT_EQ(0, table->taken.full);
	}
	take_last(table);
	folder_end(&folder);
}

/* More mappings than the driver keeps in mind */
TEST_F(one_table, very_many_mappings_of_a_file_are_sampled)
{
	struct table *table = begin(self, 0, FAST_NS);
	int fd = code_file(NULL);

	for (int i = 0; i < 100; i++)
		spin_at(code_map(fd, NULL), 4 * FAST_NS);
	take_last(table);
	EXPECT_EQ(0, table->sum.unmapped + table->sum.no_memory);
}

TEST_HARNESS_MAIN
