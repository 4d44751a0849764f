// SPDX-License-Identifier: GPL-2.0-only
/* fork, vfork, clone, threads, execve, kill */
#include "torture.h"

#define CROWD_MAX 40

const char *program;

/* It has made the process, or has not. */
static pid_t begun(pid_t child)
{
	if (child < 0)
		board->crowd--;
	else if (child > 0)
		board->processes++;
	return child;
}

/* Count a process that fork(), vfork() or clone() is to make. */
static bool may_begin(void)
{
	if (++board->crowd <= CROWD_MAX)
		return true;
	begun(-1);
	errno = EAGAIN;
	return false;
}

pid_t process_fork(void)
{
	if (!may_begin())
		return -1;
	slots_before_fork();
	return begun(fork());
}

void process_ended(pid_t child)
{
	if (child > 0)
		board->crowd--;
}

void process_wait(pid_t child)
{
	pid_t ended;

	do
		ended = waitpid(child, NULL, __WNOTHREAD);
	while (ended < 0 && errno == EINTR);
	process_ended(ended);
}

void process_collect(void)
{
	pid_t ended;

	do {
		ended = waitpid(-1, NULL, WNOHANG | __WNOTHREAD);
		process_ended(ended);
	} while (ended > 0);
}

void process_execute(__u64 index, unsigned int depth)
{
	char index_text[24], depth_text[12];

	snprintf(index_text, sizeof(index_text), "%llu", index);
	snprintf(depth_text, sizeof(depth_text), "%u", depth);
	execl(program, program, "--live", index_text, depth_text, NULL);
}

static pid_t fork_to(struct actor *actor, void (*life)(struct actor *actor))
{
	pid_t child = process_fork();

	if (!child) {
		life(actor);
		_exit(0);
	}
	return child < 0 ? -errno : child;
}

int process_begin(struct actor *actor, void (*life)(struct actor *actor))
{
	pid_t child = actor->depth < DEPTH_MAX ? fork_to(actor, life) : -EAGAIN;

	return child < 0 ? child : 0;
}

int process_run(struct actor *actor, void (*life)(struct actor *actor))
{
	pid_t child = fork_to(actor, life);

	if (child < 0)
		return child;
	process_wait(child);
	return 0;
}

/* A child that is an actor */
static void live_on(struct actor *actor)
{
	actor_inherit(actor);
	actor_live_on(actor);
}

#define FLOOD 6

/* Children that end at once, most of them before their parent runs again */
static int run_fork_flood(struct actor *actor)
{
	pid_t children[FLOOD];
	int i, error = 0;

	for (i = 0; i < FLOOD; i++) {
		children[i] = process_fork();
		if (!children[i]) {
			if (i % 2)
				use_cpu(&actor->random);
			_exit(0);
		}
		if (children[i] < 0)
			error = -errno;
	}
	for (i = 0; i < FLOOD; i++)
		if (children[i] > 0)
			process_wait(children[i]);
	return error;
}

/* In a process that shares the memory: use the session, and change it. */
static void share_memory(struct stream random)
{
	use_cpu(&random);
	if (draw_one_in(&random, 2))
		session_start_ledger(&random);
	use_cpu(&random);
	if (draw_one_in(&random, 3))
		session_stop(NULL);
	use_cpu(&random);
}

/* The child runs in its parent's memory: no function of it may fail halfway. */
static pid_t vfork_briefly(const struct actor *actor)
{
	bool executes = actor->random.state & 1;
	pid_t child = vfork();

	if (child)
		return child;
	share_memory(actor->random);
	if (executes)
		execl(program, program, "--nothing", NULL);
	_exit(0);
}

static int run_vfork(struct actor *actor)
{
	pid_t child = -1;

	if (may_begin())
		child = begun(vfork_briefly(actor));
	if (child > 0)
		process_wait(child);
	return child < 0 ? -errno : 0;
}

#define STACK_BYTES 0x20000
static char stacks[ROWS][STACK_BYTES] __attribute__((aligned(16)));

static int in_clone(void *argument)
{
	const struct actor *actor = argument;

	share_memory(actor->random);
	return 0;
}

static int run_clone(struct actor *actor)
{
	struct actor copy = *actor;
	pid_t child = -1;

	if (may_begin())
		child = begun(clone(in_clone, stacks[actor->row] + STACK_BYTES,
				    CLONE_VM | SIGCHLD, &copy));
	use_cpu(&actor->random);
	if (child > 0)
		process_wait(child);
	return child < 0 ? -errno : 0;
}

static void execute(struct actor *actor)
{
	use_cpu(&actor->random);
	process_execute(mix(actor->index, actor->operation), actor->depth + 1);
}

static void run_until_killed(struct actor *actor)
{
	while (!board->stop) {
		if (draw_one_in(&actor->random, 3))
			session_start_ledger(&actor->random);
		use_cpu(&actor->random);
	}
}

static int run_kill(struct actor *actor)
{
	pid_t child = fork_to(actor, run_until_killed);

	if (child < 0)
		return child;
	sleep_ns(draw_below(&actor->random, 6 * NSEC_PER_MSEC));
	kill(child, SIGKILL);
	process_wait(child);
	return 0;
}

/* The parent of a process ends first. */
static void leave_child(struct actor *actor)
{
	actor_inherit(actor);
	process_begin(actor, live_on);
}

static void end_at_once(struct actor *actor)
{
	(void)actor;
}

/*
 * In a child: in a namespace of PIDs whose first process has ended every fork
 * fails late.
 */
static void fail_to_fork(struct actor *actor)
{
	session_start_ledger(&actor->random);
	if (unshare(CLONE_NEWPID) || process_run(actor, end_at_once))
		return;
	for (int tries = 0; tries < 8; tries++) {
		if (!fork())
			_exit(0);
		use_cpu(&actor->random);
	}
}

static const struct operation list[] = {
	{ "fork", NULL, 20, .life = live_on },
	{ "fork, 6 at once", run_fork_flood, 4 },
	{ "fork that fails", NULL, 2, .life = fail_to_fork, .waits = true },
	{ "vfork", run_vfork, 5, .shares = true },
	{ "clone CLONE_VM", run_clone, 5, .shares = true },
	{ "pthread_create", actor_start_thread, 10 },
	{ "fork, execve", NULL, 3, .life = execute },
	{ "fork, SIGKILL", run_kill, 6 },
	{ "fork, orphan", NULL, 2, .life = leave_child, .waits = true },
};

const struct operations process_operations = { list, ARRAY_LENGTH(list) };
