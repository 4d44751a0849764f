// SPDX-License-Identifier: GPL-2.0-only
/* Methods of /dev/profil itself. */
#include "bench.h"

#include "table.h"

#define COUNTER 2
#define COUNTERS_BYTES WORK_BYTES

static int device = -1;
static struct table table;
static void *counters;
static struct profil_region regions[PROFIL_MAX_REGIONS];

static void open_device(void)
{
	if (device < 0)
		device = device_open();
	if (device < 0)
		die("Cannot open %s: load the module first.", PROFIL_DEVICE);
}

static void ask(unsigned long command, void *argument, const char *what)
{
	int error;

	open_device();
	error = call(device, command, argument);
	if (error)
		die("The driver refuses %s: %s.", what, strerror(-error));
}

void driver_use(void *pages)
{
	counters = pages;
}

void driver_start_regions(const struct profil_region *list, unsigned int nr,
			  __u64 period_ns)
{
	struct profil_start args = start_of(list, nr, COUNTER, period_ns);

	ask(PROFIL_IOC_START, &args, "a session");
}

/*
 * The work's text is in the middle region; text of the others is never
 * executed.
 */
void driver_start(const struct method *method)
{
	unsigned long i, nr = method->argument;

	if (!counters)
		counters = new_reserved(COUNTERS_BYTES);
	memset(counters, 0, COUNTERS_BYTES);
	for (i = 0; i < nr; i++)
		regions[i] = region_of(counters, COUNTERS_BYTES,
				       (void *)((uintptr_t)work_text +
						(i - nr / 2) * WORK_BYTES),
				       0x10000);
	driver_start_regions(regions, (unsigned int)nr, method->period_ns);
}

static void open_table(const struct method *method, __u32 flags)
{
	struct profil_table args = table_args(flags, method->period_ns);
	int error;

	open_device();
	args.counters_log2 = 16;
	error = table_begin(&table, device, args);
	if (error)
		die("The driver refuses a table: %s.", strerror(-error));
	/* The program that reads a table is not one that forks others. */
	if (madvise((void *)table.counters,
		    2 * sizeof(*table.counters) << args.counters_log2,
		    MADV_DONTFORK))
		die("Cannot keep a table from forks: %s.", strerror(errno));
}

void table_start(const struct method *method)
{
	open_table(method, 0);
}

void tree_start(const struct method *method)
{
	open_table(method, PROFIL_TABLE_TREE);
	if (table_add_traced(&table, getpid(), PROFIL_ADD_CHILDREN))
		die("The driver does not add a process to a table.");
}

__u64 table_stop(const struct method *method)
{
	const struct profil_take *taken = &table.taken;
	int error = table_take(&table, PROFIL_TAKE_LAST);

	if (error)
		die("The driver refuses to take the table: %s.",
		    strerror(-error));
	table_end(&table);
	if (taken->full || taken->no_item)
		die("%s has lost %llu samples.", method->name,
		    taken->full + taken->no_item);
	return taken->hits;
}

void driver_end(struct profil_stats *stats)
{
	*stats = stats_blank(NULL, 0);
	ask(PROFIL_IOC_STOP, stats, "the end of a session");
}

__u64 driver_stop(const struct method *method)
{
	struct profil_stats stats;

	driver_end(&stats);
	if (stats.lost)
		die("%s has lost %llu samples.", method->name, stats.lost);
	return stats.samples;
}

void driver_stats(struct profil_stats *stats)
{
	*stats = stats_blank(NULL, 0);
	ask(PROFIL_IOC_STATS, stats, "the session");
}

void driver_cycle(void *buffer, size_t bytes)
{
	struct profil_region region =
		region_of(buffer, bytes, work_text, 0x10000);

	driver_start_regions(&region, 1, 0);
	ask(PROFIL_IOC_STOP, NULL, "a buffer");
}

/* The module is in use as long as a descriptor is open. */
void driver_unload(void)
{
	if (device >= 0)
		close(device);
	device = -1;
	module_unload("profil");
}

void driver_load(void)
{
	module_load("/profil.ko", "");
	sleep_ns(NSEC_PER_SEC);
}

void module_load(const char *path, const char *parameters)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0))
		die("Cannot load %s: %s.", path, strerror(errno));
	close(fd);
}

void module_unload(const char *name)
{
	if (syscall(SYS_delete_module, name, 0))
		die("Cannot unload %s: %s.", name, strerror(errno));
}
