// SPDX-License-Identifier: GPL-2.0-only
/*
 * boundaries: each field of each structure has each boundary value, without a
 * session, with one, and beside a fault in another field, for 64-bit and 32-bit
 * programs. Every result is compared with the documented order of errors, and
 * every byte that is written with the documented results. Prints results in TAP.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attempt_call.h"
#include "common.h"
#include "memory.h"
#include "tap.h"

#define FAILURES_SHOWN 10

static const struct {
	unsigned long command;
	const char *name;
} commands[] = {
	{ PROFIL_IOC_VERSION, "VERSION" }, { PROFIL_IOC_START, "START" },
	{ PROFIL_IOC_STOP, "STOP" },	   { PROFIL_IOC_STATS, "STATS" },
	{ PROFIL_IOC_ATTACH, "ATTACH" },
};

/*
 * How a value is tried. Only results of STATS and STOP depend on whether there is
 * a session: each value of a field that they read is tried with one and without.
 */
enum mode { WITHOUT_SESSION, WITH_SESSION, WITH_FAULT };

/* Faults of START, to be found before or behind that of the value */
static const struct {
	const char *field;
	__u64 value;
} faults[] = {
	{ "start.flags", 32 },
	{ "start.width", 3 },
	{ "start.nr_regions", 0 },
	{ "start.nr_regions", 4097 },
	{ "start.period_ns", 1 },
	{ "start.totals", SHARED + 64 },
	{ "start.totals", KERNEL },
	{ "start.totals", COUNTERS },
	{ "start.regions", HOLE },
	{ "regions[0].flags", 4 },
	{ "regions[1].base", COUNTERS + 1 },
	{ "regions[1].base", HOLE },
	{ "start.size", 39 },
};

/**
 * struct boundary - a value of a field
 * @command: of a struct with this field
 * @name: of the command
 * @field: the field
 * @value: its value
 * @caller: of the call
 * @world: what results depend on
 */
struct boundary {
	unsigned long command;
	const char *name;
	const struct field *field;
	__u64 value;
	enum caller caller;
	struct world world;
};

static int device;
static unsigned long calls, failures;

static void begin_session(struct attempt_call *attempt)
{
	static struct request request;
	const struct request *intended = attempt->request;

	request_init(&request, PROFIL_IOC_START);
	request_place(&request);
	attempt->request = &request;
	if (!attempt_as_documented(attempt) || attempt->result)
		failures++;
	attempt->request = intended;
}

static void report(const struct boundary *boundary,
		   const struct attempt_call *attempt, __u64 touched)
{
	if (failures++ >= FAILURES_SHOWN)
		return;
	tap_note("%s, %s = %#llx, %d bits%s: %d, and %#llx are documented",
		 boundary->name, boundary->field->name, boundary->value,
		 boundary->caller == CALLER_32 ? 32 : 64,
		 attempt->world->session.exists ? ", session" : "",
		 attempt->result, attempt->allowed);
	if (attempt->wrong)
		tap_note("the field %s is wrong", attempt->wrong);
	if (touched)
		tap_note("the byte at %#llx is written", touched);
}

static void try_request(const struct boundary *boundary,
			const struct request *request, enum mode mode)
{
	struct world world = boundary->world;
	struct attempt_call attempt = { .fd = device,
					.caller = boundary->caller,
					.world = &world,
					.request = request };
	__u64 touched;
	bool good;

	if (mode == WITH_SESSION)
		begin_session(&attempt);
	request_place(request);
	good = attempt_as_documented(&attempt);
	touched = memory_touched(calls++ % 64 == 0);
	if (!good || touched)
		report(boundary, &attempt, touched);
	attempt_end(&attempt);
	memory_restore();
}

/* False if the fault is in the field of the value. */
static bool add_fault(struct request *request, const struct field *except,
		      unsigned int which)
{
	const char *name = faults[which % ARRAY_LENGTH(faults)].field;
	const struct field *fields;
	unsigned int i, nr;

	fields = fields_of(request->command, &nr);
	for (i = 0; i < nr; i++)
		if (&fields[i] != except && !strcmp(fields[i].name, name)) {
			field_set(request, &fields[i],
				  faults[which % ARRAY_LENGTH(faults)].value);
			return true;
		}
	return false;
}

/* False if the field cannot have the value, or a program not name the address. */
static bool make_request(struct request *request, const struct field *field,
			 __u64 value, enum caller caller)
{
	field_set(request, field, value);
	if (caller == CALLER_32 && request->at >> 32)
		return false;
	return field_get(request, field) ==
	       (field->bytes == 4 ? (__u32)value : value);
}

static void try_in_mode(const struct boundary *boundary, enum mode mode)
{
	static unsigned int which;
	struct request request;

	request_init(&request, boundary->command);
	if (mode == WITH_FAULT &&
	    !add_fault(&request, boundary->field, which++))
		return;
	if (make_request(&request, boundary->field, boundary->value,
			 boundary->caller))
		try_request(boundary, &request, mode);
}

/* Do results depend on whether there is a session, and on the field's value? */
static bool is_session_read(const struct boundary *boundary)
{
	return boundary->command != PROFIL_IOC_START &&
	       boundary->command != PROFIL_IOC_VERSION &&
	       !boundary->field->is_out;
}

/* Each value of START has another fault beside it in each of the fields. */
static void try_boundary(const struct boundary *boundary, unsigned int nr)
{
	bool is_start = boundary->command == PROFIL_IOC_START;

	if (!is_session_read(boundary)) {
		try_in_mode(boundary, nr % 2);
	} else {
		try_in_mode(boundary, WITHOUT_SESSION);
		try_in_mode(boundary, WITH_SESSION);
	}
	if (is_start && boundary->caller == CALLER_64)
		try_in_mode(boundary, WITH_FAULT);
}

static void try_field(struct boundary *boundary)
{
	unsigned int i;

	for (i = 0; i < nr_boundary_values; i++) {
		boundary->value = boundary_values[i];
		try_boundary(boundary, i);
	}
}

static bool fields_have_documented_errors(unsigned int which,
					  enum caller caller)
{
	struct boundary boundary = { .command = commands[which].command,
				     .name = commands[which].name,
				     .caller = caller,
				     .world = world_now(device) };
	const struct field *fields;
	unsigned int i, nr;

	CHECK(memory_map());
	CHECK(fields_are_complete(boundary.command));
	fields = fields_of(boundary.command, &nr);
	for (i = 0; i < nr; i++) {
		boundary.field = &fields[i];
		try_field(&boundary);
	}
	tap_note("%lu calls, %lu failures", calls, failures);
	return !failures;
}

static bool passes(const struct tap_test *test, size_t index)
{
	enum caller caller = index / ARRAY_LENGTH(commands);

	(void)test;
	device = device_open();
	CHECK(device >= 0);
	return fields_have_documented_errors(index % ARRAY_LENGTH(commands),
					     caller);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{ "VERSION of 64-bit programs", NULL },
		{ "START of 64-bit programs", NULL },
		{ "STOP of 64-bit programs", NULL },
		{ "STATS of 64-bit programs", NULL },
		{ "ATTACH of 64-bit programs", NULL },
		{ "VERSION of 32-bit programs", NULL },
		{ "START of 32-bit programs", NULL },
		{ "STOP of 32-bit programs", NULL },
		{ "STATS of 32-bit programs", NULL },
		{ "ATTACH of 32-bit programs", NULL },
	};
	unsigned int nr = ARRAY_LENGTH(tests);

	if (!caller_works(CALLER_32, device_open()))
		nr = ARRAY_LENGTH(commands);
	return tap_run_with(tests, nr, passes);
}
