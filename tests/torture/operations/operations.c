// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

/* The last subject's operations concern the whole machine. */
static const struct operations *const subjects[] = {
	&memory_operations, &advice_operations,	 &session_operations,
	&tree_operations,   &process_operations, &user_operations,
	&other_operations,  &machine_operations,
};

#define MACHINE (ARRAY_LENGTH(subjects) - 1)

static unsigned int weight_of(size_t first, size_t end)
{
	unsigned int sum = 0;

	for (size_t i = first; i < end; i++)
		for (size_t j = 0; j < subjects[i]->nr; j++)
			sum += subjects[i]->list[j].weight;
	return sum;
}

static int result_of(const struct operation *operation, struct actor *actor)
{
	if (operation->mapped) {
		actor->slot = actor_slot(actor);
		if (!actor->slot->bytes)
			return -ENOENT;
	}
	if (operation->run)
		return operation->run(actor);
	return operation->waits ? process_run(actor, operation->life) :
				  process_begin(actor, operation->life);
}

static void run(const struct operation *operation, unsigned int nr,
		struct actor *actor)
{
	actor->argument = operation->argument;
	if (operation->shares && !session_share()) {
		board_count(nr, -EBUSY);
		return;
	}
	board_count(nr, result_of(operation, actor));
	if (operation->shares)
		session_unshare();
}

/* Run the operation of the subjects @first to @end at @weight of their sum. */
static void run_at(size_t first, size_t end, unsigned int weight,
		   struct actor *actor)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < end; i++)
		for (size_t j = 0; j < subjects[i]->nr; j++, nr++) {
			const struct operation *at = &subjects[i]->list[j];

			if (i < first)
				continue;
			if (weight < at->weight) {
				run(at, nr, actor);
				return;
			}
			weight -= at->weight;
		}
}

static void run_one_of(size_t first, size_t end, struct actor *actor)
{
	unsigned int sum = weight_of(first, end);

	run_at(first, end, (unsigned int)draw_below(&actor->random, sum),
	       actor);
}

void operations_run_any(struct actor *actor)
{
	run_one_of(0, MACHINE, actor);
}

void operations_run_machine(struct actor *actor)
{
	run_one_of(MACHINE, MACHINE + 1, actor);
}

static void print(const struct operation *operation, const struct tally *tally)
{
	printf("# %-22s %8llu", operation->name, tally->done);
	for (int error = 0; error < NR_ERRORS; error++)
		if (tally->failed[error])
			printf("  %s %llu", strerrorname_np(error),
			       tally->failed[error]);
	printf("\n");
}

void operations_print(void)
{
	const struct tally *tally = board->tallies;

	printf("# %-22s %8s  %s\n", "operation", "done", "failed");
	for (size_t i = 0; i < ARRAY_LENGTH(subjects); i++)
		for (size_t j = 0; j < subjects[i]->nr; j++)
			print(&subjects[i]->list[j], tally++);
}
