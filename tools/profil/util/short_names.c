// SPDX-License-Identifier: GPL-2.0-only
/* Short names of functions, which differ where the names do */
#include "util/function_name.h"
#include "util/short_names.h"
#include "util/text.h"

/* A longer name, in bytes, is cut without a look at its parts. */
#define LONGEST 16384

/* Rounds in which equal short names get parts that differ */
#define ROUNDS 16

/**
 * struct short_name - a name while it is shortened
 * @name: all of it
 * @text: the name without what is folded
 * @cut: the same, cut to the width
 * @is_folded: all of its parts are folded but those that are shown
 * @shown: those, by their first byte
 * @nr_shown: number of these
 * @mark: bytes of @text that other names with the same @cut begin with, too; 0 at first
 */
struct short_name {
	const char *name;
	char *text;
	char *cut;
	bool is_folded;
	size_t *shown;
	size_t nr_shown;
	size_t mark;
};

/* All names; @order has them sorted by what makes some of them equal. */
struct shortening {
	struct short_name *names;
	struct short_name **order;
	size_t nr;
	size_t width;
	const char *dots;
};

static bool fits(const struct shortening *all, const char *text)
{
	return profil_text_width(text) <= all->width;
}

static struct folded_name fold(const struct shortening *all,
			       const struct short_name *name, bool arguments)
{
	struct name_form form = { all->dots, arguments, name->shown,
				  name->nr_shown };
	struct folded_name folded;

	profil_function_name_fold(&folded, name->name, &form);
	return folded;
}

static void set_text(struct short_name *name, char *text)
{
	free(name->text);
	name->text = text;
}

static char *folded_text(const struct shortening *all,
			 const struct short_name *name)
{
	struct folded_name folded = fold(all, name, false);

	free(folded.parts);
	return folded.text;
}

/* The longest form that fits, or the shortest */
static void choose_form(const struct shortening *all, struct short_name *name)
{
	struct folded_name folded;

	set_text(name, profil_copy_string(name->name));
	if (fits(all, name->text) || strlen(name->name) > LONGEST)
		return;
	folded = fold(all, name, true);
	free(folded.parts);
	set_text(name, folded.text);
	if (fits(all, name->name + folded.begin))
		set_text(name, profil_copy_string(name->name + folded.begin));
	name->is_folded = !fits(all, name->text);
	if (name->is_folded)
		set_text(name, folded_text(all, name));
}

/* Names that were longer than the width can be folded. */
static bool can_fold(const struct shortening *all,
		     const struct short_name *name)
{
	return !fits(all, name->name) && strlen(name->name) <= LONGEST;
}

/*
 * Names with one text that are folded. The parts of one group of the first name differ
 * from those of other names: the part @part of it, or all if their numbers differ, or none
 * if @length is SIZE_MAX. @length: of these parts of the name with the longest ones
 */
struct equals {
	struct short_name **names;
	struct folded_name *folded;
	size_t nr;
	size_t group;
	size_t part;
	size_t length;
};

#define ALL_PARTS SIZE_MAX

static bool is_aligned(const struct equals *equals, size_t name)
{
	return equals->folded[name].nr_groups == equals->folded->nr_groups;
}

/* The part @part of the group @group, or NULL */
static const struct name_part *part_of(const struct folded_name *folded,
				       size_t group, size_t part)
{
	size_t at = 0;

	while (at < folded->nr_parts && folded->parts[at].group < group)
		at++;
	at += part;
	return at < folded->nr_parts && folded->parts[at].group == group ?
		       &folded->parts[at] :
		       NULL;
}

/* Parts of the name @name in @group, and their bytes */
static size_t count_parts(const struct equals *equals, size_t name,
			  size_t group, size_t *length)
{
	const struct name_part *part;
	size_t nr = 0;

	*length = 0;
	while ((part = part_of(&equals->folded[name], group, nr))) {
		*length += part->length;
		nr++;
	}
	return nr;
}

/* Take these parts if they differ, and are shorter than those so far. */
static void choose(struct equals *equals, size_t group, size_t part,
		   size_t length, bool differ)
{
	if (!differ || length >= equals->length)
		return;
	equals->group = group;
	equals->part = part;
	equals->length = length;
}

static bool is_same_part(const struct equals *equals, size_t name,
			 const struct name_part *one,
			 const struct name_part *other)
{
	return one->length == other->length &&
	       !memcmp(equals->names[0]->name + one->from,
		       equals->names[name]->name + other->from, one->length);
}

/* Choose the shortest part of @group, of which each name has @nr, that differs. */
static void compare_parts(struct equals *equals, size_t group, size_t nr)
{
	for (size_t part = 0; part < nr; part++) {
		const struct name_part *first =
			part_of(equals->folded, group, part);
		size_t longest = first->length;
		bool differ = false;

		for (size_t i = 1; i < equals->nr; i++) {
			const struct name_part *own =
				part_of(&equals->folded[i], group, part);

			if (!is_aligned(equals, i))
				continue;
			differ |= !is_same_part(equals, i, first, own);
			if (own->length > longest)
				longest = own->length;
		}
		choose(equals, group, part, longest, differ);
	}
}

static void compare(struct equals *equals)
{
	for (size_t group = 0; group < equals->folded->nr_groups; group++) {
		size_t longest, length;
		size_t nr = count_parts(equals, 0, group, &longest);
		bool differ = false;

		for (size_t i = 1; i < equals->nr; i++) {
			if (!is_aligned(equals, i))
				continue;
			differ |= nr != count_parts(equals, i, group, &length);
			if (length > longest)
				longest = length;
		}
		choose(equals, group, ALL_PARTS, longest, differ);
		if (!differ)
			compare_parts(equals, group, nr);
	}
}

/* Show what was chosen, and all of a name with other groups; false if that is nothing. */
static bool show(const struct equals *equals, size_t name)
{
	const struct folded_name *folded = &equals->folded[name];
	struct short_name *short_name = equals->names[name];
	const struct name_part *first =
		part_of(folded, equals->group, equals->part);
	bool shows = false;

	for (size_t i = 0; i < folded->nr_parts; i++) {
		const struct name_part *part = &folded->parts[i];
		bool is_chosen = equals->length < SIZE_MAX &&
				 part->group == equals->group &&
				 (equals->part == ALL_PARTS || part == first);

		if (is_aligned(equals, name) && !is_chosen)
			continue;
		ARRAY_ADD(short_name->shown, short_name->nr_shown, part->from);
		shows = true;
	}
	return shows;
}

/* The name with the fewest groups is the first. */
static void fold_equals(const struct shortening *all, struct equals *equals)
{
	for (size_t i = 0; i < equals->nr; i++) {
		struct folded_name folded = fold(all, equals->names[i], false);
		struct short_name *name = equals->names[i];

		equals->folded[i] = folded;
		if (folded.nr_groups >= equals->folded->nr_groups)
			continue;
		equals->folded[i] = equals->folded[0];
		equals->folded[0] = folded;
		equals->names[i] = equals->names[0];
		equals->names[0] = name;
	}
}

/* Show the parts of the @nr names @names that differ; false if there are none. */
static bool open_parts(const struct shortening *all, struct short_name **names,
		       size_t nr)
{
	struct equals equals = {
		.names = names,
		.folded = profil_zeros(nr, sizeof(*equals.folded)),
		.nr = nr,
		.length = SIZE_MAX,
	};
	bool shows = false;

	fold_equals(all, &equals);
	compare(&equals);
	for (size_t i = 0; i < nr; i++)
		if (can_fold(all, names[i]))
			shows |= show(&equals, i);
	for (size_t i = 0; i < nr; i++) {
		if (can_fold(all, names[i]))
			set_text(names[i], folded_text(all, names[i]));
		profil_function_name_free(&equals.folded[i]);
	}
	free(equals.folded);
	return shows;
}

/* Fold the names of which not all parts are folded; false if there are none. */
static bool fold_others(const struct shortening *all, struct short_name **names,
			size_t nr)
{
	bool folds = false;

	for (size_t i = 0; i < nr; i++) {
		if (names[i]->is_folded || !can_fold(all, names[i]))
			continue;
		set_text(names[i], folded_text(all, names[i]));
		names[i]->is_folded = true;
		folds = true;
	}
	return folds;
}

static bool make_differ(const struct shortening *all, struct short_name **names,
			size_t nr)
{
	return fold_others(all, names, nr) || open_parts(all, names, nr);
}

static int by_text(const void *a, const void *b)
{
	const struct short_name *const *one = a, *const *other = b;

	return strcmp((*one)->text, (*other)->text) ?:
		       strcmp((*one)->name, (*other)->name);
}

static int by_cut(const void *a, const void *b)
{
	const struct short_name *const *one = a, *const *other = b;

	return strcmp((*one)->cut, (*other)->cut) ?: by_text(a, b);
}

static const char *text_of(const struct short_name *name)
{
	return name->text;
}

static const char *cut_of(const struct short_name *name)
{
	return name->cut;
}

/*
 * Call @change for the names of each text of @of that stands for different names;
 * true if one call has returned true
 */
static bool for_equals(const struct shortening *all, array_order *order,
		       const char *(*of)(const struct short_name *name),
		       bool (*change)(const struct shortening *all,
				      struct short_name **names, size_t nr))
{
	struct short_name **begin = all->order, **end;
	struct short_name **last = all->order + all->nr;
	bool changes = false;

	ARRAY_SORT(all->order, all->nr, order);
	for (; begin < last; begin = end) {
		bool differ = false;

		for (end = begin + 1; end < last; end++) {
			if (strcmp(of(*begin), of(*end)))
				break;
			differ |= strcmp((*begin)->name, (*end)->name);
		}
		if (differ)
			changes |= change(all, begin, end - begin);
	}
	return changes;
}

/* A name that is longer than its column, and is cut */

/* Of this part of a short name, characters before the first difference are kept. */
#define BEFORE 6

static char *cut_right(const struct shortening *all,
		       const struct short_name *name)
{
	size_t kept = all->width - profil_text_width(all->dots);

	if (profil_text_width(name->text) <= all->width)
		return profil_copy_string(name->text);
	return profil_format("%.*s%s", (int)profil_text_bytes(name->text, kept),
			     name->text, all->dots);
}

/* The last @width characters of @text */
static const char *end_of(const char *text, size_t width)
{
	size_t all = profil_text_width(text);

	return text + profil_text_bytes(text, all > width ? all - width : 0);
}

/* The last components of @text that have @width characters or less, or NULL */
static const char *components(const char *text, size_t width)
{
	size_t from = strlen(text);
	const char *found = NULL;

	while ((from = profil_function_name_last(text, from)) &&
	       profil_text_width(text + from) <= width)
		found = text + from + (text[from] != ':');
	return found;
}

/* The word that the last component of @text begins with, and its bytes */
static const char *last_word(const char *text, int *length)
{
	const char *word = text + profil_function_name_last(text, strlen(text));

	word += strspn(word, ":./");
	*length = strcspn(word, "<({[ ");
	return word;
}

/* Some characters before the first difference */
static const char *before_mark(const struct shortening *all,
			       const struct short_name *name)
{
	const char *begin = name->text + name->mark;

	for (size_t i = 0; i < all->width / BEFORE && begin > name->text; i++)
		begin--;
	while (begin > name->text && (*begin & 0xc0) == 0x80)
		begin--;
	return begin;
}

/*
 * The first word of the last component, and the end of the name or the difference; NULL
 * if the word is too long
 */
static char *cut_component(const struct shortening *all,
			   const struct short_name *name)
{
	size_t dots = profil_text_width(all->dots), width = all->width;
	const char *word, *begin;
	int length, kept;

	word = last_word(name->text, &length);
	if (2 * (size_t)length > width || 2 * dots + length > width)
		return NULL;
	width -= 2 * dots + length;
	begin = end_of(name->text, width);
	if (name->mark && begin > before_mark(all, name))
		begin = before_mark(all, name);
	kept = profil_text_bytes(begin, width);
	return profil_format("%s%.*s%s%.*s", word > name->text ? all->dots : "",
			     length, word, all->dots, kept, begin);
}

/* The first difference, and the last component as far as there is room */
static char *cut_around(const struct shortening *all,
			const struct short_name *name)
{
	size_t dots = profil_text_width(all->dots), width = all->width;
	const char *end = components(name->text, width / 2);
	const char *begin = before_mark(all, name);
	int kept;

	if (!end)
		end = end_of(name->text, width / 3);
	if (name->text + name->mark >= end_of(name->text, width - dots))
		return profil_format("%s%s", all->dots,
				     end_of(name->text, width - dots));
	if (2 * dots + profil_text_width(end) > width)
		end = "";
	width -= dots + profil_text_width(end);
	if (begin > name->text)
		width -= dots;
	kept = profil_text_bytes(begin, width);
	return profil_format("%s%.*s%s%s", begin > name->text ? all->dots : "",
			     kept, begin, all->dots, end);
}

/* The name with its last components, what is behind the mark, or its beginning */
static char *cut(const struct shortening *all, const struct short_name *name)
{
	size_t dots = profil_text_width(all->dots);
	const char *text = name->text, *end;
	char *component = NULL;
	size_t last;

	if (profil_text_width(text) <= all->width || all->width <= 2 * dots)
		return cut_right(all, name);
	last = profil_function_name_last(text, strlen(text));
	end = components(text, all->width - dots);
	if (!end && name->nr_shown && (!name->mark || name->mark > last))
		component = cut_component(all, name);
	if (component)
		return component;
	if (name->mark)
		return cut_around(all, name);
	if (!last)
		return cut_right(all, name);
	if (!end || 2 * profil_text_width(end) < all->width)
		end = end_of(text, all->width - dots);
	return profil_format("%s%s", all->dots, end);
}

/* Bytes that all of @names begin with */
static size_t common_length(struct short_name *const *names, size_t nr)
{
	size_t length = strlen(names[0]->text);

	for (size_t i = 1; i < nr; i++) {
		size_t same = 0;

		while (same < length &&
		       names[i]->text[same] == names[0]->text[same])
			same++;
		length = same;
	}
	return length;
}

/* Let the first difference of @names be in what is left of them. */
static bool move_cut(const struct shortening *all, struct short_name **names,
		     size_t nr)
{
	size_t mark = common_length(names, nr) ?: 1;
	bool moves = false;

	for (size_t i = 0; i < nr; i++) {
		if (names[i]->mark >= mark || fits(all, names[i]->text))
			continue;
		names[i]->mark = mark;
		free(names[i]->cut);
		names[i]->cut = cut(all, names[i]);
		moves = true;
	}
	return moves;
}

static void shorten(const struct shortening *all)
{
	for (size_t i = 0; i < all->nr; i++)
		choose_form(all, &all->names[i]);
	for (int i = 0; i < ROUNDS; i++)
		if (!for_equals(all, by_text, text_of, make_differ))
			break;
	for (size_t i = 0; i < all->nr; i++)
		all->names[i].cut = cut(all, &all->names[i]);
	for (int i = 0; i < ROUNDS; i++)
		if (!for_equals(all, by_cut, cut_of, move_cut))
			break;
}

void profil_short_names(char **names, size_t nr, size_t width, const char *dots)
{
	struct shortening all = {
		.names = profil_zeros(nr + 1, sizeof(*all.names)),
		.order = profil_grow(NULL, nr + 1, sizeof(*all.order)),
		.nr = nr,
		.width = width,
		.dots = dots,
	};

	for (size_t i = 0; i < nr; i++) {
		all.names[i].name = names[i];
		all.order[i] = &all.names[i];
	}
	shorten(&all);
	for (size_t i = 0; i < nr; i++) {
		free(names[i]);
		free(all.names[i].text);
		free(all.names[i].shown);
		names[i] = all.names[i].cut;
	}
	free(all.names);
	free(all.order);
}

char *profil_short_name(const char *name, size_t width)
{
	char *copy = profil_copy_string(name);

	profil_short_names(&copy, 1, width, profil_text_sign("…", "..."));
	return copy;
}
