// SPDX-License-Identifier: GPL-2.0-only
/*
 * boundaries: each field of each structure has each boundary value, without a
 * session, with one, and beside a fault in another field, for 64-bit and 32-bit
 * programs, on the descriptor of the command, and now and then on the other one. Every
 * result is compared with the documented order of errors, and every byte that is written
 * with the documented results. Prints results in TAP.
 */
#include "fuzz.h"
#include "tap.h"

#define FAILURES_SHOWN 10

static const struct {
	unsigned long command;
	const char *name;
} commands[] = {
	{ PROFIL_IOC_VERSION, "VERSION" },
	{ PROFIL_IOC_START, "START" },
	{ PROFIL_IOC_STOP, "STOP" },
	{ PROFIL_IOC_STATS, "STATS" },
	{ PROFIL_IOC_TABLE, "TABLE" },
	{ PROFIL_TABLE_IOC_ADD, "ADD" },
	{ PROFIL_TABLE_IOC_TAKE, "TAKE" },
	{ PROFIL_TABLE_IOC_TEXT, "TEXT" },
	{ PROFIL_TABLE_IOC_NAME, "NAME" },
	{ PROFIL_TABLE_IOC_SYMBOL, "SYMBOL" },
	{ PROFIL_TABLE_IOC_WANTED, "WANTED" },
	{ PROFIL_TABLE_IOC_ROWS, "ROWS" },
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
	{ "start.flags", 32 },	     { "start.width", 3 },
	{ "start.nr_regions", 0 },   { "start.nr_regions", 4097 },
	{ "start.period_ns", 1 },    { "start.regions", HOLE },
	{ "regions[0].flags", 2 },   { "regions[1].base", COUNTERS + 1 },
	{ "regions[1].base", HOLE }, { "start.size", 31 },
};

/**
 * struct boundary - a value of a field
 * @command: of a struct with this field
 * @name: of the command
 * @field: the field
 * @value: its value
 * @caller: of the call
 * @device: the descriptor
 * @world: what results depend on
 */
struct boundary {
	unsigned long command;
	const char *name;
	const struct field *field;
	__u64 value;
	enum caller caller;
	unsigned int device;
	struct world world;
};

static unsigned long calls, failures;

static int bits_of(enum caller caller)
{
	return caller == CALLER_32 ? 32 : 64;
}

static void begin_session(struct attempt_call *attempt)
{
	static struct request request;
	const struct request *intended = attempt->request;
	unsigned int device = attempt->device;

	request_init(&request, PROFIL_IOC_START);
	request_place(&request);
	attempt->request = &request;
	attempt->device = DEVICE;
	if (!attempt_as_documented(attempt) && failures++ < FAILURES_SHOWN)
		tap_note("the session's START returns %d", attempt->result);
	attempt->request = intended;
	attempt->device = device;
}

static void report(const struct boundary *boundary, enum mode mode,
		   const struct attempt_call *attempt, __u64 touched)
{
	if (failures++ >= FAILURES_SHOWN)
		return;
	tap_note("%s by %d bits on descriptor %u%s, %s = %#llx", boundary->name,
		 bits_of(boundary->caller), boundary->device,
		 mode == WITH_SESSION ? " with a session" : "",
		 boundary->field->name, boundary->value);
	tap_note("the result is %d, and %#llx are documented", attempt->result,
		 attempt->allowed);
	if (attempt->wrong)
		tap_note("the field %s is wrong", attempt->wrong);
	if (touched)
		tap_note("the byte at %#llx is written", touched);
}

static void try_request(const struct boundary *boundary,
			const struct request *request, enum mode mode)
{
	static __u64 takes; /* of the table, which is renewed now and then */
	struct world world = boundary->world;
	struct attempt_call attempt = { .device = boundary->device,
					.caller = boundary->caller,
					.world = &world,
					.request = request };
	__u64 touched;
	bool good;

	world.takes = takes;
	world.are_unknown = true;
	if (mode == WITH_SESSION)
		begin_session(&attempt);
	request_place(request);
	good = attempt_as_documented(&attempt);
	touched = memory_touched(calls++ % 64 == 0);
	if (!good || touched)
		report(boundary, mode, &attempt, touched);
	attempt_end(&attempt);
	takes = world.takes;
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

/* Each value of START has another fault beside it in each of the fields. */
static void try_boundary(const struct boundary *boundary, unsigned int nr)
{
	bool is_start = boundary->command == PROFIL_IOC_START;

	/* Do results depend on whether there is a session, and on the field's value? */
	if ((boundary->command == PROFIL_IOC_STATS ||
	     boundary->command == PROFIL_IOC_STOP) &&
	    !boundary->field->is_out) {
		try_in_mode(boundary, WITHOUT_SESSION);
		try_in_mode(boundary, WITH_SESSION);
	} else {
		try_in_mode(boundary, nr % 2);
	}
	if (is_start && boundary->caller == CALLER_64)
		try_in_mode(boundary, WITH_FAULT);
}

/* One of eight values is tried on the other descriptor. */
#define OTHER 8

static void try_field(struct boundary *boundary, unsigned int step)
{
	static unsigned int turn;

	for (unsigned int i = 0; i < nr_boundary_values; i += step) {
		boundary->value = boundary_values[i];
		boundary->device = device_of(boundary->command);
		if (turn++ % OTHER == OTHER - 1)
			boundary->device = !boundary->device;
		try_boundary(boundary, turn);
	}
}

/*
 * A field that is only out is ignored, and only the address of an argument differs for a
 * 32-bit program: a few values show that.
 */
static unsigned int step_of(const struct boundary *boundary)
{
	if (boundary->field->is_out)
		return 7;
	return boundary->caller == CALLER_32 &&
			       strcmp(boundary->field->name, "at") ?
		       5 :
		       1;
}

/* Only one of @step values is tried, or fewer. */
static void try_fields(struct boundary *boundary, unsigned int step)
{
	unsigned int i, nr;
	const struct field *fields = fields_of(boundary->command, &nr);

	for (i = 0; i < nr; i++) {
		boundary->field = &fields[i];
		try_field(boundary, step * step_of(boundary));
	}
}

static bool have_documented_errors(unsigned int which, enum caller caller)
{
	struct boundary boundary = { .command = commands[which].command,
				     .name = commands[which].name,
				     .caller = caller };

	CHECK(fields_are_complete(boundary.command));
	CHECK(peers_drop_privileges());
	CHECK(peers_create());
	CHECK(devices_open());
	CHECK(memory_map());
	boundary.world = world_now();
	try_fields(&boundary, oracle_has_low_limit(&boundary.world) ? 3 : 1);
	tap_note("%lu calls, %lu failures", calls, failures);
	return !failures;
}

static bool passes_and_ends(unsigned int which, enum caller caller)
{
	bool good = have_documented_errors(which, caller);

	peers_end();
	devices_close();
	return good;
}

/* The number of START in the table of commands */
#define START_COMMAND 1

/*
 * A child drops its privileges: this process changes the limit to that of the table alone,
 * and back.
 */
static bool passes_at_limit(void)
{
	char saved[32];
	pid_t child;
	bool good;

	CHECK(!param_read("max_sessions", saved, sizeof(saved)));
	CHECK(tree_measure());
	child = fork();
	if (!child)
		exit(!passes_and_ends(START_COMMAND, CALLER_64));
	good = exited_with(child, 0);
	param_write("max_sessions", saved);
	return good;
}

/* The first test has a function of its own. */
static bool passes(const struct tap_test *test, size_t index)
{
	if (test->run)
		return test->run();
	index--;
	return passes_and_ends(index % ARRAY_LENGTH(commands),
			       index / ARRAY_LENGTH(commands));
}

int main(void)
{
	static struct tap_test limit = {
		.name = "START at the limit of sessions", .run = passes_at_limit
	};
	static struct tap_test tests[NR_CALLERS * ARRAY_LENGTH(commands)];
	unsigned int i, callers = 1 + caller_works(CALLER_32, device_open());
	char *name;

	tap_add(&limit);
	for (i = 0; i < callers * ARRAY_LENGTH(commands); i++) {
		if (asprintf(&name, "%s of %d-bit programs",
			     commands[i % ARRAY_LENGTH(commands)].name,
			     bits_of(i / ARRAY_LENGTH(commands))) < 0)
			abort();
		tests[i].name = name;
		tap_add(&tests[i]);
	}
	return tap_run_with(passes);
}
