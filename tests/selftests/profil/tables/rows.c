// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of files in tables with callers: which are refused, in what order, and how many
 * there may be.
 */
#include <stdatomic.h>

#include "fault_order.h"
#include "rows_table.h"

#define MANY 5000

/* Errors of the structure */
struct rows_attempt {
	union {
		struct profil_rows rows;
		char bytes[128];
	};
	struct profil_row array[2];
};

#define AT(place) FAULT_AT(struct rows_attempt, place)

static const struct fault rows_faults[] = {
	{ "size short", AT(rows.size), 55, EINVAL },
	{ "size huge", AT(rows.size), 0x80000000, E2BIG },
	{ "tail", .at = sizeof(struct profil_rows), .bytes = 1, 1, E2BIG },
	{ "rows", AT(rows.nr_rows), PROFIL_MAX_ROWS + 1, EINVAL },
	{ "kind 0", AT(rows.kind), 0, EINVAL },
	{ "kind of memory", AT(rows.kind), PROFIL_NAME_MEMORY, EINVAL },
	{ "kind of a cgroup", AT(rows.kind), PROFIL_NAME_CGROUP, EINVAL },
	{ "special device", AT(rows.kind), PROFIL_NAME_SPECIAL, EINVAL },
	{ "no room", AT(rows.nr_rows), PROFIL_MAX_ROWS, EFBIG },
	{ "no memory there", AT(rows.rows), 8, EFAULT },
	{ "rule", AT(array[0].rule), SP(0), EINVAL },
	{ "rbx", AT(array[1].bx), 1, EINVAL },
	{ "order", AT(array[1].offset), 0, EINVAL },
};

static int load_with(int table, const struct fault *first,
		     const struct fault *second)
{
	static struct rows_attempt attempt;

	memset(&attempt, 0, sizeof(attempt));
	attempt.rows = (struct profil_rows){
		.size = sizeof(attempt.bytes),
		.kind = PROFIL_NAME_FILE,
		.device = 1,
		.nr_rows = 2,
		.rows = (uintptr_t)attempt.array,
	};
	attempt.array[0].rule = SP(8);
	attempt.array[1] = (struct profil_row){ 16, SP_SAVED(16), -2, 0 };
	if (second)
		fault_apply(&attempt, second);
	if (first)
		fault_apply(&attempt, first);
	return call(table, PROFIL_TABLE_IOC_ROWS, &attempt.rows);
}

TEST_F(rows, errors_of_rows_come_in_order)
{
	struct table other;

	check_fault_order(self->table.fd, load_with, rows_faults,
			  ARRAY_LENGTH(rows_faults), 0);
	EXPECT_OK(load_with(self->table.fd, NULL, NULL));
	EXPECT_EQ(-EFAULT, call(self->table.fd, PROFIL_TABLE_IOC_ROWS, NULL));
	ASSERT_OK(table_begin(&other, self->fd, tree_args(0)));
	EXPECT_EQ(-EINVAL, load_with(other.fd, NULL, NULL));
	EXPECT_EQ(-EINVAL, load_with(other.fd, &rows_faults[9], NULL));
	EXPECT_EQ(-EINVAL, call(other.fd, PROFIL_TABLE_IOC_WANTED,
				&(struct profil_wanted){ .size = 88 }));
	table_end(&other);
}

/* Flags */
static int open_with(int fd, __u32 flags, __u32 log2)
{
	struct profil_table args = table_args(flags, FAST_NS);
	int table;

	args.counters_log2 = log2;
	table = table_open(fd, &args);
	return table < 0 ? table : close(table);
}

TEST_F(rows, callers_have_fewer_counters)
{
	const __u32 callers = PROFIL_TABLE_CALLERS, tree = PROFIL_TABLE_TREE,
		    most = PROFIL_CALLERS_MAX_LOG2;

	EXPECT_OK(open_with(self->fd, callers, PROFIL_TABLE_MIN_LOG2));
	EXPECT_OK(open_with(self->fd, callers | tree, PROFIL_TREE_MAX_LOG2));
	EXPECT_EQ(-EINVAL, open_with(self->fd, callers, most + 1));
	EXPECT_EQ(-EINVAL, open_with(self->fd, callers | tree, most + 1));
	EXPECT_OK(open_with(self->fd,
			    callers | PROFIL_TABLE_KERNEL_PCS |
				    PROFIL_TABLE_THREADS |
				    PROFIL_TABLE_ADDRESSES,
			    PROFIL_TABLE_MIN_LOG2));
}

/* Rows of a file: any of them may be wrong, and any of them may be missing in memory. */
TEST_F(rows, each_row_is_checked)
{
	struct profil_row *rows = some_rows(MANY);

	for (__u32 at = 0; at < MANY; at += at < 4 || at > 4090 ? 1 : 511) {
		struct profil_row saved = rows[at];

		rows[at].bp = 1;
		EXPECT_EQ(-EINVAL,
			  table_load(&self->table, self->program, rows, MANY));
		rows[at] = saved;
		if (!at)
			continue;
		rows[at].offset = rows[at - 1].offset;
		EXPECT_EQ(-EINVAL,
			  table_load(&self->table, self->program, rows, MANY));
		rows[at] = saved;
	}
	/* Nothing has been loaded. */
	EXPECT_EQ(-ENOENT, table_load(&self->table, self->program, NULL, 0));
	EXPECT_OK(table_load(&self->table, self->program, rows, MANY));
	EXPECT_OK(table_load(&self->table, self->program, NULL, 0));
	EXPECT_EQ(-ENOENT, table_load(&self->table, self->program, NULL, 0));
}

TEST_F(rows, rows_beyond_memory_are_refused)
{
	size_t bytes = 8192 * sizeof(struct profil_row);
	struct profil_row *rows = new_at_hole(bytes);

	memcpy(rows, some_rows(8192), bytes);
	EXPECT_OK(table_load(&self->table, self->program, rows, 8192));
	EXPECT_EQ(-EFAULT, table_load(&self->table, self->program, rows, 8193));
	EXPECT_EQ(-EFAULT,
		  table_load(&self->table, self->program, rows + 8191, 2));
	/* The rows that were loaded before are there. */
	EXPECT_OK(table_load(&self->table, self->program, NULL, 0));
}

/* Which file it is: by a descriptor, by numbers, or by name */
TEST_F(rows, file_is_named_by_a_descriptor)
{
	int path = open("/proc/self/exe", O_PATH | O_CLOEXEC), no = dup(path);
	struct profil_rows key = { .kind = PROFIL_ROWS_BY_FD };
	int ends[2];

	close(no);
	ASSERT_LE(0, path);
	EXPECT_EQ(-EBADF, table_load(&self->table, no, some_rows(1), 1));
	EXPECT_EQ(-EBADF, table_load(&self->table, -1, some_rows(1), 1));
	EXPECT_EQ(-EBADF, table_load(&self->table, path, some_rows(1), 1));
	key.inode = 0x100000000 | (__u32)self->program;
	EXPECT_EQ(-EBADF, load_key(&self->table, key, 1));
	key.inode = (__u64)self->program;
	EXPECT_OK(load_key(&self->table, key, 1));
	for (int i = 0; i < 4; i++) {
		struct profil_rows wrong = key;

		*(i == 0 ? &wrong.device :
		  i == 1 ? &wrong.file_size :
			   &wrong.mtime_ns) = i < 3;
		wrong.generation = i == 3;
		EXPECT_EQ(-EINVAL, load_key(&self->table, wrong, 1));
		wrong.kind = PROFIL_NAME_SPECIAL;
		EXPECT_EQ(-EINVAL, load_key(&self->table, wrong, 1));
	}
	/* A pipe is a file without text, whose rows no walk uses. */
	ASSERT_OK(pipe2(ends, O_CLOEXEC));
	EXPECT_OK(table_load(&self->table, ends[0], some_rows(1), 1));
	close(ends[0]);
	close(ends[1]);
	close(path);
}

TEST_F(rows, rows_are_of_one_version_of_a_file)
{
	struct profil_rows key = { .kind = PROFIL_NAME_FILE, .inode = 7 };
	struct profil_rows vdso = { .kind = PROFIL_NAME_SPECIAL };

	memcpy(&vdso.inode, "[vdso]", 6);
	EXPECT_OK(load_key(&self->table, vdso, 1));
	EXPECT_OK(load_key(&self->table, key, 1));
	for (int i = 0; i < 5; i++) {
		struct profil_rows other = key;

		if (i == 4)
			other.generation = 1;
		else
			*(i == 0 ? &other.device :
			  i == 1 ? &other.inode :
			  i == 2 ? &other.file_size :
				   &other.mtime_ns) = 1;
		EXPECT_EQ(-ENOENT, load_key(&self->table, other, 0));
	}
	key.kind = PROFIL_NAME_SPECIAL;
	EXPECT_EQ(-ENOENT, load_key(&self->table, key, 0));
	EXPECT_OK(load_key(&self->table, vdso, 0));
}

/* Rows belong to the table, and not to a half. */
TEST_F(rows, rows_stay_over_take)
{
	EXPECT_OK(table_load(&self->table, self->program, some_rows(3), 3));
	ASSERT_OK(table_take(&self->table, 0));
	ASSERT_OK(table_take(&self->table, PROFIL_TAKE_LAST));
	EXPECT_OK(table_load(&self->table, self->program, some_rows(9), 9));
	EXPECT_OK(table_load(&self->table, self->program, NULL, 0));
}

/* Limits */
#define MIB 0x100000U
#define ROWS_OF_MIB (MIB / sizeof(struct profil_row))

/* Load rows of a MiB for one file after the other; the number of files */
static unsigned int fill(const struct table *table, __u32 nr)
{
	struct profil_rows key = { .kind = PROFIL_NAME_FILE };
	unsigned int files = 0;
	int result;

	key.size = sizeof(key);
	key.rows = (uintptr_t)some_rows(nr);
	key.nr_rows = nr;
	while (!(result = call(table->fd, PROFIL_TABLE_IOC_ROWS, &key))) {
		key.inode++;
		files++;
	}
	EXPECT_EQ(-ENOSPC, result);
	return files;
}

/* Rows that are wrong, or cannot be read, leave the room as it was, however many come. */
static void fail_to_load(const struct table *table)
{
	struct profil_row *rows = some_rows(ROWS_OF_MIB);
	struct profil_rows key = { .size = sizeof(key),
				   .kind = PROFIL_NAME_FILE,
				   .nr_rows = ROWS_OF_MIB };

	rows[ROWS_OF_MIB - 1].offset = 0;
	for (int i = 0; i < 40; i++) {
		key.rows = i % 2 ? (uintptr_t)rows : 16;
		EXPECT_EQ(i % 2 ? -EINVAL : -EFAULT,
			  call(table->fd, PROFIL_TABLE_IOC_ROWS, &key));
	}
	free(rows);
}

TEST_F(rows, memory_of_rows_is_limited)
{
	struct profil_rows key = { .kind = PROFIL_NAME_FILE };
	struct table machine;
	unsigned int files;

	fail_to_load(&self->table);
	files = fill(&self->table, ROWS_OF_MIB);
	/* An index is an eighth of its rows at most. */
	EXPECT_LE(14, files);
	EXPECT_GE(16, files);
	EXPECT_EQ(-ENOSPC, load_key(&self->table, key, ROWS_OF_MIB));
	EXPECT_OK(load_key(&self->table, key, 0));
	EXPECT_OK(load_key(&self->table, key, ROWS_OF_MIB));
	ASSERT_OK(table_begin(&machine, self->fd, callers_args(0)));
	files = fill(&machine, 2 * ROWS_OF_MIB);
	EXPECT_LE(28, files);
	EXPECT_GE(32, files);
	table_end(&machine);
}

/* A row is charged as a page: there are no long lists of files. */
TEST_F(rows, number_of_files_is_limited)
{
	EXPECT_EQ(4096, fill(&self->table, 1));
}

/* Threads that load, replace and remove the rows of a file at the same time */
static void *load_often(void *argument)
{
	const rows_data *self = argument;
	struct profil_row *rows = some_rows(100);

	for (unsigned int i = 0; i < 100; i++)
		EXPECT_TRUE(table_load(&self->table, self->program, rows,
				       i % 3 ? 1 + i : 0) != -EINVAL);
	return NULL;
}

TEST_F(rows, threads_load_at_the_same_time)
{
	pthread_t threads[4];

	for (size_t i = 0; i < ARRAY_LENGTH(threads); i++)
		ASSERT_OK(pthread_create(&threads[i], NULL, load_often, self));
	for (size_t i = 0; i < ARRAY_LENGTH(threads); i++)
		ASSERT_OK(pthread_join(threads[i], NULL));
	/* What was charged is free again. */
	table_load(&self->table, self->program, NULL, 0);
	EXPECT_EQ(4096, fill(&self->table, 1));
}

/* Each of many threads removes the rows of a file, for which it waits for the kernel. */
#define REMOVERS 200

struct removers {
	const struct table *table;
	pthread_barrier_t all;
	atomic_uint started;
};

struct remover {
	struct removers *removers;
	struct profil_rows rows;
};

static void *remove_rows(void *argument)
{
	struct remover *remover = argument;
	struct removers *removers = remover->removers;

	pthread_barrier_wait(&removers->all);
	atomic_fetch_add(&removers->started, 1);
	call(removers->table->fd, PROFIL_TABLE_IOC_ROWS, &remover->rows);
	return NULL;
}

static struct profil_rows rows_of_file(__u64 inode)
{
	return (struct profil_rows){
		.size = sizeof(struct profil_rows),
		.kind = PROFIL_NAME_FILE,
		.inode = inode,
	};
}

/* Be killed when all threads remove rows, most of which wait for others. */
static int remove_and_die(const struct table *table)
{
	static struct remover remover[REMOVERS];
	static struct removers removers;
	pthread_t thread;

	removers.table = table;
	pthread_barrier_init(&removers.all, NULL, REMOVERS + 1);
	for (unsigned int i = 0; i < REMOVERS; i++) {
		remover[i] = (struct remover){ &removers, rows_of_file(i) };
		if (pthread_create(&thread, NULL, remove_rows, &remover[i]))
			return 1;
	}
	pthread_barrier_wait(&removers.all);
	while (atomic_load(&removers.started) < REMOVERS)
		sched_yield();
	return kill(getpid(), SIGKILL);
}

TEST_F(rows, killed_program_does_not_wait_for_its_changes)
{
	unsigned int left = 0;
	int status;
	pid_t pid;

	for (unsigned int i = 0; i < REMOVERS; i++)
		ASSERT_OK(load_key(&self->table, rows_of_file(i), 1));
	pid = fork();
	if (!pid)
		_exit(remove_and_die(&self->table));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	for (unsigned int i = 0; i < REMOVERS; i++)
		left += !load_key(&self->table, rows_of_file(i), 0);
	TH_LOG("%u of %u files have their rows", left, REMOVERS);
	EXPECT_LE(REMOVERS / 2, left);
	/* What the killed ones did not change is not charged twice. */
	EXPECT_EQ(4096, fill(&self->table, 1));
}

/* A user without rights loads rows of any file, and learns nothing from that. */
TEST_F(rows, user_loads_rows_of_any_file)
{
	EXPECT_TRUE(PASSES_IN_CHILD(({
		struct profil_rows key = { .kind = PROFIL_NAME_FILE };
		struct profil_wanted wanted;
		struct table table;
		char path[256];

		ASSERT_OK(become_nobody());
		ASSERT_OK(table_begin(&table, self->fd,
				      callers_args(PROFIL_TABLE_TREE)));
		EXPECT_OK(load_key(&table, key, 1));
		EXPECT_EQ(-EPERM, table_add(&table, getppid(), 0));
		EXPECT_EQ(-EAGAIN, table_wanted(&table, &wanted, path));
	})));
}

TEST_HARNESS_MAIN
