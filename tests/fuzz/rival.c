// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <semaphore.h>

static struct {
	sem_t begun;
	const struct step *step;
	_Atomic bool working;
	_Atomic bool stop;
} rival;

/* The address of a field in the arena, or 0 if it cannot be written */
static __u64 place_of(const struct request *request, const struct field *field)
{
	size_t list = offsetof(struct request, regions);
	size_t argument = offsetof(struct request, bytes);
	__u64 at;

	if (field->at < argument)
		return 0;
	at = field->at < list ? request->at + field->at - argument :
				request->start.regions + field->at - list;
	return memory_writes(at, field->bytes) ? at : 0;
}

static void store(__u64 at, __u64 value, unsigned int bytes)
{
	memcpy((void *)(uintptr_t)at, &value, bytes);
}

static void flip(const struct step *step)
{
	const struct request *request = &step->request;
	unsigned int nr;
	const struct field *fields = fields_of(request->command, &nr);
	const struct field *field = &fields[step->flipped % nr];
	__u64 at = place_of(request, field);
	__u64 value = field->is_address ? memory_harmless(step->value) :
					  step->value;

	if (!at)
		return;
	store(at, value, field->bytes);
	sched_yield();
	store(at, field_get(request, field), field->bytes);
}

static void branch(void)
{
	pid_t child = IN_CHILD(0);

	if (child > 0)
		waitpid(child, NULL, 0);
}

static void work_once(const struct step *step)
{
	switch (step->race) {
	case FLIP:
		flip(step);
		break;
	case STOP:
		stop(device_fd(DEVICE), NULL);
		break;
	case REMAP:
		mmap((void *)COUNTERS, BLOCK, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		break;
	case BRANCH:
		branch();
		break;
	default:
		break;
	}
}

static void *work(void *nothing)
{
	for (;;) {
		while (sem_wait(&rival.begun))
			;
		rival.working = true;
		while (!rival.stop)
			work_once(rival.step);
		rival.working = false;
	}
	return nothing;
}

bool rival_create(void)
{
	pthread_t thread;

	return !sem_init(&rival.begun, 0, 0) &&
	       !pthread_create(&thread, NULL, work, NULL);
}

void rival_begin(const struct step *step)
{
	rival.step = step;
	rival.stop = false;
	sem_post(&rival.begun);
	while (!rival.working)
		sched_yield();
}

void rival_end(void)
{
	rival.stop = true;
	while (rival.working)
		sched_yield();
}
