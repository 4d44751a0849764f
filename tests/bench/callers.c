// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers: the instructions that a sample with its callers adds to the path of a tick,
 * between the two points of the module stopwatch
 *
 * Code whose rows are loaded runs below a number of callers, which stay, or all of which
 * are above those of the sample before, so that none is like one that is remembered. Each
 * path is the median of the ticks of a round, less that of ticks whose hook finds no table.
 */
#include <alloca.h>

#include "bench.h"
#include "stacks.h"

/* Half a second, of two instructions; or calls that take three quarters of a tick */
#define LOOPS (250ULL * 1000 * 1000)
#define CALLS 166

/* Bytes of the frame of most callers */
#define FRAME 16

/* Runs through 65,536 instructions, of which a tick has 4 million */
#define SLED_RUNS 75000

/*
 * A stack: frames with base_a(), which calls itself, and the loop; does it move? Has the
 * table room for the loop alone?
 */
struct shape {
	const char *name;
	unsigned int frames;
	bool moves;
	__u32 flags;
	bool is_full;
};

static const struct shape shapes[] = {
	{ "flat", 17, false, 0, false },
	{ "same-17", 17, false, PROFIL_TABLE_CALLERS, false },
	{ "same-30", 30, false, PROFIL_TABLE_CALLERS, false },
	{ "same-100", 100, false, PROFIL_TABLE_CALLERS, false },
	{ "new-17", 17, true, PROFIL_TABLE_CALLERS, false },
	{ "new-30", 30, true, PROFIL_TABLE_CALLERS, false },
	{ "new-100", 100, true, PROFIL_TABLE_CALLERS, false },
	{ "full-30", 30, true, PROFIL_TABLE_CALLERS, true },
};

/* Code of a leaf with very many PCs */
static __attribute__((noinline)) void run_sled(void)
{
	__asm__ volatile(".rept 65536\n"
			 "nop\n"
			 ".endr\n");
}

static __attribute__((noinline)) void call_at(size_t bytes, unsigned int depth,
					      unsigned long loops)
{
	char *volatile room = alloca(bytes);

	*room = 0;
	base_a(depth, loops);
	*room = 1;
}

static void run(const struct shape *shape)
{
	unsigned int calls = shape->moves ? CALLS : 1;

	for (unsigned int i = 0; i < calls; i++)
		call_at(shape->moves ? FRAME * shape->frames * (61 - i % 61) :
				       FRAME,
			shape->frames - 3, LOOPS / calls);
}

static double path_of(const struct shape *shape)
{
	int fd = open("/proc/stopwatch", O_WRONLY | O_CLOEXEC);
	double median;
	FILE *file;

	if (fd < 0 || write(fd, "", 1) != 1)
		die("There is no stopwatch.");
	close(fd);
	run(shape);
	file = fopen("/proc/stopwatch", "re");
	if (!file || fscanf(file, "%*u %*u %lf", &median) != 1)
		die("The stopwatch has seen no interrupt.");
	fclose(file);
	return median;
}

/* The loop has counters, and then all others are those of other code. */
static void fill(void)
{
	call_at(FRAME, 0, LOOPS / 4);
	for (unsigned int i = 0; i < SLED_RUNS; i++)
		run_sled();
}

static void open_table(struct table *table, int device, __u32 flags,
		       __u32 counters_log2)
{
	struct profil_row rows[ROWS_MAX];
	struct profil_table args = table_args(PROFIL_TABLE_TREE | flags, 0);

	args.counters_log2 = counters_log2;
	if (table_begin(table, device, args) ||
	    table_add_traced(table, getpid(), 0))
		die("The driver refuses a table.");
	if (flags && stack_load_again(table, rows, stack_rows(rows)))
		die("The driver refuses rows.");
}

static void measure(const struct shape *shape, int device, double base,
		    struct series *cost)
{
	struct table table;

	open_table(&table, device, shape->flags,
		   shape->is_full ? PROFIL_TABLE_MIN_LOG2 : 16);
	if (shape->is_full)
		fill();
	run(shape);
	series_add(cost, path_of(shape) - base);
	if (table_take(&table, PROFIL_TAKE_LAST) || !table.taken.hits)
		die("The driver has taken no sample.");
	if (shape->flags && !shape->is_full &&
	    table.taken.walk_base < table.taken.hits / 10 * 9)
		die("Of %llu walks %llu reached the base.", table.taken.hits,
		    table.taken.walk_base);
	table_end(&table);
}

int main(void)
{
	int device = device_open();
	struct table table;
	double base;

	if (!HAVE_STACKS)
		return 0;
	module_load("/stopwatch.ko", "points=tick");
	open_table(&table, device, 0, 16); /* attaches the hook, which stays */
	table_end(&table);
	base = path_of(&shapes[0]);
	for (size_t i = 0; i < ARRAY_LENGTH(shapes); i++) {
		struct series cost = { 0 };

		for (unsigned int round = 0; round < 3; round++)
			measure(&shapes[i], device, base, &cost);
		series_print(&cost, "path/callers-%s", shapes[i].name);
	}
	module_unload("stopwatch");
	return 0;
}
