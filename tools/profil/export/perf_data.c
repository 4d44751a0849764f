// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf.data of perf(1), in the byte order of this machine
 *
 * The file is a header, the event, the data and the features. The data are the
 * programs and maps, then one record for each sample, since perf report -n
 * counts records. Each program is a process with a made-up ID.
 */
#include <linux/perf_event.h>

#include "export/format.h"
#include "export/maps.h"
#include "util/text.h"

/*
 * The ID of the first program is above those of all processes: perf looks for
 * files in the namespaces of a process with the ID.
 */
#define FIRST_PID 0x400000U

/* Samples without a place are in maps of their own, below all programs. */
#define OUTSIDE_ADDRESS 0x1000
#define LOST_ADDRESS 0x2000
#define MAP_SIZE 0x1000

#define MAX_SAMPLES 1000000000ULL

/* The size of a record has 16 bits: callers beyond these are left out. */
#define MAX_PLACES 8000U
#define MAX_NAME 4096
#define MAX_COMM 15
#define BUILD_ID 20
#define ALIGNMENT 8

/* Version of perf whose format this is */
#define PERF_VERSION "6.1"
#define EVENT_NAME "cpu-clock"

#define EXECUTABLE 5 /* PROT_READ | PROT_EXEC */
#define PRIVATE 2

/* Features: bits of the header, which perf numbers, and their sections follow */
enum {
	FEATURE_HOST = 3,
	FEATURE_RELEASE,
	FEATURE_VERSION,
	FEATURE_MACHINE,
	FEATURE_COMMAND = 11,
	FEATURE_EVENT
};

#define FEATURES 6

struct perf_section {
	uint64_t offset;
	uint64_t size;
};

struct header {
	char magic[8];
	uint64_t size;
	uint64_t event_size;
	struct perf_section events;
	struct perf_section data;
	struct perf_section types;
	uint64_t features[4];
};

/* The first version of struct perf_event_attr, and a section without IDs */
struct event {
	char attributes[PERF_ATTR_SIZE_VER0];
	struct perf_section ids;
};

/* End of each record but a sample, and part of each sample */
struct sample_id {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
};

struct comm {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	char name[MAX_COMM + 1];
	struct sample_id id;
};

/* The name and a struct sample_id follow. */
struct mmap2 {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t size;
	uint64_t offset;
	uint8_t build_id_size;
	uint8_t unused[3];
	uint8_t build_id[BUILD_ID];
	uint32_t protection;
	uint32_t flags;
};

/* In a recording of callers the number of entries of the chain and these follow. */
struct perf_sample {
	struct perf_event_header header;
	uint64_t ip;
	struct sample_id id;
	uint64_t period;
};

/*
 * A call chain: the number of entries that follow, the mark of user mode, and the
 * addresses, that of the sample first. @words is 0 in a recording without callers.
 */
struct chain {
	uint64_t *array;
	uint32_t words;
};

/*
 * A file that is written. @out: the file, or NULL to find the size alone. @samples: those so
 * far. @size: bytes of their records
 */
struct perf_data {
	const struct profile *profile;
	struct leaves leaves;
	struct export_maps maps;
	FILE *out;
	uint64_t samples;
	uint64_t size;
};

/* @size bytes, and zeros up to a multiple of ALIGNMENT with one at least */
static void put_padded(FILE *out, const char *text, size_t size)
{
	static const char zeros[ALIGNMENT];

	fwrite(text, size, 1, out);
	fwrite(zeros, ALIGNMENT - size % ALIGNMENT, 1, out);
}

static size_t padded(size_t size)
{
	return size + ALIGNMENT - size % ALIGNMENT;
}

static struct sample_id id_of(uint32_t program, uint64_t time)
{
	uint32_t pid = FIRST_PID + program;

	return (struct sample_id){ pid, pid, time };
}

static void put_comm(FILE *out, uint32_t program, const char *name)
{
	struct comm comm = {
		.header.type = PERF_RECORD_COMM,
		.header.size = sizeof(comm),
		.id = id_of(program, 0),
	};

	comm.pid = comm.id.pid;
	comm.tid = comm.id.tid;
	memcpy(comm.name, name, strnlen(name, MAX_COMM));
	fwrite(&comm, sizeof(comm), 1, out);
}

/* A map without a build ID; @name is cut. */
static void put_map(FILE *out, uint32_t program, const char *name,
		    struct mmap2 map)
{
	size_t length = strnlen(name, MAX_NAME - 1);
	struct sample_id id = id_of(program, 0);

	map.header.type = PERF_RECORD_MMAP2;
	map.header.misc |= PERF_RECORD_MISC_USER;
	map.header.size = sizeof(map) + padded(length) + sizeof(id);
	map.pid = id.pid;
	map.tid = id.tid;
	map.protection = EXECUTABLE;
	map.flags = PRIVATE;
	fwrite(&map, sizeof(map), 1, out);
	put_padded(out, name, length);
	fwrite(&id, sizeof(id), 1, out);
}

static void set_build_id(struct mmap2 *map, const struct profile_object *object)
{
	size_t size = object->build_id_size;

	if (!size)
		return;
	map->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	map->build_id_size = size < BUILD_ID ? size : BUILD_ID;
	memcpy(map->build_id, object->build_id, map->build_id_size);
}

/* A file has its path as it is. */
static void put_object_map(const struct perf_data *data, FILE *out,
			   uint32_t program, uint32_t index)
{
	const struct export_map *from = &data->maps.maps[index];
	const struct profile_object *object =
		&data->profile->objects[from->object];
	char *name = profil_export_object_name(data->profile, from->object);
	struct mmap2 map = {
		.start = from->start,
		.size = from->size,
		.offset = from->offset,
	};

	set_build_id(&map, object);
	put_map(out, program,
		object->kind == PROFILE_FILE ? object->path : name, map);
	free(name);
}

static int by_numbers(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct place_use));
}

/* The maps of each program, once each: their indices take the place of those of places. */
static void put_object_maps(const struct perf_data *data, FILE *out)
{
	uint32_t nr;
	struct place_use *uses =
		profil_leaves_uses(&data->leaves, data->profile, &nr);

	for (uint32_t i = 0; i < nr; i++)
		uses[i].place = data->maps.of_place[uses[i].place];
	ARRAY_SORT(uses, nr, by_numbers);
	for (uint32_t i = 0; i < nr; i++)
		if (!i || by_numbers(&uses[i - 1], &uses[i]))
			put_object_map(data, out, uses[i].program,
				       uses[i].place);
	free(uses);
}

/* A program of its own for samples without a place */
static void put_name(FILE *out, uint32_t program, const char *name,
		     uint64_t address)
{
	struct mmap2 map = { .start = address, .size = MAP_SIZE };

	put_comm(out, program, name);
	put_map(out, program, name, map);
}

static void put_programs(const struct perf_data *data, FILE *out)
{
	const struct profile *profile = data->profile;
	uint32_t nr = profile->nr_programs;

	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_program *it = &profile->programs[i];

		put_comm(out, i,
			 *it->thread ? it->thread : profil_text_base(it->path));
	}
	put_object_maps(data, out);
	put_name(out, nr, EXPORT_OUTSIDE, OUTSIDE_ADDRESS);
	put_name(out, nr + 1, EXPORT_LOST, LOST_ADDRESS);
}

static uint64_t address_of(const struct perf_data *data, uint32_t place)
{
	return profil_export_maps_address(&data->maps, data->profile, place);
}

/* The chain from @ip to the outermost caller; @callers may be NULL. */
static struct chain chain_of(const struct perf_data *data, uint64_t ip,
			     const uint32_t *callers, uint32_t nr)
{
	struct chain chain = { 0 };

	if (!data->profile->nr_stacks)
		return chain;
	nr = lesser(nr, MAX_PLACES);
	chain.array = profil_grow(NULL, nr + 3ULL, sizeof(*chain.array));
	chain.array[chain.words++] = nr + 2;
	chain.array[chain.words++] = PERF_CONTEXT_USER;
	chain.array[chain.words++] = ip;
	for (uint32_t i = 0; i < nr; i++)
		chain.array[chain.words++] = address_of(data, callers[i]);
	return chain;
}

/* Times are made up: the samples follow each other. */
static void put_samples(struct perf_data *data, uint32_t program, uint64_t ip,
			const struct chain *chain, uint64_t nr)
{
	uint64_t period = data->profile->head.period_ns;
	uint32_t chain_size = chain->words * sizeof(*chain->array);
	struct perf_sample sample = {
		.header.type = PERF_RECORD_SAMPLE,
		.header.misc = PERF_RECORD_MISC_USER,
		.header.size = sizeof(sample) + chain_size,
		.ip = ip,
		.period = period,
	};

	data->size += nr * sample.header.size;
	while (data->out && nr--) {
		sample.id = id_of(program, ++data->samples * period);
		fwrite(&sample, sizeof(sample), 1, data->out);
		if (chain_size)
			fwrite(chain->array, chain_size, 1, data->out);
	}
}

static void put_stack(struct perf_data *data, const struct profile_stack *leaf)
{
	const struct profile *profile = data->profile;
	uint64_t ip = address_of(data, leaf->place);
	uint32_t nr, *places = profil_leaf_places(profile, leaf, &nr);
	struct chain chain = chain_of(data, ip, places + 1, nr - 1);

	put_samples(data, leaf->program, ip, &chain,
		    profile_samples_of(&leaf->sample));
	free(chain.array);
	free(places);
}

/* Samples without a place */
static void put_nowhere(struct perf_data *data, uint32_t program, uint64_t ip,
			uint64_t nr)
{
	struct chain chain = chain_of(data, ip, NULL, 0);

	put_samples(data, program, ip, &chain, nr);
	free(chain.array);
}

static void put_all_samples(struct perf_data *data)
{
	const struct profile_head *head = &data->profile->head;
	uint32_t nr = data->profile->nr_programs;

	for (uint32_t i = 0; i < data->leaves.nr; i++)
		put_stack(data, &data->leaves.array[i]);
	put_nowhere(data, nr, OUTSIDE_ADDRESS, head->outside);
	put_nowhere(data, nr + 1, LOST_ADDRESS, head->lost);
}

static void put_header(struct perf_data *data, uint64_t data_size)
{
	struct header header = {
		.magic = "PERFILE2",
		.size = sizeof(header),
		.event_size = sizeof(struct event),
		.events = { sizeof(header), sizeof(struct event) },
		.data = { sizeof(header) + sizeof(struct event), data_size },
		.features[0] = 1 << FEATURE_HOST | 1 << FEATURE_RELEASE |
			       1 << FEATURE_VERSION | 1 << FEATURE_MACHINE |
			       1 << FEATURE_COMMAND | 1 << FEATURE_EVENT,
	};

	fwrite(&header, sizeof(header), 1, data->out);
}

/* perf looks for symbols of the kernel unless the kernel is excluded. */
static struct event event_of(const struct profile *profile)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER0,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = profile->head.period_ns,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
		.inherit = true,
		.exclude_kernel = true,
		.mmap = true,
		.mmap2 = true,
		.comm = true,
		.sample_id_all = true,
	};
	struct event event = { 0 };

	if (profile->nr_stacks)
		attributes.sample_type |= PERF_SAMPLE_CALLCHAIN;
	memcpy(event.attributes, &attributes, sizeof(event.attributes));
	return event;
}

/* A string of a feature: the number of its bytes with padding, and these */
static void put_string(FILE *out, const char *text)
{
	uint32_t size = padded(strlen(text));

	fwrite(&size, sizeof(size), 1, out);
	put_padded(out, text, strlen(text));
}

static void put_command(FILE *out, const struct profile_head *head)
{
	fwrite(&head->argc, sizeof(head->argc), 1, out);
	for (uint32_t i = 0; i < head->argc; i++)
		put_string(out, head->argv[i]);
}

/* The event again, with a name: the flags would give it a suffix. */
static void put_event_name(FILE *out, const struct event *event)
{
	uint32_t head[] = { 1, sizeof(event->attributes) };
	uint32_t ids = 0;

	fwrite(head, sizeof(head), 1, out);
	fwrite(event->attributes, sizeof(event->attributes), 1, out);
	fwrite(&ids, sizeof(ids), 1, out);
	put_string(out, EVENT_NAME);
}

/* The text of the features in the order of their numbers, and its sections */
static void put_feature_text(FILE *out, const struct profile_head *head,
			     const struct event *event,
			     struct perf_section *sections)
{
	const char *const strings[] = { head->host, head->release, PERF_VERSION,
					head->machine };
	size_t nr = 0;

	for (; nr < FEATURES - 2; nr++) {
		sections[nr].offset = ftell(out);
		put_string(out, strings[nr]);
	}
	sections[nr++].offset = ftell(out);
	put_command(out, head);
	sections[nr++].offset = ftell(out);
	put_event_name(out, event);
	sections[nr].offset = ftell(out);
}

/* The features begin at @offset of the file. */
static void put_features(struct perf_data *data, const struct event *event,
			 uint64_t offset)
{
	struct perf_section sections[FEATURES + 1] = { 0 };
	size_t size;
	char *text;
	FILE *stream = profil_memory_stream(&text, &size);

	put_feature_text(stream, &data->profile->head, event, sections);
	profil_memory_stream_end(stream);
	for (size_t i = 0; i < FEATURES; i++) {
		sections[i].size = sections[i + 1].offset - sections[i].offset;
		sections[i].offset += offset + FEATURES * sizeof(*sections);
	}
	fwrite(sections, FEATURES * sizeof(*sections), 1, data->out);
	fwrite(text, size, 1, data->out);
	free(text);
}

static const char *check_perf(const struct profile *profile, uint64_t *samples)
{
	uint64_t in_stacks = 0;

	/* A file of others may have more samples in stacks than in places. */
	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		in_stacks += profile_samples_of(&profile->stacks[i].sample);
	*samples = profil_profile_total(profile);
	return *samples > MAX_SAMPLES || in_stacks > MAX_SAMPLES ?
		       profil_export_many_samples :
		       NULL;
}

/* The programs and maps, to be freed */
static char *programs_of(const struct perf_data *data, size_t *size)
{
	char *programs;
	FILE *stream = profil_memory_stream(&programs, size);

	put_programs(data, stream);
	profil_memory_stream_end(stream);
	return programs;
}

static void write_perf(const struct profile *profile, FILE *out)
{
	struct perf_data data = { .profile = profile };
	struct event event = event_of(profile);
	size_t programs_size;
	char *programs;
	uint64_t size;

	profil_leaves_make(&data.leaves, profile);
	profil_export_maps_make(&data.maps, profile, &data.leaves);
	programs = programs_of(&data, &programs_size);
	put_all_samples(&data);
	size = programs_size + data.size;
	data.out = out;
	put_header(&data, size);
	fwrite(&event, sizeof(event), 1, out);
	fwrite(programs, programs_size, 1, out);
	free(programs);
	put_all_samples(&data);
	put_features(&data, &event,
		     sizeof(struct header) + sizeof(struct event) + size);
	profil_export_maps_free(&data.maps);
	profil_leaves_free(&data.leaves);
}

const struct export_format profil_format_perf = {
	.file = "profil.perf.data",
	.next = "perf report -n -i ",
	.check = check_perf,
	.write = write_perf,
};
