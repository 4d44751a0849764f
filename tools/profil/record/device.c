// SPDX-License-Identifier: GPL-2.0-only
/* The device /dev/profil, and the opening of its tables */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#include "record/device.h"
#include "record/recorder.h"
#include "util/text.h"

#define CGROUPS "/sys/fs/cgroup"
#define MODULE "/sys/module/profil"
#define RESTRICTED MODULE "/parameters/restrict_fastprof"

static bool ask(int fd, struct profil_version *version)
{
	*version = (struct profil_version){ .size = sizeof(*version) };
	return !ioctl(fd, PROFIL_IOC_VERSION, version);
}

static int open_device(struct profil_version *version)
{
	int fd = open(PROFIL_DEVICE, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && ask(fd, version))
		return fd;
	if (fd >= 0)
		die_err("%s is not the device of profil (%s): sudo rm %s; sudo modprobe profil",
			PROFIL_DEVICE, strerror(errno), PROFIL_DEVICE);
	/* Permissions of the file give the first, a list of devices the second. */
	if (errno == EACCES)
		die_err("this user may not open %s: sudo chmod 666 %s",
			PROFIL_DEVICE, PROFIL_DEVICE);
	if (errno == EPERM)
		die_err("the control group of this process may not open %s: allow the device, as docker run --device or DeviceAllow= of systemd do",
			PROFIL_DEVICE);
	if (errno != ENOENT && errno != ENXIO && errno != ENODEV)
		die_errno("cannot open %s", PROFIL_DEVICE);
	/* A container may lack the device of a module that is loaded. */
	if (!access(MODULE, F_OK))
		die_err("no %s here, though the module is loaded: profil doctor has the remedy",
			PROFIL_DEVICE);
	die_err("no %s, so the module is not loaded: sudo modprobe profil, or profil doctor for the reason",
		PROFIL_DEVICE);
}

static bool is_restricted(void)
{
	char line[8];

	return *profil_text_line(RESTRICTED, line, sizeof(line)) == 'Y';
}

/*
 * A parameter of the module allows or forbids periods below the tick, for which a kernel
 * needs timers of high resolution.
 */
static void __attribute__((noreturn))
refuse_rate(const struct profil_version *version, long hz)
{
	unsigned long long most = SECOND / version->min_period_ns;

	if (version->min_period_ns == version->tick_ns && hz > 0 &&
	    is_restricted())
		die_err("-F %ld: more than %llu is switched off: echo 0 | sudo tee %s",
			hz, most, RESTRICTED);
	die_err("-F %ld: the driver takes 1 to %llu samples a second", hz,
		most);
}

static uint64_t period_of(const struct profil_version *version, long hz)
{
	if (hz < 1 || SECOND / hz < version->min_period_ns)
		refuse_rate(version, hz);
	return SECOND / hz;
}

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
	char *below = profil_format(CGROUPS "/%s", path);
	char *real = realpath(path, NULL);
	int fd = real ? open_cgroup(real) : -1;

	if (fd < 0) {
		free(real);
		real = realpath(below, NULL);
		fd = real ? open_cgroup(real) : -1;
	}
	if (fd < 0)
		die_err("--cgroup %s: not a directory of cgroup2, nor one below " CGROUPS,
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
		if (!request->is_machine)
			die_err("-k needs CAP_PERFMON, and a kernel that is not locked down: run profil as root, or leave -k out");
		die_err("profiling all programs needs CAP_PERFMON: run profil as root, or with this capability");
	case EBUSY:
		die_err("%d recordings of the machine run already, and the driver has no table for more: end one",
			PROFIL_MAX_TABLES);
	case EAGAIN:
		die_err("the recordings of this user take what max_sessions allows: end one, or see profil doctor");
	case ENOMEM:
		die_err("no memory for the table of the driver: the limit may be that of the cgroup of profil");
	case ENOTTY:
	case EINVAL:
	case EOPNOTSUPP:
		if (request->is_machine)
			die_err("this driver has no profile of the machine: profil doctor has its version");
		die_err("this driver has no profiles of processes: install the module of this profil, and see profil doctor");
	}
	die_errno("cannot open a table of %s", PROFIL_DEVICE);
}

/* Flags for @request, of which a driver may have those in @known */
static uint32_t flags_of(const struct record_request *request, uint32_t known)
{
	/* Without addresses, generated code has no names. */
	uint32_t flags = known & PROFIL_TABLE_ADDRESSES;

	flags |= PROFIL_TABLE_KERNEL_PCS;
	if (request->has_threads)
		flags |= PROFIL_TABLE_THREADS;
	if (!request->lacks_callers)
		flags |= known & PROFIL_TABLE_CALLERS;
	if (!request->is_machine)
		flags |= PROFIL_TABLE_TREE;
	if (request->cgroup)
		flags |= PROFIL_TABLE_CGROUP;
	return flags;
}

/*
 * Descriptor of a table, without functions of the kernel if the user may not have these;
 * or -1
 */
static int make_table(int device, struct profil_table *it,
		      const struct record_request *request)
{
	int fd = ioctl(device, PROFIL_IOC_TABLE, it);

	if (fd >= 0 || errno != EPERM || request->needs_kernel)
		return fd;
	it->flags &= ~PROFIL_TABLE_KERNEL_PCS;
	return ioctl(device, PROFIL_IOC_TABLE, it);
}

/* The same, without callers on a processor that has none */
static int make_table_for(int device, struct profil_table *it,
			  const struct record_request *request)
{
	bool has_callers = it->flags & PROFIL_TABLE_CALLERS;
	int fd;

	it->counters_log2 = has_callers ? TABLE_CALLERS_LOG2 :
					  TABLE_COUNTERS_LOG2;
	fd = make_table(device, it, request);
	if (fd >= 0 || errno != EOPNOTSUPP || !has_callers)
		return fd;
	it->flags &= ~PROFIL_TABLE_CALLERS;
	return make_table_for(device, it, request);
}

static void open_table(struct table *table,
		       const struct record_request *request)
{
	struct profil_table it = {
		.size = sizeof(it),
		.cgroup = -1,
	};
	struct profil_version version;
	int device = open_device(&version);

	if (request->rate.is_set)
		it.period_ns = period_of(&version, request->rate.hz);
	if (request->cgroup)
		it.cgroup = find_cgroup(table, request->cgroup);
	it.flags = flags_of(request, version.table_flags);
	errno = EOPNOTSUPP;
	if (it.flags & ~version.table_flags)
		refuse(request);
	table->fd = make_table_for(device, &it, request);
	if (table->fd < 0)
		refuse(request);
	table->period_ns = it.period_ns;
	table->has_callers = it.flags & PROFIL_TABLE_CALLERS;
	table->nr_counters = (size_t)1 << it.counters_log2;
	if (it.cgroup >= 0)
		close(it.cgroup);
	close(device);
}

void profil_device_map(struct table *table)
{
	table->counters =
		mmap(NULL, 2 * table->nr_counters * sizeof(*table->counters),
		     PROT_READ, MAP_SHARED, table->fd, 0);
	if (table->counters == MAP_FAILED)
		die_errno("cannot map the table of %s", PROFIL_DEVICE);
}

struct table *profil_device_open(const struct record_request *request)
{
	struct table *table = profil_grow(NULL, 1, sizeof(*table));

	*table = (struct table){
		.is_tick = !request->rate.is_set,
		.kind = request->is_machine ? TABLE_MACHINE : TABLE_TREE,
		.cgroup = profil_copy_string(""),
	};
	open_table(table, request);
	profil_device_map(table);
	table->booted = profil_machine_time();
	table->take_ns = profil_now() + TABLE_TAKE_NS;
	table->interval_ns = TABLE_FIRST_NS;
	table->see_ns = profil_now() + table->interval_ns;
	return table;
}

void profil_device_close(struct table *table)
{
	munmap((void *)table->counters,
	       2 * table->nr_counters * sizeof(*table->counters));
	close(table->fd);
	free(table->cgroup);
	free(table);
}
