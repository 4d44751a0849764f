// SPDX-License-Identifier: GPL-2.0-only
#include "steps.h"

#include <sys/profil.h>

#include "process_state.h"
#include "tap.h"

#define PAGES 4
/* Several ticks */
#define LONG_NS (100 * NSEC_PER_MSEC)
#define SHORT_NS (60 * NSEC_PER_MSEC)

static void *pages[FOURTH + 1];
/* Size of a counter, by the last list */
static unsigned int width = 2;
static unsigned int list_flags;

void *steps_buffer(enum buffer buffer)
{
	void *fixed;

	switch (buffer) {
	case ODD:
		return (char *)steps_buffer(COUNTERS) + 1;
	case NOTHING:
		return NULL;
	case LOW:
		return (void *)16;
	case FIXED:
		fixed = new_pages(page_size());
		mprotect(fixed, page_size(), PROT_READ);
		return fixed;
	case HOLE:
		return new_at_hole(64);
	default:
		if (!pages[buffer])
			pages[buffer] = new_pages(PAGES * page_size());
		return pages[buffer];
	}
}

uintptr_t steps_text(long at)
{
	return at == ZERO ? 0 : (uintptr_t)profil_sites + at;
}

unsigned int span_scale(const struct span *span, unsigned int bytes)
{
	if (span->scale == NO_SCALE)
		return 0;
	return span->scale ? span->scale : SITE_SCALE(bytes);
}

size_t span_bytes(const struct span *span, unsigned int bytes)
{
	if (span->bytes == NO_BYTES)
		return 0;
	return span->bytes ? span->bytes : span->nr * bytes;
}

/* The result is due, and a success leaves errno unchanged. */
static bool is_due(const struct step *step, int result)
{
	CHECK_EQUAL(step->result, errno_of(result));
	if (!step->result)
		CHECK_EQUAL(EDOM, errno);
	return true;
}

static bool call_profil(const struct step *step)
{
	void *counters = steps_buffer(step->buffer);
	size_t size = step->size == ALL ? PAGES * page_size() : step->size;

	width = 2;
	errno = EDOM;
	return is_due(step, steps_profil(counters, size, steps_text(step->at),
					 step->scale));
}

static long us_due(const struct step *step)
{
	long us = step->us;
	int fd;

	if (us == TICK) {
		fd = device_open();
		us = (long)(tick_ns(fd) / 1000);
		close(fd);
	}
	return us;
}

static bool call_list(const struct step *step)
{
	unsigned int flags = step->scale | list_flags;
	void *buffer = steps_buffer(step->buffer);
	void *const times[] = { NULL, buffer, &(struct timeval){ -1, -1 } };
	const struct timeval *tv = times[TIME];
	bool is_at = step->act == ACT_LIST_AT;
	int result;

	width = flags & PROF_UINT64 ? 8 : flags & PROF_UINT ? 4 : 2;
	errno = EDOM;
	result = steps_list(is_at ? NULL : step->spans, buffer, step->nr,
			    times[step->time], flags);
	CHECK(is_due(step, result));
	if (step->time == TIME)
		CHECK_EQUAL(us_due(step), tv->tv_sec * 1000000 + tv->tv_usec);
	return true;
}

bool steps_due(unsigned int nr, const void *at)
{
	__u64 before = counter(at, width, 0), used = thread_ns(), due;

	if (!machine_counts())
		return spin_until_at(nr, at, width, before + 1);
	spin(nr, LONG_NS);
	used = thread_ns() - used;
	due = used / driver_period_ns();
	CHECK_BETWEEN(due - due / 25 - 2, counter(at, width, 0) - before,
		      due + 2);
	return true;
}

static bool samples_land(const struct step *step)
{
	size_t below = step->index < step->below ? step->index : step->below;
	char *counters = steps_buffer(step->buffer);
	const char *at = counters + step->index * width;

	switch (step->act) {
	case ACT_LANDS:
		return counts_between(step->nr, counters, width, NR_COUNTERS,
				      step->index - below, step->index,
				      step->index + step->above);
	case ACT_DUE:
		return steps_due(step->nr, at);
	case ACT_MORE:
		return spin_until_at(step->nr, at, width,
				     counter(at, width, 0) + 3);
	case ACT_UNTIL:
		return spin_until_at(step->nr, at, width, step->value);
	case ACT_MISSES_LOOP:
		return loop_counts_nowhere(step->nr, counters, width,
					   NR_COUNTERS);
	default:
		return counts_nowhere(step->nr, counters, width, NR_COUNTERS);
	}
}

static bool forks(void)
{
	void *counters = steps_buffer(COUNTERS);

	CHECK(CHILD_OK(!counts_only_at(5, counters, width, NR_COUNTERS, 5)));
	CHECK_EQUAL(0, counter(counters, width, 5));
	return counts_only_at(6, counters, width, NR_COUNTERS, 6);
}

static bool acts_on_memory(const struct step *step)
{
	unsigned short *counters = steps_buffer(step->buffer);

	switch (step->act) {
	case ACT_ZEROS:
		return all_bytes((char *)steps_buffer(step->buffer) +
					 step->index * width,
				 0, (step->value - step->index) * width);
	case ACT_IS:
		return counters[step->index] == step->value;
	case ACT_SET:
		counters[step->index] = step->value;
		return true;
	case ACT_CLEAR:
		memset(counters, 0, NR_COUNTERS * 4);
		return true;
	case ACT_UNMAP:
		CHECK_EQUAL(0, munmap(steps_buffer(step->buffer), page_size()));
		spin(step->nr, SHORT_NS);
		return true;
	default:
		return !mprotect((char *)steps_buffer(COUNTERS) +
					 (PAGES - 1) * page_size(),
				 page_size(), PROT_READ);
	}
}

static bool acts(const struct step *step);

static bool acts_all(const struct step *steps)
{
	for (const struct step *step = steps; step->act; step++)
		if (!acts(step)) {
			tap_note("step %d, act %d", (int)(step - steps),
				 step->act);
			return false;
		}
	return true;
}

static bool acts(const struct step *step)
{
	switch (step->act) {
	case ACT_STEPS:
		return acts_all(step->steps);
	case ACT_PROFIL:
		return call_profil(step);
	case ACT_LIST:
	case ACT_LIST_AT:
		return call_list(step);
	case ACT_DRIVER:
		return driver_is_on() == step->value;
	case ACT_PERIOD:
		CHECK_EQUAL(us_due(step), (long)(driver_period_ns() / 1000));
		return true;
	case ACT_RESTRICT:
		return !param_write("restrict_fastprof",
				    step->value ? "1" : "0");
	case ACT_FORK:
		return forks();
	case ACT_EXEC:
		return exec_ends_profile();
	default:
		return step->act < ACT_ZEROS ? samples_land(step) :
					       acts_on_memory(step);
	}
}

/* That of a program without its own */
__attribute__((weak)) unsigned int steps_begin(const char *subject)
{
	(void)subject;
	return 0;
}

/* A test of a row, about one of its subjects */
struct row_test {
	struct tap_test test;
	const struct row *row;
	const char *subject;
};

static bool passes(const struct tap_test *test, size_t index)
{
	const struct row_test *it = (const struct row_test *)test;

	(void)index;
	if (test->run)
		return test->run();
	list_flags = steps_begin(it->subject);
	return acts_all(it->row->steps);
}

static void add_test(const struct row *row, const char *subject)
{
	struct row_test *it = calloc(1, sizeof(*it));
	char *name;

	if (!it || asprintf(&name, "%s%s%s", subject, *subject ? ": " : "",
			    row->words) < 0)
		abort();
	*it = (struct row_test){ { .name = name }, row, subject };
	tap_add(&it->test);
}

int steps_run(int argc, char **argv, const struct row *rows, size_t nr)
{
	int status = exec_child_status(argc, argv);

	if (status)
		return status;
	for (size_t i = 0; i < nr; i++) {
		char *rest = strdup(rows[i].subjects), *subject;

		while ((subject = strsep(&rest, " ")))
			add_test(&rows[i], subject);
	}
	return tap_run_with(passes);
}
