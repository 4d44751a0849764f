// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of a tree of processes, of an ordinary user: which processes are sampled, from
 * when on, and what their samples are named by.
 */
#include "harness.h"
#include "program.h"
#include "table.h"

#include <poll.h>

#define SITE 11
#define CHILD 21
#define GRANDCHILD 22

FIXTURE(tree)
{
	int fd;
	struct table table;
	struct folder folder;
	struct stat program;
};

#define tree_data FIXTURE_DATA(tree)

/* A change of user makes a process undumpable, and the children that it forks. */
FIXTURE_SETUP(tree)
{
	SKIP_UNLESS_COUNTING();
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	ASSERT_OK(become_whole_user(new_user(), 1000));
	ASSERT_OK(prctl(PR_SET_DUMPABLE, 1));
	self->folder = folder_new();
	ASSERT_OK(stat("/proc/self/exe", &self->program));
	ASSERT_OK(table_begin(&self->table, self->fd,
			      table_args(PROFIL_TABLE_TREE, FAST_NS)));
}

FIXTURE_TEARDOWN(tree)
{
	if (self->table.counters)
		table_end(&self->table);
	folder_end(&self->folder);
	close(self->fd);
}

static void begin(tree_data *self, __u32 flags, __u64 period_ns)
{
	const __u32 tree = PROFIL_TABLE_TREE;

	table_end(&self->table);
	ASSERT_OK(table_begin(&self->table, self->fd,
			      table_args(tree | flags, period_ns)));
}

static void take(struct table *table, __u32 flags)
{
	ASSERT_OK(table_take(table, flags));
	EXPECT_TRUE(table_adds_up(table));
	EXPECT_TRUE(table_has_all_takes(table));
	EXPECT_EQ(0, table->sum.idle + table->sum.kernel_threads +
			     table->sum.filtered);
}

static __u64 site_offset(unsigned int nr)
{
	return offset_of((const char *)site(nr) + SITE_LOOP);
}

/* TAKE: the samples at a site in the file of this program */
static __u64 taken_at(tree_data *self, unsigned int nr)
{
	take(&self->table, 0);
	return table_samples(&self->table, &self->program, site_offset(nr),
			     false);
}

static bool is_sampled_at(tree_data *self, unsigned int nr)
{
	return WAIT_FOR(taken_at(self, nr));
}

static bool has_ended(const tree_data *self)
{
	return WAIT_FOR(table_events(&self->table) & POLLHUP);
}

/* ADD a child that waits, and let it run. */
static void add(tree_data *self, pid_t pid, __u32 flags)
{
	ASSERT_OK(table_add(&self->table, pid, flags));
	kill(pid, SIGCONT);
}

static void check_child(tree_data *self, __u64 period_ns)
{
	pid_t pid = child_that_spins(SITE);

	begin(self, 0, period_ns);
	EXPECT_EQ(0, table_events(&self->table));
	add(self, pid, 0);
	EXPECT_TRUE(is_sampled_at(self, SITE));
	EXPECT_EQ(0, table_events(&self->table) & POLLHUP);
	EXPECT_EQ(1, self->table.taken.processes);
	EXPECT_EQ(1, self->table.taken.running);
	kill_child(pid);
	EXPECT_TRUE(has_ended(self));
	take(&self->table, PROFIL_TAKE_LAST);
	EXPECT_EQ(1, self->table.taken.processes);
	EXPECT_EQ(0, self->table.taken.running);
	EXPECT_EQ(0, self->table.taken.waiting);
}

TEST_F(tree, child_is_sampled)
{
	check_child(self, FAST_NS);
	check_child(self, 0);
}

/* The child runs on a CPU all the time, and no switch to it arms a timer. */
TEST_F(tree, process_that_runs_already_is_sampled)
{
	pid_t pid = IN_CHILD(spin_forever(SITE));

	sleep_ns(20 * NSEC_PER_MSEC);
	add(self, pid, 0);
	EXPECT_TRUE(is_sampled_at(self, SITE));
	kill_child(pid);
}

static int spin_in_threads(unsigned long first)
{
	return busy_threads_begin(3, first + 1, true) || spin_forever(first);
}

TEST_F(tree, all_threads_are_sampled)
{
	pid_t pid = child_that_waits(spin_in_threads, 1);

	add(self, pid, 0);
	for (unsigned int nr = 1; nr < 5; nr++)
		EXPECT_TRUE(is_sampled_at(self, nr));
	EXPECT_EQ(1, self->table.taken.processes);
	kill_child(pid);
}

static int leave_to_thread(unsigned long nr)
{
	return busy_threads_begin(1, nr, true) || syscall(SYS_exit, 0);
}

/* A process lives as long as a thread of it does. */
TEST_F(tree, process_without_its_first_thread_is_sampled)
{
	pid_t pid = child_that_waits(leave_to_thread, SITE);

	add(self, pid, 0);
	ASSERT_TRUE(WAIT_FOR(stays_in_state(pid, pid, 'Z')));
	for (unsigned int i = 0; i < 3; i++) {
		EXPECT_TRUE(is_sampled_at(self, SITE));
		EXPECT_EQ(1, self->table.taken.running);
		EXPECT_EQ(0, table_events(&self->table) & POLLHUP);
	}
	kill_child(pid);
	EXPECT_TRUE(has_ended(self));
}

/* Children, which end with their process: all of a group are killed. */
static int spin_in_shared_space(void *nr)
{
	return spin_forever((uintptr_t)nr);
}

enum manner { FORK, VFORK, CLONE_SPACE, CLONE_SIBLING };

/* A child that spins at CHILD, and has a child at GRANDCHILD. */
static int have_child(unsigned long manner)
{
	char *stack = (char *)new_pages(0x10000) + 0x10000;
	int flags = manner == CLONE_SPACE ? CLONE_VM : CLONE_PARENT;

	setpgid(0, 0);
	if (manner == FORK) {
		if (!fork())
			spin_forever(fork() ? CHILD : GRANDCHILD);
	} else if (manner == VFORK) {
		if (!vfork())
			execl("/proc/self/exe", "tree", "spin", "9999999999999",
			      NULL);
	} else {
		clone(spin_in_shared_space, stack, flags | SIGCHLD,
		      (void *)CHILD);
	}
	for (;;)
		pause();
	return 0;
}

static pid_t add_parent(tree_data *self, enum manner manner, __u32 flags)
{
	pid_t pid = child_that_waits(have_child, manner);

	add(self, pid, flags);
	return pid;
}

static void end_group(tree_data *self, pid_t group)
{
	kill(-group, SIGKILL);
	while (waitpid(-group, NULL, 0) > 0)
		;
	EXPECT_TRUE(has_ended(self));
	take(&self->table, 0);
	EXPECT_EQ(0, self->table.taken.running);
	EXPECT_EQ(0, self->table.taken.unfollowed);
}

TEST_F(tree, forked_children_and_grandchildren_are_followed)
{
	pid_t pid = add_parent(self, FORK, PROFIL_ADD_CHILDREN);

	EXPECT_TRUE(is_sampled_at(self, CHILD));
	EXPECT_TRUE(is_sampled_at(self, GRANDCHILD));
	EXPECT_EQ(3, self->table.taken.processes);
	EXPECT_EQ(3, self->table.taken.running);
	end_group(self, pid);
}

TEST_F(tree, other_children_are_followed)
{
	pid_t pid = add_parent(self, VFORK, PROFIL_ADD_CHILDREN);

	EXPECT_TRUE(is_sampled_at(self, SPIN_SITE));
	end_group(self, pid);
	pid = add_parent(self, CLONE_SPACE, PROFIL_ADD_CHILDREN);
	EXPECT_TRUE(is_sampled_at(self, CHILD));
	end_group(self, pid);
	pid = add_parent(self, CLONE_SIBLING, PROFIL_ADD_CHILDREN);
	EXPECT_TRUE(is_sampled_at(self, CHILD));
	EXPECT_EQ(6, self->table.taken.processes);
	end_group(self, pid);
}

/* The child has used much CPU time when the parent spins. */
static int wait_and_spin(unsigned long nr)
{
	if (!CHILD_OK((spin(CHILD, 20 * FAST_NS), 0)))
		return 1;
	return spin_forever(nr);
}

TEST_F(tree, children_are_not_followed_unasked)
{
	pid_t pid = child_that_waits(wait_and_spin, SITE);

	add(self, pid, 0);
	while (!taken_at(self, SITE))
		EXPECT_EQ(0, table_samples(&self->table, &self->program,
					   site_offset(CHILD), false));
	EXPECT_EQ(1, self->table.taken.processes);
	kill_child(pid);
}

/* More than the driver has memory for at once: each is followed, or counted. */
#define MANY 150

static int have_many(unsigned long nr)
{
	for (int i = 0; i < MANY; i++)
		if (!CHILD_OK((spin(nr, FAST_NS), 0)))
			return 1;
	return 0;
}

TEST_F(tree, each_child_is_followed_or_counted)
{
	pid_t pid = child_that_waits(have_many, SITE);

	add(self, pid, PROFIL_ADD_CHILDREN);
	EXPECT_TRUE(exited_with(pid, 0));
	EXPECT_TRUE(has_ended(self));
	take(&self->table, PROFIL_TAKE_LAST);
	EXPECT_EQ(MANY + 1,
		  self->table.taken.processes + self->table.taken.unfollowed);
	EXPECT_EQ(0, self->table.taken.running);
	TH_LOG("%llu unfollowed", self->table.taken.unfollowed);
}

/* execve() */

static bool has_signal(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGUSR1);
}

/* Have a child spin, then execute this program, which spins elsewhere. */
static int spin_and_execute(unsigned long nr)
{
	setpgid(0, 0);
	if (!fork())
		spin_forever(CHILD);
	do
		spin(nr, 20 * FAST_NS);
	while (!has_signal());
	execl("/proc/self/exe", "tree", "spin", "9999999999999", NULL);
	return 1;
}

/* A child that waits, and that spins at SITE until it gets SIGUSR1 */
static pid_t child_that_executes(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	return child_that_waits(spin_and_execute, SITE);
}

TEST_F(tree, process_is_sampled_before_and_after_exec)
{
	pid_t pid = child_that_executes();

	add(self, pid, 0);
	EXPECT_TRUE(is_sampled_at(self, SITE));
	kill(pid, SIGUSR1);
	EXPECT_TRUE(is_sampled_at(self, SPIN_SITE));
	end_group(self, pid);
}

/*
 * The process is not sampled before its exec, nor is the child that it forks before that,
 * and which executes no program. A sample in another table shows that the process ran.
 */
static void check_on_exec(tree_data *self, __u64 period_ns)
{
	const __u64 before[2] = { site_offset(SITE), site_offset(CHILD) };
	tree_data other = { .program = self->program };
	pid_t pid = child_that_executes();
	struct table_row row;

	begin(self, 0, period_ns);
	ASSERT_OK(table_begin(&other.table, self->fd,
			      table_args(PROFIL_TABLE_TREE, period_ns)));
	ASSERT_OK(table_add(&other.table, pid, 0));
	add(self, pid, PROFIL_ADD_ON_EXEC | PROFIL_ADD_CHILDREN);
	EXPECT_TRUE(is_sampled_at(&other, SITE));
	table_end(&other.table);
	kill(pid, SIGUSR1);
	while (!taken_at(self, SPIN_SITE))
		FOR_EACH_ROW(&self->table, &row)
		{
			EXPECT_NE(before[0], row.offset);
			EXPECT_NE(before[1], row.offset);
		}
	EXPECT_EQ(2, self->table.taken.processes);
	end_group(self, pid);
}

TEST_F(tree, samples_on_exec_begin_with_the_program)
{
	check_on_exec(self, FAST_NS);
	check_on_exec(self, 0);
}

/* Names */

static bool find_row_of(tree_data *self, pid_t pid, struct table_row *row)
{
	take(&self->table, 0);
	FOR_EACH_ROW(&self->table, row)
	if (row->text.pid == (__u32)pid && !row->kernel)
		return true;
	return false;
}

TEST_F(tree, text_tells_process_and_begin)
{
	pid_t pid = child_that_spins(SITE);
	struct table_row row;

	add(self, pid, 0);
	ASSERT_TRUE(WAIT_FOR(find_row_of(self, pid, &row)));
	EXPECT_EQ(start_of_process(pid),
		  row.text.begin_ns / (10 * NSEC_PER_MSEC));
	kill_child(pid);
	ASSERT_OK(table_text(&self->table, row.text.id, &row.text));
	EXPECT_EQ(pid, row.text.pid);
	EXPECT_EQ(0, row.text.begin_ns);
}

/* Code in memory, at an address that both children have */
static char *code;

static int spin_in_memory(unsigned long nr)
{
	for (;;)
		spin_at(code + nr * SITE_BYTES, NSEC_PER_SEC);
	return 0;
}

/* On both sides of a boundary of 4 GiB */
#define BOUNDARY 0x500000000UL

static void make_code(void)
{
	size_t half = page_size();
	char *pages = (char *)BOUNDARY - half;

	ASSERT_EQ(pages, mmap(pages, 2 * half, PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			      -1, 0));
	code = (char *)BOUNDARY - SITES_BYTES;
	memcpy(code, profil_sites, SITES_BYTES);
	memcpy(code + SITES_BYTES, profil_sites, SITES_BYTES);
	ASSERT_OK(mprotect(pages, 2 * half, PROT_READ | PROT_EXEC));
}

static void find_address(tree_data *self, pid_t pid, unsigned int nr,
			 struct table_row *row)
{
	uintptr_t pc = (uintptr_t)code + nr * SITE_BYTES + SITE_LOOP;

	(void)WAIT_FOR(find_row_of(self, pid, row) && row->offset == (__u32)pc);
	ASSERT_EQ((__u32)pc, row->offset);
	EXPECT_EQ(PROFIL_NAME_MEMORY, row->file.kind);
	EXPECT_EQ(pc >> 32 << 32, row->file.device);
	EXPECT_EQ(0, row->file.inode + row->file.file_size +
			     row->file.mtime_ns + row->file.generation);
	EXPECT_STREQ("", row->path);
}

TEST_F(tree, code_in_memory_has_its_address)
{
	struct table_row rows[2];
	pid_t low, high;

	begin(self, PROFIL_TABLE_ADDRESSES, FAST_NS);
	make_code();
	low = child_that_waits(spin_in_memory, 3);
	high = child_that_waits(spin_in_memory, NR_SITES + 3);
	add(self, low, 0);
	find_address(self, low, 3, &rows[0]);
	add(self, high, 0);
	find_address(self, high, NR_SITES + 3, &rows[1]);
	EXPECT_EQ(0x400000000UL, rows[0].file.device);
	EXPECT_EQ(0x500000000UL, rows[1].file.device);
	kill_child(low);
	kill_child(high);
}

/* Both are in one half at the same time. */
static bool find_both(tree_data *self, const pid_t pids[2], __u32 ids[2])
{
	struct table_row row;

	ids[0] = 0;
	ids[1] = 0;
	take(&self->table, 0);
	FOR_EACH_ROW(&self->table, &row)
	for (int i = 0; i < 2; i++)
		if (row.text.pid == (__u32)pids[i] &&
		    row.file.kind == PROFIL_NAME_MEMORY)
			ids[i] = row.text.file;
	return ids[0] && ids[1];
}

TEST_F(tree, memory_has_a_name_in_each_process)
{
	pid_t pids[2];
	__u32 ids[2];

	begin(self, PROFIL_TABLE_ADDRESSES, FAST_NS);
	make_code();
	for (int i = 0; i < 2; i++) {
		pids[i] = child_that_waits(spin_in_memory, 3);
		add(self, pids[i], 0);
	}
	EXPECT_TRUE(EVENTUALLY(find_both(self, pids, ids),
			       sleep_ns(20 * NSEC_PER_MSEC)));
	EXPECT_NE(ids[0], ids[1]);
	for (int i = 0; i < 2; i++)
		kill_child(pids[i]);
}

/* Several tables */
TEST_F(tree, tables_of_one_process_count_beside_each_other)
{
	pid_t pid = child_that_spins(SITE);
	tree_data other = { .program = self->program };

	ASSERT_OK(table_begin(&other.table, self->fd,
			      table_args(PROFIL_TABLE_TREE, 0)));
	ASSERT_OK(table_add(&other.table, pid, 0));
	add(self, pid, 0);
	EXPECT_TRUE(is_sampled_at(self, SITE));
	EXPECT_TRUE(is_sampled_at(&other, SITE));
	table_end(&other.table);
	EXPECT_TRUE(is_sampled_at(self, SITE));
	kill_child(pid);
}

/* So many that some are in one bucket of the driver's table of 4096 */
#define CROWD 256

TEST_F(tree, each_of_many_processes_is_sampled)
{
	unsigned int nr = rounds_of(CROWD, 96);
	pid_t pids[CROWD];

	for (unsigned int i = 0; i < nr; i++) {
		pids[i] = child_that_spins(i % NR_SITES);
		ASSERT_OK(table_add(&self->table, pids[i], 0));
	}
	for (unsigned int i = 0; i < nr; i++) {
		kill(pids[i], SIGCONT);
		EXPECT_TRUE(is_sampled_at(self, i % NR_SITES));
		kill_child(pids[i]);
	}
	EXPECT_TRUE(has_ended(self));
}

/* Ends */
static int ended_once(tree_data *self)
{
	pid_t pid = child_that_spins(SITE);

	ASSERT_OK(table_add(&self->table, pid, 0));
	kill_child(pid);
	return table_events(&self->table);
}

/* Who adds nothing waits for nothing; the end of all may come more than once. */
TEST_F(tree, end_of_all_is_told)
{
	EXPECT_EQ(0, table_events(&self->table));
	EXPECT_EQ(POLLHUP, ended_once(self));
	EXPECT_EQ(POLLHUP, ended_once(self));
	take(&self->table, 0);
	EXPECT_EQ(2, self->table.taken.processes);
}

/* However many have ended, one TAKE or one poll() removes them. */
TEST_F(tree, ends_of_several_are_told_at_once)
{
	pid_t pids[7];

	for (unsigned int i = 0; i < ARRAY_LENGTH(pids); i++) {
		pids[i] = child_that_spins(i);
		ASSERT_OK(table_add(&self->table, pids[i], 0));
	}
	for (unsigned int i = 1; i < 4; i++)
		kill_child(pids[i]);
	take(&self->table, 0);
	EXPECT_EQ(4, self->table.taken.running);
	EXPECT_EQ(0, table_events(&self->table));
	kill_child(pids[0]);
	for (unsigned int i = 4; i < ARRAY_LENGTH(pids); i++)
		kill_child(pids[i]);
	EXPECT_EQ(POLLHUP, table_events(&self->table));
}

TEST_F(tree, last_take_ends_the_tree)
{
	pid_t pid = child_that_spins(SITE);

	add(self, pid, 0);
	EXPECT_TRUE(is_sampled_at(self, SITE));
	take(&self->table, PROFIL_TAKE_LAST);
	EXPECT_EQ(1, self->table.taken.running);
	EXPECT_EQ(0, self->table.taken.waiting);
	sleep_ns(20 * FAST_NS);
	take(&self->table, PROFIL_TAKE_LAST);
	EXPECT_EQ(0, self->table.taken.ticks);
	EXPECT_EQ(0, table_events(&self->table));
	EXPECT_EQ(-EINVAL, table_add(&self->table, pid, 0));
	kill_child(pid);
}

TEST_HARNESS_MAIN
