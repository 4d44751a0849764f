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

/* An inherited descriptor would keep the module. */
static void keep_busy(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close_range(3, ~0U, 0);
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
		if (spinners[i] > 0) {
			kill_child(spinners[i]);
			spinners[i] = 0;
		}
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

/* Enough pages that a thread is preempted while it unmaps them */
#define LOCKED_BYTES 0x10000000UL

/**
 * struct lock_stage - what the process of struct locked tells
 * @site: where a thread spins
 * @spins: that thread has begun
 * @prober: a thread that maps memory in each millisecond, or 0
 * @calls: the first thread is about to call mmap()
 * @returned: that has returned
 * @failed: the process cannot do that
 */
struct lock_stage {
	unsigned int site;
	volatile bool spins;
	volatile pid_t prober;
	volatile bool calls;
	volatile bool returned;
	volatile bool failed;
};

static void *spin_at_site(void *argument)
{
	struct lock_stage *stage = argument;

	stage->spins = true;
	spin_forever(stage->site);
	return NULL;
}

static void *map_for_ever(void *argument)
{
	struct lock_stage *stage = argument;

	stage->prober = gettid();
	for (;;) {
		munmap(new_pages(page_size()), page_size());
		sleep_ns(NSEC_PER_MSEC);
	}
	return NULL;
}

static void *map_big_file(void)
{
	int fd = memfd_create("profil", MFD_CLOEXEC);
	void *at;

	if (fd < 0 || ftruncate(fd, LOCKED_BYTES))
		return MAP_FAILED;
	at = mmap(NULL, LOCKED_BYTES, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_POPULATE, fd, 0);
	close(fd);
	return at;
}

static void hold_mappings(void *argument)
{
	struct lock_stage *stage = argument;
	pthread_t threads[2];
	void *at;

	close_range(3, ~0U, 0);
	at = map_big_file();
	stage->failed =
		at == MAP_FAILED ||
		pthread_create(&threads[0], NULL, spin_at_site, stage) ||
		pthread_create(&threads[1], NULL, map_for_ever, stage);
	while (!stage->failed && !(stage->spins && stage->prober))
		sleep_ns(NSEC_PER_MSEC);
	stage->failed |= starve() != 0;
	stage->calls = true;
	if (!stage->failed)
		mmap(at, LOCKED_BYTES, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	stage->returned = true;
	for (;;)
		pause();
}

bool locked_holds(const struct locked *locked)
{
	return !locked->stage->returned;
}

/*
 * The lock is held while a thread that maps memory waits: for a moment, after which the
 * first thread is starved, or still.
 */
static bool is_locked(const struct locked *locked)
{
	return state_of(locked->pid, locked->stage->prober) == 'D';
}

static bool stays_locked(const struct locked *locked)
{
	return stays_in_state(locked->pid, locked->stage->prober, 'D');
}

static bool try_to_lock(struct locked *locked, uid_t user, unsigned int site)
{
	locked->stage = new_shared(page_size());
	locked->stage->site = site;
	if (starvation_prepare())
		return false;
	locked->pid = fork_user(user, hold_mappings, locked->stage);
	if (!WAIT_FOR(locked->stage->calls) ||
	    !EVENTUALLY(!locked_holds(locked) || is_locked(locked), 0))
		return false;
	starvation_begin();
	return EVENTUALLY(!locked_holds(locked) || stays_locked(locked), 0) &&
	       locked_holds(locked);
}

bool locked_begin(struct locked *locked, uid_t user, unsigned int site)
{
	return EVENTUALLY(try_to_lock(locked, user, site), locked_end(locked));
}

void locked_end(const struct locked *locked)
{
	starvation_end();
	if (locked->pid > 0)
		kill_child(locked->pid);
}
