// SPDX-License-Identifier: GPL-2.0-only
/* Processes that a recording is attached to, in a table of the driver that is made here */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/recorder.h"
#include "tap.h"

#define DESCENDANTS 3
#define MOST 16

/* The processes in the table, and how many it may have */
static pid_t added[MOST];
static size_t nr_added, room;

static pid_t process_of(int pidfd)
{
	char path[64], line[64];
	pid_t pid = 0;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	info = fopen(path, "r");
	while (info && fgets(line, sizeof(line), info))
		sscanf(line, "Pid: %d", &pid);
	if (info)
		fclose(info);
	return pid;
}

static int add(pid_t pid)
{
	for (size_t i = 0; i < nr_added; i++)
		if (added[i] == pid)
			return -EALREADY;
	if (nr_added == room)
		return -EAGAIN;
	added[nr_added++] = pid;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long command, ...)
{
	const struct profil_add *argument;
	va_list arguments;
	int error;

	(void)fd;
	va_start(arguments, command);
	argument = va_arg(arguments, const struct profil_add *);
	va_end(arguments);
	error = command == PROFIL_TABLE_IOC_ADD ?
			add(process_of(argument->pidfd)) :
			-EINVAL;
	errno = -error;
	return error ? -1 : 0;
}

/* A process with children, which is there when all of them are; they end with it. */
static pid_t make_tree(void)
{
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends))
		return -1;
	pid = fork();
	if (!pid) {
		for (int i = 0; i < DESCENDANTS && fork(); i++)
			;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (write(ends[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	for (int i = 0; pid > 0 && i <= DESCENDANTS; i++)
		if (read(ends[0], &byte, 1) != 1)
			return -1;
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static int descriptors(void)
{
	int nr = 0;

	for (int fd = 0; fd < 256; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

/* Attach to @pid, named @times, with its descendants or not. */
static bool attaches(long pid, size_t times, bool children)
{
	long pids[] = { pid, pid };
	struct record_request request = { .pids = { pids, times },
					  .children = children };
	struct table table = { .fd = -1, .nr_counters = 1 << 16 };
	struct growing growing;
	struct targets targets = { .request = &request,
				   .table = &table,
				   .growing = &growing };
	int before = descriptors();

	nr_added = 0;
	profil_growing_begin(&growing);
	profil_targets_attach(&targets);
	CHECK_EQUAL(children ? lesser(room, DESCENDANTS + 1) : 1, nr_added);
	CHECK_EQUAL(!children, targets.have_children);
	CHECK_EQUAL(before + times, descriptors());
	CHECK_EQUAL(1, targets.nr_counted);
	CHECK(!profil_targets_have_ended(&targets));
	profil_targets_free(&targets);
	profil_growing_free(&growing);
	return true;
}

TEST("a recording has a descriptor for each process that is named, and for no other")
{
	pid_t pid = make_tree();
	bool is_good = pid > 0;

	for (room = MOST; is_good && room; room /= 8)
		for (size_t times = 1; times < 3; times++)
			is_good &= attaches(pid, times, true) &&
				   attaches(pid, times, false);
	CHECK(!kill(pid, SIGKILL));
	CHECK(waitpid(pid, NULL, 0) == pid);
	return is_good;
}
