// SPDX-License-Identifier: GPL-2.0-only
/* Machine code and instructions of the functions in a profile */
#include "annotate/annotate.h"
#include "resolve/resolve.h"
#include "util/output.h"
#include "util/text.h"

#ifdef WITH_CAPSTONE
#include <capstone/capstone.h>

static bool open_machine(const char *machine, csh *handle)
{
	bool opened = false;

	if (!strcmp(machine, "x86_64"))
		opened = !cs_open(CS_ARCH_X86, CS_MODE_64, handle) &&
			 !cs_option(*handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	else if (!strcmp(machine, "aarch64"))
		opened = !cs_open(CS_ARCH_ARM64, CS_MODE_ARM, handle);
	return opened && !cs_option(*handle, CS_OPT_SKIPDATA, CS_OPT_ON);
}

static void add(struct code *code, const cs_insn *decoded)
{
	struct instruction *instruction;

	code->array = array_room(code->array, code->nr, sizeof(*code->array));
	instruction = &code->array[code->nr++];
	instruction->address = decoded->address;
	instruction->size = decoded->size;
	snprintf(instruction->text, sizeof(instruction->text),
		 *decoded->op_str ? "%-7s %s" : "%s", decoded->mnemonic,
		 decoded->op_str);
}

static void read_instructions(struct code *code,
			      const struct profile_function *function)
{
	const uint8_t *bytes = code->bytes;
	uint64_t address = function->address;
	size_t size = function->size;
	cs_insn *decoded;
	csh handle;

	if (!open_machine(code->profile->head.machine, &handle))
		return;
	decoded = cs_malloc(handle);
	while (decoded &&
	       cs_disasm_iter(handle, &bytes, &size, &address, decoded))
		add(code, decoded);
	if (decoded)
		cs_free(decoded, 1);
	cs_close(&handle);
}
#else
static void read_instructions(struct code *code,
			      const struct profile_function *function)
{
	(void)code;
	(void)function;
}
#endif

/* Bytes that are shown where no instruction is known */
#define BYTES 8

void profil_code_end(struct code *code)
{
	free(code->array);
	if (code->symbols)
		profil_symbols_close(code->symbols);
	*code = (struct code){ code->profile, .function = PROFILE_NONE };
}

/* A file without a build ID may have been built again. */
static const uint8_t *read_file(struct code *code,
				const struct profile_function *function)
{
	const struct profile_object *object =
		&code->profile->objects[function->object];

	if (!object->build_id_size)
		return NULL;
	code->symbols = profil_recorded_file_open(object);
	if (!code->symbols)
		return NULL;
	return profil_code_bytes_read(code->profile, function,
				      code->symbols->elf);
}

void profil_code_read(struct code *code, uint32_t index)
{
	const struct profile_function *function;

	if (code->function == index)
		return;
	profil_code_end(code);
	code->function = index;
	if (index == PROFILE_NONE)
		return;
	function = &code->profile->functions[index];
	code->bytes = function->code ? function->code :
				       read_file(code, function);
	if (code->bytes)
		read_instructions(code, function);
}

static const char *bytes_at(const struct code *code, uint64_t address)
{
	const struct profile_function *function =
		&code->profile->functions[code->function];
	uint64_t into = address - function->address;
	static char text[3 * BYTES + 1];
	char *to = text;

	*to = '\0';
	for (int i = 0; i < BYTES && into < function->size; i++, into++)
		to += sprintf(to, "%s%02x", i ? " " : "", code->bytes[into]);
	return text;
}

const char *profil_code_text(struct code *code, uint32_t function,
			     uint64_t address)
{
	const struct instruction *last;
	size_t nr;

	profil_code_read(code, function);
	if (!code->bytes)
		return "";
	nr = ARRAY_UP_TO(code->array, code->nr, address);
	last = nr ? &code->array[nr - 1] : NULL;
	return last && address - last->address < last->size ?
		       last->text :
		       bytes_at(code, address);
}

/* Rows with fewer samples are grey: their shares are vague. */
#define FEW 5

/* Percent from which rows are red */
#define HOT 10

void profil_annotated_begin_row(const struct annotated_page *page,
				uint64_t samples)
{
	if (!page->has_colours)
		return;
	if (samples < FEW)
		fputs(GREY, page->out);
	else if (profil_annotated_percent(page->annotated, samples) >= HOT)
		fputs(RED, page->out);
}

void profil_annotated_end_row(const struct annotated_page *page)
{
	fprintf(page->out, "%s\n", page->has_colours ? PLAIN : "");
}

void profil_annotated_print_share(const struct annotated_page *page,
				  uint64_t samples)
{
	const struct annotated_function *annotated = page->annotated;

	if (samples)
		fprintf(page->out, "%5.1f %5.1f",
			profil_annotated_percent(annotated, samples),
			share_error(samples, annotated->samples));
	else
		fprintf(page->out, "%*s", PAGE_SHARES, "");
}

void profil_annotated_print_head(const struct annotated_page *page)
{
	fprintf(page->out, "    %% %s", profil_text_sign("    ±", "   +-"));
}

/* Width of the column of instructions; longer ones move the next. */
#define TEXT 40

/* Characters of the name of an inlined function */
#define INLINED_NAME 60

/*
 * Rows of a function whose code contains @hits, which ascend. @is_whole: show
 * instructions without samples, too
 */
struct listing {
	struct annotated_page *page;
	const struct group *hits;
	size_t nr_hits;
	uint32_t function;
	bool is_whole;
};

/* Print where the source of the hit's instruction is. */
static void print_source(const struct annotated_page *page,
			 const struct group *hit)
{
	const struct profile *profile = page->annotated->profile;
	const struct profile_frame *frame =
		profile_frames_of(profile, hit->hottest);

	if (!frame || !*frame->file)
		return;
	profil_text_print(page->out, profil_text_base(frame->file));
	fprintf(page->out, ":%u", frame->line);
	if (hit->hottest->nr_frames > 1) {
		char *name = profil_annotated_name(profile, frame->function,
						   INLINED_NAME);

		fprintf(page->out, "  %s", name);
		free(name);
	}
}

/* @hit is the hottest of the row, or NULL if the row has no samples. */
static void print_row(const struct annotated_page *page, uint64_t address,
		      const char *text, uint64_t samples,
		      const struct group *hit)
{
	profil_annotated_begin_row(page, samples);
	profil_annotated_print_share(page, samples);
	if (samples)
		fprintf(page->out, " %8" PRIu64, samples);
	else
		fprintf(page->out, " %8s", "");
	fprintf(page->out, "  %8" PRIx64 "  ", address);
	if (hit && hit->hottest->nr_frames) {
		fprintf(page->out, "%-*s  ", TEXT, text);
		print_source(page, hit);
	} else {
		fputs(text, page->out);
	}
	profil_annotated_end_row(page);
}

/* Hits of the instruction @at, from hit *@next on, which is moved behind them */
static const struct group *take(const struct listing *listing, size_t at,
				size_t *next, uint64_t *samples)
{
	const struct instruction *instruction = &listing->page->code.array[at];
	uint64_t end = instruction->address + instruction->size;
	const struct group *hottest = NULL;

	*samples = 0;
	while (*next < listing->nr_hits &&
	       listing->hits[*next].hottest->address < end) {
		const struct group *hit = &listing->hits[(*next)++];

		*samples += hit->samples;
		if (!hottest || hit->samples > hottest->samples)
			hottest = hit;
	}
	return hottest;
}

/* Instructions that are shown, as an array of flags */
static bool *mark(const struct listing *listing)
{
	size_t nr = listing->page->code.nr, next = 0;
	size_t context = listing->is_whole ? PAGE_CONTEXT : 0;
	bool *shown = profil_grow(NULL, nr, sizeof(*shown));

	for (size_t i = 0; i < nr; i++)
		shown[i] = listing->is_whole && listing->page->all;
	for (size_t i = 0; i < nr; i++) {
		uint64_t samples;

		if (!take(listing, i, &next, &samples))
			continue;
		for (size_t j = i > context ? i - context : 0;
		     j < nr && j <= i + context; j++)
			shown[j] = true;
	}
	return shown;
}

static void print_instructions(const struct listing *listing)
{
	const struct annotated_page *page = listing->page;
	const struct code *code = &page->code;
	bool *shown = mark(listing);
	size_t next = 0;

	for (size_t i = 0; i < code->nr; i++) {
		const struct instruction *instruction = &code->array[i];
		uint64_t samples;
		const struct group *hit = take(listing, i, &next, &samples);

		if (shown[i])
			print_row(page, instruction->address, instruction->text,
				  samples, hit);
		else if (i && shown[i - 1] && listing->is_whole)
			fprintf(page->out, "%*s  ...\n", PAGE_SHARES, "");
	}
	free(shown);
}

/* Without a disassembler each address has its bytes, if they are known. */
static void print_addresses(const struct listing *listing)
{
	for (size_t i = 0; i < listing->nr_hits; i++) {
		const struct group *hit = &listing->hits[i];
		uint64_t address = hit->hottest->address;

		print_row(listing->page, address,
			  profil_code_text(&listing->page->code,
					   listing->function, address),
			  hit->samples, hit);
	}
}

static void print_listing(const struct listing *listing)
{
	struct annotated_page *page = listing->page;

	if (!listing->is_whole) {
		const struct profile *profile = page->annotated->profile;
		uint32_t function = listing->function;

		fputs("inlined in ", page->out);
		profil_text_print(page->out, profile->functions[function].name);
		fputc('\n', page->out);
	}
	profil_code_read(&page->code, listing->function);
	if (page->code.nr)
		print_instructions(listing);
	else
		print_addresses(listing);
}

void profil_annotated_print_code(struct annotated_page *page)
{
	const struct groups *hits = &page->annotated->hits;
	size_t last;

	profil_annotated_print_head(page);
	fprintf(page->out, " %8s  %8s  instruction\n", "samples", "address");
	for (size_t first = 0; first < hits->nr; first = last) {
		struct listing listing = {
			.page = page,
			.hits = &hits->array[first],
			.function = hits->array[first].hottest->function,
		};

		last = first;
		while (last < hits->nr &&
		       hits->array[last].hottest->function == listing.function)
			last++;
		listing.nr_hits = last - first;
		listing.is_whole = listing.function ==
				   page->annotated->function;
		print_listing(&listing);
	}
}
