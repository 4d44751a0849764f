// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of trees: of children that fork, execute programs and die, and of processes of
 * the torture, which are traced for a moment, this one included. Every sample of a table
 * has an outcome.
 */
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

/* Spin, fork, execute or die, in this order or another. */
static void live(struct stream *random)
{
	unsigned int steps = 1 + (unsigned int)draw_below(random, 4);

	while (steps--) {
		if (draw_one_in(random, 2))
			use_cpu(random);
		if (draw_one_in(random, 3) && fork() < 0)
			break;
		if (draw_one_in(random, 6))
			execl("/bin/busybox", "true", NULL);
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

static void take(struct table *table, __u32 flags)
{
	if (table_take(table, flags))
		return;
	if (!table_adds_up(table))
		board_fail(SAMPLES, "%llu ticks of a tree, %llu hits",
			   table->sum.ticks, table->sum.hits);
	board->tree_samples += table->taken.ticks;
}

static void use_table(struct table *table, struct stream *random)
{
	unsigned int steps = 1 + (unsigned int)draw_below(random, 6);

	while (steps--) {
		if (!add_any(table, random))
			board->members++;
		sleep_ns(draw_below(random, 20 * NSEC_PER_MSEC));
		if (draw_one_in(random, 2))
			take(table, 0);
		table_events(table);
	}
	take(table, draw_one_in(random, 2) ? PROFIL_TAKE_LAST : 0);
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
	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
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
