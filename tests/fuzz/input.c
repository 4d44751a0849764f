// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

static const unsigned long commands[] = {
	PROFIL_TABLE_IOC_TEXT, PROFIL_TABLE_IOC_NAME, PROFIL_TABLE_IOC_SYMBOL,
	PROFIL_IOC_START,      PROFIL_IOC_START,      PROFIL_IOC_START,
	PROFIL_IOC_START,      PROFIL_IOC_STOP,	      PROFIL_IOC_STATS,
	PROFIL_IOC_STATS,      PROFIL_IOC_VERSION,    PROFIL_IOC_TABLE,
	PROFIL_TABLE_IOC_ADD,  PROFIL_TABLE_IOC_TAKE, PROFIL_TABLE_IOC_WANTED,
	PROFIL_TABLE_IOC_ROWS, PROFIL_TABLE_IOC_ROWS, _IO(PROFIL_IOC_MAGIC, 6),
};

static __u64 boundary_value(struct stream *random)
{
	return boundary_values[draw_below(random, nr_boundary_values)];
}

/* An address or a number that the driver has compared with something */
static __u64 compared_value(struct stream *random)
{
	struct trace_pair pair;

	if (!trace_pair(draw(random), &pair))
		return boundary_value(random);
	return draw_one_in(random, 2) ? pair.a : pair.b;
}

static __u64 new_value(struct stream *random, __u64 old)
{
	switch (draw_below(random, 7)) {
	case 0:
		return boundary_value(random);
	case 1:
		return compared_value(random);
	case 2:
		return old + draw_below(random, 9) - 4;
	case 3:
		return old ^ 1ULL << draw_below(random, 64);
	case 4:
		return draw_below(random, 1ULL << draw_below(random, 40));
	case 5:
		return ARENA + draw_below(random, ARENA_END - ARENA) / 8 * 8;
	default:
		return draw(random);
	}
}

/* Put the other operand where one operand of a comparison is found. */
static bool answer_comparison(struct request *request, struct stream *random)
{
	struct trace_pair pair;
	const struct field *fields;
	unsigned int i, nr;

	if (!trace_pair(draw(random), &pair))
		return false;
	fields = fields_of(request->command, &nr);
	for (i = 0; i < nr; i++) {
		__u64 value = field_get(request, &fields[i]);

		if (value == pair.a || value == pair.b) {
			field_set(request, &fields[i],
				  value == pair.a ? pair.b : pair.a);
			return true;
		}
	}
	return false;
}

static void vary_request(struct request *request, struct stream *random)
{
	unsigned int nr;
	const struct field *field = fields_of(request->command, &nr);

	field += draw_below(random, nr);
	if (draw_one_in(random, 3) && answer_comparison(request, random))
		return;
	field_set(request, field, new_value(random, field_get(request, field)));
}

static void create_call(struct step *step, struct stream *random,
			unsigned int callers)
{
	unsigned int changes = draw_below(random, 4);

	step->caller = draw_below(random, callers);
	step->race = draw_one_in(random, 4) ? draw_below(random, NR_RACES) :
					      ALONE;
	request_init(&step->request,
		     commands[draw_below(random, ARRAY_LENGTH(commands))]);
	step->device = device_of(step->request.command);
	if (draw_one_in(random, 16))
		step->device = !step->device;
	while (changes--)
		vary_request(&step->request, random);
}

/* Most steps are calls; a 32-bit caller has no address above 4 GiB. */
static void create_step(struct step *step, struct stream *random,
			unsigned int callers)
{
	memset(step, 0, sizeof(*step));
	step->kind = draw_one_in(random, 3) ? draw_below(random, NR_KINDS) :
					      CALL;
	create_call(step, random, callers);
	step->flipped = draw_below(random, 64);
	step->value = draw(random);
}

static void make_call(struct step *step, unsigned long command)
{
	step->kind = CALL;
	step->device = device_of(command);
	step->race = ALONE;
	request_init(&step->request, command);
}

/* Few inputs by chance add a process, have it run, and take its samples and their names. */
static void add_first(struct input *input)
{
	if (input->nr < 3)
		return;
	make_call(&input->steps[0], PROFIL_TABLE_IOC_ADD);
	input->steps[0].request.add.flags = PROFIL_ADD_CHILDREN;
	input->steps[1].kind = PEER;
	input->steps[1].value = input->steps[1].value / NR_PEERS * NR_PEERS;
	make_call(&input->steps[2], PROFIL_TABLE_IOC_TAKE);
	if (input->nr > 3)
		make_call(&input->steps[3], PROFIL_TABLE_IOC_TEXT);
	if (input->nr > 4)
		make_call(&input->steps[4], PROFIL_TABLE_IOC_NAME);
}

void input_create(struct input *input, struct stream *random,
		  unsigned int callers)
{
	memset(input, 0, sizeof(*input));
	input->nr = 1 + draw_below(random, STEPS_MAX);
	for (unsigned int i = 0; i < input->nr; i++)
		create_step(&input->steps[i], random, callers);
	if (draw_one_in(random, 3))
		add_first(input);
}

static void insert_step(struct input *input, struct stream *random,
			unsigned int callers)
{
	unsigned int at = draw_below(random, input->nr + 1);

	if (input->nr == STEPS_MAX)
		return;
	memmove(&input->steps[at + 1], &input->steps[at],
		(input->nr - at) * sizeof(input->steps[0]));
	create_step(&input->steps[at], random, callers);
	input->nr++;
}

static void remove_step(struct input *input, struct stream *random)
{
	unsigned int at = draw_below(random, input->nr);

	if (input->nr == 1)
		return;
	input->nr--;
	memmove(&input->steps[at], &input->steps[at + 1],
		(input->nr - at) * sizeof(input->steps[0]));
}

static void vary_step(struct step *step, struct stream *random,
		      unsigned int callers)
{
	switch (draw_below(random, 9)) {
	case 8:
		step->device = !step->device;
		break;
	case 0:
		step->caller = draw_below(random, callers);
		break;
	case 1:
		step->race = draw_below(random, NR_RACES);
		step->flipped = draw_below(random, 64);
		break;
	case 2:
		step->value = new_value(random, step->value);
		break;
	default:
		vary_request(&step->request, random);
	}
}

void input_vary(struct input *input, struct stream *random,
		unsigned int callers)
{
	unsigned int changes = 1 + draw_below(random, 4);

	while (changes--) {
		unsigned int at = draw_below(random, input->nr);

		switch (draw_below(random, 6)) {
		case 0:
			insert_step(input, random, callers);
			break;
		case 1:
			remove_step(input, random);
			break;
		default:
			vary_step(&input->steps[at], random, callers);
		}
	}
}

static void print_fields(const struct request *request)
{
	unsigned int i, nr;
	const struct field *fields = fields_of(request->command, &nr);

	for (i = 0; i < nr; i++)
		printf(" %s=%#llx", fields[i].name,
		       field_get(request, &fields[i]));
}

void input_print(const struct input *input)
{
	static const char *const kinds[] = { "call", "spin",  "change",
					     "fork", "limit", "peer" };

	for (unsigned int i = 0; i < input->nr; i++) {
		const struct step *step = &input->steps[i];

		printf("# %u: %s value=%#llx device=%u", i, kinds[step->kind],
		       step->value, step->device);
		if (step->kind == CALL) {
			printf(" command=%#llx caller=%d race=%d flipped=%u",
			       step->request.command, step->caller, step->race,
			       step->flipped);
			print_fields(&step->request);
		}
		printf("\n");
	}
}
