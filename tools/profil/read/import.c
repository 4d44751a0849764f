// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the data of gprof(1) or prof(1) to a profile
 *
 * Code that no symbol and no unwind table names belongs to the function before it,
 * as gaps between functions do.
 */
#include "read/import.h"
#include "resolve/file.h"
#include "resolve/source_lines.h"

/* Upper limit of bytes before the call of mcount() in a function */
#define PROLOGUE 64

/* Upper limit of the bins with samples of a program, if each is a place */
#define MAX_PLACES (16U << 20)

/**
 * struct import_range - a range between two boundaries
 * @owner: index of the range with the start of the function that the code belongs
 *	to, or PROFILE_NONE if it is not code
 * @function: if a function starts here, its index, or PROFILE_NONE
 * @sample: the function's sample, or PROFILE_NONE
 */
struct import_range {
	uint32_t owner;
	uint32_t function;
	uint32_t sample;
};

static const char no_samples[] =
	"no samples: a program under profil run or record has them in its profil.data";

static const char astray[] =
	"%s has no functions at the addresses of most calls: name the right program %s";

/* Bytes of an address in the file; 0 if it is not ELF */
static unsigned int word_of(Elf *elf)
{
	switch (elf ? gelf_getclass(elf) : ELFCLASSNONE) {
	case ELFCLASS64:
		return 8;
	case ELFCLASS32:
		return 4;
	}
	return 0;
}

static void check(const struct import *import, unsigned int word)
{
	unsigned int own = word_of(import->symbols->elf);

	if (access(import->path, R_OK))
		die_errno("cannot read the program %s (name it %s)",
			  import->path, import->how);
	if (!own)
		die_err("%s is not a program or library: name the right one %s",
			import->path, import->how);
	if (own != word)
		die_err("%s has addresses of %u bits and the profile of %u: name the right program %s",
			import->path, 8 * own, 8 * word, import->how);
}

static void add_object(struct import *import)
{
	struct profile *profile = import->profile;
	char *path = realpath(import->path, NULL);
	struct profile_object object = {
		.kind = PROFILE_FILE,
		.path = path ? path : import->path,
	};
	struct profile_program program = { 0 };

	program.path = object.path;
	import->program = profil_profile_add_program(profile, &program);
	import->object = profil_profile_add_object(profile, &object);
	profil_profile_set_command(profile, 1, &import->path);
	profile->unit = SAMPLE_PARTS;
	free(path);
}

/* The code from boundary @at on continues that of the boundary before. */
static bool is_gap(const struct import *import, size_t at)
{
	const struct boundary *boundary = &import->boundaries->array[at];

	return boundary->code && !boundary->begins && !boundary->symbol &&
	       !boundary->plt;
}

/* The function whose code begins at boundary @at or, if that is a gap, before it */
static struct profile_function function_of(const struct import *import,
					   size_t at)
{
	struct profile_function function;
	uint64_t address;

	while (is_gap(import, at))
		at--;
	address = import->boundaries->array[at].address;
	function = profil_symbols_function(import->symbols, address);
	if (!*function.symbol && !function.name) {
		function.address = address;
		function.size =
			profil_boundaries_end(import->boundaries, address) -
			address;
	}
	return function;
}

/* All procedure linkage tables are one function. The first boundary is no gap. */
static uint32_t find_owner(const struct import *import, size_t at)
{
	const struct boundary *boundary = &import->boundaries->array[at];

	if (!boundary->code)
		return PROFILE_NONE;
	if (boundary->symbol)
		return profil_boundaries_find(import->boundaries,
					      boundary->symbol->address);
	if (boundary->plt)
		return 0;
	return is_gap(import, at) ? import->ranges[at - 1].owner : at;
}

/* Owner of the code from boundary @at on, with its function */
static uint32_t owner_of(struct import *import, size_t at)
{
	uint32_t owner = import->ranges[at].owner;
	struct profile_function function;
	uint32_t *index;

	if (owner == PROFILE_NONE)
		return owner;
	index = &import->ranges[owner].function;
	if (*index == PROFILE_NONE) {
		function = function_of(import, at);
		function.object = import->object;
		*index = profil_resolve_add(import->profile, import->path,
					    &function);
	}
	return owner;
}

void profil_import_begin(struct import *import, unsigned int word)
{
	size_t nr;

	import->symbols = profil_symbols_open(import->path, NULL);
	check(import, word);
	profil_symbols_read(import->symbols);
	import->boundaries = &import->symbols->boundaries;
	nr = import->boundaries->nr;
	import->ranges = profil_grow(NULL, nr, sizeof(*import->ranges));
	for (size_t i = 0; i < nr; i++)
		import->ranges[i] = (struct import_range){
			.owner = find_owner(import, i),
			.function = PROFILE_NONE,
			.sample = PROFILE_NONE,
		};
	add_object(import);
}

static uint32_t function_at(struct import *import, uint64_t address)
{
	size_t at = profil_boundaries_find(import->boundaries, address);
	uint32_t owner = owner_of(import, at);

	return owner == PROFILE_NONE ? PROFILE_NONE :
				       import->ranges[owner].function;
}

/* Offset in the file of the link-time address */
static uint64_t offset_of(const struct import *import, uint64_t address)
{
	const struct boundaries *boundaries = import->boundaries;

	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *load = &boundaries->loads[i];

		if (address >= load->p_vaddr &&
		    address - load->p_vaddr < load->p_filesz)
			return address - load->p_vaddr + load->p_offset;
	}
	return address;
}

static uint32_t add_sample(struct import *import, uint32_t owner,
			   uint64_t address)
{
	struct profile_sample sample = { .program = import->program };
	struct profile_place place = {
		.object = import->object,
		.offset = offset_of(import, address),
		.address = address,
		.function = import->ranges[owner].function,
	};

	if (import->profile->nr_samples == MAX_PLACES)
		die_err("%s has more than %u million bins with samples: profil report without options adds them up",
			import->path, MAX_PLACES >> 20);
	sample.place = profil_profile_add_place(import->profile, &place);
	return profil_profile_add_sample(import->profile, &sample);
}

/* Add @parts to the code at @address, which is behind boundary @at. */
static void add_parts(struct import *import, size_t at, uint64_t address,
		      uint64_t parts)
{
	uint32_t owner = owner_of(import, at);
	struct import_range *range = &import->ranges[owner];

	if (owner == PROFILE_NONE) {
		import->profile->head.outside += parts;
		return;
	}
	if (range->sample == PROFILE_NONE || import->lines)
		range->sample = add_sample(import, owner, address);
	import->profile->samples[range->sample].user += parts;
}

/*
 * End of the code from boundary @at on, relative to the start of @histogram. The
 * unit is an address divided by the number of bins, so that limits of bins are
 * whole numbers, too.
 */
static unsigned __int128 end_of(const struct import *import, size_t at,
				const struct histogram *histogram)
{
	const struct boundaries *boundaries = import->boundaries;
	unsigned __int128 length = histogram->high - histogram->low;

	if (at + 1 < boundaries->nr &&
	    boundaries->array[at + 1].address < histogram->high)
		length = boundaries->array[at + 1].address - histogram->low;
	return length * histogram->nr;
}

/* Only sums from the start of the bin are rounded: the last one is exact. */
void profil_import_bin(struct import *import, const struct histogram *histogram,
		       size_t bin, uint64_t samples)
{
	unsigned __int128 length = histogram->high - histogram->low;
	unsigned __int128 start = length * bin;
	uint64_t address = histogram->low + (uint64_t)(start / histogram->nr);
	size_t at = profil_boundaries_find(import->boundaries, address);
	unsigned __int128 parts = (unsigned __int128)samples * SAMPLE_PARTS;
	unsigned __int128 given = 0;

	while (given < parts) {
		unsigned __int128 end = end_of(import, at, histogram);
		unsigned __int128 part =
			end - start < length ? parts * (end - start) / length :
					       parts;

		if (part > given)
			add_parts(import, at, address, part - given);
		given = part;
		if (++at < import->boundaries->nr)
			address = import->boundaries->array[at].address;
	}
}

/*
 * mcount() is called in the first instructions of a function: if most calls have
 * other addresses, the functions are those of another program.
 */
static bool is_stray(struct import *import, uint64_t address)
{
	const struct boundaries *boundaries = import->boundaries;
	size_t at = profil_boundaries_find(boundaries, address);
	const struct symbol *symbol = boundaries->array[at].symbol;
	uint64_t start = symbol ? symbol->address :
				  profil_boundaries_start(boundaries, address);

	return function_at(import, address) == PROFILE_NONE ||
	       address - start > PROLOGUE;
}

void profil_import_arc(struct import *import, const struct gprof_arc *arc)
{
	struct profile_call call = {
		.caller = function_at(import, arc->from),
		.callee = function_at(import, arc->self),
		.count = arc->count,
	};

	profil_profile_add_call(import->profile, &call);
	import->strays += is_stray(import, arc->self);
	if (!import->lines)
		add_parts(import,
			  profil_boundaries_find(import->boundaries, arc->self),
			  arc->self, 0);
}

static uint64_t calls_outside(const struct profile *profile)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < profile->nr_calls; i++)
		if (profile->calls[i].callee == PROFILE_NONE)
			calls += profile->calls[i].count;
	return calls;
}

static void warn_of_program(const struct import *import, uint64_t samples)
{
	const struct profile *profile = import->profile;
	uint64_t calls = calls_outside(profile);

	if (!samples && profile->nr_calls)
		warnx("%s", no_samples);
	if (calls)
		warnx("%llu calls of functions that are not in %s",
		      (unsigned long long)calls, import->path);
	if (samples && profile->head.outside / SAMPLE_PARTS == samples)
		warnx("no sample is in %s: name the right program %s",
		      import->path, import->how);
	else if (import->strays > profile->nr_calls / 2)
		warnx(astray, import->path, import->how);
}

/* Name of the architecture as of uname -m, for the instructions */
static const char *machine_of(const struct symbols *symbols)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(symbols->elf, &header))
		return "";
	switch (header.e_machine) {
	case EM_X86_64:
		return "x86_64";
	case EM_AARCH64:
		return "aarch64";
	}
	return "";
}

/* All places are in the program. */
static void add_lines(struct import *import)
{
	struct profile *profile = import->profile;
	const char *machine = machine_of(import->symbols);
	struct resolve_names names = { 0 };
	struct resolve_places places = {
		.object = import->object,
		.names = &names,
	};
	struct resolve_place *order =
		profil_resolve_order(profile, 0, false, &places.nr);

	places.at = order;
	profile->head.machine = profil_profile_string(profile, machine);
	profil_resolve_lines(profile, &places, import->symbols);
	profil_resolve_code(profile, NULL);
	profil_resolve_names_free(&names);
	free(order);
}

void profil_import_end(struct import *import, const struct gprof_data *data)
{
	struct profile *profile = import->profile;
	struct profile_head *head = &profile->head;

	head->format = data->kind;
	head->rate = data->rate;
	head->period_ns = data->rate ? 1000000000 / data->rate : 0;
	head->samples = data->samples;
	warn_of_program(import, data->samples);
	profil_profile_sort(profile);
	if (import->lines)
		add_lines(import);
	free(import->ranges);
	profil_symbols_close(import->symbols);
}
