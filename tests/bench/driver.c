// SPDX-License-Identifier: GPL-2.0-only
/* Methods of /dev/profil itself. */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/profil.h>

#define COUNTER 2
#define COUNTERS_BYTES WORK_BYTES
#define RECORD_COUNTER 4

static int device = -1, table = -1;
static void *counters;
static struct profil_region regions[PROFIL_MAX_REGIONS];

static void open_device(void)
{
	device = open(PROFIL_DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0)
		die("Cannot open %s: load the module first.", PROFIL_DEVICE);
}

static void call(unsigned long command, void *argument, const char *what)
{
	if (device < 0)
		open_device();
	if (ioctl(device, command, argument))
		die("The driver refuses %s: %s.", what, strerror(errno));
}

void driver_use(void *pages)
{
	counters = pages;
}

struct profil_region driver_region(void *base, size_t bytes, uintptr_t text,
				   __u32 scale)
{
	return (struct profil_region){
		.base = (uintptr_t)base,
		.size = bytes,
		.offset = text,
		.scale = scale,
	};
}

static void start_with(struct profil_start start)
{
	start.size = sizeof(start);
	call(PROFIL_IOC_START, &start, "a session");
}

void driver_start_regions(const struct profil_region *list, unsigned int nr,
			  __u64 period_ns)
{
	start_with((struct profil_start){
		.width = COUNTER,
		.nr_regions = nr,
		.regions = (uintptr_t)list,
		.period_ns = period_ns,
	});
}

/*
 * The work's text is in the middle region; text of the others is never
 * executed.
 */
void driver_start(const struct method *method)
{
	unsigned long i, nr = method->argument;

	if (!counters)
		counters = new_pages(COUNTERS_BYTES);
	memset(counters, 0, COUNTERS_BYTES);
	for (i = 0; i < nr; i++)
		regions[i] = driver_region(counters, COUNTERS_BYTES,
					   (uintptr_t)work_text +
						   (i - nr / 2) * WORK_BYTES,
					   0x10000);
	driver_start_regions(regions, (unsigned int)nr, method->period_ns);
}

static void open_table(const struct method *method, __u32 flags)
{
	struct profil_table given = {
		.size = sizeof(given),
		.flags = flags,
		.cgroup = -1,
		.counters_log2 = 16,
		.period_ns = method->period_ns,
	};

	if (device < 0)
		open_device();
	table = ioctl(device, PROFIL_IOC_TABLE, &given);
	if (table < 0)
		die("The driver refuses a table: %s.", strerror(errno));
}

void table_start(const struct method *method)
{
	open_table(method, 0);
}

/* A process is no child of its own and cannot trace itself, so a child adds it. */
static void add_parent(void)
{
	struct profil_add add = { .size = sizeof(add) };

	if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL))
		die("The child cannot trace its parent: %s.", strerror(errno));
	add.pidfd = (__s32)syscall(SYS_pidfd_open, getppid(), 0);
	_exit(ioctl(table, PROFIL_TABLE_IOC_ADD, &add) != 0);
}

void tree_start(const struct method *method)
{
	int status;
	pid_t child;

	open_table(method, PROFIL_TABLE_TREE);
	child = fork();
	if (!child)
		add_parent();
	if (waitpid(child, &status, 0) != child || status)
		die("The driver does not add a process to a table.");
}

__u64 table_stop(const struct method *method)
{
	struct profil_take take = { .size = sizeof(take),
				    .flags = PROFIL_TAKE_LAST };

	if (ioctl(table, PROFIL_TABLE_IOC_TAKE, &take))
		die("The driver refuses to take the table: %s.",
		    strerror(errno));
	close(table);
	if (take.full || take.no_item)
		die("%s has lost %llu samples.", method->name,
		    take.full + take.no_item);
	return take.hits;
}

/* As libprofil counts for `profil run`. */
void driver_start_split(const struct method *method)
{
	size_t bytes = 2UL * RECORD_COUNTER * WORK_BYTES;
	struct profil_region region = driver_region(new_pages(bytes), bytes,
						    (uintptr_t)work_text,
						    RECORD_COUNTER * 0x10000);

	region.flags = PROFIL_REGION_SPLIT;
	start_with((struct profil_start){
		.flags = PROFIL_F_BYTES,
		.width = RECORD_COUNTER,
		.nr_regions = 1,
		.regions = (uintptr_t)&region,
		.period_ns = method->period_ns,
	});
}

void driver_end(struct profil_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	call(PROFIL_IOC_STOP, stats, "the end of a session");
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
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	call(PROFIL_IOC_STATS, stats, "the session");
}

void driver_cycle(void *buffer, size_t bytes)
{
	struct profil_region region =
		driver_region(buffer, bytes, (uintptr_t)work_text, 0x10000);

	driver_start_regions(&region, 1, 0);
	call(PROFIL_IOC_STOP, NULL, "a buffer");
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
