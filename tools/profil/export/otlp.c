// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles of OpenTelemetry: profiles.proto of opentelemetry-proto 1.11, v1development
 *
 * Tables of the dictionary have an empty element first. Elements are in them once, and only
 * if they are in use.
 */
#include "export/dictionary.h"
#include "export/format.h"
#include "export/otlp.h"
#include "export/protobuf.h"
#include "util/text.h"

/* Fields of the messages in profiles.proto, resource.proto and common.proto */
enum { DATA_RESOURCE = 1, DATA_DICTIONARY };
enum { RESOURCE_RESOURCE = 1, RESOURCE_SCOPE };
enum { SCOPE_SCOPE = 1, SCOPE_PROFILE };
enum { ATTRIBUTES = 1 };
enum { KEY = 1, VALUE };
enum { VALUE_STRING = 1 };
enum { SCOPE_NAME = 1 };
enum {
	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION,
	DICTIONARY_FUNCTION,
	DICTIONARY_LINK,
	DICTIONARY_STRING,
	DICTIONARY_ATTRIBUTE,
	DICTIONARY_STACK
};
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_TIME,
	PROFILE_DURATION,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4 };
enum {
	MAPPING_START = 1,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_ATTRIBUTES
};
enum { STACK_LOCATIONS = 1 };
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN };
enum { FUNCTION_NAME = 1, FUNCTION_SYMBOL, FUNCTION_FILE, FUNCTION_LINE };
enum { LINK_TRACE = 1, LINK_SPAN };

/* Bytes of the numbers of a trace and of a part of it */
#define TRACE 16
#define SPAN 8

/*
 * A table of the dictionary. @indices: of elements, by what they consist of. @nr: elements
 * behind the empty one
 */
struct table {
	struct index_map indices;
	uint32_t nr;
};

/* Samples of one stack, program and mode. @is_by_rbp: a frame pointer led to callers */
struct otlp_sample {
	uint32_t stack;
	uint32_t program;
	bool is_kernel;
	bool is_by_rbp;
	uint64_t count;
};

/*
 * A profile that is written
 * @sample_index: indices of @samples, by all but their counts
 * @values: values of attributes
 * @attribute_table: attributes, by name and value
 * @stack_table: stacks, by that without the last location, and this; some are part of others
 *	alone, and are no element
 * @stack_ids: stacks that are elements, by their index in @stack_table
 * @out: the message ProfilesDictionary
 */
struct otlp {
	const struct profile *profile;
	struct otlp_sample *samples;
	uint32_t nr_samples;
	struct index_map sample_index;
	struct dictionary dictionary;
	struct profile_strings *values;
	struct table attribute_table;
	struct table stack_table;
	struct table stack_ids;
	struct protobuf out;
};

static uint64_t string(struct otlp *otlp, const char *text)
{
	return profil_strings_index(otlp->dictionary.strings, text);
}

/* Index of the element @key, from 1; it is new if @nr has grown. */
static uint32_t element(struct table *table, struct index_key key)
{
	uint32_t index =
		profil_index_map_add(&table->indices, key, table->nr + 1);

	if (index > table->nr)
		table->nr = index;
	return index;
}

/* The message AnyValue as a field */
static void put_value(struct protobuf *message, unsigned int field,
		      const char *text)
{
	char *utf8 = profil_text_utf8(text);
	struct protobuf value = { 0 };

	profil_protobuf_string(&value, VALUE_STRING, utf8);
	profil_protobuf_message(message, field, &value);
	free(utf8);
}

/* Index of an attribute of samples or mappings */
static uint64_t attribute(struct otlp *otlp, const char *name, const char *text)
{
	struct table *table = &otlp->attribute_table;
	struct index_key key = { { string(otlp, name),
				   profil_strings_index(otlp->values, text) } };
	uint32_t nr = table->nr, index = element(table, key);
	struct protobuf message = { 0 };

	if (table->nr == nr)
		return index;
	profil_protobuf_number(&message, KEY, key.words[0]);
	put_value(&message, VALUE, text);
	profil_protobuf_message(&otlp->out, DICTIONARY_ATTRIBUTE, &message);
	return index;
}

static void put_mapping(struct dictionary *dictionary,
			const struct export_map *map)
{
	struct otlp *otlp = dictionary->out;
	const struct profile_object *object =
		&otlp->profile->objects[map->object];
	char *name = profil_export_object_name(otlp->profile, map->object);
	char hex[2 * FILE_BUILD_ID + 1];
	struct protobuf it = { 0 };
	uint64_t id;

	profil_object_build_id(object, hex);
	profil_protobuf_number(&it, MAPPING_START, map->start);
	profil_protobuf_number(&it, MAPPING_LIMIT,
			       profil_dictionary_limit(map));
	profil_protobuf_number(&it, MAPPING_OFFSET, map->offset);
	profil_protobuf_number(&it, MAPPING_FILE,
			       profil_strings_take(dictionary->strings, name));
	if (object->build_id_size) {
		id = attribute(otlp, "process.executable.build_id.gnu", hex);
		profil_protobuf_numbers(&it, MAPPING_ATTRIBUTES, &id, 1);
	}
	profil_protobuf_message(&otlp->out, DICTIONARY_MAPPING, &it);
}

static void put_function(struct dictionary *dictionary,
			 const struct dictionary_function *function)
{
	struct otlp *otlp = dictionary->out;
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, FUNCTION_NAME, function->name);
	profil_protobuf_number(&message, FUNCTION_SYMBOL, function->symbol);
	profil_protobuf_number(&message, FUNCTION_FILE, function->file);
	profil_protobuf_number(&message, FUNCTION_LINE, function->line);
	profil_protobuf_message(&otlp->out, DICTIONARY_FUNCTION, &message);
}

static void put_line(struct protobuf *location,
		     const struct dictionary_line *line)
{
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, LINE_FUNCTION, line->function);
	profil_protobuf_number(&message, LINE_LINE, line->line);
	profil_protobuf_number(&message, LINE_COLUMN, line->column);
	profil_protobuf_message(location, LOCATION_LINE, &message);
}

static void put_location(struct dictionary *dictionary,
			 const struct dictionary_location *location)
{
	struct otlp *otlp = dictionary->out;
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, LOCATION_MAPPING, location->mapping);
	profil_protobuf_number(&message, LOCATION_ADDRESS, location->address);
	for (uint32_t i = 0; i < location->nr_lines; i++)
		put_line(&message, &location->lines[i]);
	profil_protobuf_message(&otlp->out, DICTIONARY_LOCATION, &message);
}

static const struct dictionary_writer writer = {
	.mapping = put_mapping,
	.function = put_function,
	.location = put_location,
};

/* Index of the stack with these locations, that of the samples first */
static uint32_t stack_index(struct otlp *otlp, const uint64_t *locations,
			    uint32_t nr)
{
	struct table *table = &otlp->stack_ids;
	struct protobuf message = { 0 };
	uint32_t stack = 0, before = table->nr;

	for (uint32_t i = nr; i-- > 0;)
		stack = element(&otlp->stack_table,
				(struct index_key){ { stack, locations[i] } });
	stack = element(table, (struct index_key){ { stack } });
	if (table->nr == before)
		return stack;
	profil_protobuf_numbers(&message, STACK_LOCATIONS, locations, nr);
	profil_protobuf_message(&otlp->out, DICTIONARY_STACK, &message);
	return stack;
}

static void put_sample(struct protobuf *profile, uint32_t stack,
		       const uint64_t *attributes, size_t nr, uint64_t samples)
{
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, SAMPLE_STACK, stack);
	if (nr)
		profil_protobuf_numbers(&message, SAMPLE_ATTRIBUTES, attributes,
					nr);
	profil_protobuf_numbers(&message, SAMPLE_VALUES, &samples, 1);
	profil_protobuf_message(profile, PROFILE_SAMPLE, &message);
}

static void put_samples(struct otlp *otlp, struct protobuf *profile,
			const struct otlp_sample *sample)
{
	const struct profile_program *program =
		&otlp->profile->programs[sample->program];
	const char *mode = sample->is_kernel ? "kernel" : "user";
	uint64_t list[6];
	size_t nr = 0;

	list[nr++] = attribute(otlp, "process.executable.path",
			       profile_file_of(program));
	if (*program->file)
		list[nr++] = attribute(otlp, "process.command", program->path);
	if (*program->cgroup)
		list[nr++] = attribute(otlp, "process.linux.cgroup",
				       program->cgroup);
	if (*program->thread)
		list[nr++] = attribute(otlp, "thread.name", program->thread);
	list[nr++] = attribute(otlp, "cpu.mode", mode);
	if (sample->is_by_rbp)
		list[nr++] =
			attribute(otlp, "profil.callers", "by frame pointers");
	put_sample(profile, sample->stack, list, nr, sample->count);
}

/* A stack without callers, and samples at its place without a stack, are one. */
static void add_samples(struct otlp *otlp, struct otlp_sample sample,
			uint64_t count)
{
	struct index_key key = { { sample.stack, sample.program,
				   sample.is_kernel | sample.is_by_rbp << 1 } };
	uint32_t index;

	if (!count)
		return;
	index = profil_index_map_add(&otlp->sample_index, key,
				     otlp->nr_samples);
	if (index == otlp->nr_samples)
		ARRAY_ADD(otlp->samples, otlp->nr_samples, sample);
	otlp->samples[index].count += count;
}

static void add_leaf(struct otlp *otlp, const struct profile_stack *leaf)
{
	struct otlp_sample sample = {
		.program = leaf->program,
		.is_by_rbp = leaf->end == PROFIL_WALK_BY_RBP,
	};
	uint32_t nr;
	uint64_t *locations =
		profil_dictionary_stack(&otlp->dictionary, leaf, &nr);

	sample.stack = stack_index(otlp, locations, nr);
	free(locations);
	add_samples(otlp, sample, leaf->user);
	sample.is_kernel = true;
	add_samples(otlp, sample, leaf->kernel);
}

/* Samples without a place */
static void add_nowhere(struct otlp *otlp, struct protobuf *profile,
			const char *name, uint64_t samples)
{
	uint64_t location;

	if (!samples)
		return;
	location = profil_dictionary_name(&otlp->dictionary, name);
	put_sample(profile, stack_index(otlp, &location, 1), NULL, 0, samples);
}

/* The message ValueType as a field */
static void put_type(struct otlp *otlp, struct protobuf *profile,
		     unsigned int field, const char *type, const char *unit)
{
	struct protobuf message = { 0 };

	profil_protobuf_number(&message, TYPE_TYPE, string(otlp, type));
	profil_protobuf_number(&message, TYPE_UNIT, string(otlp, unit));
	profil_protobuf_message(profile, field, &message);
}

/* The message Profile */
static struct protobuf profile_of(struct otlp *otlp)
{
	const struct profile_head *head = &otlp->profile->head;
	const struct dictionary *dictionary = &otlp->dictionary;
	struct protobuf profile = { 0 };

	put_type(otlp, &profile, PROFILE_TYPE, "samples", "count");
	for (uint32_t i = 0; i < dictionary->leaves.nr; i++)
		add_leaf(otlp, &dictionary->leaves.array[i]);
	for (uint32_t i = 0; i < otlp->nr_samples; i++)
		put_samples(otlp, &profile, &otlp->samples[i]);
	add_nowhere(otlp, &profile, EXPORT_OUTSIDE, head->outside);
	add_nowhere(otlp, &profile, EXPORT_LOST, head->lost);
	profil_protobuf_fixed(&profile, PROFILE_TIME, head->begin_ns);
	profil_protobuf_number(&profile, PROFILE_DURATION, head->wall_ns);
	put_type(otlp, &profile, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	profil_protobuf_number(&profile, PROFILE_PERIOD, head->period_ns);
	return profile;
}

/* The message KeyValue as a field */
static void put_attribute(struct protobuf *resource, const char *name,
			  const char *text)
{
	struct protobuf message = { 0 };

	profil_protobuf_string(&message, KEY, name);
	put_value(&message, VALUE, text);
	profil_protobuf_message(resource, ATTRIBUTES, &message);
}

/* The message Resource */
static struct protobuf resource_of(const struct profile *profile,
				   const char *const *attributes, size_t nr)
{
	char *command = profil_head_command(&profile->head);
	struct protobuf resource = { 0 };

	for (size_t i = 0; i < nr; i++) {
		char *name = profil_copy_string(attributes[i]);
		char *value = strchr(name, '=');

		*value = '\0';
		put_attribute(&resource, name, value + 1);
		free(name);
	}
	if (*command)
		put_attribute(&resource, "process.command_line", command);
	free(command);
	return resource;
}

/* The message ScopeProfiles, with @profile */
static struct protobuf scope_of(struct protobuf *profile)
{
	struct protobuf scope = { 0 }, name = { 0 };

	profil_protobuf_string(&name, SCOPE_NAME, "profil");
	profil_protobuf_message(&scope, SCOPE_SCOPE, &name);
	profil_protobuf_message(&scope, SCOPE_PROFILE, profile);
	return scope;
}

/* The first elements of the tables, which stand for none */
static void begin_tables(struct otlp *otlp)
{
	static const uint8_t zeros[TRACE];
	struct protobuf link = { 0 };

	for (unsigned int table = DICTIONARY_MAPPING; table <= DICTIONARY_STACK;
	     table++)
		if (table != DICTIONARY_STRING && table != DICTIONARY_LINK)
			profil_protobuf_bytes(&otlp->out, table, "", 0);
	profil_protobuf_bytes(&link, LINK_TRACE, zeros, TRACE);
	profil_protobuf_bytes(&link, LINK_SPAN, zeros, SPAN);
	profil_protobuf_message(&otlp->out, DICTIONARY_LINK, &link);
}

static void put_strings(struct otlp *otlp)
{
	const struct profile_strings *strings = otlp->dictionary.strings;

	for (uint32_t i = 0; i < strings->nr; i++)
		profil_protobuf_string(&otlp->out, DICTIONARY_STRING,
				       strings->array[i]);
}

/* Write the messages of @otlp, and free them. */
static void put_data(struct otlp *otlp, struct protobuf *resource, FILE *out)
{
	struct protobuf profile = profile_of(otlp);
	struct protobuf scope = scope_of(&profile);
	struct protobuf resources = { 0 }, data = { 0 };

	put_strings(otlp);
	profil_protobuf_message(&resources, RESOURCE_RESOURCE, resource);
	profil_protobuf_message(&resources, RESOURCE_SCOPE, &scope);
	profil_protobuf_message(&data, DATA_RESOURCE, &resources);
	profil_protobuf_message(&data, DATA_DICTIONARY, &otlp->out);
	fwrite(data.bytes, data.size, 1, out);
	profil_protobuf_free(&data);
}

static void end(struct otlp *otlp)
{
	profil_dictionary_end(&otlp->dictionary);
	profil_strings_free(otlp->values);
	profil_index_map_free(&otlp->attribute_table.indices);
	profil_index_map_free(&otlp->stack_table.indices);
	profil_index_map_free(&otlp->stack_ids.indices);
	profil_index_map_free(&otlp->sample_index);
	free(otlp->samples);
}

void profil_otlp_write(const struct profile *profile,
		       const char *const *attributes, size_t nr, FILE *out)
{
	struct otlp otlp = {
		.profile = profile,
		.values = profil_strings_new(),
	};
	struct protobuf resource = resource_of(profile, attributes, nr);

	profil_dictionary_begin(&otlp.dictionary, profile, &writer, &otlp);
	begin_tables(&otlp);
	profil_dictionary_write(&otlp.dictionary);
	put_data(&otlp, &resource, out);
	end(&otlp);
}

static void write_otlp(const struct profile *profile, FILE *out)
{
	char *host = profil_format("host.name=%s", profile->head.host);
	const char *attribute = host;

	profil_otlp_write(profile, &attribute, *profile->head.host ? 1 : 0,
			  out);
	free(host);
}

const struct export_format profil_format_otlp = {
	.file = "profil.otlp",
	.next = "curl -H Content-Type:application/x-protobuf http://localhost:4318/v1development/profiles --data-binary @",
	.write = write_otlp,
};
