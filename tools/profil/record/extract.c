// SPDX-License-Identifier: GPL-2.0-only
/* Parts of the profile of a recording: what was counted since a mark, and new places */
#include "record/extract.h"
#include "resolve/file.h"
#include "resolve/source_lines.h"

/*
 * A part of the profile @from, with @names, that becomes another one, @to, and the index
 * in @to of each element, or PROFILE_NONE
 * @most: bytes of the strings that @to may have, and NAMES_OF_EACH for each new place
 * @left_out: functions without their names, and places without their frames, as there
 *	was no room
 */
struct extract {
	const struct profile *from;
	const struct resolve_names *names;
	struct profile *to;
	uint32_t *objects;
	uint32_t *functions;
	uint32_t *places;
	uint32_t *stacks;
	uint64_t most;
	uint32_t left_out;
};

static struct extract begin(const struct growing *growing, struct profile *to)
{
	const struct profile *from = &growing->profile;

	return (struct extract){
		.from = from,
		.names = &growing->names,
		.to = to,
		.objects = profil_indices(from->nr_objects),
		.functions = profil_indices(from->nr_functions),
		.places = profil_indices(from->nr_places),
		.stacks = profil_indices(from->nr_stacks),
		.most = UINT64_MAX / 2,
	};
}

static void end(struct extract *extract)
{
	free(extract->objects);
	free(extract->functions);
	free(extract->places);
	free(extract->stacks);
}

static uint32_t object_of(struct extract *extract, uint32_t index)
{
	const struct profile *from = extract->from;
	uint32_t *mine = &extract->objects[index];

	if (*mine == PROFILE_NONE)
		*mine = profil_profile_add_object(extract->to,
						  &from->objects[index]);
	return *mine;
}

static uint32_t program_of(struct extract *extract, uint32_t index)
{
	return profil_profile_add_program(extract->to,
					  &extract->from->programs[index]);
}

static bool has_room(const struct extract *extract, uint64_t bytes)
{
	return extract->to->strings->size + bytes <= extract->most;
}

static uint64_t bytes_of(const struct profile_function *function)
{
	return strlen(function->symbol) + strlen(function->name) +
	       strlen(function->file) + 3;
}

/* Add @function with its offset in place of its names. */
static uint32_t add_nameless(struct extract *extract,
			     struct profile_function function)
{
	const char *path = extract->to->objects[function.object].path;

	extract->left_out++;
	function.symbol = "";
	function.name = NULL;
	function.line = 0;
	return profil_resolve_add(extract->to, path, &function);
}

static uint32_t function_of(struct extract *extract, uint32_t index)
{
	struct profile_function function;
	uint32_t *mine;

	if (index == PROFILE_NONE)
		return PROFILE_NONE;
	index = profil_resolve_function(extract->names, extract->from, index);
	mine = &extract->functions[index];
	if (*mine != PROFILE_NONE)
		return *mine;
	function = extract->from->functions[index];
	function.object = object_of(extract, function.object);
	*mine = has_room(extract, bytes_of(&function)) ?
			profil_profile_add_function(extract->to, &function) :
			add_nameless(extract, function);
	return *mine;
}

/* There is room for @frame and its function. */
static bool fits(const struct extract *extract,
		 const struct profile_frame *frame)
{
	uint64_t bytes = strlen(frame->file) + 1;
	uint32_t index;

	if (frame->function == PROFILE_NONE)
		return has_room(extract, bytes);
	index = profil_resolve_function(extract->names, extract->from,
					frame->function);
	if (extract->functions[index] == PROFILE_NONE)
		bytes += bytes_of(&extract->from->functions[index]);
	return has_room(extract, bytes);
}

/* Add all frames of the place, or none. */
static void add_frames(struct extract *extract, struct profile_place *place)
{
	uint32_t first = place->frames;

	place->frames = extract->to->nr_frames;
	for (uint32_t i = 0; i < place->nr_frames; i++) {
		struct profile_frame frame = extract->from->frames[first + i];

		if (!fits(extract, &frame)) {
			extract->to->nr_frames = place->frames;
			place->nr_frames = 0;
			extract->left_out++;
			return;
		}
		frame.function = function_of(extract, frame.function);
		profil_profile_add_frame(extract->to, &frame);
	}
}

static uint32_t place_of(struct extract *extract, uint32_t index)
{
	struct profile_place place = extract->from->places[index];
	uint32_t *mine = &extract->places[index];

	if (*mine != PROFILE_NONE)
		return *mine;
	place.function = function_of(extract, place.function);
	place.object = object_of(extract, place.object);
	add_frames(extract, &place);
	*mine = profil_profile_add_place(extract->to, &place);
	return *mine;
}

static void add_sample(struct extract *extract, struct profile_sample sample)
{
	sample.place = place_of(extract, sample.place);
	sample.program = program_of(extract, sample.program);
	profil_profile_add_sample(extract->to, &sample);
}

/*
 * Add the samples from @first on that are in one object, up to @last: functions with code
 * of their own come first, then those that were inlined. The end of those that were added
 */
static const struct profile_sample *
add_object(struct extract *extract, const struct profile_sample *first,
	   const struct profile_sample *last)
{
	const struct profile_place *places = extract->from->places;
	const struct profile_sample *end = first;

	while (end < last &&
	       places[end->place].object == places[first->place].object)
		function_of(extract, places[end++->place].function);
	while (first < end)
		add_sample(extract, *first++);
	return end;
}

static void add_samples(struct extract *extract,
			const struct profile_sample *samples, uint32_t nr)
{
	const struct profile_sample *last = samples + nr;

	while (samples < last)
		samples = add_object(extract, samples, last);
}

static void add_segments(struct extract *extract)
{
	for (uint32_t i = 0; i < extract->from->nr_segments; i++) {
		struct profile_segment segment = extract->from->segments[i];

		segment.object = extract->objects[segment.object];
		if (segment.object != PROFILE_NONE)
			profil_profile_add_segment(extract->to, &segment);
	}
}

/* The build ID of the first program is a label of all parts of a recording. */
static void add_first(struct extract *extract)
{
	const struct profile *from = extract->from;

	if (!from->nr_programs)
		return;
	profil_profile_add_program(extract->to, &from->programs[0]);
	for (uint32_t i = 0; i < from->nr_objects; i++)
		if (from->objects[i].kind == PROFILE_FILE &&
		    from->objects[i].path ==
			    profile_file_of(&from->programs[0]))
			object_of(extract, i);
}

/* The kernel works for the only program of processes in its execve(2) and its exit, too. */
static uint32_t kernel_program(struct extract *extract, uint32_t index)
{
	if (index != PROFILE_NONE)
		return program_of(extract, index);
	return extract->from->head.table == TABLE_TREE &&
			       extract->to->nr_programs == 1 ?
		       0 :
		       PROFILE_NONE;
}

static void add_kernel(struct extract *extract, const struct mark *mark)
{
	for (uint32_t i = 0; i < extract->from->nr_kernel; i++) {
		struct profile_kernel kernel = extract->from->kernel[i];

		if (i < mark->nr_kernel)
			kernel.samples -= mark->kernel[i];
		kernel.program = kernel_program(extract, kernel.program);
		if (kernel.stack != PROFILE_NONE)
			kernel.stack = extract->stacks[kernel.stack];
		if (kernel.samples)
			profil_profile_add_kernel(extract->to, &kernel);
	}
}

/* Objects that were added already are the first ones. */
static int by_path(const struct extract *extract, uint32_t one, uint32_t other)
{
	const struct profile_object *objects = extract->from->objects;

	return compare_numbers(extract->objects[one], extract->objects[other]) ?:
		       strcmp(objects[one].path, objects[other].path) ?:
		       compare_numbers(one, other);
}

/* The order of profil_profile_sort() in @to, where objects are numbered as they are added */
static int by_code(const void *a, const void *b, void *data)
{
	const struct extract *extract = data;
	const struct profile_sample *one = a, *other = b;
	const struct profile_place *x = profile_place_of(extract->from, one);
	const struct profile_place *y = profile_place_of(extract->from, other);

	return (x->object == y->object ? 0 : by_path(extract, x->object, y->object)) ?:
		       compare_numbers(x->offset, y->offset) ?:
		       compare_numbers(one->program, other->program);
}

/* What was counted since @mark, to be freed */
static struct profile_sample *samples_since(const struct profile *profile,
					    const struct mark *mark,
					    uint32_t *nr)
{
	struct profile_sample *samples =
		profil_grow(NULL, profile->nr_samples + 1ULL, sizeof(*samples));

	*nr = 0;
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_sample sample = profile->samples[i];

		if (i < mark->nr_samples) {
			sample.user -= mark->samples[i].user;
			sample.kernel -= mark->samples[i].kernel;
		}
		if (profile_samples_of(&sample))
			samples[(*nr)++] = sample;
	}
	return samples;
}

/* Programs with samples are in the order of the recording, as in add_since(). */
static void add_programs(struct extract *extract,
			 const struct profile_sample *samples, uint32_t nr)
{
	const struct profile *from = extract->from;
	bool *are_used = profil_zeros(from->nr_programs + 1ULL, 1);

	for (uint32_t i = 0; i < nr; i++)
		are_used[samples[i].program] = true;
	for (uint32_t i = 0; i < from->nr_programs; i++)
		if (are_used[i])
			profil_profile_add_program(extract->to,
						   &from->programs[i]);
	free(are_used);
}

/* The samples are sorted once, for the file and for all that read it. */
static void add_since(struct extract *extract, const struct mark *mark)
{
	uint32_t nr;
	struct profile_sample *samples =
		samples_since(extract->from, mark, &nr);

	add_programs(extract, samples, nr);
	qsort_r(samples, nr, sizeof(*samples), by_code, extract);
	add_samples(extract, samples, nr);
	free(samples);
	/* Two programs may have got one name: their samples become one. */
	profil_profile_sort(extract->to);
}

/* Which of the stacks have samples, or have stacks with samples below them; to be freed */
static bool *used_stacks(const struct profile_stack *stacks, uint32_t nr)
{
	bool *are_used = profil_zeros(nr + 1ULL, 1);

	for (uint32_t i = nr; i-- > 0;) {
		are_used[i] |= stacks[i].user || stacks[i].kernel;
		if (are_used[i] && stacks[i].parent != PROFILE_NONE)
			are_used[stacks[i].parent] = true;
	}
	return are_used;
}

/*
 * The stacks with what was counted since @mark, and whether they, or stacks below them,
 * have any of that; both to be freed
 */
static struct profile_stack *stacks_since(const struct profile *profile,
					  const struct mark *mark,
					  bool **are_used)
{
	struct profile_stack *stacks =
		profil_grow(NULL, profile->nr_stacks + 1ULL, sizeof(*stacks));

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		stacks[i] = profile->stacks[i];
		if (i < mark->nr_stacks) {
			stacks[i].user -= mark->stacks[i].user;
			stacks[i].kernel -= mark->stacks[i].kernel;
		}
	}
	*are_used = used_stacks(stacks, profile->nr_stacks);
	return stacks;
}

/* The parent of a stack is before it. */
static void add_stacks(struct extract *extract, const struct mark *mark)
{
	const struct profile *from = extract->from;
	bool *are_used;
	struct profile_stack *stacks = stacks_since(from, mark, &are_used);
	uint32_t *mine = extract->stacks;

	for (uint32_t i = 0; i < from->nr_stacks; i++) {
		struct profile_stack stack = stacks[i];

		if (!are_used[i])
			continue;
		if (stack.parent != PROFILE_NONE)
			stack.parent = mine[stack.parent];
		stack.place = place_of(extract, stack.place);
		stack.program = program_of(extract, stack.program);
		mine[i] = profil_profile_add_stack(extract->to, &stack);
	}
	free(are_used);
	free(stacks);
}

void profil_growing_since(const struct growing *growing,
			  const struct mark *mark, struct profile *profile)
{
	struct extract extract = begin(growing, profile);

	add_first(&extract);
	add_since(&extract, mark);
	add_stacks(&extract, mark);
	add_segments(&extract);
	add_kernel(&extract, mark);
	end(&extract);
	profil_code_bytes_limit(profile);
}

/* Add the places from @first on, each with a sample, as a file has no other places. */
static void add_places(struct extract *extract, uint32_t first)
{
	const struct profile *from = extract->from;
	struct profile_sample sample = { .place = first };

	for (uint32_t i = first; i < from->nr_places; i++) {
		extract->most += NAMES_OF_EACH;
		function_of(extract, from->places[i].function);
	}
	for (; sample.place < from->nr_places; sample.place++)
		add_sample(extract, sample);
}

uint32_t profil_growing_places(const struct growing *growing, uint64_t room,
			       struct profile *profile)
{
	const struct profile *from = &growing->profile;
	struct extract extract = begin(growing, profile);

	for (uint32_t i = 0; i < from->nr_objects; i++)
		object_of(&extract, i);
	extract.most = profile->strings->size + room;
	add_places(&extract, growing->nr_named);
	for (uint32_t i = 0; i < from->nr_functions; i++)
		if (from->functions[i].code)
			function_of(&extract, i);
	end(&extract);
	return extract.left_out;
}
