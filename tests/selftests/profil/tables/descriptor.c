// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptors and mappings of tables, and how many there may be.
 */
#include "many_tables.h"

TEST_F(tables, ninth_table_is_refused)
{
	struct profil_table args = table_args(0, 0);
	int other;

	fill_up(self);
	EXPECT_EQ(-EBUSY, table_open(self->fd, &args));
	other = dup(self->open[0]);
	close(self->open[0]);
	EXPECT_EQ(-EBUSY, table_open(self->fd, &args));
	close(other);
	self->open[0] = self->open[--self->nr];
	open_one(self, 0);
	EXPECT_EQ(-EBUSY, table_open(self->fd, &args));
}

/* A table lives on in its mapping. */
TEST_F(tables, mapping_keeps_the_table)
{
	struct profil_table args = table_args(0, 0);
	struct profil_counter *kept;

	fill_up(self);
	kept = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, self->open[0], 0);
	ASSERT_NE(MAP_FAILED, kept);
	close(self->open[0]);
	EXPECT_EQ(-EBUSY, table_open(self->fd, &args));
	/* A sample of this moment may be in any of the counters. */
	for (size_t i = 0; i < page_size() / sizeof(*kept); i++)
		EXPECT_GT(kept[i].key ? 1000 : 1, kept[i].count);
	ASSERT_OK(munmap(kept, page_size()));
	self->open[0] = self->open[--self->nr];
	open_one(self, 0);
}

/* A forked child, which has neither mapping nor descriptor, keeps no table. */
TEST_F(tables, mapping_is_not_inherited)
{
	volatile char *state = new_shared(page_size());
	unsigned char resident;
	void *mapped;
	pid_t child;

	fill_up(self);
	mapped = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, self->open[0],
		      0);
	ASSERT_NE(MAP_FAILED, mapped);
	EXPECT_OK(mincore(mapped, page_size(), &resident));
	child = IN_CHILD(({
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close_range(3, ~0U, 0);
		*state = mincore(mapped, page_size(), &resident) &&
					 errno == ENOMEM ?
				 'n' :
				 'y';
		for (;;)
			pause();
		0;
	}));
	ASSERT_TRUE(WAIT_FOR(*state));
	EXPECT_EQ('n', *state);
	close(self->open[0]);
	ASSERT_OK(munmap(mapped, page_size()));
	self->open[0] = self->open[--self->nr];
	open_one(self, 0);
	kill_child(child);
}

/* The flags of the mapping at @at, as proc(5) has them in VmFlags */
static bool has_flag(const void *at, const char *flag)
{
	bool inside = false, found = false;
	unsigned long start, end;
	char line[512];

	FOR_EACH_LINE("/proc/self/smaps", line)
	{
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			inside = start <= (uintptr_t)at && (uintptr_t)at < end;
		else if (inside && !strncmp(line, "VmFlags:", 8))
			found = strstr(line, flag);
	}
	return found;
}

TEST_F(tables, mapping_is_neither_executed_nor_dumped)
{
	int table = open_one(self, 0), execute = PROT_READ | PROT_EXEC;
	size_t page = page_size();
	void *at = mmap(NULL, page, PROT_READ, MAP_SHARED, table, 0);

	ASSERT_NE(MAP_FAILED, at);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, page, execute, MAP_SHARED, table, 0));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(-1, mprotect(at, page, execute));
	EXPECT_EQ(EACCES, errno);
	if (access("/proc/self/smaps", R_OK))
		SKIP(return, "the kernel has no /proc/self/smaps");
	EXPECT_TRUE(has_flag(at, " ms"));
	EXPECT_FALSE(has_flag(at, " ex"));
	EXPECT_FALSE(has_flag(at, " mx"));
	EXPECT_FALSE(has_flag(at, " mw"));
	EXPECT_TRUE(has_flag(at, " dc"));
	EXPECT_TRUE(has_flag(at, " de"));
	EXPECT_TRUE(has_flag(at, " dd"));
}

/* The descriptor */
static int map_error(int table, size_t bytes, int protection, int flags,
		     size_t offset)
{
	void *at = mmap(NULL, bytes, protection, flags, table, (off_t)offset);

	if (at == MAP_FAILED)
		return errno;
	munmap(at, bytes);
	return 0;
}

TEST_F(tables, mapping_is_as_long_as_both_halves_and_never_writable)
{
	size_t page = page_size(),
	       bytes = (2 << TABLE_LOG2) * sizeof(struct profil_counter);
	int table = open_one(self, 0), write = PROT_READ | PROT_WRITE;
	void *at;

	EXPECT_EQ(FD_CLOEXEC, fcntl(table, F_GETFD));
	EXPECT_EQ(0, map_error(table, bytes, PROT_READ, MAP_SHARED, 0));
	EXPECT_EQ(EINVAL,
		  map_error(table, bytes + page, PROT_READ, MAP_SHARED, 0));
	EXPECT_EQ(EINVAL, map_error(table, bytes, PROT_READ, MAP_SHARED, page));
	EXPECT_EQ(EINVAL, map_error(table, page, PROT_READ, MAP_SHARED, bytes));
	EXPECT_EQ(EINVAL,
		  map_error(table, page, PROT_READ, MAP_SHARED, 2 * bytes));
	EXPECT_EQ(EINVAL, map_error(table, page, PROT_READ, MAP_PRIVATE, 0));
	EXPECT_NE(0, map_error(table, bytes, write, MAP_SHARED, 0));
	at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, table, 0);
	ASSERT_NE(MAP_FAILED, at);
	EXPECT_NE(0, mprotect(at, bytes, write));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(MAP_FAILED, mremap(at, bytes, bytes + page, MREMAP_MAYMOVE));
	EXPECT_EQ(EFAULT, errno);
	munmap(at, bytes);
}

/* Commands of the device and of a table have nothing in common. */
TEST_F(tables, commands_of_the_other_descriptor_are_unknown)
{
	static const unsigned long of_device[] = {
		PROFIL_IOC_VERSION, PROFIL_IOC_START, PROFIL_IOC_STOP,
		PROFIL_IOC_STATS,   PROFIL_IOC_TABLE,
	};
	static const unsigned long of_table[] = {
		PROFIL_TABLE_IOC_TAKE, PROFIL_TABLE_IOC_TEXT,
		PROFIL_TABLE_IOC_NAME, PROFIL_TABLE_IOC_SYMBOL,
		PROFIL_TABLE_IOC_ADD,  PROFIL_TABLE_IOC_WANTED,
		PROFIL_TABLE_IOC_ROWS,
	};

	open_one(self, 0);
	for (size_t i = 0; i < ARRAY_LENGTH(of_device); i++)
		EXPECT_EQ(-ENOTTY, call(self->open[0], of_device[i], NULL));
	EXPECT_EQ(-ENOTTY,
		  call(self->open[0], _IO(PROFIL_IOC_MAGIC + 1, 1), NULL));
	for (size_t i = 0; i < ARRAY_LENGTH(of_table); i++) {
		EXPECT_EQ(-ENOTTY, call(self->fd, of_table[i], NULL));
		EXPECT_EQ(-EFAULT, call(self->open[0], of_table[i], NULL));
	}
}

/*
 * Each command of a table: the size of its structure, which the driver knows, and an
 * argument that it refuses but for a wrong size
 */
static const struct {
	unsigned long command;
	__u32 size;
} commands[] = {
	{ PROFIL_TABLE_IOC_TAKE, sizeof(struct profil_take) },
	{ PROFIL_TABLE_IOC_TEXT, sizeof(struct profil_text) },
	{ PROFIL_TABLE_IOC_NAME, sizeof(struct profil_name) },
	{ PROFIL_TABLE_IOC_SYMBOL, sizeof(struct profil_symbol) },
	{ PROFIL_TABLE_IOC_ADD, sizeof(struct profil_add) },
	{ PROFIL_TABLE_IOC_WANTED, sizeof(struct profil_wanted) },
	{ PROFIL_TABLE_IOC_ROWS, sizeof(struct profil_rows) },
};

TEST_F(tables, structures_have_sizes)
{
	__u32 *argument = new_pages(page_size());
	int table = open_one(self, PROFIL_TABLE_KERNEL_PCS);

	for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
		memset(argument, 0, page_size());
		argument[0] = commands[i].size - 1;
		EXPECT_EQ(-EINVAL, call(table, commands[i].command, argument));
		argument[0] = commands[i].size + 8;
		argument[commands[i].size / 4] = 1;
		EXPECT_EQ(-E2BIG, call(table, commands[i].command, argument));
		argument[0] = page_size() + 1;
		EXPECT_EQ(-E2BIG, call(table, commands[i].command, argument));
	}
}

TEST_F(tables, take_has_one_flag)
{
	struct profil_take take = { .size = sizeof(take) };
	int table = open_one(self, 0);

	take.flags = PROFIL_TAKE_CGROUP_GONE;
	EXPECT_EQ(-EINVAL, call(table, PROFIL_TABLE_IOC_TAKE, &take));
	take.flags = PROFIL_TAKE_LAST | 1U << 31;
	EXPECT_EQ(-EINVAL, call(table, PROFIL_TABLE_IOC_TAKE, &take));
	take.flags = PROFIL_TAKE_LAST;
	EXPECT_OK(call(table, PROFIL_TABLE_IOC_TAKE, &take));
	EXPECT_OK(call(table, PROFIL_TABLE_IOC_TAKE, &take));
}

TEST_HARNESS_MAIN
