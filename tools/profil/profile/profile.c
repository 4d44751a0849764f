// SPDX-License-Identifier: GPL-2.0-only
/* Profile in memory */
#include "profile/profile.h"
#include "util/text.h"

struct profile_strings *profil_strings_new(void)
{
	struct profile_strings *strings = profil_zeros(1, sizeof(*strings));

	ARRAY_ADD(strings->array, strings->nr, profil_copy_string(""));
	return strings;
}

void profil_strings_free(struct profile_strings *strings)
{
	if (!strings)
		return;
	for (uint32_t i = 0; i < strings->nr; i++)
		free(strings->array[i]);
	free(strings->array);
	profil_index_set_free(&strings->set);
	free(strings);
}

static bool is_string(const void *strings, uint32_t index, const void *string)
{
	return !strcmp(((char *const *)strings)[index], string);
}

uint32_t profil_strings_index(struct profile_strings *strings,
			      const char *string)
{
	uint64_t hash = profil_hash(HASH_EMPTY, string, strlen(string));
	uint32_t index;

	if (!*string)
		return 0;
	index = profil_index_set_add(&strings->set, hash ^ hash >> 32,
				     strings->nr, is_string, strings->array,
				     string);
	if (index == strings->nr) {
		strings->size += strlen(string) + 1;
		ARRAY_ADD(strings->array, strings->nr,
			  profil_copy_string(string));
	}
	return index;
}

uint32_t profil_strings_take(struct profile_strings *strings, char *string)
{
	uint32_t index = profil_strings_index(strings, string);

	free(string);
	return index;
}

const char *profil_strings_add(struct profile_strings *strings,
			       const char *string)
{
	uint32_t index = profil_strings_index(strings, string);

	return strings->array[index];
}

char *profil_head_command(const struct profile_head *head)
{
	char *text;
	FILE *stream = profil_memory_stream(&text, NULL);

	for (uint32_t i = 0; i < head->argc; i++)
		fprintf(stream, "%s%s", i ? " " : "", head->argv[i]);
	profil_memory_stream_end(stream);
	return text;
}

void profil_object_build_id(const struct profile_object *object,
			    char text[2 * FILE_BUILD_ID + 1])
{
	*text = '\0';
	for (uint32_t i = 0; i < object->build_id_size; i++)
		sprintf(text + 2 * i, "%02x", object->build_id[i]);
}

char *profil_object_code(const struct profile_object *object)
{
	if (object->kind != PROFILE_JIT)
		return profil_copy_string("[outside]");
	return profil_format("[jit: %s]", profil_text_base(object->path));
}

static bool begins_with(const char *path, const char *directory)
{
	return !strncmp(path, directory, strlen(directory));
}

bool profil_path_is_of_system(const char *path)
{
	static const char *const directories[] = { "/usr/",   "/bin/",
						   "/sbin/",  "/lib/",
						   "/lib32/", "/lib64/",
						   "/rustc/" };
	bool is_below = false;

	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		is_below |= begins_with(path, directories[i]);
	return (is_below && !begins_with(path, "/usr/local/")) ||
	       begins_with(path, "/usr/local/go/") ||
	       *profil_text_base(path) == '<';
}

void profil_profile_init(struct profile *profile)
{
	*profile = (struct profile){
		.strings = profil_strings_new(),
		.unit = 1,
		.head.is_complete = true,
		.head.recordings = 1,
	};
	profile->head.host = profil_profile_string(profile, "");
	profile->head.machine = profile->head.host;
	profile->head.release = profile->head.host;
	profile->head.cgroup = profile->head.host;
}

void profil_profile_free(struct profile *profile)
{
	free(profile->head.argv);
	free(profile->programs);
	profil_index_map_free(&profile->program_index);
	free(profile->objects);
	free(profile->segments);
	free(profile->functions);
	free(profile->frames);
	free(profile->places);
	profil_index_set_free(&profile->place_set);
	free(profile->samples);
	free(profile->stacks);
	profil_index_set_free(&profile->stack_set);
	free(profile->kernel);
	profil_index_map_free(&profile->kernel_index);
	free(profile->calls);
	profil_strings_free(profile->strings);
	*profile = (struct profile){ 0 };
}

const char *profil_profile_string(struct profile *profile, const char *string)
{
	return profil_strings_add(profile->strings, string);
}

/* The bytes have no index by hash, and are freed with the strings. */
const uint8_t *profil_profile_bytes(struct profile *profile,
				    const uint8_t *bytes, size_t size)
{
	struct profile_strings *strings = profile->strings;
	char *block = profil_grow(NULL, size + 1, 1);

	ARRAY_ADD(strings->array, strings->nr, block);
	return memcpy(block, bytes, size);
}

void profil_profile_set_command(struct profile *profile, uint32_t argc,
				const char *const *argv)
{
	struct profile_head *head = &profile->head;

	head->argv = profil_grow(head->argv, argc + 1, sizeof(*head->argv));
	for (uint32_t i = 0; i < argc; i++)
		head->argv[i] = profil_profile_string(profile, argv[i]);
	head->argv[argc] = NULL;
	head->argc = argc;
}

/* Room in @array for one element more than @nr */
static void *with_room(void *array, uint32_t nr, size_t size)
{
	if (nr == PROFILE_NONE / 2)
		die_err("the profile has too many parts");
	return array_room(array, nr, size);
}

#define APPEND(array, nr, element)                                    \
	({                                                            \
		(array) = with_room((array), (nr), sizeof(*(array))); \
		(array)[(nr)] = (element);                            \
		(nr)++;                                               \
	})

static const char *string_or_none(struct profile *profile, const char *string)
{
	return profil_profile_string(profile, string ? string : "");
}

static struct index_key key_of_program(const struct profile_program *program)
{
	return (struct index_key){ {
		(uintptr_t)program->path,
		(uintptr_t)program->cgroup,
		(uintptr_t)program->thread,
	} };
}

uint32_t profil_profile_add_program(struct profile *profile,
				    const struct profile_program *program)
{
	struct profile_program mine = {
		.path = profil_profile_string(profile, program->path),
		.cgroup = string_or_none(profile, program->cgroup),
		.thread = string_or_none(profile, program->thread),
		.file = string_or_none(profile, program->file),
	};
	struct index_key key = key_of_program(&mine);
	uint32_t index = profil_index_map_add(&profile->program_index, key,
					      profile->nr_programs);

	if (index == profile->nr_programs)
		APPEND(profile->programs, profile->nr_programs, mine);
	return index;
}

void profil_profile_rename_program(struct profile *profile, uint32_t index,
				   const char *path)
{
	struct profile_program *program = &profile->programs[index];

	program->file =
		profil_profile_string(profile, profile_file_of(program));
	program->path = profil_profile_string(profile, path);
	if (program->file == program->path)
		program->file = profil_profile_string(profile, "");
	profil_index_map_set(&profile->program_index, key_of_program(program),
			     index);
}

/* The name of a process is cut, and a script is not in it. */
void profil_program_comm(const struct profile_program *program,
			 char comm[PROFILE_COMM])
{
	const char *name = *program->thread ? program->thread :
					      profil_text_base(program->path);

	snprintf(comm, PROFILE_COMM, "%s", name);
	if (!*program->thread && *program->file)
		comm[strcspn(comm, " ")] = '\0';
}

uint32_t profil_profile_add_object(struct profile *profile,
				   const struct profile_object *object)
{
	struct profile_object mine = *object;

	mine.path = profil_profile_string(profile, object->path);
	return APPEND(profile->objects, profile->nr_objects, mine);
}

uint32_t profil_profile_add_segment(struct profile *profile,
				    const struct profile_segment *segment)
{
	return APPEND(profile->segments, profile->nr_segments, *segment);
}

uint32_t profil_profile_add_function(struct profile *profile,
				     const struct profile_function *function)
{
	struct profile_function mine = *function;

	mine.symbol = profil_profile_string(profile, function->symbol);
	mine.name = profil_profile_string(profile, function->name);
	mine.file = profil_profile_string(profile, function->file);
	if (function->code)
		mine.code = profil_profile_bytes(profile, function->code,
						 function->size);
	return APPEND(profile->functions, profile->nr_functions, mine);
}

uint32_t profil_profile_add_frame(struct profile *profile,
				  const struct profile_frame *frame)
{
	struct profile_frame mine = *frame;

	mine.file = profil_profile_string(profile, frame->file);
	return APPEND(profile->frames, profile->nr_frames, mine);
}

static uint32_t hash_of_place(const struct profile_place *place)
{
	struct index_key key = { {
		place->offset,
		(uint64_t)place->object << 32 | place->function,
		place->nr_frames,
	} };

	return profil_index_hash(&key);
}

/* A place that got its names later is equal to one without, as their hashes are. */
static bool is_place(const void *places, uint32_t index, const void *place)
{
	const struct profile_place *known = places, *new = place;

	known += index;
	if (known->object != new->object || known->offset != new->offset)
		return false;
	return new->function == PROFILE_NONE ||
	       (known->function == new->function &&
		known->nr_frames == new->nr_frames);
}

uint32_t profil_profile_add_place(struct profile *profile,
				  const struct profile_place *place)
{
	uint32_t index = profil_index_set_add(&profile->place_set,
					      hash_of_place(place),
					      profile->nr_places, is_place,
					      profile->places, place);

	if (index == profile->nr_places)
		return APPEND(profile->places, profile->nr_places, *place);
	profile->nr_frames -= place->nr_frames;
	return index;
}

uint32_t profil_profile_add_sample(struct profile *profile,
				   const struct profile_sample *sample)
{
	return APPEND(profile->samples, profile->nr_samples, *sample);
}

static bool is_stack(const void *stacks, uint32_t index, const void *stack)
{
	const struct profile_stack *known = stacks, *new = stack;

	known += index;
	return known->parent == new->parent && known->place == new->place &&
	       known->program == new->program && known->end == new->end;
}

uint32_t profil_profile_add_stack(struct profile *profile,
				  const struct profile_stack *stack)
{
	struct index_key key = { { stack->parent, stack->place,
				   (uint64_t)stack->end << 32 |
					   stack->program } };
	uint32_t index = profil_index_set_add(&profile->stack_set,
					      profil_index_hash(&key),
					      profile->nr_stacks, is_stack,
					      profile->stacks, stack);

	if (index == profile->nr_stacks)
		return APPEND(profile->stacks, profile->nr_stacks, *stack);
	profile->stacks[index].user += stack->user;
	profile->stacks[index].kernel += stack->kernel;
	return index;
}

uint32_t profil_profile_add_kernel(struct profile *profile,
				   const struct profile_kernel *kernel)
{
	struct profile_kernel mine = *kernel;
	struct index_key key;
	uint32_t index;

	mine.name = profil_profile_string(profile, kernel->name);
	key = (struct index_key){ { (uintptr_t)mine.name, mine.program,
				    mine.stack } };
	index = profil_index_map_add(&profile->kernel_index, key,
				     profile->nr_kernel);
	if (index == profile->nr_kernel)
		return APPEND(profile->kernel, profile->nr_kernel, mine);
	profile->kernel[index].samples += mine.samples;
	return index;
}

uint32_t profil_profile_add_call(struct profile *profile,
				 const struct profile_call *call)
{
	return APPEND(profile->calls, profile->nr_calls, *call);
}

uint64_t *profil_profile_calls(const struct profile *profile)
{
	uint64_t *calls =
		profil_zeros(profile->nr_functions + 1ULL, sizeof(*calls));

	for (uint32_t i = 0; i < profile->nr_calls; i++)
		if (profile->calls[i].callee != PROFILE_NONE)
			calls[profile->calls[i].callee] +=
				profile->calls[i].count;
	return calls;
}

uint64_t *profil_profile_samples(const struct profile *profile)
{
	uint64_t *samples =
		profil_zeros(profile->nr_functions + 1ULL, sizeof(*samples));

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		uint32_t function = profile_place_of(profile, sample)->function;

		if (function != PROFILE_NONE)
			samples[function] += profile_samples_of(sample);
	}
	return samples;
}

static int by_code(const void *a, const void *b, void *data)
{
	const struct profile *profile = data;
	const struct profile_sample *one = a, *other = b;
	const struct profile_place *x = profile_place_of(profile, one);
	const struct profile_place *y = profile_place_of(profile, other);

	return compare_numbers(x->object, y->object)	     ?:
		       compare_numbers(x->offset, y->offset) ?:
		       compare_numbers(one->program, other->program);
}

static bool is_sorted(struct profile *profile)
{
	for (uint32_t i = 1; i < profile->nr_samples; i++)
		if (by_code(&profile->samples[i - 1], &profile->samples[i],
			    profile) >= 0)
			return false;
	return true;
}

void profil_samples_sort(const struct profile *profile,
			 struct profile_sample *samples, uint32_t nr)
{
	if (nr)
		qsort_r(samples, nr, sizeof(*samples), by_code,
			(void *)profile);
}

/* Samples of a file or of a recording are in this order, those of a sum are not. */
void profil_profile_sort(struct profile *profile)
{
	struct profile_sample *to = profile->samples, *end;

	if (is_sorted(profile))
		return;
	end = to + profile->nr_samples;
	profil_samples_sort(profile, to, profile->nr_samples);
	for (struct profile_sample *from = to + 1; from < end; from++) {
		if (by_code(to, from, profile)) {
			*++to = *from;
			continue;
		}
		to->user += from->user;
		to->kernel += from->kernel;
	}
	profile->nr_samples = to + 1 - profile->samples;
}

/* Whole samples in @counts, of which the rest is that of all counts before. */
static uint64_t round_counts(uint64_t counts, uint64_t unit, uint64_t *rest)
{
	uint64_t samples = counts / unit;

	*rest += counts % unit;
	if (*rest < unit)
		return samples;
	*rest -= unit;
	return samples + 1;
}

/* Samples are divided in user mode only. */
void profil_profile_round(struct profile *profile)
{
	uint64_t rest = profile->unit / 2;
	uint32_t nr = 0;

	if (profile->unit == 1)
		return;
	profil_profile_sort(profile);
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_sample sample = profile->samples[i];

		sample.user = round_counts(sample.user, profile->unit, &rest);
		if (sample.user)
			profile->samples[nr++] = sample;
	}
	profile->nr_samples = nr;
	profile->head.outside =
		round_counts(profile->head.outside, profile->unit, &rest);
	profile->unit = 1;
}

uint64_t profil_profile_total(const struct profile *profile)
{
	uint64_t total =
		profile->left_out + profile->head.outside + profile->head.lost;

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		total += profile_samples_of(&profile->samples[i]);
	return total;
}

/* Without a function, or with an offset in place of its name. [plt] is a name. */
static bool is_nameless(const struct profile *profile, uint32_t index)
{
	return index == PROFILE_NONE ||
	       (!*profile->functions[index].symbol &&
		strcmp(profile->functions[index].name, "[plt]"));
}

struct naming *profil_profile_namings(const struct profile *profile)
{
	struct naming *namings =
		profil_zeros(profile->nr_objects + 1ULL, sizeof(*namings));

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		const struct profile_place *place =
			profile_place_of(profile, sample);
		struct naming *naming = &namings[place->object];

		naming->samples += profile_samples_of(sample);
		if (is_nameless(profile, place->function))
			naming->nameless += profile_samples_of(sample);
	}
	return namings;
}
