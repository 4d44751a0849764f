// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

/* Numbers of draws that belong to no operation */
#define BIRTH -1ULL
#define DEATH -2ULL

static struct actor thread_actors[ROWS];
static _Atomic unsigned int rows_taken;
static _Atomic bool had_company;

struct slot *actor_slot(struct actor *actor)
{
	return &slots[actor->row][draw_below(&actor->random, SLOTS)];
}

bool actor_is_alone(void)
{
	return !had_company;
}

void actor_had_company(void)
{
	had_company = true;
}

static struct stream stream_at(const struct actor *actor, __u64 operation)
{
	return stream_of(board->seed, actor->index, operation);
}

/* Run @nr operations, or fewer if the round ends. */
static void act(struct actor *actor, unsigned int nr)
{
	for (; nr && !board->stop; nr--) {
		actor->random = stream_at(actor, actor->operation);
		if (board->quiet)
			session_fall_quiet();
		operations_run_any(actor);
		process_collect();
		actor->operation++;
	}
}

static void map_row(unsigned int row)
{
	for (unsigned int i = 0; i < SLOTS; i++)
		slot_map(&slots[row][i], ANONYMOUS, (1 + 33 * i) * page_size());
}

static bool take_row(unsigned int row)
{
	unsigned int bit = 1U << row;

	return !(atomic_fetch_or(&rows_taken, bit) & bit);
}

static void leave_row(unsigned int row)
{
	rows_taken &= ~(1U << row);
}

static void *act_in_thread(void *argument)
{
	struct actor *actor = argument;

	if (row_disown(actor->row)) {
		map_row(actor->row);
		act(actor, 10 + (unsigned int)(actor->index % 30));
	}
	leave_row(actor->row);
	return NULL;
}

int actor_start_thread(struct actor *actor)
{
	unsigned int row = (unsigned int)draw_below(&actor->random, ROWS);
	struct actor *new = &thread_actors[row];
	pthread_t thread;
	int error;

	if (!take_row(row))
		return -EBUSY;
	*new = (struct actor){
		.index = mix(actor->index, actor->operation),
		.row = row,
		.depth = actor->depth,
	};
	actor_had_company();
	error = pthread_create(&thread, NULL, act_in_thread, new);
	if (error)
		leave_row(row);
	else
		pthread_detach(thread);
	return -error;
}

/* Other threads change their own rows. */
static void check_rows(const struct actor *actor)
{
	if (actor_is_alone())
		slots_check();
	else
		row_check(actor->row);
}

static void end(struct actor *actor)
{
	struct stream random = stream_at(actor, DEATH);

	check_rows(actor);
	switch (draw_below(&random, 6)) {
	case 0: /* The other threads of the process continue. */
		leave_row(actor->row);
		pthread_exit(NULL);
	case 1:
		kill(getpid(), SIGKILL);
		break;
	case 2:
		if (actor->depth < DEPTH_MAX && !board->stop)
			process_execute(mix(actor->index, actor->operation),
					actor->depth + 1);
		break;
	case 3:
		_exit(0);
	default:
		if (session_fall_quiet())
			check_rows(actor);
	}
	_exit(0);
}

void actor_live(__u64 index, unsigned int depth)
{
	struct actor actor = { .index = index, .depth = depth };

	guard_begin();
	slots_begin();
	take_row(actor.row);
	map_row(actor.row);
	act(&actor, 60 + (unsigned int)(index % 60));
	end(&actor);
	_exit(0);
}

/*
 * Use the CPU while the session, which this process has from its parent, may
 * count in its memory.
 */
static void spend_samples(struct stream *random)
{
	__u64 times = 1 + draw_below(random, 4);

	slots_check();
	while (times--)
		use_cpu(random);
	slots_check();
}

/* No other thread of the parent exists, and descriptors are the parent's. */
void actor_inherit(const struct actor *parent)
{
	close_range(3, BOARD_FD - 1, 0);
	close_range(BOARD_FD + 1, ~0U, 0);
	had_company = false;
	rows_taken = 1U << parent->row;
	session_release();
	slots_inherit();
}

void actor_live_on(const struct actor *parent)
{
	struct actor actor = {
		.index = mix(parent->index, parent->operation),
		.row = parent->row,
		.depth = parent->depth + 1,
	};
	struct stream random = stream_at(&actor, BIRTH);

	spend_samples(&random);
	if (!row_disown(actor.row))
		_exit(0);
	act(&actor, 4 + (unsigned int)(actor.index % 16));
	end(&actor);
	_exit(0);
}
