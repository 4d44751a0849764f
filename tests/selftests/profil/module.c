// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"

#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"

bool can_load(void)
{
	return !geteuid() && !access(MODULE, R_OK);
}

int load_file(const char *path, const char *parameters)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, parameters, 0))
		error = -errno;
	close(fd);
	return error;
}

int load(const char *parameters)
{
	return load_file(MODULE, parameters);
}

int unload(int flags)
{
	return syscall(SYS_delete_module, "profil", flags) ? -errno : 0;
}

/* A session drops its reference to the module shortly after its end. */
int unload_eventually(void)
{
	int error;

	(void)WAIT_FOR((error = unload(O_NONBLOCK)) != -EWOULDBLOCK);
	return error;
}

long references(void)
{
	char text[24];

	return read_text("/sys/module/profil/refcnt", text, sizeof(text)) ?
		       -1 :
		       strtol(text, NULL, 10);
}

bool wait_for_references(long nr)
{
	return WAIT_FOR(references() == nr);
}

bool wait_until_unused(void)
{
	return wait_for_references(0);
}

bool wait_for_nothing_left(long nr)
{
	return WAIT_FOR(references() == nr && !pages_pinned());
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

static char saved[PARAMETERS_ROOM];

int save_parameters(void)
{
	return module_parameters(saved);
}

int reload(void)
{
	int error = references() < 0 ? 0 : unload_eventually();

	return error ?: load(saved);
}

int enable_ftrace(const char *value)
{
	return write_text(FTRACE_ENABLED, value);
}

#define HOOKED_LIST "/sys/kernel/tracing/enabled_functions"

/* The functions of the list that are @ours, or all with NULL */
static int count_hooked(const char *const *ours, size_t nr_ours)
{
	FILE *file = fopen(HOOKED_LIST, "r");
	char function[128];
	int nr = 0;

	if (!file)
		return -1;
	while (fscanf(file, "%127s%*[^\n]", function) == 1) {
		nr += !ours;
		for (size_t i = 0; i < nr_ours; i++)
			nr += !strcmp(function, ours[i]);
	}
	fclose(file);
	return nr;
}

int hooked_functions(void)
{
	return count_hooked(NULL, 0);
}

int hooked_as_intended(void)
{
	static const char *const ours[] = { "update_process_times",
					    "uprobe_dup_mmap", "uprobe_mmap",
					    "uprobe_munmap" };

	return count_hooked(ours, ARRAY_LENGTH(ours));
}
