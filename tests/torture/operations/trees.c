// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of trees: of children that fork, execute programs, map files, hide, gain rights
 * and die, and of processes of the torture, which are traced for a moment, this one
 * included; some with callers, whose rows change. Every sample of a table has an outcome.
 */
#include <linux/capability.h>

#include "table.h"
#include "torture.h"

#define NEIGHBOURS 64

/* The process before or after this one, its parent, or itself */
static pid_t draw_process(struct stream *random)
{
	pid_t near = getpid() - NEIGHBOURS / 2 +
		     (pid_t)draw_below(random, NEIGHBOURS);

	if (draw_one_in(random, 3))
		return getppid();
	return near > 1 ? near : getpid();
}

/* Until the process ends, its mappings are locked now and then, and change. */
static void *map_for_ever(void *unused)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	while (fd >= 0) {
		void *at = mmap(NULL, page_size(), PROT_READ | PROT_EXEC,
				MAP_PRIVATE, fd, 0);

		if (at != MAP_FAILED)
			munmap(at, page_size());
	}
	return unused;
}

static void begin_to_map(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, map_for_ever, NULL))
		pthread_detach(thread);
}

static void change_rights(struct stream *random)
{
	uid_t user = FIRST_USER + (uid_t)draw_below(random, NR_USERS);
	int error = 0;

	switch (draw_below(random, 4)) {
	case 0:
		error = setresuid(user, user, user);
		break;
	case 1:
		error = setresgid(user, user, user);
		break;
	case 2:
		error = unshare(CLONE_NEWUSER);
		break;
	default:
		prctl(PR_SET_DUMPABLE, 0);
	}
	/* A change of user or group makes a process undumpable. */
	if (!error && draw_one_in(random, 2))
		prctl(PR_SET_DUMPABLE, 1);
	use_cpu(random);
	prctl(PR_SET_DUMPABLE, (unsigned long)draw_below(random, 2));
}

#define COUNT_UP "i=0; while [ $i -lt 300 ]; do i=$((i + 1)); done & wait"

static void execute(struct stream *random)
{
	if (draw_one_in(random, 2))
		execl(SET_USER_PROGRAM, "sh", "-c", COUNT_UP, NULL);
	execl("/bin/busybox", "true", NULL);
}

/* Spin, fork, map, change, execute or die, in this order or another. */
static void live(struct stream *random)
{
	unsigned int steps = 1 + (unsigned int)draw_below(random, 4);

	while (steps--) {
		if (draw_one_in(random, 2))
			use_cpu(random);
		if (draw_one_in(random, 3) && fork() < 0)
			break;
		if (draw_one_in(random, 6))
			begin_to_map();
		if (draw_one_in(random, 6))
			change_rights(random);
		if (draw_one_in(random, 6))
			execute(random);
	}
	_exit(0);
}

static int add_any(const struct table *table, struct stream *random)
{
	pid_t child;

	if (!draw_one_in(random, 2))
		return table_add_traced(table, draw_process(random),
					(__u32)draw_below(random, 4));
	child = IN_CHILD((live(random), 0));
	return child < 0 ?
		       -errno :
		       table_add(table, child, (__u32)draw_below(random, 4));
}

/*
 * The errors of profil.rst for what this file does with its table; 0 ends them. A process that
 * is drawn may be a thread, which has no pidfd, or may not be traced.
 */
static const int errors_of_add[] = { ESRCH,  EPERM,  EALREADY, EBUSY,  EAGAIN,
				     ENOMEM, ECHILD, EINVAL,   ENOENT, 0 };
static const int errors_of_take[] = { 0 };
static const int errors_of_wanted[] = { EAGAIN, ENAMETOOLONG, ENOMEM, 0 };
static const int errors_of_rows[] = { ENOENT, ENOMEM, EBADF, 0 };

/* 0 or an @error that is documented: true if it is 0 */
static bool succeeds(const char *name, int error, const int *documented)
{
	while (error && *documented && *documented != -error)
		documented++;
	if (error && !*documented)
		board_fail(SAMPLES, "%s of a tree returns %d", name, error);
	return !error;
}

static void take(struct table *table, __u32 flags)
{
	__u64 dropped = table->takes ? table->taken.dropped : 0;

	if (!succeeds("TAKE", table_take(table, flags), errors_of_take))
		return;
	if (!table_adds_up(table))
		board_fail(SAMPLES, "%llu ticks of a tree, %llu hits",
			   table->sum.ticks, table->sum.hits);
	if (!table_has_all_takes(table))
		board_fail(SAMPLES, "TAKE %llu is number %llu", table->takes,
			   table->taken.sequence);
	board->dropped += table->taken.dropped - dropped;
	board->tree_samples += table->taken.ticks;
	board->walks += table->taken.walk_base;
	board->tree_outcomes[STALE] += table->taken.stale;
	board->tree_outcomes[BUSY] += table->taken.busy;
	board->tree_outcomes[DENIED] += table->taken.denied;
	board->tree_outcomes[CANCELLED] += table->taken.cancelled;
}

static __u16 draw_rule(struct stream *random)
{
	static const __u16 kinds[] = {
		PROFIL_RULE_SP, PROFIL_RULE_SP,	    PROFIL_RULE_BP,
		PROFIL_RULE_BX, PROFIL_RULE_SIGNAL, PROFIL_RULE_END,
	};
	__u16 kind = kinds[draw_below(random, ARRAY_LENGTH(kinds))];

	if (kind == PROFIL_RULE_SIGNAL || kind == PROFIL_RULE_END)
		return kind;
	return kind | (__u16)(8 * (1 + draw_below(random, 20)));
}

#define ROWS_BYTES 0x100000
#define NR_ROWS 1000

/* Other rows, which need not be right, of the program of this process, or none */
static void load_rows(const struct table *table, struct stream *random)
{
	struct profil_row rows[NR_ROWS] = { 0 };
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	for (unsigned int i = 0; i < NR_ROWS; i++) {
		rows[i].offset = ROWS_BYTES / NR_ROWS * i;
		rows[i].rule = draw_rule(random);
	}
	if (succeeds("ROWS",
		     table_load(table, fd, rows,
				draw_one_in(random, 4) ? 0 : NR_ROWS),
		     errors_of_rows))
		board->loads++;
	close(fd);
}

/* Files without rows are wanted, and one of them has some now and then. */
static void use_rows(const struct table *table, struct stream *random)
{
	struct profil_wanted wanted;
	char path[256];

	while (succeeds("WANTED", table_wanted(table, &wanted, path),
			errors_of_wanted))
		;
	if (draw_one_in(random, 2))
		load_rows(table, random);
}

static void use_table(struct table *table, struct stream *random)
{
	unsigned int steps = 1 + (unsigned int)draw_below(random, 6);

	while (steps--) {
		if (succeeds("ADD", add_any(table, random), errors_of_add))
			board->members++;
		sleep_ns(draw_below(random, 20 * NSEC_PER_MSEC));
		if (draw_one_in(random, 2))
			take(table, 0);
		table_events(table);
		if (table->callers)
			use_rows(table, random);
	}
	take(table, draw_one_in(random, 2) ? PROFIL_TAKE_LAST : 0);
}

/* From then on the process may see fewer programs than run here. */
static void give_up_ptrace(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return;
	data[CAP_SYS_PTRACE / 32].effective &= ~(1U << CAP_SYS_PTRACE % 32);
	data[CAP_SYS_PTRACE / 32].permitted &= ~(1U << CAP_SYS_PTRACE % 32);
	syscall(SYS_capset, &header, data);
}

/*
 * In a child without other threads, as a process forked by one would keep the
 * descriptor, and with it the module. close() or the end of the process ends the table.
 */
static void live_with_tree(struct actor *actor)
{
	static const __u64 periods[] = { 0, FAST_NS, NSEC_PER_MSEC };
	struct stream *random = &actor->random;
	struct profil_table args =
		table_args(PROFIL_TABLE_TREE | (draw_one_in(random, 2) ?
							PROFIL_TABLE_ADDRESSES :
							PROFIL_TABLE_THREADS),
			   periods[draw_below(random, ARRAY_LENGTH(periods))]);
	struct table table;
	int fd;

	actor_inherit(actor);
	signal(SIGCHLD, SIG_IGN);
	if (board->quiet)
		return;
	fd = device_open();
	if (fd < 0)
		return;
	if (draw_one_in(random, 2))
		give_up_ptrace();
	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
#ifdef __x86_64__
	if (draw_one_in(random, 2))
		args.flags |= PROFIL_TABLE_CALLERS;
#endif
	if (!table_begin(&table, fd, args)) {
		board->trees++;
		use_table(&table, random);
		if (draw_one_in(random, 2))
			table_end(&table);
	}
	close(fd);
}

static const struct operation list[] = {
	{ "TABLE of a tree, ADD", NULL, 10, .life = live_with_tree,
	  .waits = true },
};

const struct operations tree_operations = { list, ARRAY_LENGTH(list) };
