// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"

#include "helpers.h"

#define SPINNERS 4
#define SPINNERS_NICE (-15)

/* Enough pages for all counters, and few enough for any limit of the system */
#define LOCKED_PAGES 1024

static pid_t spinners[SPINNERS];
static volatile bool *busy; /* in memory that the spinners share */

int starvation_avoid(void)
{
	return run_on(0, 1);
}

bool starvation_works(void)
{
	cpu_set_t cpus;

	return !geteuid() && !sched_getaffinity(0, sizeof(cpus), &cpus) &&
	       CPU_ISSET(0, &cpus) && CPU_ISSET(1, &cpus);
}

static void keep_busy(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (run_on(0, 0) || setpriority(PRIO_PROCESS, 0, SPINNERS_NICE))
		_exit(1);
	while (!*busy)
		sleep_ns(100 * NSEC_PER_USEC);
	spin_forever(0);
}

int starvation_prepare(void)
{
	int error = starvation_avoid();

	busy = new_shared(page_size());
	for (unsigned int i = 0; i < SPINNERS && !error; i++) {
		spinners[i] = IN_CHILD((keep_busy(), 0));
		if (spinners[i] < 0)
			error = -errno;
	}
	return error;
}

void starvation_begin(void)
{
	*busy = true;
}

void starvation_end(void)
{
	for (unsigned int i = 0; i < SPINNERS; i++)
		if (spinners[i] > 0)
			kill_child(spinners[i]);
}

int starve(void)
{
	struct sched_param none = { 0 };

	if (sched_setscheduler(0, SCHED_IDLE, &none))
		return -errno;
	return run_on(0, 0);
}

pid_t fork_user(uid_t user, void (*body)(void *argument), void *argument)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (user && become_user(user, LOCKED_PAGES))
		_exit(1);
	/* A change of the user has cleared it; so is being traced allowed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 1);
	body(argument);
	_exit(0);
}

/**
 * struct act - what returns_for() calls
 * @act: the function
 * @argument: of that
 */
struct act {
	int (*act)(void *argument);
	void *argument;
};

static void exit_after(void *argument)
{
	const struct act *call = argument;

	_exit(call->act(call->argument) != 0);
}

bool returns_for(uid_t user, int (*act)(void *argument), void *argument)
{
	struct act call = { act, argument };
	pid_t pid = fork_user(user, exit_after, &call);
	int status = -1;

	return EVENTUALLY(waitpid(pid, &status, WNOHANG) == pid,
			  sleep_ns(10 * NSEC_PER_MSEC)) &&
	       !status;
}
