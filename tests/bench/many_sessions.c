// SPDX-License-Identifier: GPL-2.0-only
/*
 * many_sessions N...: the cost of a sample at the tick's rate while N other
 * programs have sessions, and the memory of each session
 */
#include "bench.h"

/* Programs that are forked, and whether each has a session */
struct programs {
	unsigned int nr;
	bool sessions;
};

/* The leader forks the programs, which sleep. */
static void lead(void *data)
{
	const struct method *method = method_find("tick");
	const struct programs *programs = data;

	setpgid(0, 0);
	driver_use(new_shared(page_size()));
	if (programs->sessions)
		method->start(method);
	for (unsigned int i = 0; i < programs->nr; i++) {
		pid_t child = fork();

		if (child < 0)
			die("Cannot fork: give the guest more memory.");
		while (!child)
			pause();
	}
}

/* Kill all programs. init waits for the leader's children. */
static void kill_programs(pid_t leader)
{
	kill(-leader, SIGKILL);
	waitpid(leader, NULL, 0);
	sleep_ns(10 * NSEC_PER_SEC);
}

/* The bytes that are charged to the programs' control group */
static double charged(void)
{
	FILE *file = fopen("/cgroup/sessions/memory.current", "r");
	double bytes;

	if (!file || fscanf(file, "%lf", &bytes) != 1)
		die("There is no control group for memory at /cgroup/sessions.");
	fclose(file);
	return bytes;
}

/* Move this process, and processes that it forks later, to a control group. */
static void enter(const char *group)
{
	char path[64];

	snprintf(path, sizeof(path), "/cgroup/%s/cgroup.procs", group);
	if (write_text(path, "0"))
		die("Cannot join the control group %s.", group);
}

static double taken_by(unsigned int nr, bool sessions)
{
	pid_t leader;
	double bytes;

	enter("sessions");
	bytes = charged();
	leader = start_program(lead, &(struct programs){ nr, sessions });
	sleep_ns(2 * NSEC_PER_SEC);
	bytes = charged() - bytes;
	kill_programs(leader);
	enter(".");
	return bytes;
}

/* The first round, in which caches and slabs grow, is ignored. */
static void measure_memory(unsigned int nr)
{
	struct series bytes = { 0 };

	for (unsigned int i = 0; i < 4; i++) {
		double without = taken_by(nr, false);
		double with = taken_by(nr, true);

		if (i)
			series_add(&bytes, (with - without) / nr);
	}
	series_print(&bytes, "memory/session-bytes");
}

static void measure_samples(unsigned int nr)
{
	const struct method *method = method_find("tick");
	struct series cost = { 0 };
	pid_t leader = start_program(lead, &(struct programs){ nr, true });

	for (unsigned int i = 0; i < ROUNDS; i++) {
		double without = path();

		method->start(method);
		work(100 * NSEC_PER_MSEC);
		series_add(&cost, path() - without);
		method->stop(method);
	}
	series_print(&cost, "many-sessions/%u", nr);
	kill_programs(leader);
}

int main(int argc, char **argv)
{
	measure_memory(1000);
	module_load("/stopwatch.ko", "points=tick");
	for (int i = 1; i < argc; i++)
		measure_samples((unsigned int)strtoul(argv[i], NULL, 10));
	module_unload("stopwatch");
	return 0;
}
