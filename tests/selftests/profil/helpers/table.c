// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"
#include "table.h"

#include <poll.h>
#include <sys/ptrace.h>

struct profil_table table_args(__u32 flags, __u64 period_ns)
{
	return (struct profil_table){
		.size = sizeof(struct profil_table),
		.flags = flags,
		.cgroup = -1,
		.counters_log2 = TABLE_LOG2,
		.period_ns = period_ns,
	};
}

int table_open(int fd, const void *args)
{
	int table = ioctl(fd, PROFIL_IOC_TABLE, args);

	return table < 0 ? -errno : table;
}

static size_t mapped_bytes(const struct table *table)
{
	return 2 * table->nr * sizeof(struct profil_counter);
}

int table_begin(struct table *table, int fd, struct profil_table args)
{
	memset(table, 0, sizeof(*table));
	table->nr = (size_t)1 << args.counters_log2;
	table->callers = args.flags & PROFIL_TABLE_CALLERS;
	table->fd = table_open(fd, &args);
	return table->fd < 0 ? table->fd : table_map(table);
}

int table_map(struct table *table)
{
	table->counters = mmap(NULL, mapped_bytes(table), PROT_READ, MAP_SHARED,
			       table->fd, 0);
	return table->counters == MAP_FAILED ? -errno : 0;
}

/* The numbers of samples: the others are no sums */
static void add(struct profil_take *sum, const struct profil_take *taken)
{
	__u64 *to = &sum->ticks;
	const __u64 *from = &taken->ticks;

	while (to <= &sum->kernel_full)
		*to++ += *from++;
	for (to = &sum->walk_base, from = &taken->walk_base;
	     to <= &sum->walk_deferred;)
		*to++ += *from++;
	sum->waiting = taken->waiting;
}

/* The law of sums, over all TAKEs */
static bool sums_agree(const struct table *table)
{
	const struct profil_take *sum = &table->sum;

	return table_outcomes(sum) + sum->waiting == sum->ticks &&
	       sum->waiting <= sum->ticks &&
	       sum->kernel_pcs + sum->kernel_full + sum->idle + sum->filtered <=
		       sum->ticks &&
	       sum->stale <= sum->hits;
}

/*
 * A table whose sums are wrong fails its program, in each TAKE of each test. They are not
 * known if another process has made a TAKE.
 */
static void check_sums(const struct table *table)
{
	const struct profil_take *sum = &table->sum;
	bool is_last = table->taken.flags & PROFIL_TAKE_LAST;

	if (!table_has_all_takes(table) ||
	    (sums_agree(table) && !(is_last && sum->waiting)))
		return;
	fprintf(stderr, "TAKE %llu: %llu ticks, %llu outcomes, %llu waiting\n",
		table->taken.sequence, sum->ticks, table_outcomes(sum),
		sum->waiting);
	abort();
}

int table_take(struct table *table, __u32 flags)
{
	int error;

	memset(&table->taken, POISON, sizeof(table->taken));
	table->taken.size = sizeof(table->taken);
	table->taken.flags = flags;
	error = call(table->fd, PROFIL_TABLE_IOC_TAKE, &table->taken);
	if (error)
		return error;
	add(&table->sum, &table->taken);
	table->takes++;
	check_sums(table);
	return 0;
}

/*
 * The last TAKE of a table has each of its samples: another one has none. A table that has
 * had an even number of TAKEs, none of them the last one, is closed as it is.
 */
static bool ends_by_take(const struct table *table)
{
	return table->fd >= 0 && table->takes && table_has_all_takes(table) &&
	       (table->takes % 2 || table->taken.flags & PROFIL_TAKE_LAST);
}

static void check_end(struct table *table)
{
	struct profil_take all;

	if (table_take(table, PROFIL_TAKE_LAST))
		return;
	all = table->sum;
	if (table_take(table, PROFIL_TAKE_LAST) ||
	    !table_has_all_takes(table) ||
	    !memcmp(&all, &table->sum, sizeof(all)))
		return;
	fprintf(stderr, "%llu ticks and %llu outcomes; later %llu and %llu\n",
		all.ticks, table_outcomes(&all), table->sum.ticks,
		table_outcomes(&table->sum));
	abort();
}

void table_end(struct table *table)
{
	if (ends_by_take(table))
		check_end(table);
	munmap((void *)table->counters, mapped_bytes(table));
	close(table->fd);
}

const struct profil_counter *table_half(const struct table *table)
{
	return table->counters + table->taken.half * table->nr;
}

__u64 table_outcomes(const struct profil_take *sum)
{
	return sum->hits + sum->idle + sum->kernel_threads + sum->filtered +
	       sum->starting + sum->exiting + sum->unmapped + sum->denied +
	       sum->cancelled + sum->no_item + sum->no_memory + sum->full +
	       sum->busy;
}

/* A sample is counted at its PC and, where there was room, at the node of its stack. */
static bool counters_agree(const struct table *table)
{
	const struct profil_counter *half = table_half(table);
	const struct profil_take *taken = &table->taken;
	__u64 hits = 0, kernel_pcs = 0, stacks = 0;
	size_t i, used = 0;

	for (i = 0; i < table->nr; i++) {
		used += half[i].key != 0;
		if (PROFIL_KEY_KIND(half[i].key) == PROFIL_KIND_NODE)
			stacks += half[i].count;
		if (PROFIL_KEY_KIND(half[i].key) == PROFIL_KIND_KERNEL)
			kernel_pcs += half[i].count;
		if (PROFIL_KEY_KIND(half[i].key) == PROFIL_KIND_TEXT)
			hits += half[i].count;
	}
	return used == taken->counters && hits == taken->hits &&
	       kernel_pcs == taken->kernel_pcs && stacks <= hits &&
	       hits - stacks <= (table->callers ? taken->walk_shortened : hits);
}

/* Each hit of a table with callers has an end, and those of one without have none. */
static bool walks_agree(const struct table *table)
{
	const struct profil_take *sum = &table->sum;
	__u64 walks = 0;

	for (const __u64 *at = &sum->walk_base; at <= &sum->walk_by_rbp; at++)
		walks += *at;
	return walks == (table->callers ? sum->hits : 0) &&
	       sum->walk_shortened <= walks && sum->walk_deferred <= walks;
}

/* More than a stack has, with a PC in the kernel */
#define MOST_NODES 200

/* The PROFIL_WALK_* whose root node @at is below; PROFIL_NR_WALKS if it has none */
static __u32 end_of_node(const struct table *table, __u32 at)
{
	const struct profil_counter *half = table_half(table);

	for (int i = 0; i < MOST_NODES && at < table->nr; i++)
		at = PROFIL_NODE_PARENT(half[at].key);
	at -= PROFIL_NODE_ROOT;
	return at < PROFIL_NR_WALKS ? at : PROFIL_NR_WALKS;
}

/* A stack is below the root of the end that its walk had. */
static bool ends_agree(const struct table *table)
{
	const struct profil_counter *half = table_half(table);
	const __u64 *walks = &table->taken.walk_base;
	__u64 below[PROFIL_NR_WALKS + 1] = { 0 };
	bool agree;

	for (__u32 i = 0; i < table->nr; i++)
		if (PROFIL_KEY_KIND(half[i].key) == PROFIL_KIND_NODE &&
		    half[i].count)
			below[end_of_node(table, i)] += half[i].count;
	agree = !below[PROFIL_NR_WALKS];
	for (int end = 0; end < PROFIL_NR_WALKS; end++)
		agree = agree && below[end] <= walks[end];
	return agree;
}

/* Each process that runs, or was dropped, has been added. */
static bool processes_agree(const struct profil_take *taken)
{
	return taken->running + taken->dropped <= taken->processes;
}

bool table_adds_up(const struct table *table)
{
	return sums_agree(table) && processes_agree(&table->taken) &&
	       walks_agree(table) && counters_agree(table) && ends_agree(table);
}

bool table_has_all_takes(const struct table *table)
{
	return table->taken.sequence == table->takes;
}

__u64 table_counted(const struct table *table)
{
	const volatile struct profil_counter *at = table->counters;
	__u64 sum = 0;

	for (size_t i = 0; i < 2 * table->nr; i++)
		sum += at[i].count;
	return sum;
}

int table_add_by(const struct table *table, int pidfd, __u32 flags)
{
	struct profil_add add = {
		.size = sizeof(add),
		.flags = flags,
		.pidfd = pidfd,
	};

	return call(table->fd, PROFIL_TABLE_IOC_ADD, &add);
}

int table_add(const struct table *table, pid_t pid, __u32 flags)
{
	int pidfd = pidfd_of(pid), result;

	if (pidfd < 0)
		return pidfd;
	result = table_add_by(table, pidfd, flags);
	close(pidfd);
	return result;
}

/* The kernel detaches, without a stop, what a process traces that exits. */
int table_add_traced(const struct table *table, pid_t pid, __u32 flags)
{
	volatile int result = -ECHILD;
	pid_t tracer = vfork();

	if (!tracer) {
		result = ptrace(PTRACE_SEIZE, pid, NULL, NULL) ?
				 -errno :
				 table_add(table, pid, flags);
		_exit(0);
	}
	waitpid(tracer, NULL, 0);
	return result;
}

int table_events(const struct table *table)
{
	struct pollfd poll_of = { .fd = table->fd, .events = POLLIN | POLLPRI };

	return poll(&poll_of, 1, 0) < 0 ? -errno : poll_of.revents;
}

pid_t table_poller(const struct table *table, short events)
{
	struct pollfd poll_of = { .fd = table->fd, .events = events };
	pid_t pid = IN_CHILD(poll(&poll_of, 1, -1) == 1 ? poll_of.revents : 0);

	(void)WAIT_FOR(stays_in_state(pid, pid, 'S'));
	return pid;
}

int table_polled(pid_t poller)
{
	int status = 0;

	if (WAIT_FOR(waitpid(poller, &status, WNOHANG) == poller))
		return WEXITSTATUS(status);
	kill_child(poller);
	return 0;
}

pid_t child_that_waits(int (*body)(unsigned long argument),
		       unsigned long argument)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		raise(SIGSTOP);
		_exit(body(argument));
	}
	if (pid < 0 || waitpid(pid, NULL, WUNTRACED) != pid) {
		perror("child");
		_exit(1);
	}
	return pid;
}

static int spin_at_site(unsigned long nr)
{
	return spin_forever(nr);
}

pid_t child_that_spins(unsigned int nr)
{
	return child_that_waits(spin_at_site, nr);
}

int table_load(const struct table *table, int fd, const struct profil_row *rows,
	       __u32 nr)
{
	struct profil_rows load = {
		.size = sizeof(load),
		.kind = PROFIL_ROWS_BY_FD,
		.inode = (__u64)fd,
		.nr_rows = nr,
		.rows = (uintptr_t)rows,
	};

	return call(table->fd, PROFIL_TABLE_IOC_ROWS, &load);
}

int table_wanted(const struct table *table, struct profil_wanted *wanted,
		 char path[256])
{
	memset(wanted, POISON, sizeof(*wanted));
	wanted->size = sizeof(*wanted);
	wanted->room = 256;
	wanted->path = (uintptr_t)path;
	return call(table->fd, PROFIL_TABLE_IOC_WANTED, wanted);
}

int table_text(const struct table *table, __u32 id, struct profil_text *text)
{
	memset(text, POISON, sizeof(*text));
	text->size = sizeof(*text);
	text->id = id;
	return call(table->fd, PROFIL_TABLE_IOC_TEXT, text);
}

int table_name(const struct table *table, __u32 id, struct profil_name *name,
	       char *path, __u32 room)
{
	memset(name, POISON, sizeof(*name));
	name->size = sizeof(*name);
	name->id = id;
	name->room = room;
	name->path = (uintptr_t)path;
	return call(table->fd, PROFIL_TABLE_IOC_NAME, name);
}

static int name_unless_0(const struct table *table, __u32 id,
			 struct profil_name *name, char path[256])
{
	memset(name, 0, sizeof(*name));
	*path = '\0';
	return id ? table_name(table, id, name, path, 256) : 0;
}

static int names_of(const struct table *table, struct table_row *row)
{
	char unused[256];

	return name_unless_0(table, row->text.program, &row->program, unused) ?:
		       name_unless_0(table, row->text.file, &row->file, row->path) ?:
		       name_unless_0(table, row->text.cgroup, &row->cgroup,
				     row->cgroup_path);
}

static void fill_row(const struct table *table,
		     const struct profil_counter *counter,
		     struct table_row *row)
{
	__u32 id = PROFIL_KEY_TEXT(counter->key);

	memset(row, 0, sizeof(*row));
	row->count = counter->count;
	row->offset = PROFIL_KEY_OFFSET(counter->key);
	row->kernel = counter->key & PROFIL_KEY_KERNEL;
	row->kernel_pc = PROFIL_KEY_KIND(counter->key) == PROFIL_KIND_KERNEL;
	if (id != PROFIL_TEXT_KERNEL)
		row->error = table_text(table, id, &row->text) ?:
				     names_of(table, row);
}

bool table_row(const struct table *table, size_t *at, struct table_row *row)
{
	const struct profil_counter *half = table_half(table);

	while (*at < table->nr &&
	       (!half[*at].key ||
		PROFIL_KEY_KIND(half[*at].key) == PROFIL_KIND_NODE))
		++*at;
	if (*at == table->nr)
		return false;
	fill_row(table, &half[*at], row);
	return true;
}

static bool is_file(const struct profil_name *name, const struct stat *file)
{
	return name->kind == PROFIL_NAME_FILE && name->inode == file->st_ino &&
	       name->file_size == (__u64)file->st_size;
}

__u64 table_samples(const struct table *table, const struct stat *file,
		    __u64 offset, bool kernel)
{
	struct table_row row;
	__u64 sum = 0;

	FOR_EACH_ROW(table, &row)
	if (!row.kernel_pc && row.kernel == kernel &&
	    is_file(&row.file, file) && offset == row.offset)
		sum += row.count;
	return sum;
}

__u64 table_program_samples(const struct table *table,
			    const struct stat *program)
{
	struct table_row row;
	__u64 sum = 0;

	FOR_EACH_ROW(table, &row)
	if (!row.kernel_pc && is_file(&row.program, program))
		sum += row.count;
	return sum;
}

unsigned long long start_of_process(pid_t pid)
{
	unsigned long long ticks = 0;
	char path[64], word[64] = "";
	int field = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	while (file && field < 22 && fscanf(file, "%63s", word) == 1)
		field++; /* the name of this program has no blank */
	if (file)
		ticks = strtoull(word, NULL, 10);
	if (file)
		fclose(file);
	return ticks;
}
