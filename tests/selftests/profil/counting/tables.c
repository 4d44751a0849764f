// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of a table's samples for the CPU time of programs, of code in files and of
 * code in memory. Needs machine_counts(), so that every due sample is taken.
 */
#include "one_table.h"

#define WORK_NS (300 * NSEC_PER_MSEC)
#define MIB 0x100000UL

/* Offset of the PC of spinning programs */
static __u64 spin_offset(void)
{
	return offset_of((const char *)site(SPIN_SITE) + SITE_LOOP);
}

/* As many samples of the program as its CPU time from exec to exit has periods */
static void check_program(one_table_data *self, __u64 period_ns)
{
	struct table *table = begin(self, 0, period_ns);
	__u64 due_ns = period_ns ?: tick_ns(self->fd);
	struct folder folder = folder_new();
	struct stat program;
	__u64 at_site, all, used;

	ASSERT_OK(program_copy(folder.program));
	ASSERT_OK(stat(folder.program, &program));
	used = cpu_time_of(program_new(folder.program, "spin", WORK_NS));
	take_last(table);
	all = table_program_samples(table, &program);
	at_site = table_samples(table, &program, spin_offset(), false);
	TH_LOG("%llu samples, %llu at the site, in %llu us", all, at_site,
	       used / NSEC_PER_USEC);
	EXPECT_TRUE(all_due(all, WORK_NS, used, due_ns, 2));
	EXPECT_LE(all / 10 * 9, at_site);
	EXPECT_EQ(0,
		  table->sum.unmapped + table->sum.no_item + table->sum.full);
	EXPECT_EQ(0, table->sum.gone);
	folder_end(&folder);
}

TEST_F(one_table, program_has_every_sample)
{
	check_program(self, 0);
	check_program(self, FAST_NS);
}

/* Sum over the samples of this process in text of @kind, @file or neither */
static __u64 own_samples(const struct table *table, __u32 kind, __u64 inode)
{
	struct table_row row;
	__u64 sum = 0;

	FOR_EACH_ROW(table, &row)
	if (row.text.pid == (__u32)getpid() && row.file.kind == kind &&
	    row.file.inode == inode)
		sum += row.count;
	return sum;
}

static char *code_in_memory(void)
{
	char *code = new_pages(SITES_BYTES);

	memcpy(code, profil_sites, SITES_BYTES);
	ASSERT_OK(mprotect(code, SITES_BYTES, PROT_READ | PROT_EXEC));
	return code;
}

/* Each sample in kernel mode is at the instruction that entered it, and at its PC. */
TEST_F(one_table, system_calls_have_their_samples)
{
	struct table *table = begin(self, PROFIL_TABLE_KERNEL_PCS, FAST_NS);
	__u64 used = thread_ns(), at_call;
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC), i;
	char *buffer = new_pages(MIB);
	struct stat program;

	ASSERT_OK(stat("/proc/self/exe", &program));
	for (i = 0; i < 100; i++)
		do_call(SYS_read, zero, (long)buffer, MIB);
	used = thread_ns() - used;
	take_last(table);
	at_call = table_samples(table, &program, offset_of(after_call), true);
	expect_share(at_call, used);
	EXPECT_LE(at_call, table->sum.kernel_pcs);
	EXPECT_EQ(0, table->sum.kernel_full);
	close(zero);
}

/* Two files in turn at one address */
#define ROUNDS 50
#define ROUND_NS (8 * FAST_NS)

TEST_F(one_table, files_in_turn_have_equal_shares)
{
	struct table *table = begin(self, 0, FAST_NS);
	int files[2] = { code_file(NULL), code_file(NULL) }, i;
	__u64 used[2] = { 0, 0 };
	struct stat file;

	ASSERT_OK(code_in_turn(files, ROUNDS, ROUND_NS, used));
	take_last(table);
	for (i = 0; i < 2; i++) {
		ASSERT_OK(fstat(files[i], &file));
		expect_share(own_samples(table, PROFIL_NAME_FILE, file.st_ino),
			     used[i]);
		expect_share(table_samples(table, &file, code_offset(SPIN_SITE),
					   false),
			     used[i]);
	}
	EXPECT_EQ(0, table->sum.unmapped);
}

/* Code in memory and in a file, each moved over the other */
static void move_over(char *at, char *from)
{
	ASSERT_EQ(at, mremap(from, SITES_BYTES, SITES_BYTES,
			     MREMAP_MAYMOVE | MREMAP_FIXED, at));
}

TEST_F(one_table, file_and_memory_in_turn_have_equal_shares)
{
	struct table *table = begin(self, 0, FAST_NS);
	char *at = new_pages(SITES_BYTES);
	__u64 used[2] = { 0, 0 };
	int fd = code_file(NULL), i;
	struct stat file;

	for (i = 0; i < 2 * ROUNDS; i++) {
		__u64 begun;

		move_over(at, i % 2 ? (char *)code_map(fd, NULL) :
				      code_in_memory());
		begun = thread_ns();
		spin_at(at + SPIN_SITE * SITE_BYTES, ROUND_NS);
		used[i % 2] += thread_ns() - begun;
	}
	take_last(table);
	ASSERT_OK(fstat(fd, &file));
	expect_share(own_samples(table, PROFIL_NAME_MEMORY, 0), used[0]);
	expect_share(own_samples(table, PROFIL_NAME_FILE, file.st_ino),
		     used[1]);
}

/* Short processes */
#define PROCESSES 200
#define SHORT_NS (2 * NSEC_PER_MSEC)

static __u64 short_process(const struct folder *folder)
{
	return cpu_time_of(program_new(folder->program, "spin", SHORT_NS));
}

/* Samples at the site are those of the loops, and others those of exec and exit. */
TEST_F(one_table, short_processes_have_every_sample)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct folder folder = folder_new();
	__u64 used = 0, all, at_site, due = PROCESSES * SHORT_NS / FAST_NS;
	struct stat program;

	ASSERT_OK(program_copy(folder.program));
	ASSERT_OK(stat(folder.program, &program));
	for (unsigned int i = 0; i < PROCESSES; i++)
		used += short_process(&folder);
	take_last(table);
	all = table_program_samples(table, &program);
	at_site = table_samples(table, &program, spin_offset(), false);
	TH_LOG("%llu samples, %llu at the site; %llu in their loops, %llu of their CPU time",
	       all, at_site, due, used / FAST_NS);
	EXPECT_LE(due / 10 * 9, at_site);
	EXPECT_GE(due / 10 * 13, at_site);
	EXPECT_GE(used / FAST_NS + 2, all);
	EXPECT_EQ(0, table->sum.unmapped + table->sum.no_item);
	EXPECT_EQ(0, table->sum.gone);
	folder_end(&folder);
}

TEST_HARNESS_MAIN
