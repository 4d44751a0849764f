// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#define GROUPS "/sys/fs/cgroup"
#define GROUP GROUPS "/torture"
#define KSM "/sys/kernel/mm/ksm/"
#define LISTING "/sys/kernel/debug/profil/sessions"

/* How long processes are asked to have no session */
#define QUIET_NS (2 * NSEC_PER_SEC)

/* The index of the process that changes the machine; actors have others. */
#define MACHINE_INDEX -3ULL

static int write_cpu(long cpu, const char *online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/online",
		 cpu);
	return write_text(path, online);
}

static int run_cpu_off(struct actor *actor)
{
	long nr = sysconf(_SC_NPROCESSORS_CONF), cpu;
	int error;

	if (nr < 2)
		return -ENOENT;
	cpu = 1 + (long)draw_below(&actor->random, (__u64)nr - 1);
	error = write_cpu(cpu, "0");
	sleep_ns(draw_below(&actor->random, 300 * NSEC_PER_MSEC));
	write_cpu(cpu, "1");
	return error;
}

/* Memory for all actors together, in MiB */
static int run_limit(struct actor *actor)
{
	static const char *const limits[] = { "24M", "48M", "96M", "192M" };
	__u64 nr = draw_below(&actor->random, ARRAY_LENGTH(limits));
	int error = write_text(GROUP "/memory.max", limits[nr]);

	sleep_ns(draw_below(&actor->random, 400 * NSEC_PER_MSEC));
	write_text(GROUP "/memory.max", "max");
	return error;
}

static int run_reclaim(struct actor *actor)
{
	static const char *const amounts[] = { "1M", "8M", "64M" };
	__u64 nr = draw_below(&actor->random, ARRAY_LENGTH(amounts));

	return write_text(GROUP "/memory.reclaim", amounts[nr]);
}

void machine_join_group(void)
{
	write_text(GROUP "/cgroup.procs", "0");
}

/* The device of make_swap() has the link /dev/torture-swap. */
#define SWAP_ON "swapon /dev/torture-swap >/dev/null 2>&1"
#define SWAP_OFF "swapoff /dev/torture-swap >/dev/null 2>&1"

#define SWAP_GONE                                                  \
	"{ losetup -d /dev/torture-swap; rm /dev/torture-swap; } " \
	">/dev/null 2>&1"

static int run_swap(struct actor *actor)
{
	if (system(SWAP_OFF))
		return -ENOMEM;
	sleep_ns(draw_below(&actor->random, 100 * NSEC_PER_MSEC));
	return system(SWAP_ON) ? -EINVAL : 0;
}

/* A loop device on a file of ramfs, whose pages are not swapped themselves */
#define ON_ZRAM                                                           \
	"{ test -e /dev/zram0 && echo 64M >/sys/block/zram0/disksize && " \
	"ln -s zram0 /dev/torture-swap && mkswap /dev/zram0; } "          \
	">/dev/null 2>&1"
#define ON_LOOP                                                           \
	"{ dd if=/dev/zero of=" FILES_HOME "/swap bs=1M count=64 && "     \
	"device=$(losetup -f) && losetup $device " FILES_HOME "/swap && " \
	"ln -s $device /dev/torture-swap && mkswap $device; } "           \
	">/dev/null 2>&1"

static int run_compact(struct actor *actor)
{
	(void)actor;
	return write_text("/proc/sys/vm/compact_memory", "1");
}

static int run_drop_caches(struct actor *actor)
{
	(void)actor;
	return write_text("/proc/sys/vm/drop_caches", "3");
}

static int run_ksm(struct actor *actor)
{
	return write_text(KSM "run",
			  draw_one_in(&actor->random, 4) ? "2" : "1");
}

/* The parameters before the torture: all of them, and those that change */
static char parameters[PARAMETERS_ROOM];
static char min_period[32], restricted[32], most_sessions[32];

/* Unload the driver once all sessions have been stopped, if that is soon. */
static int unload_in_quiet(void)
{
	__u64 until = wall_ns() + QUIET_NS;
	int error;

	board->quiet = true;
	do {
		sleep_ns(NSEC_PER_MSEC);
		error = unload(O_NONBLOCK);
	} while (error && wall_ns() < until && !board->stop);
	board->quiet = false;
	return error;
}

/* Processes go on meanwhile; START finds no device for a moment. */
static int run_unload(struct actor *actor)
{
	int error = unload_in_quiet(), loaded;

	if (error)
		return error;
	sleep_ns(draw_below(&actor->random, 20 * NSEC_PER_MSEC));
	loaded = load(parameters);
	if (loaded)
		board_fail(MODULE_REFERENCES, "the module cannot be loaded: %d",
			   loaded);
	return loaded;
}

static int run_parameters(struct actor *actor)
{
	static const char *const periods[] = { "10", "100", "1000", "10000" };
	const char *period =
		periods[draw_below(&actor->random, ARRAY_LENGTH(periods))];
	int error = param_write("min_period_us", period);

	param_write("restrict_fastprof",
		    draw_one_in(&actor->random, 4) ? "Y" : "N");
	return error;
}

/* Fewer sessions than there are, for a while, or until the next change */
static int run_max_sessions(struct actor *actor)
{
	static const char *const limits[] = { "0", "2", "8", "64", "1000" };
	const char *limit =
		limits[draw_below(&actor->random, ARRAY_LENGTH(limits))];
	int error = param_write("max_sessions", limit);

	sleep_ns(draw_below(&actor->random, 300 * NSEC_PER_MSEC));
	if (!draw_one_in(&actor->random, 3))
		param_write("max_sessions", most_sessions);
	return error;
}

static int run_listing(struct actor *actor)
{
	int fd = open(LISTING, O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t got = 1;

	(void)actor;
	if (fd < 0)
		return -errno;
	while (got > 0)
		got = read(fd, text, sizeof(text));
	close(fd);
	return got < 0 ? -errno : 0;
}

void machine_change(void)
{
	struct actor actor = { .index = MACHINE_INDEX };

	while (!board->stop) {
		actor.random =
			stream_of(board->seed, actor.index, actor.operation++);
		sleep_ns(draw_below(&actor.random, 200 * NSEC_PER_MSEC));
		if (is_guest())
			operations_run_machine(&actor);
	}
	_exit(0);
}

void machine_restore(void)
{
	long cpu, nr = sysconf(_SC_NPROCESSORS_CONF);

	if (!is_guest())
		return;
	for (cpu = 1; cpu < nr; cpu++)
		write_cpu(cpu, "1");
	write_text(GROUP "/memory.max", "max");
	if (*parameters && references() < 0)
		load(parameters);
	param_write("min_period_us", min_period);
	param_write("restrict_fastprof", restricted);
	param_write("max_sessions", most_sessions);
}

/* A few huge pages, so that some mappings get none */
static void begin_memory(void)
{
	write_text("/proc/sys/vm/nr_hugepages", "24");
	write_text(KSM "sleep_millisecs", "20");
	write_text(KSM "pages_to_scan", "1000");
	write_text(KSM "run", "1");
	if ((system(ON_ZRAM) && system(ON_LOOP)) || system(SWAP_ON))
		printf("# there is no zram, and no loop device for swap\n");
}

void machine_begin(void)
{
	if (!is_guest()) {
		printf("# the machine stays as it is: not the guest of tests/qemu\n");
		return;
	}
	param_read("min_period_us", min_period, sizeof(min_period));
	param_read("restrict_fastprof", restricted, sizeof(restricted));
	param_read("max_sessions", most_sessions, sizeof(most_sessions));
	module_parameters(parameters);
	files_begin();
	write_text(GROUPS "/cgroup.subtree_control", "+memory");
	mkdir(GROUP, 0755);
	begin_memory();
}

void machine_end(void)
{
	if (!is_guest())
		return;
	write_text(KSM "run", "2");
	write_text(KSM "run", "0");
	write_text("/proc/sys/vm/nr_hugepages", "0");
	if (system(SWAP_OFF) || system(SWAP_GONE))
		printf("# there is no swap to remove\n");
	rmdir(GROUP);
	files_end();
}

static const struct operation list[] = {
	{ "CPU off and on", run_cpu_off, 6 },
	{ "memory.max", run_limit, 5 },
	{ "memory.reclaim", run_reclaim, 4 },
	{ "swapoff, swapon", run_swap, 1 },
	{ "compact memory", run_compact, 2 },
	{ "drop caches", run_drop_caches, 2 },
	{ "KSM run", run_ksm, 2 },
	{ "rmmod, insmod", run_unload, 1 },
	{ "module parameters", run_parameters, 3 },
	{ "max_sessions", run_max_sessions, 4 },
	{ "list sessions", run_listing, 3 },
};

const struct operations machine_operations = { list, ARRAY_LENGTH(list) };
