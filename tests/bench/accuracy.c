// SPDX-License-Identifier: GPL-2.0-only
/*
 * accuracy: the number of samples against the CPU clocks of the threads, over
 * several runs: "result accuracy/WORK-RATE ERROR DUE BOUND". ERROR is the sum of
 * the samples minus the samples that are due, in ten-thousandths of those due.
 * The samples due to a thread are the time on its own CPU clock in periods.
 * BOUND is three standard deviations of that sum, in the same unit.
 *
 * An interval of one period has one sample time. A process that is on the CPU in
 * a fraction f of the interval gets that sample with probability f, so the
 * variance of an interval is f(1 - f), and at most 1/4. Intervals that are
 * wholly on or off the CPU have none.
 */
#include "bench.h"

#include <math.h>
#include <semaphore.h>

#define TICK_NS (4 * NSEC_PER_MSEC)

/* Bursts of 0.3 ms in each ms, at phases 0.05 ms apart */
#define CYCLE_NS NSEC_PER_MSEC
#define BURST_NS (300 * NSEC_PER_USEC)
#define BURSTS 200
#define PHASES_OF_BURSTS 20

#define SPINS 4
#define SPIN_NS (NSEC_PER_SEC / 2)
#define MAX_THREADS 8

/**
 * struct total - sums over the runs of a work
 * @samples: samples
 * @due: samples due, by the CPU clocks of the threads
 * @variance: upper limit of the variance of @samples
 */
struct total {
	double samples;
	double due;
	double variance;
};

/**
 * struct crew - threads that spin_in_crew, and stay until their clocks have been read
 * @threads: the threads
 * @nr: elements of @threads
 * @ns: CPU time that each spins
 * @done: posted by each thread after it has spun
 * @leave: posted for each thread that may exit
 */
static struct crew {
	pthread_t threads[MAX_THREADS];
	unsigned int nr;
	__u64 ns;
	sem_t done;
	sem_t leave;
} crew;

static __u64 period_of(const struct method *method)
{
	return method->period_ns ? method->period_ns : TICK_NS;
}

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore))
		;
}

static void *spin_in_crew(void *unused)
{
	work(crew.ns);
	sem_post(&crew.done);
	wait_for(&crew.leave);
	return unused;
}

static void spin_threads(unsigned int nr)
{
	crew.ns = SPIN_NS / nr;
	for (; crew.nr < nr; crew.nr++)
		if (pthread_create(&crew.threads[crew.nr], NULL, spin_in_crew,
				   NULL))
			die("Cannot make a thread.");
	for (unsigned int i = 0; i < nr; i++)
		wait_for(&crew.done);
}

/* The CPU time of a thread that has not exited, since it was made */
static __u64 cpu_ns_of(pthread_t thread)
{
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock))
		die("Cannot read the CPU clock of a thread.");
	return clock_ns(clock);
}

/* The sum of the CPU clocks of this thread and of the crew */
static __u64 threads_ns(void)
{
	__u64 sum = thread_ns();

	for (unsigned int i = 0; i < crew.nr; i++)
		sum += cpu_ns_of(crew.threads[i]);
	return sum;
}

static void dismiss_crew(void)
{
	for (unsigned int i = 0; i < crew.nr; i++)
		sem_post(&crew.leave);
	for (unsigned int i = 0; i < crew.nr; i++)
		pthread_join(crew.threads[i], NULL);
	crew.nr = 0;
}

static void burst(unsigned int phase)
{
	work_in_cycles((wall_ns() / TICK_NS + 2) * TICK_NS +
			       phase * CYCLE_NS / PHASES_OF_BURSTS,
		       CYCLE_NS, BURST_NS, BURSTS);
}

/*
 * A burst that is longer than the period has two intervals that are partly on
 * the CPU. Otherwise all intervals are.
 */
static double burst_variance(__u64 period)
{
	double share = (double)BURST_NS / CYCLE_NS;

	if (BURST_NS >= period)
		return BURSTS * 2 * 0.25;
	return (double)(BURSTS * CYCLE_NS) / (double)period * share *
	       (1 - share);
}

static void run(const struct method *method, void (*use)(unsigned int),
		unsigned int argument, unsigned int phase, struct total *total)
{
	__u64 used;

	settle(phase);
	method->start(method);
	used = threads_ns();
	use(argument);
	used = threads_ns() - used;
	total->samples += (double)method->stop(method);
	dismiss_crew();
	total->due += (double)used / (double)period_of(method);
}

static void print(const char *name, const struct method *method,
		  const struct total *total)
{
	printf("result accuracy/%s-%s %.1f %.0f %.1f\n", name, method->name,
	       1e4 * (total->samples - total->due) / total->due, total->due,
	       1e4 * 3 * sqrt(total->variance) / total->due);
	fflush(stdout);
}

static void measure_threads(const struct method *method, unsigned int nr)
{
	struct total total = { 0 };
	char name[32];

	for (unsigned int i = 0; i < SPINS; i++)
		run(method, spin_threads, nr, i, &total);
	/* The first and the last interval of a run are partly on the CPU. */
	total.variance = SPINS * 2 * 0.25;
	snprintf(name, sizeof(name), "threads-%u", nr);
	print(name, method, &total);
}

static void measure_bursts(const struct method *method)
{
	struct total total = { 0 };

	for (unsigned int i = 0; i < PHASES_OF_BURSTS; i++)
		run(method, burst, i, 0, &total);
	total.variance = PHASES_OF_BURSTS * burst_variance(period_of(method));
	print("bursts", method, &total);
}

int main(void)
{
	static const char *const rates[] = { "tick", "1khz", "10khz" };

	sem_init(&crew.done, 0, 0);
	sem_init(&crew.leave, 0, 0);
	for (size_t i = 0; i < ARRAY_LENGTH(rates); i++) {
		const struct method *method = method_find(rates[i]);
		unsigned int nr;

		for (nr = 1; nr <= MAX_THREADS; nr++)
			measure_threads(method, nr);
		measure_bursts(method);
	}
	return 0;
}
