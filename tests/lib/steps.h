/* SPDX-License-Identifier: GPL-2.0-only */
/* Steps of the tests of the library, and which counter a sample belongs to */
#ifndef TESTS_STEPS_H
#define TESTS_STEPS_H

#include <limits.h>

#include "../selftests/profil/common.h"

/*
 * Which counter a sample belongs to, by the formulas of the manuals
 *
 * The loop of a site is one instruction, so that its PC is known exactly.
 */

/* PC of a thread that spins at site @nr */
uintptr_t site_pc(unsigned int nr);

/* Index of a 16-bit counter in 4.4BSD: "[(pc - offset) / 2] * scale / 65536" */
#define BSD(distance, scale) ((uint64_t)(distance) / 2 * (scale) / 65536)

/* Index in AIX: the byte offset, rounded up to the next half-word */
#define AIX(distance, scale) \
	(((uint64_t)(distance) * ((scale) % 65536) / 65536 + 1) / 2)

/*
 * Spin at site @nr until the counter @index of @counters has some more samples.
 * False if none come, or if another of the @count counters changes; the ones from
 * @first to @last, of the instructions around the loop, may change by
 * less than @index does.
 */
bool counts_between(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t first, size_t index, size_t last);

/*
 * The same for at most two counters for 2 bytes of text: from four counters before
 * @index, for the instruction before the loop, to two behind it.
 */
bool counts_only_at(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t index);

/*
 * Spin at site @nr for several ticks: false if one of @count counters changes.
 */
bool counts_nowhere(unsigned int nr, const void *counters, unsigned int width,
		    size_t count);

/*
 * The same for a region that ends between the loop and the instruction before it,
 * which may have fewer than 4 samples.
 */
bool loop_counts_nowhere(unsigned int nr, const void *counters,
			 unsigned int width, size_t count);

/* 0, or errno if @ret is -1. Any other @ret is returned as it is. */
int errno_of(int ret);

/*
 * Tests of profil() and sprofil() as tables: a row has the words of a manual, and steps,
 * each a call with the result that is due, or the place where a sample lands
 *
 * A call that succeeds leaves errno unchanged, which each step checks.
 */

#define NR_COUNTERS 2048

/* Addresses of text, from the first site on: a site, and the PC that spins there */
#define SITE(nr) ((nr) * (long)SITE_BYTES)
#define PC(nr) (SITE(nr) + SITE_LOOP)
/* The address 0 */
#define ZERO LONG_MIN

/**
 * enum buffer - memory that a call gets
 * @COUNTERS: four pages, as the next ones
 * @ODD: the second byte of @COUNTERS
 * @NOTHING: NULL
 * @LOW: the address 16
 * @FIXED: a page that cannot be written
 * @HOLE: 64 bytes before a page that cannot be accessed
 */
enum buffer {
	COUNTERS,
	OTHER,
	THIRD,
	FOURTH,
	ODD,
	NOTHING,
	LOW,
	FIXED,
	HOLE,
};

/**
 * struct span - a region of text of a list
 * @buffer: memory of the counters
 * @counter: index of the first one
 * @at: begin of the text
 * @nr: number of counters, and of sites
 * @scale: the scale, NO_SCALE for 0; 0 is a counter for each site
 * @bytes: size of the counters, NO_BYTES for 0; 0 is that of @nr
 * @end: end of the text, where a list has it; 0 is that of @nr sites
 */
struct span {
	enum buffer buffer;
	int counter;
	long at;
	int nr;
	unsigned int scale;
	size_t bytes;
	long end;
};

#define NO_SCALE (~1U)
#define NO_BYTES (~(size_t)0)

/* The words of an initializer */
#define OF(...)             \
	{                   \
		__VA_ARGS__ \
	}

#define SPAN_IN(buffer_, counter_, site, nr_, ...)                   \
	OF(.buffer = buffer_, .counter = counter_, .at = SITE(site), \
	   .nr = nr_, ##__VA_ARGS__)
#define SPAN(...) SPAN_IN(COUNTERS, __VA_ARGS__)
#define BIN_IN(buffer_, counter_, ...)                                  \
	OF(.buffer = buffer_, .counter = counter_, .at = ZERO, .nr = 1, \
	   .scale = 2, ##__VA_ARGS__)
#define BIN(...) BIN_IN(COUNTERS, __VA_ARGS__)

enum act {
	ACT_END,
	ACT_PROFIL,
	ACT_LIST,
	ACT_LIST_AT,
	ACT_LANDS,
	ACT_DUE,
	ACT_MORE,
	ACT_UNTIL,
	ACT_MISSES,
	ACT_MISSES_LOOP,
	ACT_ZEROS,
	ACT_IS,
	ACT_SET,
	ACT_CLEAR,
	ACT_UNMAP,
	ACT_PROTECT,
	ACT_DRIVER,
	ACT_PERIOD,
	ACT_RESTRICT,
	ACT_FORK,
	ACT_EXEC,
	ACT_STEPS,
};

/**
 * struct step - a step of a test
 * @act: what is done
 * @buffer: memory of the counters
 * @nr: number of regions, or of a site
 * @index: index of a counter
 * @value: value of a counter
 * @below: number of counters below @index of instructions before that of the site
 * @above: the same of instructions behind it
 * @result: 0 or the error that is due
 * @size: size of the counters; ALL is that of the buffer
 * @at: the offset of the text
 * @scale: the scale, or the flags of a list
 * @time: address for the time of a list
 * @us: the time or period that is due, TICK for that of the tick
 * @spans: the regions
 * @steps: steps of one, which {0} ends
 */
struct step {
	enum act act;
	enum buffer buffer;
	int nr;
	size_t index;
	uint64_t value;
	size_t below;
	size_t above;
	int result;
	size_t size;
	long at;
	unsigned int scale;
	enum { NO_TIME, BAD_TIME, TIME } time;
	long us;
	struct span spans[6];
	const struct step *steps;
};

#define ALL (~(size_t)0)

#define PROFIL(result_, buffer_, size_, at_, scale_)                \
	OF(.act = ACT_PROFIL, .result = result_, .buffer = buffer_, \
	   .size = size_, .at = at_, .scale = scale_)
/* Each site has one counter */
#define SITES(result, buffer) \
	PROFIL(result, buffer, NR_SITES * 2, SITE(0), SITE_SCALE(2))
#define STOP PROFIL(0, NOTHING, 0, ZERO, 0)
#define LIST(result_, flags, nr_, ...)                                    \
	OF(.act = ACT_LIST, .result = result_, .scale = flags, .nr = nr_, \
	   .spans = OF(__VA_ARGS__))
#define LIST_TIME(result_, buffer_, flags, nr_, ...)                      \
	OF(.act = ACT_LIST, .result = result_, .scale = flags, .nr = nr_, \
	   .time = BAD_TIME, .buffer = buffer_, .spans = OF(__VA_ARGS__))
#define TICK LONG_MAX
/* A list that succeeds, with a period */
#define LIST_TAKES(us_, flags, nr_, ...)                             \
	OF(.act = ACT_LIST, .scale = flags, .nr = nr_, .time = TIME, \
	   .us = us_, .spans = OF(__VA_ARGS__))
/* The list itself is in a buffer. */
#define LIST_AT(result_, buffer_, flags, nr_)                        \
	OF(.act = ACT_LIST_AT, .result = result_, .buffer = buffer_, \
	   .scale = flags, .nr = nr_)

/* An act at a site, about the counter at an index */
#define AT_SITE(act_, buffer_, site, index_, ...)                       \
	OF(.act = act_, .buffer = buffer_, .nr = site, .index = index_, \
	   ##__VA_ARGS__)
/* Samples at a site are counted at one index, and at no other. */
#define LANDS_AMONG(buffer, below_, above_, site, index)         \
	AT_SITE(ACT_LANDS, buffer, site, index, .below = below_, \
		.above = above_)
#define LANDS_IN(buffer, site, index) LANDS_AMONG(buffer, 4, 2, site, index)
#define LANDS(site, index) LANDS_IN(COUNTERS, site, index)
/* The counter at the index gets all samples that are due. */
#define DUE(site, index) AT_SITE(ACT_DUE, COUNTERS, site, index)
/* The counter at the index gets some samples, or becomes a value. */
#define MORE_IN(buffer, site, index) AT_SITE(ACT_MORE, buffer, site, index)
#define MORE(site, index) MORE_IN(COUNTERS, site, index)
#define UNTIL(site, value_) \
	AT_SITE(ACT_UNTIL, COUNTERS, site, site, .value = value_)
/* No counter gets a sample at a site. */
#define MISSES_IN(buffer, site) AT_SITE(ACT_MISSES, buffer, site, 0)
#define MISSES(site) MISSES_IN(COUNTERS, site)
#define MISSES_LOOP(site) AT_SITE(ACT_MISSES_LOOP, COUNTERS, site, 0)

/* Counters are 0, from one index up to another one. */
#define ZEROS_IN(buffer, from, to) \
	AT_SITE(ACT_ZEROS, buffer, 0, from, .value = to)
#define ZEROS(from, to) ZEROS_IN(COUNTERS, from, to)
#define IS(index, value_) AT_SITE(ACT_IS, COUNTERS, 0, index, .value = value_)
#define SET(index, value_) AT_SITE(ACT_SET, COUNTERS, 0, index, .value = value_)
#define CLEAR_IN(buffer) AT_SITE(ACT_CLEAR, buffer, 0, 0)
#define CLEAR CLEAR_IN(COUNTERS)
/* The first page, with samples that come then */
#define UNMAP_IN(buffer, site) AT_SITE(ACT_UNMAP, buffer, site, 0)
#define UNMAP(site) UNMAP_IN(COUNTERS, site)
/* The last page cannot be written any more. */
#define PROTECT OF(.act = ACT_PROTECT)
#define ON OF(.act = ACT_DRIVER, .value = true)
#define OFF OF(.act = ACT_DRIVER)
/* The period of the profile, in microseconds */
#define PERIOD(us_) OF(.act = ACT_PERIOD, .us = us_)
#define RESTRICT(value_) OF(.act = ACT_RESTRICT, .value = value_)
/* Child and parent are profiled, with counters of their own. */
#define FORK OF(.act = ACT_FORK)
#define EXEC OF(.act = ACT_EXEC)

/* Several steps */
#define GROUP(...) OF(.act = ACT_STEPS, STEPS(__VA_ARGS__))
#define STEPS(...) .steps = (const struct step[])OF(__VA_ARGS__, { 0 })

/* A call with this scale stops a profile. */
#define OFF_BY(scale)                                                        \
	GROUP(SITES(0, COUNTERS), ON, PROFIL(0, COUNTERS, 128, ZERO, scale), \
	      OFF, MISSES(3))

/**
 * struct row - a test
 * @subjects: words for steps_begin(), with spaces between; each has a test
 * @words: the words of a manual, or what the steps show
 * @steps: the steps
 */
struct row {
	const char *subjects;
	const char *words;
	const struct step *steps;
};

#define ROWS(subjects_, words_, ...) \
	OF(.subjects = subjects_, .words = words_, STEPS(__VA_ARGS__))
#define ROW(...) ROWS("", __VA_ARGS__)

/*
 * Run the tests of the rows, and those of TEST(), or be the program that EXEC runs:
 * main()'s status.
 */
int steps_run(int argc, char **argv, const struct row *rows, size_t nr);

/* What a program of rows defines: */

/*
 * Begin a test about @subject; the result is a set of flags for each list. Without the
 * function there are none.
 */
unsigned int steps_begin(const char *subject);

/* profil() with these arguments: -1, and errno */
int steps_profil(void *counters, size_t size, uintptr_t offset,
		 unsigned int scale);

/*
 * sprofil(), or the call that takes a list: -1, and errno. Without @spans the list is at
 * @at. @time is the address for the time.
 */
int steps_list(const struct span *spans, const void *at, int nr, void *time,
	       unsigned int flags);

/* For the functions of TEST(): */

/*
 * Spin at site @nr, and compare the counter at @at, of the width of the last call, with
 * the samples due: all of them on a machine that counts instructions, and at least one
 * elsewhere. spin() also reads the clock of the thread, which is outside the site. The
 * allowance for samples there is a twenty-fifth, and two samples.
 */
bool steps_due(unsigned int nr, const void *at);

/* Memory of @buffer */
void *steps_buffer(enum buffer buffer);
/* The address of text */
uintptr_t steps_text(long at);
/* The scale and the size of a span with counters of @width bytes */
unsigned int span_scale(const struct span *span, unsigned int width);
size_t span_bytes(const struct span *span, unsigned int width);

/* Call profil() from a file without AIX's header: 0, or -1. */
int plain_profil(unsigned short *buf, size_t size, size_t offset,
		 unsigned int scale);

/* Call profil_svr4() from there. */
int plain_profil_svr4(unsigned short *buf, size_t size, size_t offset,
		      unsigned int scale);

#endif /* TESTS_STEPS_H */
