// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples in kernel mode: at the instruction that entered the kernel, and at a PC in the
 * kernel that has the name of a function, as /proc/kallsyms tells it.
 */
#include "one_table.h"

#define MIB 0x100000UL

/* So many names are compared. */
#define MOST_NAMES 16

static void read_zeros(int zero, char *buffer)
{
	do_call(SYS_read, zero, (long)buffer, MIB);
}

TEST_F(one_table, system_call_is_at_its_instruction)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct place place = own_place(after_call, true);
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char *buffer = new_pages(MIB);
	struct table_row row;

	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_at, &place),
			       read_zeros(zero, buffer)));
	EXPECT_EQ(place.file.st_ino, row.program.inode);
	EXPECT_EQ(getpid(), row.text.pid);
	EXPECT_EQ(0, table->sum.kernel_pcs);
	close(zero);
}

/* True if a line of kallsyms has @symbol, "FUNCTION" or "FUNCTION [MODULE]". */
static bool has_symbol(const char *line, const char *symbol)
{
	char name[256], module[128], full[400];
	int nr = sscanf(line, "%*x %*c %255s %127s", name, module);

	snprintf(full, sizeof(full), nr == 2 ? "%s %s" : "%s", name, module);
	return nr >= 1 && !strcmp(full, symbol);
}

/* Mark each of @symbols that has a line at an address whose lower half is @base + start. */
static void find_in_kallsyms(const struct profil_symbol *symbols,
			     unsigned int nr, __u32 base, bool *found)
{
	char line[512];

	FOR_EACH_LINE("/proc/kallsyms", line)
	{
		__u32 start = (__u32)strtoul(line, NULL, 16) - base;

		for (unsigned int i = 0; i < nr; i++)
			if (start == symbols[i].start)
				found[i] |= has_symbol(line, symbols[i].name);
	}
}

/* The address of a function, or 0 if several have the name, or none */
static unsigned long address_of(const char *function)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long address, found = 0;
	unsigned int nr = 0;
	char name[256];

	while (file &&
	       fscanf(file, "%lx %*c %255s%*[^\n]", &address, name) == 2)
		if (!strcmp(name, function)) {
			found = address;
			nr++;
		}
	if (file)
		fclose(file);
	return nr == 1 ? found : 0;
}

static int symbol_of(const struct table *table, __u32 offset,
		     struct profil_symbol *symbol)
{
	memset(symbol, POISON, sizeof(*symbol));
	symbol->size = sizeof(*symbol);
	symbol->offset = offset;
	return call(table->fd, PROFIL_TABLE_IOC_SYMBOL, symbol);
}

/* The lower half of the address that offsets are relative to, which is in a function */
static __u32 base_of(const struct table *table)
{
	struct profil_symbol symbol;
	unsigned long start;

	EXPECT_OK(symbol_of(table, 0, &symbol));
	start = address_of(symbol.name);
	EXPECT_NE(0, start);
	return (__u32)start - symbol.start;
}

static void expect_symbol(const struct table *table, __u32 offset,
			  struct profil_symbol *symbol)
{
	EXPECT_OK(symbol_of(table, offset, symbol));
	EXPECT_EQ(0, symbol->reserved);
	EXPECT_EQ(offset, symbol->offset);
	if (*symbol->name)
		EXPECT_GT(0x100000, offset - symbol->start);
}

static void expect_names(const struct profil_symbol *symbols, unsigned int nr,
			 __u32 base)
{
	bool found[MOST_NAMES] = { false };

	find_in_kallsyms(symbols, nr, base, found);
	for (unsigned int i = 0; i < nr; i++) {
		EXPECT_TRUE(found[i] || !*symbols[i].name)
		{
			TH_LOG("%s at %#x", symbols[i].name, symbols[i].start);
		}
	}
}

TEST_F(one_table, pcs_in_the_kernel_have_names)
{
	struct table *table = begin(self, PROFIL_TABLE_KERNEL_PCS, FAST_NS);
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC), i;
	char *buffer = new_pages(MIB);
	struct profil_symbol symbols[MOST_NAMES] = { 0 };
	__u32 base = base_of(table), named = 0;
	struct table_row row;

	do {
		for (i = 0; i < 20; i++)
			read_zeros(zero, buffer);
		take(table, 0);
	} while (!table->taken.kernel_pcs);
	FOR_EACH_ROW(table, &row)
	{
		if (!row.kernel_pc)
			continue;
		EXPECT_TRUE(row.kernel);
		if (named < MOST_NAMES)
			expect_symbol(table, row.offset, &symbols[named]);
		named++;
	}
	expect_names(symbols, named < MOST_NAMES ? named : MOST_NAMES, base);
	TH_LOG("%u PCs in the kernel, %llu samples", named,
	       table->taken.kernel_pcs);
	EXPECT_LT(0, named);
	close(zero);
}

/*
 * The function of the kernel that a system call of one of two programs alone reaches, and
 * the samples of both programs in both functions. Neither a fork, an exec nor a random
 * offset of a stack enters get_random_bytes_user(), as it does functions that this calls.
 */
struct functions {
	__u64 samples[2][2];
};

static bool is_own(int program, const struct profil_symbol *symbol)
{
	static const char *const names[2] = { "read_zero",
					      "get_random_bytes_user" };
	size_t length = strlen(names[program]);
	char end = symbol->name[length];

	/* The compiler adds .part.0 and others. */
	return !strncmp(symbol->name, names[program], length) &&
	       (!end || end == '.');
}

static void add_samples(const struct table *table, const struct table_row *row,
			__u64 samples[2])
{
	struct profil_symbol symbol;
	int i;

	EXPECT_OK(symbol_of(table, row->offset, &symbol));
	for (i = 0; i < 2; i++)
		if (is_own(i, &symbol))
			samples[i] += row->count;
}

static void read_functions(const struct table *table,
			   const struct stat programs[2],
			   struct functions *functions)
{
	struct table_row row;
	int i;

	FOR_EACH_ROW(table, &row)
	for (i = 0; i < 2; i++)
		if (row.kernel_pc && row.program.inode == programs[i].st_ino)
			add_samples(table, &row, functions->samples[i]);
}

/* Each of two programs has been in its function @samples times, and in no other's. */
static bool have_functions(struct table *table, const struct stat programs[2],
			   struct functions *functions, __u64 samples)
{
	int i;

	take(table, 0);
	read_functions(table, programs, functions);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(0, functions->samples[!i][i]);
	return functions->samples[0][0] >= samples &&
	       functions->samples[1][1] >= samples;
}

TEST_F(one_table, pcs_in_the_kernel_belong_to_programs)
{
	static const char *const what[2] = { "zeros", "random" };
	struct functions functions = { 0 };
	struct folder folders[2];
	struct stat programs[2];
	struct table *table;
	pid_t children[2];
	int i;

	for (i = 0; i < 2; i++) {
		folders[i] = folder_new();
		ASSERT_OK(program_copy(folders[i].program));
		ASSERT_OK(stat(folders[i].program, &programs[i]));
		children[i] = program_new(folders[i].program, what[i], MIB);
	}
	table = begin(self, PROFIL_TABLE_KERNEL_PCS, FAST_NS);
	EXPECT_TRUE(EVENTUALLY(have_functions(table, programs, &functions, 10),
			       sleep_ns(100 * NSEC_PER_MSEC)));
	for (i = 0; i < 2; i++) {
		kill_child(children[i]);
		folder_end(&folders[i]);
	}
}

/* A namespace is freed by a kernel thread. */
static void make_namespace(void)
{
	EXPECT_TRUE(CHILD_OK(unshare(CLONE_NEWIPC)));
}

static bool has_kernel_threads(struct table *table)
{
	const struct profil_take *taken = &table->taken;
	__u64 of_none = 0;
	struct table_row row;

	take(table, 0);
	FOR_EACH_ROW(table, &row)
	if (row.kernel_pc && !row.text.id)
		of_none += row.count;
	EXPECT_LE(taken->kernel_threads, of_none + taken->kernel_full);
	EXPECT_GE(table_outcomes(taken) - taken->hits - taken->idle, of_none);
	return taken->kernel_threads;
}

TEST_F(one_table, kernel_threads_have_no_program)
{
	struct table *table = begin(self, PROFIL_TABLE_KERNEL_PCS, FAST_NS);

	EXPECT_TRUE(EVENTUALLY(has_kernel_threads(table), make_namespace()));
}

/* Names are for those who may see PCs in the kernel. */
TEST_F(one_table, table_without_kernel_pcs_has_no_symbols)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct profil_symbol symbol;

	EXPECT_EQ(-EINVAL, symbol_of(table, 0, &symbol));
}

/* Code around the kernel's has no name; the module's own has that of the module. */
TEST_F(one_table, address_of_no_function_has_no_name)
{
	struct table *table = begin(self, PROFIL_TABLE_KERNEL_PCS, FAST_NS);
	struct profil_symbol symbol;
	unsigned long own = address_of("profil_config_min_period_ns");

	for (__u32 offset = 0x7fffffff; offset <= 0x80000000; offset++) {
		EXPECT_OK(symbol_of(table, offset, &symbol));
		EXPECT_STREQ("", symbol.name);
	}
	ASSERT_NE(0, own);
	EXPECT_OK(symbol_of(table, (__u32)own - base_of(table), &symbol));
	EXPECT_STREQ("profil_config_min_period_ns [profil]", symbol.name);
}

TEST_HARNESS_MAIN
