// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table ends at once, and keeps neither the module nor a file system, whatever the
 * sampled programs do; and short programs have all of their samples accounted for.
 */
#include "one_table.h"

#include <sys/mount.h>

/* write(2) uses CPU time until a pipe of half as many bytes is full, and then sleeps. */
#define WRITTEN 0x200000UL
#define SLEEPERS 4

static void begin_sleepers(const struct folder *folder,
			   pid_t sleepers[SLEEPERS])
{
	for (unsigned int i = 0; i < SLEEPERS; i++)
		sleepers[i] = program_new(folder->program, "write", WRITTEN);
	for (unsigned int i = 0; i < SLEEPERS; i++) {
		pid_t pid = sleepers[i];

		EXPECT_TRUE(WAIT_FOR(program_sleeps(pid, folder->program)));
	}
}

static void end_sleepers(pid_t sleepers[SLEEPERS])
{
	for (unsigned int i = 0; i < SLEEPERS; i++)
		kill_child(sleepers[i]);
}

static struct folder folder_with_program(void)
{
	struct folder folder = folder_new();

	EXPECT_OK(program_copy(folder.program));
	return folder;
}

/*
 * The table's end waits for no program: the sleepers would keep it for ever. The module
 * can be unloaded behind it.
 */
static void end_beside_sleepers(one_table_data *self)
{
	end_table(self);
	close(self->fd);
	EXPECT_OK(reload());
	self->fd = device_open();
	EXPECT_LE(0, self->fd);
}

/* Sleepers that hold samples; none of them if a busy host has kept all ticks from them */
static bool hold_samples(struct table *table, const struct folder *folder,
			 pid_t sleepers[SLEEPERS])
{
	begin_sleepers(folder, sleepers);
	take(table, 0);
	if (!table->sum.waiting)
		end_sleepers(sleepers);
	return table->sum.waiting;
}

static void check_sleepers(one_table_data *self, __u32 flags, bool last)
{
	struct folder folder = folder_with_program();
	struct table *table;
	pid_t sleepers[SLEEPERS];

	if (!can_load())
		SKIP(return, "needs " MODULE);
	ASSERT_OK(save_parameters());
	table = begin(self, flags, FAST_NS);
	ASSERT_TRUE(EVENTUALLY(hold_samples(table, &folder, sleepers), 0));
	if (last) {
		take(table, PROFIL_TAKE_LAST);
		EXPECT_LT(0, table->sum.cancelled);
	}
	end_beside_sleepers(self);
	end_sleepers(sleepers);
	folder_end(&folder);
}

TEST_F(one_table, close_and_last_take_wait_for_no_system_call)
{
	check_sleepers(self, 0, false);
	check_sleepers(self, PROFIL_TABLE_KERNEL_PCS, false);
	check_sleepers(self, 0, true);
#ifdef __x86_64__
	check_sleepers(self, PROFIL_TABLE_CALLERS, false);
	check_sleepers(self, PROFIL_TABLE_CALLERS, true);
#endif
}

/* The samples that sleeping calls have held until a signal ended them */
static __u64 samples_of_killed(struct table *table, const struct folder *folder)
{
	pid_t sleepers[SLEEPERS];
	struct stat program;

	ASSERT_OK(stat(folder->program, &program));
	begin_sleepers(folder, sleepers);
	take(table, 0);
	TH_LOG("%llu samples, %llu wait",
	       table_program_samples(table, &program), table->taken.waiting);
	end_sleepers(sleepers);
	take(table, 0);
	return table_program_samples(table, &program);
}

/*
 * On a slow machine each TAKE has samples itself. They wait until it ends unless this
 * program was sampled before: at most few do then, fewer than one for each sleeper.
 */
static bool no_sleeper_waits(struct table *table)
{
	spin(3, 20 * FAST_NS);
	take(table, 0);
	return table->taken.waiting < SLEEPERS;
}

/* A call that sleeps holds its samples until it ends, which is at the signal here. */
TEST_F(one_table, killed_call_has_its_samples_and_holds_none)
{
	struct folder folder = folder_with_program();
	struct table *table = begin(self, 0, FAST_NS);
	__u64 samples = 0;

	for (unsigned int i = 0; i < 5; i++)
		samples += samples_of_killed(table, &folder);
	EXPECT_LT(0, samples);
	EXPECT_TRUE(WAIT_FOR(no_sleeper_waits(table)));
	take_last(table);
	folder_end(&folder);
}

/* A call after which the text that it was made from is none, as its argument */
#define LEFT_BYTES 0x1000000UL

static pid_t leave_text(bool unmaps)
{
	long (*leave)(long nr, char *at, long bytes, long protection);
	pid_t child = fork();
	char *code;

	if (child)
		return waitpid(child, NULL, 0);
	code = new_pages(LEFT_BYTES);
	memset(code, 0, LEFT_BYTES);
	memcpy(code, (void *)do_call, KERNEL_ENTRY_BYTES);
	leave = (void *)code;
	if (!mprotect(code, LEFT_BYTES, PROT_READ | PROT_EXEC))
		leave(unmaps ? SYS_munmap : SYS_mprotect, code, LEFT_BYTES,
		      PROT_READ);
	_exit(1);
}

TEST_F(one_table, samples_in_text_that_is_gone_are_unmapped)
{
	for (int i = 0; i < 2; i++) {
		struct table *table = begin(self, 0, FAST_NS);

		EXPECT_TRUE(EVENTUALLY((take(table, 0), table->sum.unmapped),
				       leave_text(i)));
	}
}

static void *change_text(void *pages)
{
	int protection = PROT_READ;

	while (!mprotect(pages, LEFT_BYTES, protection))
		protection ^= PROT_EXEC;
	return NULL;
}

/* Each sample is looked up, and does not wait for a lock that is mostly taken. */
TEST_F(one_table, table_ends_beside_look_ups)
{
	void *pages = new_pages(LEFT_BYTES);
	pthread_t thread;

	memset(pages, 0, LEFT_BYTES);
	ASSERT_OK(pthread_create(&thread, NULL, change_text, pages));
	ASSERT_OK(busy_threads_begin(2, 5, true));
	for (int i = 0; i < 25; i++) {
		struct table *table = begin(self, 0, FAST_NS);

		sleep_ns(10 * NSEC_PER_MSEC);
		take(table, PROFIL_TAKE_LAST);
		EXPECT_EQ(0, table->taken.waiting);
	}
}

/* File systems */
#define UNMOUNTS 10

/* True if the program was sampled, and a busy host has not kept all ticks from it. */
static bool check_unmount(struct table *table, const char *path)
{
	char program[80];
	struct stat file;
	pid_t child;

	snprintf(program, sizeof(program), "%s/program", path);
	ASSERT_OK(mount("none", path, "tmpfs", 0, NULL));
	ASSERT_OK(program_copy(program));
	ASSERT_OK(stat(program, &file));
	child = program_new(program, "spin", 20 * NSEC_PER_MSEC);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_OK(umount(path));
	take(table, 0);
	return table_program_samples(table, &file) > 0;
}

TEST_F(one_table, file_system_can_be_unmounted)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct folder folder = folder_new();

	for (unsigned int i = 0; i < UNMOUNTS; i++)
		EXPECT_TRUE(EVENTUALLY(check_unmount(table, folder.path), 0));
	take_last(table);
	folder_end(&folder);
}

/* Short programs */
#define SHORT 100
#define CHAINS 10
#define REPLACED 30

static bool has_hits_of_short(struct table *table)
{
	for (unsigned int i = 0; i < SHORT; i++) {
		EXPECT_TRUE(CHILD_OK(0));
		if (i % 20 == 0)
			take(table, 0);
	}
	return table->sum.hits;
}

TEST_F(one_table, short_processes_are_accounted_for)
{
	struct table *table = begin(self, 0, FAST_NS);

	EXPECT_TRUE(EVENTUALLY(has_hits_of_short(table), 0));
	take_last(table);
}

/* True if the program was sampled, and a busy host has not kept all ticks from it. */
static bool check_chains(struct table *table, const struct folder *folder)
{
	struct stat program;

	ASSERT_OK(stat(folder->program, &program));
	for (unsigned int i = 0; i < CHAINS; i++) {
		pid_t child = program_new(folder->program, "chain", 4);

		EXPECT_TRUE(exited_with(child, 0));
	}
	take(table, 0);
	return table_program_samples(table, &program) > 0;
}

TEST_F(one_table, exec_chains_are_accounted_for)
{
	struct folder folder = folder_with_program();
	struct table *table = begin(self, PROFIL_TABLE_THREADS, FAST_NS);

	EXPECT_TRUE(EVENTUALLY(check_chains(table, &folder), 0));
	take_last(table);
	folder_end(&folder);
}

/*
 * Programs whose files are replaced by others of the same name. They spin long enough
 * for a sample on a busy host, too, in half of them at least.
 */
TEST_F(one_table, new_programs_are_accounted_for)
{
	struct folder folder = folder_new();
	struct table *table = begin(self, 0, FAST_NS);
	struct stat program;
	pid_t child;

	for (unsigned int i = 0; i < REPLACED; i++) {
		ASSERT_OK(program_copy(folder.program));
		ASSERT_OK(stat(folder.program, &program));
		child = program_new(folder.program, "spin", 80 * FAST_NS);
		EXPECT_TRUE(exited_with(child, 0));
		ASSERT_OK(unlink(folder.program));
	}
	take_last(table);
	TH_LOG("%u texts, %u names", table->taken.texts, table->taken.names);
	EXPECT_LE(REPLACED / 2, table->taken.names);
	folder_end(&folder);
}

static int fill_for_ever(unsigned long unused)
{
	size_t bytes = 32 << 20;
	char *memory = new_pages(bytes);

	(void)unused;
	for (;;)
		syscall(SYS_getrandom, memory, bytes, 0);
	return 0;
}

/* The program is in one call since the TAKE before: its samples wait, and all of them. */
static bool all_wait(struct table *table)
{
	const struct profil_take *taken = &table->taken;

	take(table, 0);
	if (!taken->ticks || table_outcomes(taken) != taken->cancelled)
		return false;
	EXPECT_LE(taken->ticks, taken->waiting);
	return true;
}

/* A sample is cancelled by the second TAKE after it, also beside older ones of its call. */
TEST_F(one_table, sample_waits_over_one_take)
{
	struct table *table = begin(self, PROFIL_TABLE_TREE, FAST_NS);
	pid_t pid = child_that_waits(fill_for_ever, 0);
	unsigned int nr = 0;

	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY((nr += all_wait(table)) >= 30,
			       sleep_ns(5 * NSEC_PER_MSEC)));
	EXPECT_LT(0, table->sum.cancelled);
	kill_child(pid);
}

TEST_HARNESS_MAIN
