// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"
#include "module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"

bool can_load(void)
{
	return !geteuid() && !access(MODULE, R_OK);
}

int load(const char *parameters)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC), error = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, parameters, 0))
		error = -errno;
	close(fd);
	return error;
}

int unload(int flags)
{
	return syscall(SYS_delete_module, "profil", flags) ? -errno : 0;
}

/* A session drops its reference to the module shortly after its end. */
int unload_eventually(unsigned int *refusals)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	int error = unload(O_NONBLOCK);

	while (error == -EWOULDBLOCK && wall_ns() < until) {
		++*refusals;
		sleep_ns(NSEC_PER_MSEC);
		error = unload(O_NONBLOCK);
	}
	return error;
}

long references(void)
{
	FILE *file = fopen("/sys/module/profil/refcnt", "r");
	long nr = -1;

	if (file) {
		if (fscanf(file, "%ld", &nr) != 1)
			nr = -1;
		fclose(file);
	}
	return nr;
}

bool wait_for_references(long nr)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (references() != nr) {
		if (wall_ns() > until)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

bool wait_until_unused(void)
{
	return wait_for_references(0);
}

bool wait_for_nothing_left(long nr)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (references() != nr || vm_event("nr_foll_pin_acquired") !=
					     vm_event("nr_foll_pin_released")) {
		if (wall_ns() > until)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

int module_parameters(char parameters[PARAMETERS_ROOM])
{
	static const char *const names[] = { "clock", "min_period_us",
					     "restrict_fastprof",
					     "max_sessions" };
	size_t i, used = 0;

	for (i = 0; i < ARRAY_LENGTH(names); i++) {
		char value[32];
		int error = param_read(names[i], value, sizeof(value));

		if (error)
			return error;
		used += (size_t)snprintf(parameters + used,
					 PARAMETERS_ROOM - used, "%s=%s ",
					 names[i], value);
	}
	return 0;
}

int enable_ftrace(const char *value)
{
	return write_text(FTRACE_ENABLED, value);
}
