// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profile of a program that is linked with gperftools
 *
 * Words have the size and the byte order of the program. The first are 0, the number of
 * words of the head that follow, and of these the version and the microseconds between two
 * samples. A record is a number of samples, a number of addresses, and these: the one that
 * was executed, and return addresses. A record of 0 samples ends them; /proc/PID/maps of the
 * program follows as text.
 */
#include "read/cpuprof.h"
#include "resolve/source_lines.h"

/* Words of the head after the first two, of all up to the period, and a limit */
#define HEAD 3
#define FIRST 4
#define MAX_HEAD 64

/* Addresses of a record; gperftools has 254 at most. */
#define MAX_DEPTH 65536

/* An hour, in microseconds */
#define MAX_PERIOD 3600000000ULL

/* How a file has its words: bytes of one, and if the byte order is big-endian */
struct words {
	unsigned int size;
	bool is_big;
};

/* A mapping of code. @offset: that of @start in the file. @path: a string of the profile */
struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	const char *path;
};

/* A record: samples, and addresses in an array of all */
struct record {
	uint64_t samples;
	size_t first;
	uint32_t nr;
};

/*
 * A file that is read
 * @is_cut: the file has ended within what was read
 * @wrong: the sentence
 * @program: where the program is now, or NULL
 * @addresses: of all records
 * @mappings: of code, by address after read_maps()
 * @objects: indices of objects by path
 * @index: index of the program
 */
struct reader {
	FILE *file;
	struct words words;
	bool is_cut;
	char *wrong;
	struct profile *profile;
	const char *program;
	struct record *records;
	size_t nr_records;
	uint64_t *addresses;
	size_t nr_addresses;
	struct mapping *mappings;
	size_t nr_mappings;
	struct index_map objects;
	uint32_t index;
};

static uint64_t word_of(const uint8_t *bytes, struct words words)
{
	uint64_t word = 0;

	for (unsigned int i = 0; i < words.size; i++)
		word = word << 8 | bytes[words.is_big ? i : words.size - 1 - i];
	return word;
}

static uint64_t next_word(struct reader *reader)
{
	uint8_t bytes[sizeof(uint64_t)];

	if (reader->is_cut ||
	    fread(bytes, reader->words.size, 1, reader->file) != 1) {
		reader->is_cut = true;
		return 0;
	}
	return word_of(bytes, reader->words);
}

/* The first words of a file: 0, the number of words of the head, and the first of these */
static bool is_head(const uint8_t *bytes, struct words words)
{
	uint64_t head = word_of(bytes + words.size, words);
	uint64_t period = word_of(bytes + 3 * words.size, words);

	return !word_of(bytes, words) && head >= HEAD && head <= MAX_HEAD &&
	       !word_of(bytes + 2 * words.size, words) && period &&
	       period <= MAX_PERIOD;
}

/* Find how the file has its words. */
static bool find_words(FILE *file, struct words *words)
{
	uint8_t bytes[FIRST * sizeof(uint64_t)];
	size_t got = fread(bytes, 1, sizeof(bytes), file);

	rewind(file);
	for (unsigned int kind = 0; kind < 4; kind++) {
		*words = (struct words){ kind / 2 ? 4 : 8, kind % 2 };
		if (got >= FIRST * words->size && is_head(bytes, *words))
			return true;
	}
	return false;
}

bool profil_cpuprof_is(FILE *file)
{
	struct words words;

	return find_words(file, &words);
}

static bool fail(struct reader *reader, const char *text)
{
	snprintf(reader->wrong, CPUPROF_WRONG, "malformed %s: %s", CPUPROF,
		 reader->is_cut ? "the file is cut off" : text);
	return false;
}

/* find_words() has checked the first words. */
static bool read_head(struct reader *reader)
{
	uint64_t words;

	next_word(reader);
	words = next_word(reader);
	next_word(reader);
	reader->profile->head.period_ns = next_word(reader) * 1000;
	for (uint64_t i = 2; i < words; i++)
		next_word(reader);
	return !reader->is_cut || fail(reader, NULL);
}

/* Read a record; one without samples is the end. */
static bool read_record(struct reader *reader, struct record *record)
{
	uint64_t nr;

	record->samples = next_word(reader);
	nr = next_word(reader);
	if (reader->is_cut || !nr || nr > MAX_DEPTH)
		return fail(reader, "a record has no or too many addresses");
	record->first = reader->nr_addresses;
	record->nr = nr;
	while (nr-- && !reader->is_cut)
		ARRAY_ADD(reader->addresses, reader->nr_addresses,
			  next_word(reader));
	return !reader->is_cut || fail(reader, NULL);
}

static bool read_records(struct reader *reader)
{
	uint64_t *samples = &reader->profile->head.samples;
	struct record record;

	for (;;) {
		if (!read_record(reader, &record))
			return false;
		if (!record.samples)
			return true;
		if (__builtin_add_overflow(*samples, record.samples, samples) ||
		    *samples > INT64_MAX)
			return fail(reader, "too many samples to add up");
		ARRAY_ADD(reader->records, reader->nr_records, record);
	}
}

/* Keep a line of the maps: code in a file. Other lines may be anything. */
static void read_mapping(struct reader *reader, const char *line)
{
	struct mapping mapping = { 0 };
	char mode[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n",
		   &mapping.start, &mapping.end, mode, &mapping.offset,
		   &at) != 4 ||
	    !at || line[at] != '/' || !strchr(mode, 'x') ||
	    mapping.start >= mapping.end)
		return;
	mapping.path = profil_profile_string(reader->profile, line + at);
	ARRAY_ADD(reader->mappings, reader->nr_mappings, mapping);
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *one = a, *other = b;

	return compare_numbers(one->start, other->start);
}

/* The first line with code is that of the program. */
static bool read_maps(struct reader *reader)
{
	const char *program;
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, reader->file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		read_mapping(reader, line);
	}
	free(line);
	if (!reader->nr_mappings)
		return fail(reader, "it names no file with code");
	program = reader->mappings->path;
	for (size_t i = 0; reader->program && i < reader->nr_mappings; i++)
		if (reader->mappings[i].path == program)
			reader->mappings[i].path = reader->program;
	ARRAY_SORT(reader->mappings, reader->nr_mappings, by_start);
	reader->program = reader->program ?: program;
	return true;
}

/* The mapping with @address, or NULL */
static const struct mapping *mapping_of(const struct reader *reader,
					uint64_t address)
{
	size_t nr = ARRAY_UP_TO(reader->mappings, reader->nr_mappings, address);

	if (!nr || address >= reader->mappings[nr - 1].end)
		return NULL;
	return &reader->mappings[nr - 1];
}

/* Index of the file with @path, or of code in no file for NULL */
static uint32_t object_of(struct reader *reader, const char *path)
{
	struct index_key key = { { (uintptr_t)path } };
	uint32_t nr = reader->profile->nr_objects;
	uint32_t index = profil_index_map_add(&reader->objects, key, nr);
	struct profile_object object = {
		.kind = path ? PROFILE_FILE : PROFILE_OUTSIDE,
		.path = path ?: reader->program,
	};

	if (index == nr)
		profil_profile_add_object(reader->profile, &object);
	return index;
}

static uint32_t place_of(struct reader *reader, uint64_t address)
{
	const struct mapping *mapping = mapping_of(reader, address);
	struct profile_place place = { .function = PROFILE_NONE };

	place.object = object_of(reader, mapping ? mapping->path : NULL);
	place.offset = mapping ? address - mapping->start + mapping->offset :
				 address;
	return profil_profile_add_place(reader->profile, &place);
}

/*
 * Add the stack of @record, and its samples. The byte before a return address is in the
 * call. gperftools may have the address that was executed twice.
 */
static void add_record(struct reader *reader, const struct record *record)
{
	const uint64_t *addresses = reader->addresses + record->first;
	struct profile_stack stack = { .parent = PROFILE_NONE };
	struct profile_sample sample = { .user = record->samples };

	stack.program = reader->index;
	for (uint32_t i = record->nr; i-- > 1;) {
		if (i == 1 && addresses[1] - addresses[0] <= 1)
			break;
		stack.place = place_of(reader, addresses[i] - 1);
		stack.parent =
			profil_profile_add_stack(reader->profile, &stack);
	}
	sample.place = place_of(reader, *addresses);
	sample.program = reader->index;
	stack.place = sample.place;
	stack.user = sample.user;
	profil_profile_add_stack(reader->profile, &stack);
	profil_profile_add_sample(reader->profile, &sample);
}

static void add_records(struct reader *reader)
{
	struct profile *profile = reader->profile;
	struct profile_program program = { .path = reader->program };
	struct resolve_names names = { 0 };

	reader->index = profil_profile_add_program(profile, &program);
	profil_profile_set_command(profile, 1, &program.path);
	for (size_t i = 0; i < reader->nr_records; i++)
		add_record(reader, &reader->records[i]);
	profile->head.format = CPUPROF;
	profile->head.hits = profile->head.samples;
	if (profile->nr_places)
		profil_resolve(profile, &names, 0, NULL);
	profil_resolve_names_free(&names);
	profil_profile_sort(profile);
}

bool profil_cpuprof_read(FILE *file, const char *program,
			 struct profile *profile, char wrong[CPUPROF_WRONG])
{
	struct reader reader = {
		.file = file,
		.wrong = wrong,
		.profile = profile,
		.program = program ? profil_profile_string(profile, program) :
				     NULL,
	};
	bool good = find_words(file, &reader.words) && read_head(&reader) &&
		    read_records(&reader) && read_maps(&reader);

	if (good)
		add_records(&reader);
	profil_index_map_free(&reader.objects);
	free(reader.records);
	free(reader.addresses);
	free(reader.mappings);
	return good;
}
