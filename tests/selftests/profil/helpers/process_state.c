// SPDX-License-Identifier: GPL-2.0-only
#include "process_state.h"

#include <ctype.h>
#include <dirent.h>

#include "common.h"

/* Add an entry of /proc/self/fd or .../task, such as "3 -> /dev/null". */
static bool add_name(char names[STATE_NAMES], int directory, const char *name)
{
	size_t length = strlen(names);
	char target[256] = "";
	int added;

	if (readlinkat(directory, name, target, sizeof(target) - 1) < 0)
		target[0] = '\0';
	added = snprintf(names + length, STATE_NAMES - length, "%s -> %s\n",
			 name, target);
	return added < (int)(STATE_NAMES - length);
}

static bool read_names(char names[STATE_NAMES], const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	bool all = directory;

	while (all && (entry = readdir(directory))) {
		int number = atoi(entry->d_name);

		if (isdigit(entry->d_name[0]) && number != dirfd(directory))
			all = add_name(names, dirfd(directory), entry->d_name);
	}
	if (directory)
		closedir(directory);
	return all;
}

/* sigaction() fails for the two signals that the C library reserves. */
static void read_actions(struct process_state *state)
{
	struct sigaction action;

	for (int signal = 1; signal < NSIG; signal++) {
		if (sigaction(signal, NULL, &action))
			continue;
		state->handlers[signal] = action.sa_handler;
		state->flags[signal] = action.sa_flags;
	}
}

bool process_state_read(struct process_state *state)
{
	for (int which = 0; which < 3; which++)
		if (getitimer(which, &state->timers[which]))
			return false;
	read_actions(state);
	return !sigprocmask(SIG_SETMASK, NULL, &state->blocked) &&
	       read_names(state->descriptors, "/proc/self/fd") &&
	       read_names(state->threads, "/proc/self/task");
}

/* Whether both are equal; a comment, and false, if they are not */
#define SAME(one, other)                             \
	(!memcmp(&(one), &(other), sizeof(other)) || \
	 printf("# another %s\n", #other) < 0)

bool process_state_equal(const struct process_state *before,
			 const struct process_state *after)
{
	bool equal = SAME(before->handlers, after->handlers);

	equal &= SAME(before->flags, after->flags);
	equal &= SAME(before->blocked, after->blocked);
	equal &= SAME(before->timers, after->timers);
	equal &= SAME(before->threads, after->threads);
	equal &= SAME(before->descriptors, after->descriptors);
	return equal;
}

static struct profil_stats driver_stats(void)
{
	int fd = device_open();
	struct profil_stats now = stats_now(fd);

	close(fd);
	return now;
}

bool driver_is_on(void)
{
	return driver_stats().flags & PROFIL_STATS_SESSION;
}

unsigned long long driver_period_ns(void)
{
	return driver_stats().period_ns;
}

bool exec_ends_profile(void)
{
	pid_t child = IN_CHILD(!driver_is_on() ||
			       execl("/proc/self/exe", "exec", "is-on", NULL));

	/* Status 10 of exec_child_status(): no profile */
	return exited_with(child, 10);
}

int exec_child_status(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "is-on"))
		return 0;
	return driver_is_on() ? 11 : 10;
}
