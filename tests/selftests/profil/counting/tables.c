// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of a table's samples for the CPU time of programs, of code in files and of
 * code in memory. Needs machine_counts(), so that every due sample is taken.
 */
#include "one_table.h"

#define WORK_NS (300 * NSEC_PER_MSEC)
#define MIB 0x100000UL
#define LONG_BYTES (32 * MIB)

/* A program that waits to be added to a tree; as program_new() */
static const char *path;

static int execute(unsigned long ns)
{
	char number[24];

	snprintf(number, sizeof(number), "%lu", ns);
	execl(path, path, "spin", number, NULL);
	return 125;
}

static pid_t add_program(const struct table *table)
{
	pid_t pid = child_that_waits(execute, WORK_NS);

	ASSERT_OK(table_add(table, pid, PROFIL_ADD_ON_EXEC));
	kill(pid, SIGCONT);
	return pid;
}

/*
 * As many samples of the program as its CPU time from exec to exit has periods. Another
 * program runs before and after, and has none in a tree.
 */
static void check_program(one_table_data *self, __u32 flags, __u64 period_ns)
{
	struct table *table = begin(self, flags, period_ns);
	__u64 due_ns = period_ns ?: tick_ns(self->fd);
	const char *pc = (const char *)site(SPIN_SITE) + SITE_LOOP;
	struct folder folder = folder_new();
	struct stat program;
	__u64 at_site, all, used;

	path = folder.program;
	ASSERT_OK(program_copy(path));
	ASSERT_OK(stat(path, &program));
	spin(3, WORK_NS);
	used = cpu_time_of(flags ? add_program(table) :
				   program_new(path, "spin", WORK_NS));
	spin(3, WORK_NS);
	take_last(table);
	all = table_program_samples(table, &program);
	at_site = table_samples(table, &program, offset_of(pc), false);
	TH_LOG("%llu samples, %llu at the site, in %llu us", all, at_site,
	       used / NSEC_PER_USEC);
	EXPECT_TRUE(all_due(all, WORK_NS, used, due_ns, 2));
	EXPECT_LE(all / 10 * 9, at_site);
	EXPECT_EQ(0, table->sum.denied + table->sum.unmapped +
			     table->sum.no_item + table->sum.full);
	EXPECT_EQ(0, table->sum.busy);
	if (flags) {
		EXPECT_EQ(all, table->sum.hits);
		EXPECT_EQ(1, table->taken.processes);
	}
	folder_end(&folder);
}

TEST_F(one_table, program_has_every_sample)
{
	check_program(self, 0, 0);
	check_program(self, 0, FAST_NS);
	check_program(self, PROFIL_TABLE_TREE, 0);
	check_program(self, PROFIL_TABLE_TREE, FAST_NS);
	check_program(self, PROFIL_TABLE_TREE, NSEC_PER_MSEC);
}

/* Time that /proc/stat has for work, in parts that are each cut to a unit */
#define PARTS 5
#define UNIT_NS (NSEC_PER_SEC / sysconf(_SC_CLK_TCK))

static __u64 busy_ns(void)
{
	unsigned long long part[PARTS] = { 0 };
	char line[4096];

	FOR_EACH_LINE("/proc/stat", line)
	sscanf(line, "cpu  %llu %llu %llu %*u %*u %llu %llu", &part[0],
	       &part[1], &part[2], &part[3], &part[4]);
	return (part[0] + part[1] + part[2] + part[3] + part[4]) * UNIT_NS;
}

TEST_F(one_table, busy_samples_are_the_ticks_of_proc_stat)
{
	__u64 tick = tick_ns(self->fd), cut = (__u64)PARTS * UNIT_NS;
	__u64 begin_ns = busy_ns(), sampled, busy;
	struct table *table = begin(self, 0, 0);

	spin(3, NSEC_PER_SEC);
	take_last(table);
	busy = busy_ns() - begin_ns;
	sampled = (table->sum.ticks - table->sum.idle) * tick;
	TH_LOG("sampled %llu ms, busy %llu ms", sampled / NSEC_PER_MSEC,
	       busy / NSEC_PER_MSEC);
	EXPECT_LE(sampled, busy + cut);
	EXPECT_LE(busy, sampled + cut + 4 * tick);
	EXPECT_LE(NSEC_PER_SEC / 10 * 9, sampled);
}

/* Sum over the samples of this process in text of @kind, @file or neither */
static __u64 own_samples(const struct table *table, __u32 kind, __u64 inode)
{
	struct table_row row;
	__u64 sum = 0;

	FOR_EACH_ROW(table, &row)
	if (!row.kernel_pc && row.text.pid == (__u32)getpid() &&
	    row.file.kind == kind && row.file.inode == inode)
		sum += row.count;
	return sum;
}

/* The number of places in the kernel at which this process was, called from memory */
static unsigned int kernel_places(const struct table *table)
{
	struct table_row row;
	unsigned int nr = 0;

	FOR_EACH_ROW(table, &row)
	nr += row.kernel_pc && row.text.pid == (__u32)getpid() &&
	      row.file.kind == PROFIL_NAME_MEMORY;
	return nr;
}

/* Sum over the counters of @text in kernel mode, of a kind */
static __u64 kernel_samples(const struct table *table, __u32 text, __u32 kind)
{
	const struct profil_counter *counter = table_half(table);
	__u64 sum = 0;

	for (size_t i = 0; i < table->nr; i++, counter++)
		if (PROFIL_KEY_KIND(counter->key) == kind &&
		    PROFIL_KEY_TEXT(counter->key) == text &&
		    counter->key & PROFIL_KEY_KERNEL)
			sum += counter->count;
	return sum;
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
	EXPECT_EQ(0, table->sum.kernel_full);
	for (__u32 text = 1; text <= table->taken.texts; text++)
		EXPECT_EQ(kernel_samples(table, text, PROFIL_KIND_TEXT),
			  kernel_samples(table, text, PROFIL_KIND_KERNEL));
	close(zero);
}

/*
 * A call has samples at more PCs in the kernel than can wait for its end. Each that waits is
 * at its own. How many PCs that are is chance: 8 have been seen, so one of some calls has more.
 */
#define WAITING_PLACES 10
#define LONG_CALLS 8

TEST_F(one_table, long_call_of_new_code_has_every_sample)
{
	struct table *table = begin(self, PROFIL_TABLE_KERNEL_PCS, FAST_NS);
	long (*call)(long nr, long first, long second, long third) = new_call();
	char *buffer = new_pages(LONG_BYTES);
	unsigned int places = 0;

	for (int i = 0; i < LONG_CALLS && places < WAITING_PLACES; i++) {
		__u64 used = thread_ns(), at_call;

		EXPECT_EQ(LONG_BYTES,
			  call(SYS_getrandom, (long)buffer, LONG_BYTES, 0));
		used = thread_ns() - used;
		take(table, 0);
		at_call = own_samples(table, PROFIL_NAME_MEMORY, 0);
		expect_share(at_call, used);
		EXPECT_LE(at_call, table->sum.kernel_pcs);
		places = kernel_places(table);
	}
	EXPECT_LE(WAITING_PLACES, places);
	EXPECT_EQ(0, table->sum.no_item + table->sum.kernel_full);
}

/* Two texts in turn at one address: files, or memory and a file that are moved there */
#define ROUNDS 50
#define ROUND_NS (8 * FAST_NS)

static char *put_text(char *at, int fd, bool moves)
{
	char *from;

	if (!moves)
		return (char *)code_map(fd, at);
	if (fd < 0) {
		from = new_pages(SITES_BYTES);
		memcpy(from, profil_sites, SITES_BYTES);
		ASSERT_OK(mprotect(from, SITES_BYTES, PROT_READ | PROT_EXEC));
	} else {
		from = (char *)code_map(fd, NULL);
	}
	return mremap(from, SITES_BYTES, SITES_BYTES,
		      MREMAP_MAYMOVE | MREMAP_FIXED, at);
}

static void check_turns(one_table_data *self, const int files[2], bool moves)
{
	struct table *table = begin(self, 0, FAST_NS);
	char *at = new_pages(SITES_BYTES);
	__u64 used[2] = { 0, 0 };
	struct stat file;
	int i;

	for (i = 0; i < 2 * ROUNDS; i++) {
		__u64 begun;

		ASSERT_EQ(at, put_text(at, files[i % 2], moves));
		begun = thread_ns();
		spin_at(at + SPIN_SITE * SITE_BYTES, ROUND_NS);
		used[i % 2] += thread_ns() - begun;
	}
	take_last(table);
	for (i = 0; i < 2; i++) {
		if (files[i] < 0) {
			expect_share(own_samples(table, PROFIL_NAME_MEMORY, 0),
				     used[i]);
			continue;
		}
		ASSERT_OK(fstat(files[i], &file));
		expect_share(own_samples(table, PROFIL_NAME_FILE, file.st_ino),
			     used[i]);
		expect_share(table_samples(table, &file, code_offset(SPIN_SITE),
					   false),
			     used[i]);
	}
	EXPECT_EQ(0, table->sum.unmapped);
}

TEST_F(one_table, texts_in_turn_have_equal_shares)
{
	const int files[] = { code_file(NULL), code_file(NULL) };
	const int memory_and_file[] = { -1, files[0] };

	check_turns(self, files, false);
	check_turns(self, memory_and_file, true);
}

/*
 * A file with code at offsets whose keys a hash that multiplies by GOLDEN, as the kernel's
 * does, puts into places beside each other, more than a counter is searched for in.
 */
#define GOLDEN 0x61c8864680b583ebULL
#define BESIDE 0x40000000000ULL
#define CHOSEN 40
#define LAST_CHOSEN 0x40000000UL

#ifdef __x86_64__
#define INSTRUCTION_ALIGN 1
#else
#define INSTRUCTION_ALIGN 4
#endif

/* From one such offset to the next there are these distances alone. */
static __u64 next_beside(__u64 offset)
{
	static const __u64 distances[] = { 2178309, 3524578, 5702887 };
	size_t i = 0;

	while ((offset + distances[i]) * GOLDEN >= BESIDE)
		i++;
	return offset + distances[i];
}

static __u64 next_chosen(__u64 offset)
{
	do
		offset = next_beside(offset);
	while (offset % INSTRUCTION_ALIGN);
	return offset;
}

/* The first place of the loop, to which the offsets are added */
#define HOT_AT 0x123440UL

static const char *chosen_code(struct stat *file)
{
	int fd = memfd_create("chosen", MFD_CLOEXEC);
	__u64 offset = 0;
	void *code;

	ASSERT_OK(ftruncate(fd, LAST_CHOSEN));
	for (int i = 0; i <= CHOSEN; i++, offset = next_chosen(offset))
		ASSERT_EQ(SITE_BYTES, pwrite(fd, profil_sites, SITE_BYTES,
					     (off_t)(HOT_AT + offset)));
	ASSERT_OK(fstat(fd, file));
	code = mmap(NULL, LAST_CHOSEN, PROT_READ | PROT_EXEC, MAP_SHARED, fd,
		    0);
	ASSERT_NE(MAP_FAILED, code);
	close(fd);
	return (const char *)code + HOT_AT;
}

static __u64 samples_beside(const struct table *table, const struct stat *file,
			    __u64 offset)
{
	return table_samples(table, file, HOT_AT + SITE_LOOP + offset, false);
}

TEST_F(one_table, chosen_pcs_keep_no_other_from_its_counter)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct stat file;
	const char *code = chosen_code(&file);
	__u64 offset = 0, used;

	for (int i = 0; i < CHOSEN; i++) {
		offset = next_chosen(offset);
		spin_at(code + offset, 8 * FAST_NS);
	}
	used = thread_ns();
	spin_at(code, WORK_NS);
	used = thread_ns() - used;
	take_last(table);
	expect_share(samples_beside(table, &file, 0), used);
	EXPECT_EQ(0, table->sum.full);
	offset = 0;
	for (int i = 0; i < CHOSEN; i++) {
		offset = next_chosen(offset);
		EXPECT_LE(1, samples_beside(table, &file, offset));
	}
	munmap((void *)(code - HOT_AT), LAST_CHOSEN);
}

/* Short processes, which a child forks */
#define PROCESSES 200
#define SHORT_NS (2 * NSEC_PER_MSEC)

static __u64 *used_by_short;

static int run_short(unsigned long nr)
{
	while (nr--)
		*used_by_short +=
			cpu_time_of(program_new(path, "spin", SHORT_NS));
	return 0;
}

/* Samples at the site are those of the loops, and others those of exec and exit. */
static struct table *check_short(one_table_data *self, __u32 flags)
{
	__u64 due = PROCESSES * SHORT_NS / FAST_NS, at_site, all;
	struct table *table = begin(self, flags, FAST_NS);
	const char *pc = (const char *)site(SPIN_SITE) + SITE_LOOP;
	struct folder folder = folder_new();
	struct stat program;
	pid_t pid;

	path = folder.program;
	ASSERT_OK(program_copy(path));
	ASSERT_OK(stat(path, &program));
	used_by_short = new_shared(page_size());
	pid = child_that_waits(run_short, PROCESSES);
	if (flags)
		ASSERT_OK(table_add(table, pid, PROFIL_ADD_CHILDREN));
	kill(pid, SIGCONT);
	EXPECT_TRUE(exited_with(pid, 0));
	take_last(table);
	at_site = table_samples(table, &program, offset_of(pc), false);
	all = table_program_samples(table, &program);
	TH_LOG("%llu samples, %llu at the site; %llu in their loops, %llu of their CPU time",
	       all, at_site, due, *used_by_short / FAST_NS);
	EXPECT_LE(due / 10 * 9, at_site);
	EXPECT_GE(due / 10 * 13, at_site);
	EXPECT_GE(*used_by_short / FAST_NS + 2, all);
	EXPECT_EQ(0, table->sum.denied + table->sum.unmapped +
			     table->sum.no_item + table->sum.busy);
	folder_end(&folder);
	return table;
}

TEST_F(one_table, short_processes_have_every_sample)
{
	check_short(self, 0);
}

TEST_F(one_table, short_children_have_every_sample)
{
	const struct table *table = check_short(self, PROFIL_TABLE_TREE);

	EXPECT_EQ(PROCESSES + 1,
		  table->taken.processes + table->taken.unfollowed);
	EXPECT_EQ(0, table->taken.unfollowed);
}

TEST_HARNESS_MAIN
