// SPDX-License-Identifier: GPL-2.0-only
/* A trial of callers: a child is recorded for a moment */
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "doctor/trial.h"
#include "record/callers.h"
#include "record/table.h"

/* The child runs until it has so many samples, in looks of 20 ms. */
#define ENOUGH 10
#define LOOKS 100
#define LOOK_NS (SECOND / 50)

#define FLAGS \
	(PROFIL_TABLE_TREE | PROFIL_TABLE_ADDRESSES | PROFIL_TABLE_CALLERS)

/* Descriptor of a table with @flags, or -1 */
static int open_with(int device, uint32_t flags)
{
	struct profil_table it = {
		.size = sizeof(it),
		.flags = flags,
		.cgroup = -1,
		.counters_log2 = PROFIL_TABLE_MIN_LOG2,
	};

	return ioctl(device, PROFIL_IOC_TABLE, &it);
}

static bool is_opened(int device, uint32_t flags)
{
	int fd = open_with(device, flags);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Descriptor of a table with callers, or -1 */
static int open_table(struct trial *trial)
{
	int device = open(PROFIL_DEVICE, O_RDONLY | O_CLOEXEC);
	int fd = device < 0 ? -1 : open_with(device, FLAGS);
	uint32_t flags = FLAGS;

	if (fd < 0) {
		trial->error = errno;
		flags &= ~PROFIL_TABLE_CALLERS;
		trial->is_flat = is_opened(device, flags);
	}
	trial->has_kernel = is_opened(device, flags | PROFIL_TABLE_KERNEL_PCS);
	if (device >= 0)
		close(device);
	return fd;
}

/* Never returns: it is called by qsort(), so that the C library is on the stack. */
static int spin(const void *one, const void *other)
{
	volatile const char *byte = one;

	(void)other;
	while (*byte)
		;
	return 0;
}

static pid_t begin_child(void)
{
	char bytes[] = "ab";
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	qsort(bytes, 2, 1, spin);
	_exit(0);
}

/* Add the next samples to @trial. */
static void take(int fd, struct trial *trial)
{
	struct profil_take take = { .size = sizeof(take) };

	if (ioctl(fd, PROFIL_TABLE_IOC_TAKE, &take))
		return;
	trial->samples += take.hits;
	trial->whole += take.walk_base;
}

static void record(const struct table *table, pid_t child, struct trial *trial)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	int pidfd = pidfd_open(child, 0);

	if (pidfd < 0 || profil_table_add(table, pidfd, 0))
		return;
	for (int i = 0; i < LOOKS && trial->samples < ENOUGH; i++) {
		nanosleep(&look, NULL);
		take(table->fd, trial);
	}
	close(pidfd);
}

static void find_tableless(int fd, struct trial *trial)
{
	struct profil_wanted wanted = {
		.size = sizeof(wanted),
		.room = sizeof(trial->tableless),
		.path = (uintptr_t)trial->tableless,
	};

	if (ioctl(fd, PROFIL_TABLE_IOC_WANTED, &wanted))
		*trial->tableless = '\0';
}

void profil_trial_make(struct trial *trial)
{
	struct table table = { .fd = open_table(trial), .has_callers = true };
	char self[PATH_MAX] = "";
	pid_t child;

	if (table.fd < 0)
		return;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		profil_callers_load(&table, self);
	child = begin_child();
	if (child > 0) {
		record(&table, child, trial);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	find_tableless(table.fd, trial);
	close(table.fd);
}
