// SPDX-License-Identifier: GPL-2.0-only
/*
 * Properties of all profiles, for random ones
 *
 *	properties		the tests, with the seed in the variable SEED
 *	properties SEED FILE	writes a random profile.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "describe.h"
#include "export/format.h"
#include "print/flat.h"
#include "print/json.h"
#include "profile/data_file.h"
#include "profile/kernel.h"
#include "profile/profile.h"
#include "profile/rows.h"
#include "profile/sum.h"
#include "random.h"
#include "random_profile.h"
#include "read/through.h"
#include "record/extract.h"
#include "record/objects.h"
#include "util/text.h"

#define CASES 20

static bool is_text(const char *expected, char *text)
{
	size_t i = 0;

	while (expected[i] && expected[i] == text[i])
		i++;
	if (expected[i] == text[i])
		return true;
	i = i < 80 ? 0 : i - 80;
	tap_note("case %llu, expected: %.200s", cases_tried, expected + i);
	tap_note("but there is: %.200s", text + i);
	return false;
}

/* @one and @other have the same, whatever the order of their tables. */
static bool is_same(const struct profile *one, const struct profile *other)
{
	char *expected = describe(one), *text = describe(other);
	bool same = is_text(expected, text);

	free(expected);
	free(text);
	return same;
}

/* Read into @to what is written of @from; its file is @fd. */
static bool pass_on(const struct profile *from, struct profile *to, int fd)
{
	char text[DATA_ERROR_TEXT];

	profil_profile_init(to);
	CHECK(!profil_data_write(from, fd, DATA_COMPRESSED));
	CHECK(!lseek(fd, 0, SEEK_SET));
	CHECK(!profil_data_read(to, fd, text));
	return true;
}

static bool are_equal_files(int one, int other)
{
	off_t size = lseek(one, 0, SEEK_END);
	char *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, one, 0);
	char *others = mmap(NULL, size, PROT_READ, MAP_SHARED, other, 0);

	CHECK(size == lseek(other, 0, SEEK_END));
	CHECK(bytes != MAP_FAILED && others != MAP_FAILED);
	CHECK(!memcmp(bytes, others, size));
	munmap(bytes, size);
	munmap(others, size);
	return true;
}

TEST("what is read is what was written")
{
	struct profile profile, again, third;

	for (; cases_tried < CASES; cases_tried++) {
		int one = memfd_create("one", MFD_CLOEXEC);
		int other = memfd_create("other", MFD_CLOEXEC);

		random_profile(&profile);
		profil_profile_sort(&profile);
		CHECK(pass_on(&profile, &again, one));
		CHECK(is_same(&profile, &again));
		CHECK(pass_on(&again, &third, other));
		CHECK(are_equal_files(one, other));
		profil_profile_free(&profile);
		profil_profile_free(&again);
		profil_profile_free(&third);
		close(one);
		close(other);
	}
	return true;
}

/* The sum takes these of its first profile, or one error of them. */
static void forget_the_first(struct profile *profile)
{
	struct profile_head *head = &profile->head;

	profil_profile_set_command(profile, 0, NULL);
	head->status = 0;
	head->signal = 0;
	head->running = 0;
	head->attached = 0;
	head->is_tick = false;
}

static void make_three(struct profile three[3])
{
	for (int i = 0; i < 3; i++) {
		random_profile(&three[i]);
		forget_the_first(&three[i]);
	}
}

static void free_three(struct profile three[3])
{
	for (int i = 0; i < 3; i++)
		profil_profile_free(&three[i]);
}

/* Add profiles @first and @second of @three, a copy of which is in @sum. */
static bool add_up(struct profile *sum, const struct profile three[3],
		   const int *order, int nr)
{
	random_order(sum, &three[order[0]]);
	for (int i = 1; i < nr; i++)
		CHECK_EQUAL(SUM_OK, profil_profile_add(sum, &three[order[i]]));
	return true;
}

TEST("a sum does not depend on the order")
{
	static const int orders[][3] = { { 0, 1, 2 },
					 { 2, 1, 0 },
					 { 1, 2, 0 } };
	struct profile three[3], sums[3];

	for (; cases_tried < CASES; cases_tried++) {
		make_three(three);
		for (int i = 0; i < 3; i++)
			CHECK(add_up(&sums[i], three, orders[i], 3));
		CHECK(is_same(&sums[0], &sums[1]));
		CHECK(is_same(&sums[0], &sums[2]));
		free_three(three);
		free_three(sums);
	}
	return true;
}

TEST("a sum does not depend on brackets")
{
	static const int left[] = { 0, 1, 2 }, right[] = { 1, 2 };
	struct profile three[3], sum, last, first;
	uint64_t total;

	for (; cases_tried < CASES; cases_tried++) {
		make_three(three);
		CHECK(add_up(&sum, three, left, 3));
		CHECK(add_up(&last, three, right, 2));
		random_order(&first, &three[0]);
		CHECK_EQUAL(SUM_OK, profil_profile_add(&first, &last));
		CHECK(is_same(&sum, &first));
		total = 0;
		for (int i = 0; i < 3; i++)
			total += profil_profile_total(&three[i]);
		CHECK_EQUAL(total, profil_profile_total(&sum));
		profil_profile_free(&sum);
		profil_profile_free(&last);
		profil_profile_free(&first);
		free_three(three);
	}
	return true;
}

/* Places that code of other processes may share: generated code has others in each sum. */
static uint32_t shared_places(const struct profile *profile)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < profile->nr_places; i++)
		nr += profile->objects[profile->places[i].object].kind !=
		      PROFILE_JIT;
	return nr;
}

/* No two places have one object and offset: random code is equal there. */
static bool places_differ(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_places; i++)
		for (uint32_t j = 0; j < i; j++)
			CHECK(profile->places[i].object !=
				      profile->places[j].object ||
			      profile->places[i].offset !=
				      profile->places[j].offset);
	return true;
}

TEST("code is there once, however many programs and recordings have it")
{
	struct profile profile, sum;

	for (; cases_tried < CASES; cases_tried++) {
		random_profile(&profile);
		random_order(&sum, &profile);
		for (int i = 0; i < 3; i++)
			CHECK_EQUAL(SUM_OK, profil_profile_add(&sum, &profile));
		CHECK(places_differ(&profile));
		CHECK(places_differ(&sum));
		CHECK_EQUAL(shared_places(&profile), shared_places(&sum));
		CHECK_EQUAL(profile.nr_frames, sum.nr_frames);
		profil_profile_free(&profile);
		profil_profile_free(&sum);
	}
	return true;
}

/* A sample of @program in the function @name, at an offset of a file without a build ID */
static void make_build(struct profile *profile, const char *program,
		       const char *name)
{
	struct profile_program it = { .path = program };
	struct profile_object object = { .path = "/lib/o" };
	struct profile_function function = { .symbol = name,
					     .name = name,
					     .file = "" };
	struct profile_place place = { .offset = 16, .address = 16 };
	struct profile_sample sample = { .user = 1 };

	profil_profile_init(profile);
	profil_profile_add_program(profile, &it);
	profil_profile_add_object(profile, &object);
	profil_profile_add_function(profile, &function);
	profil_profile_add_place(profile, &place);
	profil_profile_add_sample(profile, &sample);
}

TEST("code of another build, at the same offset of a file, is other code")
{
	struct profile one, other;

	cases_tried++;
	make_build(&one, "/p", "f");
	make_build(&other, "/q", "g");
	CHECK_EQUAL(SUM_OK, profil_profile_add(&one, &other));
	CHECK_EQUAL(2, one.nr_samples);
	for (int i = 0; i < 2; i++) {
		const struct profile_place *place =
			profile_place_of(&one, &one.samples[i]);

		CHECK(!strcmp(one.functions[place->function].name,
			      i ? "g" : "f"));
	}
	profil_profile_free(&one);
	profil_profile_free(&other);
	return true;
}

/* Samples of functions of the kernel, all or those whose stacks are known */
static uint64_t kernel_samples(const struct profile *profile, bool is_all)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < profile->nr_kernel; i++)
		if (is_all || profile->kernel[i].stack != PROFILE_NONE)
			sum += profile->kernel[i].samples;
	return sum;
}

/* Callers in the kernel, and their samples, are those of functions of the kernel. */
static bool are_entries(const struct profile *profile, uint64_t expected)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		uint32_t object = profile->places[stack->place].object;
		const char *path = profile->objects[object].path;

		CHECK(!stack->kernel || !strcmp(path, "[kernel]"));
		sum += stack->kernel;
	}
	CHECK_EQUAL(expected, sum);
	return true;
}

TEST("functions of the kernel are called by the stacks that entered the kernel")
{
	struct profile profile;

	for (; cases_tried < CASES; cases_tried++) {
		uint64_t all, in_stacks, samples = 0;

		random_profile(&profile);
		all = kernel_samples(&profile, true);
		in_stacks = kernel_samples(&profile, false);
		if (profil_profile_enter_kernel(&profile)) {
			for (uint32_t i = 0; i < profile.nr_samples; i++)
				samples += profile.samples[i].kernel;
			CHECK_EQUAL(all, samples);
			CHECK(are_entries(&profile, in_stacks));
		}
		profil_profile_free(&profile);
	}
	return true;
}

/* Each subset of keys is one of four profiles, and a profile has a fifth of them. */
#define TURNS 5

/* Rows by the keys in @subset, in an order that depends on @turn */
static void choose(struct row_choice *choice, unsigned int subset, int turn)
{
	*choice = (struct row_choice){ .printable = profil_text_printable,
				       .has_totals = true };
	for (int i = 0; i < ROW_KEYS; i++) {
		int key = (i + turn) % ROW_KEYS;

		if (subset >> key & 1)
			choice->by[choice->nr_by++] = key;
	}
}

static bool add_up_to_the_total(const struct profile *profile,
				const struct row_choice *choice)
{
	double samples = 0, kernel = 0, kernel_of_samples = 0;
	struct rows rows = { 0 };

	profil_rows_read(&rows, profile, choice);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.array[i];

		CHECK(!i || row->is_last || row->samples <= row[-1].samples);
		CHECK(!row->is_last || row->is_special);
		CHECK(row->kernel <= row->samples);
		samples += row->samples;
		kernel += row->kernel;
	}
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		kernel_of_samples += profile->samples[i].kernel;
	CHECK_EQUAL(profil_profile_total(profile), samples + rows.left_out);
	if (!rows.left_out)
		CHECK_EQUAL(kernel_of_samples, kernel);
	CHECK(choice->object || profile->is_through || !rows.left_out);
	profil_rows_free(&rows);
	return true;
}

TEST("rows add up to the total in every grouping")
{
	struct row_choice choice;
	struct profile profile;
	regex_t regex;

	CHECK(!regcomp(&regex, "[1-4]", REG_EXTENDED | REG_NOSUB));
	for (; cases_tried < CASES; cases_tried++) {
		random_profile(&profile);
		if (random_one_in(3))
			profil_profile_keep_through(&profile, &regex, NULL);
		for (unsigned int subset = cases_tried % TURNS;
		     !(subset >> ROW_KEYS); subset += TURNS) {
			choose(&choice, subset, cases_tried);
			CHECK(add_up_to_the_total(&profile, &choice));
			choice.object = &regex;
			CHECK(add_up_to_the_total(&profile, &choice));
		}
		profil_profile_free(&profile);
	}
	regfree(&regex);
	return true;
}

/* The stacks of @profile, and its rows by the keys in each subset of a @turn */
static char *report(const struct profile *profile, unsigned int turn)
{
	static const struct flat all = { .all = true, .samples = true };
	struct row_choice choice;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	profil_format_folded.write(profile, out);
	for (unsigned int subset = turn; !(subset >> ROW_KEYS);
	     subset += TURNS) {
		struct rows rows = { 0 };

		choose(&choice, subset, 0);
		profil_rows_read(&rows, profile, &choice);
		profil_flat_print(out, &all, &rows);
		profil_json_print(out, profile, &rows, 0);
		profil_rows_free(&rows);
	}
	fclose(out);
	return text;
}

TEST("a report does not depend on the order")
{
	struct profile profile, other;
	char *expected, *text;

	for (; cases_tried < CASES; cases_tried++) {
		random_profile(&profile);
		random_order(&other, &profile);
		expected = report(&profile, cases_tried % TURNS);
		text = report(&other, cases_tried % TURNS);
		CHECK(is_text(expected, text));
		free(expected);
		free(text);
		profil_profile_free(&profile);
		profil_profile_free(&other);
	}
	return true;
}

/* Numbers of a sum that are the sums */
#define AT(member) offsetof(struct profile_head, member)

static const size_t sums_of[] = {
	AT(wall_ns),	AT(cpu_ns),    AT(kernel_ns), AT(samples),
	AT(hits),	AT(outside),   AT(lost),      AT(kernel_samples),
	AT(recordings), AT(saturated), AT(sessions),  AT(ended),
};

static uint64_t number(const struct profile *profile, size_t at)
{
	return *(const uint64_t *)((const char *)&profile->head + at);
}

static bool head_adds_up(const struct profile *sum,
			 const struct profile three[3])
{
	for (int i = 0; i < 3; i++) {
		const struct profile *one = &three[i];

		CHECK(sum->head.begin_ns <= one->head.begin_ns);
		CHECK(sum->head.is_complete <= one->head.is_complete);
		CHECK(sum->head.is_orphan >= one->head.is_orphan);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(sums_of); i++)
		CHECK_EQUAL(number(&three[0], sums_of[i]) +
				    number(&three[1], sums_of[i]) +
				    number(&three[2], sums_of[i]),
			    number(sum, sums_of[i]));
	return true;
}

TEST("each number of a sum is the sum, the least or the largest one")
{
	static const int order[] = { 0, 1, 2 };
	struct profile three[3], sum;

	for (; cases_tried < CASES; cases_tried++) {
		make_three(three);
		CHECK(add_up(&sum, three, order, 3));
		CHECK(head_adds_up(&sum, three));
		profil_profile_free(&sum);
		free_three(three);
	}
	return true;
}

/* A stack that has entered the kernel for these samples, or PROFILE_NONE */
static uint32_t random_entry(struct growing *growing, uint64_t samples)
{
	uint32_t nr = growing->profile.nr_stacks, stack;

	if (!nr || random_one_in(2))
		return PROFILE_NONE;
	stack = random_below(nr);
	growing->profile.stacks[stack].kernel += samples;
	return stack;
}

/* Add random samples of the kernel, and @growing's programs. */
static void add_samples(struct growing *growing)
{
	for (int i = random_below(100); i; i--) {
		char path[] = { 'a' + random_below(4), '\0' };
		struct profile_program program = { .path = path };
		struct code code = { .path = path, .origin.root = INDEX_NONE };
		struct profile_place place = { .offset = random_below(40) };
		struct profile_sample sample = { 0 };
		uint32_t parent = PROFILE_NONE;

		place.object = profil_growing_object(growing, &code);
		sample.program =
			profil_profile_add_program(&growing->profile, &program);
		sample.user = random_below(9);
		sample.kernel = random_below(9);
		profil_growing_add(growing, &place, &sample);
		if (growing->profile.nr_stacks && !random_one_in(4))
			parent = random_below(growing->profile.nr_stacks);
		profil_growing_add_stack(growing, parent,
					 parent == PROFILE_NONE ?
						 random_below(PROFIL_NR_WALKS) :
						 0,
					 &place, &sample);
	}
	for (int i = random_below(9); i; i--) {
		char name[] = { 'f' + random_below(9), '\0' };
		uint32_t nr = growing->profile.nr_programs;
		struct profile_kernel kernel = { .name = name };

		/* PROFILE_NONE below 0 */
		kernel.program = (uint32_t)random_below(nr + 1) - 1;
		kernel.samples = random_below(9);
		kernel.stack = random_entry(growing, kernel.samples);
		profil_profile_add_kernel(&growing->profile, &kernel);
	}
	profil_growing_resolve(growing, false);
}

static void read_since(const struct growing *growing, const struct mark *mark,
		       struct profile *profile)
{
	profil_profile_init(profile);
	profil_growing_since(growing, mark, profile);
}

TEST("a mark and what came since are all")
{
	for (; cases_tried < CASES; cases_tried++) {
		struct mark none = { 0 }, mark = { 0 };
		struct profile before, since, all;
		struct growing growing;

		profil_growing_begin(&growing);
		add_samples(&growing);
		read_since(&growing, &none, &before);
		profil_growing_mark(&growing, &mark);
		add_samples(&growing);
		read_since(&growing, &mark, &since);
		read_since(&growing, &none, &all);
		CHECK_EQUAL(SUM_OK, profil_profile_add(&before, &since));
		CHECK_EQUAL(all.nr_places, before.nr_places);
		CHECK_EQUAL(all.nr_samples, before.nr_samples);
		before.head.recordings = 1;
		CHECK(is_same(&all, &before));
		profil_profile_free(&before);
		profil_profile_free(&since);
		profil_profile_free(&all);
		profil_mark_free(&mark);
		profil_growing_free(&growing);
	}
	return true;
}

struct numbered {
	uint64_t number;
	uint32_t index;
};

static int by_number_and_index(const void *a, const void *b)
{
	const struct numbered *one = a, *other = b;

	return compare_numbers(one->number, other->number) ?:
		       compare_numbers(one->index, other->index);
}

/* Numbers of some bits, from some bit on; each is there a few times. */
static uint64_t some_number(void)
{
	return random_below(1 << cases_tried % 12)
	       << random_below(4) << 3 * cases_tried;
}

TEST("elements are sorted by numbers of 64 bits, and equal ones keep their order")
{
	for (; cases_tried < CASES; cases_tried++) {
		size_t nr = random_below(300);
		struct numbered sorted[300], expected[300];

		for (size_t i = 0; i < nr; i++)
			sorted[i] = (struct numbered){ some_number(), i };
		memcpy(expected, sorted, sizeof(expected));
		qsort(expected, nr, sizeof(*expected), by_number_and_index);
		ARRAY_SORT_NUMBERS(sorted, nr);
		for (size_t i = 0; i < nr; i++)
			CHECK(!by_number_and_index(&expected[i], &sorted[i]));
	}
	return true;
}

/* A number near a power of 2 or 10, in digits of @base, perhaps with one that is none */
static void write_number(char text[80], int base)
{
	static const char *const formats[] = { "%" PRIu64, "%" PRIx64 };
	uint64_t number = random_below(3) - 1ull;
	size_t length;

	for (uint32_t i = random_below(65); i; i--)
		number *= random_below(2) ? 2 : 10;
	number += random_below(3) - 1ull;
	length = snprintf(text, 40, formats[base == 16], number);
	if (!random_below(3))
		text[length++] = "0123456789afgA-+ x:"[random_below(19)];
	text[random_below(30) ? length : 0] = '\0';
}

TEST("a number is read as by strtoull(3), and nothing else is one")
{
	int numbers = 0;

	for (; cases_tried < 200 * CASES; cases_tried++) {
		int base = random_below(2) ? 16 : 10;
		uint64_t expected, number = 0;
		char text[80], *end;
		bool is_number;

		write_number(text, base);
		errno = 0;
		expected = strtoull(text, &end, base);
		is_number = *text && !*end && !errno;
		is_number = is_number && !strpbrk(text, "A-+ x");
		CHECK(profil_text_number(text, base, &number) == is_number);
		CHECK(!is_number || number == expected);
		numbers += is_number;
	}
	CHECK(numbers > 100 * CASES && numbers < 190 * CASES);
	return true;
}

/* The arguments SEED and FILE: the tests do not begin. */
__attribute__((constructor)) static void write_random(int argc, char **argv)
{
	struct profile profile;
	int fd;

	if (argc != 3)
		return;
	fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	random_seed(strtoul(argv[1], NULL, 0));
	random_profile(&profile);
	profil_profile_sort(&profile);
	exit(fd < 0 || profil_data_write(&profile, fd, DATA_COMPRESSED));
}
