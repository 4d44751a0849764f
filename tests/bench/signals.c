// SPDX-License-Identifier: GPL-2.0-only
/* Methods that sample by SIGPROF. */
#include "bench.h"

#include <dlfcn.h>
#include <ucontext.h>

#define NR_COUNTERS (WORK_BYTES / 2)

static unsigned short counters[NR_COUNTERS];
static timer_t timer;

static __u64 sum_of_counters(void)
{
	__u64 sum = 0;

	for (size_t i = 0; i < NR_COUNTERS; i++)
		sum += counters[i];
	return sum;
}

void libc_start(const struct method *method)
{
	memset(counters, 0, sizeof(counters));
	if (profil(counters, sizeof(counters), (size_t)work_text, 0x10000))
		die("No profile by the C library for %s.", method->name);
}

__u64 libc_stop(const struct method *method)
{
	/*
	 * NULL ends profiling, in spite of the nonnull attribute in <unistd.h>
	 */
	unsigned short *volatile none = NULL;

	(void)method;
	profil(none, 0, 0, 0);
	return sum_of_counters();
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;
	size_t pc = (size_t)interrupted->uc_mcontext.gregs[REG_RIP];
	size_t index = (pc - (size_t)work_text) / 2;

	(void)number;
	(void)info;
	if (index < NR_COUNTERS)
		counters[index]++;
}

/* A POSIX timer: an interval timer of the process is limited to the tick. */
void signal_start(const struct method *method)
{
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGPROF,
	};
	struct timespec period = { .tv_nsec = (long)method->period_ns };
	struct itimerspec times = { period, period };

	memset(counters, 0, sizeof(counters));
	sigaction(SIGPROF, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &times, NULL))
		die("There is no timer for %s.", method->name);
}

__u64 signal_stop(const struct method *method)
{
	timer_delete(timer);
	(void)method;
	return sum_of_counters();
}

/* struct ProfilerState of gperftools' public header. */
struct profiler_state {
	int enabled;
	time_t start_time;
	char profile_name[1024];
	int samples_gathered;
};

static void *gperftools_function(const char *name)
{
	static void *library;
	void *function;

	if (!library)
		library = dlopen("libprofiler.so.0", RTLD_NOW);
	function = library ? dlsym(library, name) : NULL;
	if (!function)
		die("There is no %s of gperftools.", name);
	return function;
}

void gperftools_start(const struct method *method)
{
	int (*begin)(const char *file);
	char frequency[16];

	snprintf(frequency, sizeof(frequency), "%d",
		 (int)(NSEC_PER_SEC / method->period_ns));
	setenv("CPUPROFILE_FREQUENCY", frequency, 1);
	begin = gperftools_function("ProfilerStart");
	if (!begin("/tmp/gperftools"))
		die("gperftools does not start.");
}

__u64 gperftools_stop(const struct method *method)
{
	void (*tell)(void *state);
	struct profiler_state state;
	void (*end)(void);

	(void)method;
	tell = gperftools_function("ProfilerGetCurrentState");
	end = gperftools_function("ProfilerStop");
	tell(&state);
	end();
	return (__u64)state.samples_gathered;
}
