// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples by the table of the driver
 *
 * A table has two halves of bounded size, so it is taken from time to time: what it
 * counted is added here, with the names of the files, which the driver forgets.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <linux/magic.h>

#include "record/device.h"
#include "record/recorder.h"
#include "util/exit_status.h"
#include "util/memory.h"

#define TAKE_NS (10 * SECOND)

/* Samples that wait for a program have this time after the last take. */
#define DRAIN_TIMES 200
#define DRAIN_NS 5000000L

#define CGROUPS "/sys/fs/cgroup"

/* Descriptor of the directory @path if it is one of cgroup2, or -1 */
static int open_cgroup(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs system;

	if (fd < 0)
		return -1;
	if (!fstatfs(fd, &system) && system.f_type == CGROUP2_SUPER_MAGIC)
		return fd;
	close(fd);
	errno = ENOTDIR;
	return -1;
}

/* A path as of profil report --by cgroup begins with a slash, too. */
static int find_cgroup(struct table *table, const char *path)
{
	char *real, *below;
	int fd;

	if (asprintf(&below, CGROUPS "/%s", path) < 0)
		profil_memory_exhausted();
	real = realpath(path, NULL);
	fd = real ? open_cgroup(real) : -1;
	if (fd < 0) {
		free(real);
		real = realpath(below, NULL);
		fd = real ? open_cgroup(real) : -1;
	}
	if (fd < 0)
		errx(EXIT_PROFIL,
		     "--cgroup %s: not a directory of cgroup2, nor one below " CGROUPS,
		     path);
	free(table->cgroup);
	if (!strncmp(real, CGROUPS "/", sizeof(CGROUPS)))
		table->cgroup = profil_copy_string(real + strlen(CGROUPS));
	else
		table->cgroup = profil_copy_string(real);
	free(below);
	free(real);
	return fd;
}

static void __attribute__((noreturn))
refuse(const struct record_request *request)
{
	switch (errno) {
	case EPERM:
		errx(EXIT_PROFIL,
		     "to profile all programs needs CAP_PERFMON: run profil as root, or with this capability");
	case EBUSY:
		errx(EXIT_PROFIL,
		     "%d recordings of the machine run already, and the driver has no table for more: end one",
		     PROFIL_MAX_TABLES);
	case ENOMEM:
		errx(EXIT_PROFIL,
		     "no memory for the table of the driver: the limit may be that of the cgroup of profil");
	case ENOTTY:
	case EINVAL:
	case EOPNOTSUPP:
		if (request->is_machine)
			errx(EXIT_PROFIL,
			     "this driver has no profile of the machine: profil doctor has its version");
		errx(EXIT_PROFIL,
		     "this driver has no profiles of processes: install the module of this profil, and see profil doctor");
	}
	err(EXIT_PROFIL, "cannot open a table of %s", PROFIL_DEVICE);
}

static void map_counters(struct table *table)
{
	void *map = mmap(NULL, 2 * TABLE_COUNTERS * sizeof(*table->counters),
			 PROT_READ, MAP_SHARED, table->fd, 0);

	if (map == MAP_FAILED)
		err(EXIT_PROFIL, "cannot map the table of %s", PROFIL_DEVICE);
	table->counters = map;
}

/* Flags of the driver for @request */
static uint32_t flags_of(const struct record_request *request)
{
	uint32_t flags = PROFIL_TABLE_ADDRESSES;

	flags |= request->is_machine ? PROFIL_TABLE_KERNEL_PCS :
				       PROFIL_TABLE_TREE;
	if (request->has_threads)
		flags |= PROFIL_TABLE_THREADS;
	if (request->cgroup)
		flags |= PROFIL_TABLE_CGROUP;
	return flags;
}

static void open_table(struct table *table,
		       const struct record_request *request)
{
	struct profil_table it = {
		.size = sizeof(it),
		.flags = flags_of(request),
		.cgroup = -1,
		.counters_log2 = TABLE_COUNTERS_LOG2,
	};
	struct profil_version version;
	int device = profil_device_open(&version);

	if (request->rate.is_set)
		it.period_ns = profil_device_period(&version, request->rate.hz);
	if (request->cgroup)
		it.cgroup = find_cgroup(table, request->cgroup);
	/* Without addresses, generated code has no names. */
	if (~version.table_flags & PROFIL_TABLE_ADDRESSES)
		it.flags &= ~PROFIL_TABLE_ADDRESSES;
	errno = EOPNOTSUPP;
	if (it.flags & ~version.table_flags)
		refuse(request);
	table->fd = ioctl(device, PROFIL_IOC_TABLE, &it);
	if (table->fd < 0)
		refuse(request);
	table->period_ns = it.period_ns;
	if (it.cgroup >= 0)
		close(it.cgroup);
	close(device);
}

struct table *profil_table_open(const struct record_request *request)
{
	struct table *table = profil_grow(NULL, 1, sizeof(*table));

	*table = (struct table){
		.is_tick = !request->rate.is_set,
		.kind = request->is_machine ? TABLE_MACHINE : TABLE_TREE,
		.cgroup = profil_copy_string(""),
	};
	open_table(table, request);
	map_counters(table);
	table->booted_idle_ns = profil_cpu_idle_ns();
	table->take_ns = profil_child_now() + TAKE_NS;
	return table;
}

int profil_table_add(const struct table *table, int pidfd, uint32_t flags)
{
	struct profil_add add = {
		.size = sizeof(add),
		.flags = flags,
		.pidfd = pidfd,
	};

	return ioctl(table->fd, PROFIL_TABLE_IOC_ADD, &add) ? -errno : 0;
}

static short events_of(const struct table *table)
{
	struct pollfd poller = { .fd = table->fd, .events = POLLIN };

	return poll(&poller, 1, 0) > 0 ? poller.revents : 0;
}

bool profil_table_has_ended(const struct table *table)
{
	return events_of(table) & POLLHUP;
}

void profil_table_close(struct table *table)
{
	if (!table)
		return;
	munmap((void *)table->counters,
	       2 * TABLE_COUNTERS * sizeof(*table->counters));
	close(table->fd);
	free(table->cgroup);
	free(table);
}

bool profil_table_is_due(const struct table *table)
{
	return profil_child_now() >= table->take_ns ||
	       events_of(table) & POLLIN;
}

/* The sums of a take are an array, followed by numbers of the whole recording. */
#define SUMS offsetof(struct profil_take, ticks)
#define NR_SUMS \
	((offsetof(struct profil_take, processes) - SUMS) / sizeof(uint64_t))

static uint64_t *sums_of(const struct profil_take *take)
{
	return (uint64_t *)((char *)take + SUMS);
}

/* A sample that waits is taken when it is counted. */
static void add_numbers(struct profil_take *sum, const struct profil_take *take)
{
	uint64_t waited = sum->waiting;

	for (size_t i = 0; i < NR_SUMS; i++)
		sums_of(sum)[i] += sums_of(take)[i];
	sum->waiting = take->waiting;
	sum->ticks += waited - take->waiting;
	sum->unfollowed = take->unfollowed;
	/* None is in the table after the last take. */
	if (take->flags & PROFIL_TAKE_LAST)
		return;
	sum->processes = take->processes;
	sum->running = take->running;
}

/* Samples that wait now */
static uint64_t take_once(struct table *table, struct growing *growing,
			  uint32_t flags)
{
	struct profil_take take = { .size = sizeof(take), .flags = flags };
	int error;

	if (table->has_failed)
		return 0;
	do {
		error = ioctl(table->fd, PROFIL_TABLE_IOC_TAKE, &take);
	} while (error && errno == EINTR);
	if (error) {
		warn("cannot take the table of %s", PROFIL_DEVICE);
		table->has_failed = true;
		return 0;
	}
	table->is_gone = take.flags & PROFIL_TAKE_CGROUP_GONE;
	profil_table_read_half(table, &take, growing);
	add_numbers(&growing->now.taken, &take);
	return take.waiting;
}

void profil_table_take(struct table *table, struct growing *growing,
		       bool is_last)
{
	struct timespec step = { .tv_nsec = DRAIN_NS };
	uint64_t waiting = take_once(table, growing, 0);
	uint64_t idle_ns = profil_cpu_idle_ns();
	struct numbers *now = &growing->now;

	if (is_last)
		waiting = take_once(table, growing, PROFIL_TAKE_LAST);
	for (int i = 0; is_last && waiting && i < DRAIN_TIMES; i++) {
		nanosleep(&step, NULL);
		waiting = take_once(table, growing, PROFIL_TAKE_LAST);
	}
	if (is_last) {
		now->taken.ticks += waiting;
		now->taken.cancelled += waiting;
	}
	/* 0 if it cannot be read; the kernel's figures may decrease. */
	if (idle_ns > table->booted_idle_ns + now->idle_ns)
		now->idle_ns = idle_ns - table->booted_idle_ns;
	table->take_ns = profil_child_now() + TAKE_NS;
}

static uint64_t difference(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* CPU time of the machine is that of its samples. */
static void set_times(const struct numbers *then, const struct numbers *now,
		      struct profile_head *head)
{
	head->wall_ns = now->wall_ns - then->wall_ns;
	if (head->table == TABLE_MACHINE) {
		head->idle_ns = now->idle_ns - then->idle_ns;
		head->cpu_ns = head->samples * head->period_ns;
		head->kernel_ns = head->kernel_samples * head->period_ns;
		return;
	}
	head->cpu_ns = difference(now->cpu.all_ns, then->cpu.all_ns);
	head->kernel_ns = difference(now->cpu.kernel_ns, then->cpu.kernel_ns);
}

void profil_table_set_head(const struct table *table,
			   const struct numbers *then,
			   const struct numbers *now, struct profile_head *head)
{
	struct profil_take *taken = &head->taken;

	*taken = now->taken;
	for (size_t i = 0; i < NR_SUMS; i++)
		sums_of(taken)[i] -= sums_of(&then->taken)[i];
	taken->waiting = 0;
	head->table = table->kind;
	head->period_ns = table->period_ns;
	head->is_tick = table->is_tick;
	head->hits = taken->hits;
	head->outside = taken->unmapped;
	head->lost = taken->gone + taken->cancelled + taken->no_item +
		     taken->no_memory + taken->full;
	head->samples = head->hits + head->outside + head->lost;
	set_times(then, now, head);
}
