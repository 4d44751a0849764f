// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of all programs of the machine, by the table of the driver
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

#include "attach/machine.h"
#include "attach/table_half.h"
#include "record/child.h"
#include "record/cpu_time.h"
#include "util/exit_status.h"
#include "util/memory.h"

#define SECOND 1000000000ULL

/* Counters of a half: 1 MiB. gcc has about 7,000 different PCs in 10,000 samples. */
#define COUNTERS_LOG2 16
#define COUNTERS ((size_t)1 << COUNTERS_LOG2)

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
static int find_cgroup(struct machine *machine, const char *path)
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
	free(machine->cgroup);
	if (!strncmp(real, CGROUPS "/", sizeof(CGROUPS)))
		machine->cgroup = profil_copy_string(real + strlen(CGROUPS));
	else
		machine->cgroup = profil_copy_string(real);
	free(below);
	free(real);
	return fd;
}

static void __attribute__((noreturn)) refuse(void)
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
		errx(EXIT_PROFIL,
		     "this driver has no profile of the machine: profil doctor has its version");
	}
	err(EXIT_PROFIL, "cannot profile the machine by %s", PROFIL_DEVICE);
}

static void map_counters(struct machine *machine)
{
	void *map = mmap(NULL, 2 * COUNTERS * sizeof(*machine->counters),
			 PROT_READ, MAP_SHARED, machine->fd, 0);

	if (map == MAP_FAILED)
		err(EXIT_PROFIL, "cannot map the table of %s", PROFIL_DEVICE);
	machine->counters = map;
}

struct machine *profil_machine_open(const struct profil_version *version,
				    const struct machine_request *request)
{
	struct machine *machine = profil_grow(NULL, 1, sizeof(*machine));
	struct profil_table table = {
		.size = sizeof(table),
		.flags = PROFIL_TABLE_KERNEL_PCS,
		.cgroup = -1,
		.counters_log2 = COUNTERS_LOG2,
		.period_ns = request->period_ns,
	};
	int device = open(PROFIL_DEVICE, O_RDONLY | O_CLOEXEC);

	*machine = (struct machine){
		.is_tick = !request->period_ns,
		.cgroup = profil_copy_string(""),
	};
	if (request->has_threads)
		table.flags |= PROFIL_TABLE_THREADS;
	if (request->cgroup) {
		table.flags |= PROFIL_TABLE_CGROUP;
		table.cgroup = find_cgroup(machine, request->cgroup);
	}
	errno = EOPNOTSUPP;
	if (table.flags & ~version->table_flags)
		refuse();
	machine->fd = ioctl(device, PROFIL_IOC_TABLE, &table);
	if (machine->fd < 0)
		refuse();
	if (table.cgroup >= 0)
		close(table.cgroup);
	close(device);
	map_counters(machine);
	machine->period_ns = table.period_ns;
	machine->booted_idle_ns = profil_cpu_idle_ns();
	machine->take_ns = profil_child_now() + TAKE_NS;
	return machine;
}

void profil_machine_close(struct machine *machine)
{
	if (!machine)
		return;
	munmap((void *)machine->counters,
	       2 * COUNTERS * sizeof(*machine->counters));
	close(machine->fd);
	profil_sample_table_free(&machine->table);
	free(machine->cgroup);
	free(machine);
}

bool profil_machine_is_due(const struct machine *machine)
{
	struct pollfd half_full = { .fd = machine->fd, .events = POLLIN };

	return profil_child_now() >= machine->take_ns ||
	       poll(&half_full, 1, 0) > 0;
}

/* The numbers of @take are an array behind its other members. */
#define NUMBERS offsetof(struct profil_take, ticks)
#define NR_NUMBERS ((sizeof(struct profil_take) - NUMBERS) / sizeof(uint64_t))

static uint64_t *numbers_of(const struct profil_take *take)
{
	return (uint64_t *)((char *)take + NUMBERS);
}

/* A sample that waits is taken when it is counted. */
static void add_numbers(struct machine *machine, const struct profil_take *take)
{
	struct profil_take *sum = &machine->taken;
	uint64_t waited = sum->waiting;

	for (size_t i = 0; i < NR_NUMBERS; i++)
		numbers_of(sum)[i] += numbers_of(take)[i];
	sum->waiting = take->waiting;
	sum->ticks += waited - take->waiting;
}

/* Samples that wait now */
static uint64_t take_once(struct machine *machine, struct origins *origins,
			  uint32_t flags)
{
	struct profil_take take = { .size = sizeof(take), .flags = flags };
	struct table_half half = {
		.fd = machine->fd,
		.nr = COUNTERS,
		.take = &take,
		.samples = &machine->table,
		.origins = origins,
	};
	int error;

	do {
		error = ioctl(machine->fd, PROFIL_TABLE_IOC_TAKE, &take);
	} while (error && errno == EINTR);
	if (error) {
		warn("cannot take the table of %s", PROFIL_DEVICE);
		machine->is_gone = true;
		return 0;
	}
	machine->is_gone = take.flags & PROFIL_TAKE_CGROUP_GONE;
	half.counters = machine->counters + take.half * COUNTERS;
	profil_table_half_read(&half);
	add_numbers(machine, &take);
	return take.waiting;
}

void profil_machine_take(struct machine *machine, struct origins *origins,
			 bool is_last)
{
	uint32_t flags = is_last ? PROFIL_TAKE_LAST : 0;
	struct timespec step = { .tv_nsec = DRAIN_NS };
	uint64_t waiting = take_once(machine, origins, flags);
	uint64_t idle_ns = profil_cpu_idle_ns();

	for (int i = 0; is_last && waiting && i < DRAIN_TIMES; i++) {
		nanosleep(&step, NULL);
		waiting = take_once(machine, origins, flags);
	}
	if (is_last) {
		machine->taken.ticks += waiting;
		machine->taken.cancelled += waiting;
	}
	/* 0 if it cannot be read; the kernel's figures may decrease. */
	if (idle_ns > machine->booted_idle_ns + machine->idle_ns)
		machine->idle_ns = idle_ns - machine->booted_idle_ns;
	machine->take_ns = profil_child_now() + TAKE_NS;
}

void profil_machine_set_head(const struct machine *machine,
			     const struct profil_take *then,
			     struct profile_head *head)
{
	struct profil_take *taken = &head->taken;

	*taken = machine->taken;
	for (size_t i = 0; i < NR_NUMBERS; i++)
		numbers_of(taken)[i] -= numbers_of(then)[i];
	taken->waiting = 0;
	head->is_machine = true;
	head->period_ns = machine->period_ns;
	head->is_tick = machine->is_tick;
	head->hits = taken->hits;
	head->outside = taken->unmapped;
	head->lost = taken->gone + taken->cancelled + taken->no_item +
		     taken->no_memory + taken->full;
	head->samples = head->hits + head->outside + head->lost;
	head->cpu_ns = head->samples * head->period_ns;
}
