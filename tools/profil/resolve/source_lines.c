// SPDX-License-Identifier: GPL-2.0-only
/* Source lines and inlined functions of places */
#include <dwarf.h>

#include "elf/demangle.h"
#include "resolve/source_lines.h"
#include "resolve/units.h"
#include "util/interrupt.h"

/*
 * Source files in DWARF entries
 *
 * dwarf_decl_file() of elfutils 0.188 aborts in a split unit without a table of
 * files; here the table is read with its error.
 */

/* Number in the attribute @name of @die itself, or 0 */
static unsigned int die_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word = 0;

	if (!dwarf_attr(die, name, &attribute) ||
	    dwarf_formudata(&attribute, &word))
		return 0;
	return word;
}

/*
 * Path of the source file whose number is in the attribute @name of @die itself,
 * or "". It is valid as long as the DWARF information.
 */
static const char *die_file(Dwarf_Die *die, unsigned int name)
{
	uint32_t index = die_number(die, name);
	const char *path = NULL;
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Die unit;
	size_t nr;

	if (dwarf_attr(die, name, &attribute) &&
	    dwarf_diecu(die, &unit, NULL, NULL) &&
	    !dwarf_getsrcfiles(&unit, &files, &nr) && index < nr)
		path = dwarf_filesrc(files, index, NULL, NULL);
	return path ? path : "";
}

/* Functions of a profile, by their DWARF entries */

/*
 * The places of a file while their lines are looked up
 * @by_origin: indices of inlined functions by the address of their entry
 * @bias: difference between addresses in the DWARF information and link-time
 *	addresses
 * @units: units of the file
 * @entry: entry of the last function whose scopes were read
 * @scopes: functions that were inlined in it
 * @is_cut: an interrupt has ended the search
 */
struct search {
	struct profile *profile;
	const struct resolve_places *places;
	struct index_map by_origin;
	uint64_t bias;
	struct units units;
	Dwarf_Die entry;
	struct die_ranges scopes;
	bool is_cut;
};

/* Steps from an instance of a function to the function */
#define MAX_STEPS 16

static const char *string_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	const char *string =
		dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));

	return string ? string : "";
}

static const char *symbol_of(Dwarf_Die *die)
{
	const char *symbol = string_of(die, DW_AT_linkage_name);

	if (!*symbol)
		symbol = string_of(die, DW_AT_MIPS_linkage_name);
	return *symbol ? symbol : string_of(die, DW_AT_name);
}

/* Store the entry that @die refers to by the attribute @name. */
static bool follow(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Die next;

	if (!dwarf_attr(die, name, &attribute) ||
	    !dwarf_formref_die(&attribute, &next))
		return false;
	*die = next;
	return true;
}

/* Entry of the function itself; @die is one of its instances. */
static Dwarf_Die origin_of(const Dwarf_Die *die)
{
	Dwarf_Die origin = *die;
	int steps = 0;

	while (steps++ < MAX_STEPS && follow(&origin, DW_AT_abstract_origin))
		;
	return origin;
}

/*
 * File and line of the definition, if @origin has it, or else of the declaration,
 * as in a class
 */
static struct profile_frame declaration_of(Dwarf_Die origin)
{
	int steps = 0;

	while (!die_number(&origin, DW_AT_decl_line) && steps++ < MAX_STEPS &&
	       follow(&origin, DW_AT_specification))
		;
	return (struct profile_frame){
		.file = die_file(&origin, DW_AT_decl_file),
		.line = die_number(&origin, DW_AT_decl_line),
	};
}

/* The same; Go does not say where a function is declared: it is in the file of its lines. */
static struct profile_frame declaration_near(Dwarf_Die origin,
					     const struct profile_frame *line)
{
	struct profile_frame declaration = declaration_of(origin);

	if (!*declaration.file)
		declaration.file = line->file;
	return declaration;
}

/* The strings are the profile's own. */
static struct index_key key_of(const struct profile_function *function)
{
	return (struct index_key){ {
		(uintptr_t)function->symbol,
		(uintptr_t)function->file,
		(uint64_t)function->object << 32 | function->line,
	} };
}

uint32_t profil_resolve_function(const struct resolve_names *names,
				 const struct profile *profile, uint32_t index)
{
	const struct profile_function *function = &profile->functions[index];
	uint32_t other = INDEX_NONE;

	if (function->is_inlined)
		other = profil_index_map_find(&names->declared,
					      key_of(function));
	return other == INDEX_NONE ? index : other;
}

void profil_resolve_names_free(struct resolve_names *names)
{
	profil_index_map_free(&names->functions);
	profil_index_map_free(&names->declared);
	profil_index_map_free(&names->maps);
}

/*
 * Set the declaration of the function @index, which has code of its own. It takes the
 * place of one that was only inlined so far.
 */
static void declare(struct search *search, uint32_t index,
		    struct profile_frame declaration)
{
	struct profile *profile = search->profile;
	struct profile_function *function = &profile->functions[index];
	struct index_map *declared = &search->places->names->declared;
	uint32_t before;

	function->file = profil_profile_string(profile, declaration.file);
	function->line = declaration.line;
	before = profil_index_map_find(declared, key_of(function));
	if (before == INDEX_NONE || profile->functions[before].is_inlined)
		profil_index_map_set(declared, key_of(function), index);
}

/*
 * Index of an inlined function. All functions with code of their own have been
 * declared, since the function may be one of them.
 */
static uint32_t add_inlined(struct search *search, const char *symbol,
			    struct profile_frame declaration)
{
	struct profile *profile = search->profile;
	struct profile_function function = {
		.object = search->places->object,
		.symbol = profil_profile_string(profile, symbol),
		.file = profil_profile_string(profile, declaration.file),
		.line = declaration.line,
		.is_inlined = true,
	};
	struct index_map *declared = &search->places->names->declared;
	uint32_t index = profil_index_map_find(declared, key_of(&function));
	char *name;

	if (index != INDEX_NONE)
		return index;
	name = profil_demangle(function.symbol);
	function.name = name;
	index = profil_profile_add_function(profile, &function);
	free(name);
	profil_index_map_set(declared, key_of(&function), index);
	return index;
}

/* The same of the function that was inlined as @die, and has the line @line there */
static uint32_t inlined_as(struct search *search, const Dwarf_Die *die,
			   const struct profile_frame *line)
{
	Dwarf_Die origin = origin_of(die);
	struct index_key key = { { (uintptr_t)origin.addr } };
	uint32_t index = profil_index_map_find(&search->by_origin, key);

	if (index != INDEX_NONE)
		return index;
	index = add_inlined(search, symbol_of(&origin),
			    declaration_near(origin, line));
	profil_index_map_set(&search->by_origin, key, index);
	return index;
}

static void set_code(struct profile *profile, struct profile_function *mine,
		     const struct profile_function *function)
{
	if (function->code && !mine->code && function->size == mine->size)
		mine->code = profil_profile_bytes(profile, function->code,
						  function->size);
}

uint32_t profil_resolve_adopt(struct profile *profile,
			      struct resolve_names *names,
			      const struct profile_function *function)
{
	struct profile_function mine = *function;
	struct index_key key = { { mine.object, mine.address, mine.size } };
	uint32_t index, declared;

	mine.symbol = profil_profile_string(profile, mine.symbol);
	mine.file = profil_profile_string(profile, mine.file);
	declared = profil_index_map_find(&names->declared, key_of(&mine));
	index = mine.is_inlined ? declared :
				  profil_index_map_find(&names->functions, key);
	if (index == INDEX_NONE) {
		index = profil_profile_add_function(profile, &mine);
		if (!mine.is_inlined)
			profil_index_map_set(&names->functions, key, index);
	} else if (!*profile->functions[index].file) {
		profile->functions[index].file = mine.file;
		profile->functions[index].line = mine.line;
	}
	set_code(profile, &profile->functions[index], function);
	if ((mine.is_inlined || *mine.file) &&
	    (declared == INDEX_NONE || profile->functions[declared].is_inlined))
		profil_index_map_set(&names->declared, key_of(&mine), index);
	return index;
}

/* Source lines and inlined functions of places */

/* elfutils lacks the name. */
#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

/*
 * Entries of the unit and the function of a place, if they are known, and of a function
 * that was discarded and would have the place
 */
struct place_code {
	bool has_unit;
	bool has_entry;
	bool has_discarded;
	Dwarf_Die unit;
	Dwarf_Die entry;
	Dwarf_Die discarded;
};

/* Where the function @die was called before it was inlined */
static struct profile_frame call_of(Dwarf_Die *die)
{
	return (struct profile_frame){
		.file = die_file(die, DW_AT_call_file),
		.line = die_number(die, DW_AT_call_line),
		.column = die_number(die, DW_AT_call_column),
		.discriminator = die_number(die, DW_AT_GNU_discriminator),
	};
}

/* Position of @address in the table of lines of @unit; false if it has none */
static bool read_line(Dwarf_Die *unit, uint64_t address,
		      struct profile_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0, column = 0;
	unsigned int discriminator = 0;
	const char *path;

	if (!line)
		return false;
	dwarf_lineno(line, &number);
	dwarf_linecol(line, &column);
	dwarf_linediscriminator(line, &discriminator);
	path = dwarf_linesrc(line, NULL, NULL);
	frame->file = path ? path : "";
	frame->line = number;
	frame->column = column;
	frame->discriminator = discriminator;
	return true;
}

static void add_frame(struct search *search, struct profile_place *place,
		      const struct profile_frame *frame)
{
	uint32_t index = profil_profile_add_frame(search->profile, frame);

	if (!place->nr_frames++)
		place->frames = index;
}

/* Add @frame, the innermost one, and those of the calls of inlined functions. */
static void add_frames(struct search *search, struct profile_place *place,
		       uint32_t scope, struct profile_frame frame)
{
	while (scope && place->nr_frames < PROFILE_FRAMES - 1) {
		struct die_range *inlined = &search->scopes.array[scope];

		frame.function = inlined_as(search, &inlined->die, &frame);
		add_frame(search, place, &frame);
		frame = call_of(&inlined->die);
		scope = inlined->parent;
	}
	frame.function = place->function;
	add_frame(search, place, &frame);
}

/* Index of the innermost scope at @address; 0 if nothing was inlined there */
static uint32_t find_scope(struct search *search, struct place_code *code,
			   uint64_t address)
{
	if (!code->has_entry)
		return 0;
	if (search->entry.addr != code->entry.addr) {
		profil_scopes_read(&search->scopes, &code->entry);
		search->entry = code->entry;
	}
	return profil_scopes_find(&search->scopes, address);
}

/*
 * The table of lines has those of discarded functions among the others. The line in
 * @frame is that of the function in the file whose declaration it follows.
 */
static bool is_discarded(const struct place_code *code,
			 const struct profile_frame *frame)
{
	struct profile_frame mine, its;

	if (!code->has_discarded)
		return false;
	its = declaration_of(origin_of(&code->discarded));
	if (strcmp(its.file, frame->file) || its.line > frame->line)
		return false;
	if (!code->has_entry)
		return true;
	mine = declaration_of(origin_of(&code->entry));
	return strcmp(mine.file, frame->file) || mine.line > frame->line ||
	       mine.line < its.line;
}

static void find_frames(struct search *search, struct profile_place *place,
			struct place_code *code)
{
	uint64_t address = place->address + search->bias;
	struct profile_frame frame = { .file = "" };
	uint32_t scope;
	bool has_line;

	if (!code->has_unit)
		return;
	has_line = read_line(&code->unit, address, &frame);
	if (has_line && is_discarded(code, &frame)) {
		frame = (struct profile_frame){ .file = "" };
		has_line = false;
	}
	scope = find_scope(search, code, address);
	if (has_line || scope)
		add_frames(search, place, scope, frame);
}

/* Find the code of @place, and where its function is declared. */
static void find_code(struct search *search, const struct profile_place *place,
		      struct place_code *code)
{
	const struct profile_function *function =
		&search->profile->functions[place->function];
	uint64_t address = place->address + search->bias;
	struct profile_frame first = { .file = "" };

	code->has_unit =
		profil_units_find(&search->units, address, &code->unit);
	code->has_entry = code->has_unit &&
			  profil_units_function(&search->units, &code->unit,
						address, &code->entry);
	code->has_discarded = code->has_unit &&
			      profil_units_discarded(&search->units, address,
						     &code->discarded);
	if (!code->has_entry || *function->file)
		return;
	read_line(&code->unit, function->address + search->bias, &first);
	declare(search, place->function,
		declaration_near(origin_of(&code->entry), &first));
}

static void find_all_code(struct search *search, struct place_code *code)
{
	for (size_t i = 0; i < search->places->nr; i++) {
		search->is_cut |= profil_interrupted();
		if (!search->is_cut)
			find_code(search,
				  resolve_place_at(search->profile,
						   search->places, i),
				  &code[i]);
	}
}

/* Add the frames of all places; false if none has one. */
static bool find_all_frames(struct search *search, struct place_code *code)
{
	bool any = false;

	for (size_t i = 0; i < search->places->nr; i++) {
		struct profile_place *place =
			resolve_place_at(search->profile, search->places, i);

		find_frames(search, place, &code[i]);
		any |= place->nr_frames;
	}
	return any;
}

/* @any: a place has a line. What is lacking once is known later, too. */
static void set_lines(struct search *search, bool any, struct symbols *symbols)
{
	uint32_t index = search->places->object;
	enum profile_lines *lines = &search->profile->objects[index].lines;

	if (any && search->units.is_alone)
		*lines = PROFILE_LINES_ALONE;
	else if (any && *lines != PROFILE_LINES_ALONE)
		*lines = PROFILE_LINES_KNOWN;
	else if (!*lines && !search->units.dwarf &&
		 profil_symbols_packed(symbols))
		*lines = PROFILE_LINES_PACKED;
}

bool profil_source_lines_add(struct profile *profile,
			     const struct resolve_places *places,
			     struct symbols *symbols)
{
	struct search search = { .profile = profile, .places = places };
	struct place_code *code = profil_zeros(places->nr + 1, sizeof(*code));

	profil_units_begin(&search.units, symbols, &search.bias);
	find_all_code(&search, code);
	set_lines(&search, find_all_frames(&search, code), symbols);
	free(code);
	profil_ranges_free(&search.scopes);
	profil_index_map_free(&search.by_origin);
	profil_units_end(&search.units);
	return !search.is_cut;
}
