// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "random_profile.h"
#include "util/base.h"

#define OBJECTS 9
#define FUNCTIONS 7
#define INLINED 3
#define PROGRAMS 4
#define KERNEL 5

/* Numbers of struct profil_take, which has no others from ticks on */
#define TAKEN                                                                 \
	((sizeof(struct profil_take) - offsetof(struct profil_take, ticks)) / \
	 sizeof(__u64))
#define MAX_PLACES 60
/* Bytes from one function to the next one */
#define STRIDE 64

static const char *const awkward[] = { "", "\t\n%", " a;b (c)", "\xff\x01" };

/* A number that depends on @object and @part only */
static uint32_t fixed(uint32_t object, uint32_t part)
{
	uint32_t x = (object * 1000 + part + 1) * 2654435761U;

	x ^= x >> 15;
	x *= 2246822519U;
	return x ^ x >> 13;
}

static bool is_file(uint32_t number)
{
	return number < OBJECTS - 2;
}

static const char *name_of(char name[64], const char *prefix, uint32_t number)
{
	snprintf(name, 64, "%s%u%s", prefix, number, awkward[number % 4]);
	return name;
}

static uint32_t add_object(struct profile *profile, uint32_t number)
{
	struct profile_object object = { .kind = PROFILE_FILE };
	char path[64];

	object.path = name_of(path, "/lib/o", number);
	if (!is_file(number))
		object.kind = number % 2 ? PROFILE_OUTSIDE : PROFILE_JIT;
	object.build_id_size = is_file(number) && number % 3 ? 20 : 0;
	memset(object.build_id, 0, sizeof(object.build_id));
	memset(object.build_id, number, object.build_id_size);
	object.names = is_file(number) ? number % 6 : PROFILE_NAMES_READ;
	object.lines = number % 4;
	object.is_relocatable = number % 3 == 1;
	return profil_profile_add_object(profile, &object);
}

static uint64_t address_of(uint32_t number, uint64_t offset)
{
	return number % 2 ? offset + 0x400000 : offset;
}

static void add_segment(struct profile *profile, uint32_t object,
			uint32_t number)
{
	struct profile_segment segment = {
		.object = object,
		.offset = 0x1000,
		.address = address_of(number, 0x1000),
		.size = 0x1000 + number,
	};

	if (is_file(number))
		profil_profile_add_segment(profile, &segment);
}

/* Function @part of object @number; those from FUNCTIONS on are inlined. */
static void add_function(struct profile *profile, uint32_t object,
			 uint32_t number, uint32_t part)
{
	uint32_t random = fixed(number, part);
	struct profile_function function = { .object = object };
	char symbol[64], name[64], file[64];
	uint8_t code[STRIDE];

	function.symbol = random % 5 ? name_of(symbol, "_Z", random) : "";
	function.name = function.symbol;
	if (!*function.symbol || random % 3)
		function.name = name_of(name, "f", random);
	function.is_inlined = part >= FUNCTIONS;
	function.is_local = random & 64;
	function.file = random % 4 ? name_of(file, "s", number) : "";
	function.line = random % 1000;
	if (!function.is_inlined) {
		function.address = address_of(number, 0x1000 + part * STRIDE);
		function.size = random & 128 ? STRIDE : 0;
	}
	memset(code, random, sizeof(code));
	if (function.size && random & 256)
		function.code = code;
	profil_profile_add_function(profile, &function);
}

/* The frames at @offset of object @number, whose functions begin at @first */
static void add_frames(struct profile *profile, struct profile_place *place,
		       uint32_t number, uint32_t first)
{
	uint32_t random = fixed(number, place->offset);
	uint32_t inlined = random % 3;
	char file[64];

	if (!(number % 2) || place->function == PROFILE_NONE)
		return;
	place->frames = profile->nr_frames;
	place->nr_frames = inlined + 1;
	for (uint32_t i = 0; i <= inlined; i++) {
		struct profile_frame frame = { .line = (random >> i) % 99 };

		frame.function = first + FUNCTIONS + (random + i) % INLINED;
		if (i == inlined)
			frame.function = place->function;
		frame.file = random & 4 ? name_of(file, "s", random % 8) : "";
		frame.column = random % 7;
		frame.discriminator = random % 5;
		profil_profile_add_frame(profile, &frame);
	}
}

static uint64_t random_count(void)
{
	if (random_one_in(3))
		return 0;
	return random_below(random_one_in(100) ? 70000 : 50);
}

/* A sample in @object, which is @number of all, with functions from @first on */
static void add_sample(struct profile *profile, uint32_t object,
		       uint32_t number, uint32_t first)
{
	struct profile_place place = { .object = object };
	struct profile_sample sample = { 0 };
	uint64_t part = random_below(FUNCTIONS + 2);

	sample.program = random_below(profile->nr_programs);
	place.function = PROFILE_NONE;
	if (part < FUNCTIONS)
		place.function = first + part;
	place.offset = 0x1000 + part * STRIDE;
	place.offset += random_below(STRIDE);
	place.address = address_of(number, place.offset);
	sample.user = random_count();
	sample.kernel = random_count();
	add_frames(profile, &place, number, first);
	sample.place = profil_profile_add_place(profile, &place);
	profil_profile_add_sample(profile, &sample);
}

static void random_head(struct profile_head *head)
{
	uint64_t *const numbers[] = {
		&head->begin_ns,       &head->wall_ns,	  &head->cpu_ns,
		&head->kernel_ns,      &head->samples,	  &head->hits,
		&head->kernel_samples, &head->recordings, &head->saturated,
		&head->sessions,       &head->ended,
	};
	__u64 *taken = &head->taken.ticks;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		*numbers[i] = random_below(1ULL << 50);
	head->table = random_below(3);
	head->idle_ns = head->table ? random_below(1000) : 0;
	head->busy_ns = random_below(1000);
	head->stolen_ns = random_below(1000);
	head->is_virtual = random_below(2);
	for (size_t i = 0; head->table && i < TAKEN; i++)
		taken[i] = random_below(1ULL << 50);
	/* Samples that wait, and the number of takes, are in no file. */
	head->taken.waiting = 0;
	head->taken.sequence = 0;
	head->outside = random_below(1000);
	head->lost = random_below(1000);
	head->period_ns = 1000000;
	head->is_tick = random_one_in(2);
	head->is_complete = random_one_in(2);
	head->is_orphan = random_one_in(2);
	head->status = random_below(256);
	head->signal = random_below(128);
	head->running = random_below(INT32_MAX);
	head->attached = random_below(INT32_MAX);
}

/* A program, perhaps twice, in two cgroups or threads; one is the recording profil. */
static void add_program(struct profile *profile, uint32_t number)
{
	char path[64], cgroup[64], thread[64], file[64];
	struct profile_program program = { .path = name_of(path, "/p",
							   number) };

	if (number == 2)
		program.path = "/" PROFILE_ITSELF;
	if (number % 2)
		program.file = name_of(file, "/f", number);
	if (!number || random_one_in(2))
		profil_profile_add_program(profile, &program);
	program.cgroup = random_one_in(2) ? name_of(cgroup, "/c", number) : "";
	program.thread = random_one_in(2) ? name_of(thread, "t", number) : "";
	if (random_one_in(2))
		profil_profile_add_program(profile, &program);
}

static void add_names(struct profile *profile)
{
	static const char *const argv[] = { "./a", "-x\t%", "" };

	profil_profile_set_command(profile, random_below(4), argv);
	profile->head.host = profil_profile_string(profile, "host\n");
	profile->head.release = profil_profile_string(profile, "6.12");
	profile->head.cgroup = profil_profile_string(profile, "/c\t");
	for (uint32_t i = 0; i < PROGRAMS; i++)
		add_program(profile, i);
}

/* The samples of a stack are those of its place, too. */
void random_stack(struct profile *profile, struct profile_stack *stack)
{
	struct profile_sample sample = { 0 };

	/* One program executes all of a stack. */
	if (stack->parent != PROFILE_NONE)
		stack->program = profile->stacks[stack->parent].program;
	sample.place = stack->place;
	sample.program = stack->program;
	sample.user = stack->user;
	sample.kernel = stack->kernel;
	profil_profile_add_sample(profile, &sample);
	stack->parent = profil_profile_add_stack(profile, stack);
}

/* A third of the profiles has none. */
static void add_stacks(struct profile *profile)
{
	uint32_t nr = random_one_in(3) ? 0 : random_below(200);

	for (uint32_t i = 0; profile->nr_places && i < nr; i++) {
		struct profile_stack stack = { .parent = PROFILE_NONE };

		if (profile->nr_stacks && !random_one_in(5))
			stack.parent = random_below(profile->nr_stacks);
		else if (random_one_in(3))
			stack.end = random_below(PROFIL_NR_WALKS);
		stack.place = random_below(profile->nr_places);
		stack.program = random_below(profile->nr_programs);
		stack.user = random_count();
		stack.kernel = random_count();
		random_stack(profile, &stack);
	}
}

/* Some have the stack that has entered the kernel. */
static void add_kernel(struct profile *profile, uint32_t number)
{
	char name[64];
	struct profile_kernel kernel = {
		.name = name_of(name, "k", number),
		.program = PROFILE_NONE,
		.stack = PROFILE_NONE,
	};

	kernel.samples = random_below(1000);
	if (random_one_in(2))
		kernel.program = random_below(profile->nr_programs);
	if (profile->nr_stacks && random_one_in(2))
		kernel.stack = random_below(profile->nr_stacks);
	if (random_one_in(2))
		profil_profile_add_kernel(profile, &kernel);
}

void random_profile(struct profile *profile)
{
	uint32_t nr;

	profil_profile_init(profile);
	random_head(&profile->head);
	add_names(profile);
	for (uint32_t number = 0; number < OBJECTS; number++) {
		uint32_t first = profile->nr_functions, object;

		if (random_one_in(3))
			continue;
		object = add_object(profile, number);
		add_segment(profile, object, number);
		for (uint32_t part = 0; part < FUNCTIONS + INLINED; part++)
			add_function(profile, object, number, part);
		nr = random_below(MAX_PLACES);
		for (uint32_t i = 0; i < nr; i++)
			add_sample(profile, object, number, first);
	}
	add_stacks(profile);
	for (uint32_t i = 0; i < KERNEL; i++)
		add_kernel(profile, i);
}

/**
 * struct order - a random order of the elements of a table
 * @old: the former index of each element
 * @new: the index of each former element
 */
struct order {
	uint32_t *old;
	uint32_t *new;
};

static struct order new_order(uint32_t nr)
{
	struct order order = {
		.old = profil_grow(NULL, (size_t)nr + 1, sizeof(uint32_t)),
		.new = profil_grow(NULL, (size_t)nr + 1, sizeof(uint32_t)),
	};

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t j = random_below(i + 1);

		order.old[i] = order.old[j];
		order.old[j] = i;
	}
	for (uint32_t i = 0; i < nr; i++)
		order.new[order.old[i]] = i;
	return order;
}

static void free_order(struct order order)
{
	free(order.old);
	free(order.new);
}

static struct order order_objects(struct profile *to,
				  const struct profile *from)
{
	struct order objects = new_order(from->nr_objects);
	struct order segments = new_order(from->nr_segments);

	for (uint32_t i = 0; i < from->nr_objects; i++)
		profil_profile_add_object(to, &from->objects[objects.old[i]]);
	for (uint32_t i = 0; i < from->nr_segments; i++) {
		struct profile_segment segment =
			from->segments[segments.old[i]];

		segment.object = objects.new[segment.object];
		profil_profile_add_segment(to, &segment);
	}
	free_order(segments);
	return objects;
}

static struct order order_functions(struct profile *to,
				    const struct profile *from,
				    struct order objects)
{
	struct order functions = new_order(from->nr_functions);

	for (uint32_t i = 0; i < from->nr_functions; i++) {
		struct profile_function function =
			from->functions[functions.old[i]];

		function.object = objects.new[function.object];
		profil_profile_add_function(to, &function);
	}
	return functions;
}

static uint32_t order_place(struct profile *to, const struct profile *from,
			    struct profile_place place, struct order functions)
{
	uint32_t first = to->nr_frames;

	for (uint32_t i = 0; i < place.nr_frames; i++) {
		struct profile_frame frame = from->frames[place.frames + i];

		frame.function = functions.new[frame.function];
		profil_profile_add_frame(to, &frame);
	}
	place.frames = first;
	if (place.function != PROFILE_NONE)
		place.function = functions.new[place.function];
	return profil_profile_add_place(to, &place);
}

/* A place, of those of a sample or of a stack */
static uint32_t order_index(struct profile *to, const struct profile *from,
			    uint32_t index, struct order objects,
			    struct order functions)
{
	struct profile_place place = from->places[index];

	place.object = objects.new[place.object];
	return order_place(to, from, place, functions);
}

/* Stacks in another order, in which each comes behind its parent, too: their new indices */
static uint32_t *order_stacks(struct profile *to, const struct profile *from,
			      struct order programs, struct order objects,
			      struct order functions)
{
	uint32_t *new = profil_indices(from->nr_stacks);

	for (uint32_t left = from->nr_stacks; left;) {
		uint32_t i = random_below(from->nr_stacks);
		struct profile_stack stack = from->stacks[i];

		if (new[i] != PROFILE_NONE ||
		    (stack.parent != PROFILE_NONE &&
		     new[stack.parent] == PROFILE_NONE))
			continue;
		if (stack.parent != PROFILE_NONE)
			stack.parent = new[stack.parent];
		stack.place =
			order_index(to, from, stack.place, objects, functions);
		stack.program = programs.new[stack.program];
		new[i] = profil_profile_add_stack(to, &stack);
		left--;
	}
	return new;
}

static void order_kernel(struct profile *to, const struct profile *from,
			 struct order programs, const uint32_t *stacks)
{
	for (uint32_t i = from->nr_kernel; i-- > 0;) {
		struct profile_kernel kernel = from->kernel[i];

		if (kernel.program != PROFILE_NONE)
			kernel.program = programs.new[kernel.program];
		if (kernel.stack != PROFILE_NONE)
			kernel.stack = stacks[kernel.stack];
		profil_profile_add_kernel(to, &kernel);
	}
}

static void copy_head(struct profile *to, const struct profile *from)
{
	struct profile_head *head = &to->head;

	*head = from->head;
	head->argv = NULL;
	profil_profile_set_command(to, from->head.argc, from->head.argv);
	head->host = profil_profile_string(to, head->host);
	head->machine = profil_profile_string(to, head->machine);
	head->release = profil_profile_string(to, head->release);
	head->cgroup = profil_profile_string(to, head->cgroup);
}

void random_order(struct profile *to, const struct profile *from)
{
	struct order programs = new_order(from->nr_programs);
	struct order samples = new_order(from->nr_samples);
	struct order objects, functions;
	uint32_t *stacks;

	profil_profile_init(to);
	copy_head(to, from);
	for (uint32_t i = 0; i < from->nr_programs; i++)
		profil_profile_add_program(to,
					   &from->programs[programs.old[i]]);
	objects = order_objects(to, from);
	functions = order_functions(to, from, objects);
	for (uint32_t i = 0; i < from->nr_samples; i++) {
		struct profile_sample sample = from->samples[samples.old[i]];

		sample.place =
			order_index(to, from, sample.place, objects, functions);
		sample.program = programs.new[sample.program];
		profil_profile_add_sample(to, &sample);
	}
	stacks = order_stacks(to, from, programs, objects, functions);
	order_kernel(to, from, programs, stacks);
	free(stacks);
	free_order(programs);
	free_order(samples);
	free_order(objects);
	free_order(functions);
}
