// SPDX-License-Identifier: GPL-2.0-only
/*
 * ATTACH to any process of the torture, this one included. The session counts in
 * a ledger, so its samples are in the account of the round.
 */
#include <unistd.h>

#include "common.h"
#include "torture.h"

#define NEIGHBOURS 64

/* The process before or after this one, its parent, or itself */
static pid_t draw_process(struct stream *random)
{
	pid_t near = getpid() - NEIGHBOURS / 2 +
		     (pid_t)draw_below(random, NEIGHBOURS);

	if (draw_one_in(random, 3))
		return getppid();
	return near > 1 ? near : getpid();
}

static int attach(int fd, struct stream *random)
{
	pid_t pid = draw_process(random);

	return attach_untraced(fd, pid, (__u32)draw_below(random, 2));
}

static void use_attached(int fd, struct stream *random)
{
	struct profil_stats stats = stats_blank(NULL, 0);
	unsigned int starts = 1 + (unsigned int)draw_below(random, 4);

	while (starts--) {
		session_start_ledger_by(fd, random);
		use_cpu(random);
		if (draw_one_in(random, 2))
			attach(fd, random);
		sleep_ns(draw_below(random, 40 * NSEC_PER_MSEC));
	}
	if (call(fd, PROFIL_IOC_STATS, &stats))
		return;
	session_check_stats("STATS of an attached descriptor", &stats);
	board_add(&board->attached_samples, stats.samples);
}

/*
 * In a child without other threads, as a process forked by one would keep the
 * descriptor, and with it the module. close() or the end of the process ends the
 * session.
 */
static void live_attached(struct actor *actor)
{
	struct stream *random = &actor->random;
	int fd;

	actor_inherit(actor);
	if (board_is_quiet())
		return;
	fd = device_open();
	if (fd < 0)
		return;
	if (!attach(fd, random) || !attach(fd, random)) {
		board_add(&board->attached, 1);
		use_attached(fd, random);
	}
	if (draw_one_in(random, 2))
		close(fd);
}

static int run_attach(struct actor *actor)
{
	return process_run(actor, live_attached);
}

static const struct operation list[] = {
	{ "ATTACH, START", run_attach, 10, sessions_missing },
};

const struct operations attach_operations = { list, ARRAY_LENGTH(list) };
