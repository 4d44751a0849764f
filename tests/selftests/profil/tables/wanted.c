// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files whose rows are wanted, and rows that are wrong, or change, while programs are
 * sampled.
 */
#include "numbers.h"
#include "rows_table.h"

#include <poll.h>

/* Files that are wanted */
static bool is_wanted(const struct table *table)
{
	return table_events(table) & POLLPRI;
}

static pid_t add_spinner(const struct table *table)
{
	pid_t pid = child_that_spins(SITE);

	EXPECT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	return pid;
}

/* A program without libraries and its vDSO, if that was sampled; the file comes once. */
TEST_F(rows, file_is_wanted_once)
{
	struct profil_wanted wanted;
	struct stat program;
	char path[256];
	pid_t pid;

	EXPECT_EQ(-EAGAIN, table_wanted(&self->table, &wanted, path));
	EXPECT_FALSE(is_wanted(&self->table));
	ASSERT_OK(fstat(self->program, &program));
	pid = add_spinner(&self->table);
	ASSERT_TRUE(WAIT_FOR(is_wanted(&self->table)));
	wanted = (struct profil_wanted){ .size = sizeof(wanted),
					 .room = 1,
					 .path = (uintptr_t)path };
	EXPECT_EQ(-ENAMETOOLONG,
		  call(self->table.fd, PROFIL_TABLE_IOC_WANTED, &wanted));
	ASSERT_OK(table_wanted(&self->table, &wanted, path));
	EXPECT_EQ(PROFIL_NAME_FILE, wanted.kind);
	EXPECT_EQ(pid, (pid_t)wanted.pid);
	EXPECT_EQ(program.st_ino, wanted.inode);
	EXPECT_EQ((__u64)program.st_size, wanted.file_size);
	EXPECT_EQ(strlen(path) + 1, wanted.room);
	EXPECT_EQ(0, wanted.reserved);
	EXPECT_STREQ("wanted", strrchr(path, '/') + 1);
	/* Another process of the program, and another half; a removal of no rows changes nothing */
	kill_child(pid);
	EXPECT_EQ(-ENOENT, table_load(&self->table, self->program, NULL, 0));
	ASSERT_OK(table_take(&self->table, 0));
	pid = add_spinner(&self->table);
	EXPECT_TRUE(WAIT_FOR(!table_take(&self->table, 0) &&
			     self->table.taken.walk_no_rows));
	while (!table_wanted(&self->table, &wanted, path))
		EXPECT_NE(program.st_ino, wanted.inode);
	EXPECT_FALSE(is_wanted(&self->table));
	kill_child(pid);
}

/* In a namespace of PIDs, where a child has another number than outside */
static int wanted_has_number(const struct table *table)
{
	struct profil_wanted wanted;
	pid_t pid = add_spinner(table);
	char path[256];
	bool has_it = WAIT_FOR(is_wanted(table)) &&
		      !table_wanted(table, &wanted, path) &&
		      (pid_t)wanted.pid == pid;

	kill_child(pid);
	return !has_it;
}

TEST_F(rows, process_has_its_number_in_the_namespace_of_who_asks)
{
	EXPECT_TRUE(CHILD_OK(unshare(CLONE_NEWPID) ||
			     !CHILD_OK(wanted_has_number(&self->table))));
}

TEST_F(rows, wanted_file_wakes_who_polls)
{
	pid_t poller = table_poller(&self->table, POLLPRI);
	pid_t pid = add_spinner(&self->table);

	EXPECT_EQ(POLLPRI, table_polled(poller));
	kill_child(pid);
}

/* The numbers of WANTED are those of ROWS. */
TEST_F(rows, file_with_rows_is_not_wanted)
{
	struct profil_wanted wanted;
	struct profil_rows key;
	char path[256];
	pid_t pid;

	ASSERT_OK(table_load(&self->table, self->program, some_rows(1), 1));
	pid = add_spinner(&self->table);
	EXPECT_TRUE(WAIT_FOR(!table_take(&self->table, 0) &&
			     self->table.taken.hits));
	while (!table_wanted(&self->table, &wanted, path))
		EXPECT_NE(PROFIL_NAME_FILE, wanted.kind);
	kill_child(pid);
	EXPECT_OK(table_load(&self->table, self->program, NULL, 0));
	pid = add_spinner(&self->table);
	ASSERT_TRUE(WAIT_FOR(is_wanted(&self->table)));
	ASSERT_OK(table_wanted(&self->table, &wanted, path));
	key = (struct profil_rows){
		.kind = wanted.kind,
		.device = wanted.device,
		.inode = wanted.inode,
		.file_size = wanted.file_size,
		.mtime_ns = wanted.mtime_ns,
		.generation = wanted.generation,
	};
	EXPECT_OK(load_key(&self->table, key, 1));
	EXPECT_OK(table_load(&self->table, self->program, NULL, 0));
	kill_child(pid);
}

static bool take_file(const struct table *table, struct profil_wanted *wanted)
{
	char path[256];

	return !table_wanted(table, wanted, path) &&
	       wanted->kind == PROFIL_NAME_FILE;
}

/* Who has no room for all rows removes some, also of programs that run on. */
TEST_F(rows, file_is_wanted_again_without_its_rows)
{
	struct profil_wanted wanted;
	pid_t pid = add_spinner(&self->table);

	for (int i = 0; i < 3; i++) {
		ASSERT_TRUE(WAIT_FOR(take_file(&self->table, &wanted)));
		EXPECT_OK(table_load(&self->table, self->program, some_rows(1),
				     1));
		EXPECT_OK(table_load(&self->table, self->program, NULL, 0));
	}
	kill_child(pid);
}

static int read_clock_for_ever(unsigned long unused)
{
	struct timespec now;

	(void)unused;
	for (;;)
		clock_gettime(CLOCK_MONOTONIC, &now);
	return 0;
}

static bool take_special(const struct table *table,
			 struct profil_wanted *wanted, char path[256])
{
	return !table_wanted(table, wanted, path) &&
	       wanted->kind == PROFIL_NAME_SPECIAL;
}

TEST_F(rows, vdso_is_wanted_by_its_name)
{
	pid_t pid = child_that_waits(read_clock_for_ever, 0);
	struct profil_wanted wanted;
	char path[256];

	ASSERT_OK(table_add(&self->table, pid, 0));
	kill(pid, SIGCONT);
	ASSERT_TRUE(WAIT_FOR(take_special(&self->table, &wanted, path)));
	EXPECT_STREQ("[vdso]", path);
	EXPECT_EQ(0, memcmp(&wanted.inode, "[vdso]\0", 8));
	EXPECT_EQ(0, wanted.device);
	EXPECT_EQ(0, wanted.file_size);
	EXPECT_EQ(0, wanted.mtime_ns);
	EXPECT_EQ(0, wanted.generation);
	kill_child(pid);
}

/* More files than may wait: none is lost, as look-ups ask again. */
#define FILES (PROFIL_MAX_WANTED + 10)

/* Half of those that may wait, so that the programs of a user leave room for others */
#define FILES_OF_USER (PROFIL_MAX_WANTED / 2)
#define FILES_OF_OTHER 5

static int spin_in_files(unsigned long nr)
{
	const char *code[FILES];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	raise(SIGSTOP);
	for (unsigned long i = 0; i < nr; i++)
		code[i] = code_map(code_file(NULL), NULL);
	for (;;)
		for (unsigned long i = 0; i < nr; i++)
			spin_at(code[i], FAST_NS);
	return 0;
}

static int spin_as_user(unsigned long nr)
{
	return become_nobody() ?: spin_in_files(nr);
}

static void go_to_stop(pid_t pid)
{
	kill(pid, SIGCONT);
	EXPECT_EQ(pid, waitpid(pid, NULL, WUNTRACED));
}

/*
 * Add a process that executes @nr files, once it has become who it shall be, and stop it
 * when each of them has been looked up: files that are looked up later would be wanted, too.
 */
static pid_t spin_and_stop(struct table *table, int (*body)(unsigned long nr),
			   unsigned long nr)
{
	pid_t pid = child_that_waits(body, nr);

	go_to_stop(pid);
	EXPECT_OK(table_take(table, 0));
	EXPECT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	/* The names of a cgroup and of the program, too */
	EXPECT_TRUE(WAIT_FOR(!table_take(table, 0) &&
			     table->taken.names >= nr + 2));
	kill(pid, SIGSTOP);
	EXPECT_EQ(pid, waitpid(pid, NULL, WUNTRACED));
	return pid;
}

/* The files of @pid that are wanted now, and of others up to the last one of these */
struct turns {
	unsigned int own;
	unsigned int others;
	unsigned int before;
};

static struct turns turns_of(const struct table *table, pid_t pid)
{
	struct profil_wanted wanted;
	struct turns turns = { 0 };
	char path[256];

	while (!table_wanted(table, &wanted, path)) {
		if ((pid_t)wanted.pid != pid) {
			turns.others++;
			continue;
		}
		turns.own++;
		turns.before = turns.others;
	}
	return turns;
}

TEST_F(rows, some_files_of_a_user_wait_at_most)
{
	pid_t pid = spin_and_stop(&self->table, spin_in_files, FILES);
	unsigned int nr = turns_of(&self->table, pid).own;

	EXPECT_EQ(FILES_OF_USER, nr);
	kill(pid, SIGCONT);
	EXPECT_TRUE(WAIT_FOR((nr += turns_of(&self->table, pid).own,
			      !table_take(&self->table, 0) && nr >= FILES)));
	kill_child(pid);
}

/* Who has many files keeps neither the queue nor who compiles the rows from others. */
TEST_F(rows, files_of_users_have_turns)
{
	pid_t many = spin_and_stop(&self->table, spin_as_user, FILES);
	pid_t few = spin_and_stop(&self->table, spin_as_user, FILES_OF_OTHER);
	struct turns turns = turns_of(&self->table, few);

	TH_LOG("%u files of one, %u of the other, the last behind %u",
	       turns.others, turns.own, turns.before);
	EXPECT_EQ(FILES_OF_USER, turns.others);
	EXPECT_LE(FILES_OF_OTHER, turns.own);
	EXPECT_GE(turns.own, turns.before);
	kill_child(many);
	kill_child(few);
}

#ifdef __aarch64__

static struct profil_row random_row(void)
{
	static const __u16 rules[] = { PROFIL_RULE_NONE, PROFIL_RULE_BY_RBP,
				       PROFIL_RULE_END, PROFIL_RULE_LR,
				       PROFIL_RULE_RECORD };
	__u16 rule = rules[random_next() % ARRAY_LENGTH(rules)];

	return (struct profil_row){
		.rule = rule,
		.bp = rule == PROFIL_RULE_RECORD ? -2 : 0,
	};
}

#else

static __u16 random_rule(void)
{
	__u64 random = random_next();
	__u16 n = random >> 8 & (random & 1 ? 0xf8 : 0xfff8);

	switch (random >> 32 & 7) {
	case PROFIL_RULE_NONE:
		return random & 1 ? 0 : PROFIL_RULE_BY_RBP;
	case PROFIL_RULE_END:
	case PROFIL_RULE_SIGNAL:
		return random >> 32 & 7;
	case PROFIL_RULE_PLT:
		return (n & 0x78) | PROFIL_RULE_PLT;
	case PROFIL_RULE_SP:
		return ((n & 0x7ff8) ?: 8) | PROFIL_RULE_SP;
	default:
		return n | (random >> 32 & 7);
	}
}

static struct profil_row random_row(void)
{
	__u64 random = random_next();
	struct profil_row row = { .rule = random_rule() };
	int kind = PROFIL_RULE_KIND(row.rule);

	if (kind == PROFIL_RULE_NONE || kind == PROFIL_RULE_END ||
	    kind == PROFIL_RULE_PLT || kind == PROFIL_RULE_SIGNAL)
		return row;
	row.bp = random & 1 ? -(random >> 8 & 7) :
		 random & 2 ? PROFIL_ROW_AT_BP :
			      0;
	row.bx = random & 4 ? -(random >> 16 & 0x7f) : 0;
	return row;
}

#endif

/* Rules of any kind, over all of the text */
static void random_rows(struct profil_row *rows, __u32 nr, __u32 bytes)
{
	for (__u32 i = 0; i < nr; i++) {
		rows[i] = random_row();
		rows[i].offset = (__u64)i * bytes / nr;
	}
}

static volatile int sink;

static __attribute__((noinline)) int recurse(int depth)
{
	volatile __u64 words[8];

	for (int i = 0; i < 8; i++)
		words[i] = random_next() & 1 ? (uintptr_t)&words[i] :
					       (uintptr_t)recurse + i;
	if (depth)
		sink = recurse(depth - 1);
	spin(SITE, 20 * NSEC_PER_USEC);
	return (int)words[depth & 7];
}

/* The numbers after @skip of the parent's next ones */
static int recurse_for_ever(unsigned long skip)
{
	while (skip--)
		random_next();
	for (;;)
		recurse(random_next() % 60);
	return 0;
}

#define ROUNDS 300
#define RANDOM_ROWS 3000

/*
 * Each load of rows of the sampled program, and each removal, waits for the walks. No
 * program notices.
 */
TEST_F(rows, random_rows_harm_nothing)
{
	struct profil_row *rows = some_rows(RANDOM_ROWS);
	__u64 until = wall_ns() + TIMEOUT_NS;
	struct stat program;
	pid_t pids[2];

	TH_LOG("SEED=%llu", random_begin());
	pids[0] = child_that_waits(recurse_for_ever, 1);
	pids[1] = child_that_waits(recurse_for_ever, 2);
	ASSERT_OK(fstat(self->program, &program));
	for (int i = 0; i < 2; i++) {
		ASSERT_OK(table_add(&self->table, pids[i], 0));
		kill(pids[i], SIGCONT);
	}
	for (unsigned int i = 0; i < rounds_of(ROUNDS, 75) && wall_ns() < until;
	     i++) {
		random_rows(rows, RANDOM_ROWS, program.st_size);
		ASSERT_OK(table_load(&self->table, self->program, rows,
				     RANDOM_ROWS));
		sleep_ns(4 * NSEC_PER_MSEC);
		if (i % 3 == 0)
			EXPECT_OK(table_load(&self->table, self->program, NULL,
					     0));
		if (i % 10)
			continue;
		ASSERT_OK(table_take(&self->table, 0));
		EXPECT_TRUE(table_adds_up(&self->table));
	}
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(0, waitpid(pids[i], NULL, WNOHANG));
		kill_child(pids[i]);
	}
	ASSERT_OK(table_take(&self->table, PROFIL_TAKE_LAST));
	EXPECT_TRUE(table_adds_up(&self->table));
	TH_LOG("%llu hits: %llu base, %llu depth, %llu fault, %llu bad",
	       self->table.sum.hits, self->table.sum.walk_base,
	       self->table.sum.walk_depth, self->table.sum.walk_fault,
	       self->table.sum.walk_bad);
	TH_LOG("%llu unmapped, %llu no rows, %llu by rbp, %llu deferred",
	       self->table.sum.walk_unmapped, self->table.sum.walk_no_rows,
	       self->table.sum.walk_by_rbp, self->table.sum.walk_deferred);
}

TEST_HARNESS_MAIN
