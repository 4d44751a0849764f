// SPDX-License-Identifier: GPL-2.0-only
/*
 * A name of a function and its parts
 *
 * Names are those of demanglers for C++, Rust and D, those of Go and Java, and any text:
 * what is no part of the kind that is looked for stays as it is.
 */
#include <ctype.h>

#include "util/function_name.h"

/*
 * A name with the brackets in it: for each byte that opens some, the distance to the byte
 * that closes them, otherwise 0
 */
struct brackets {
	const char *name;
	size_t size;
	uint32_t *lengths;
};

static bool is_word(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_' || byte == '$' ||
	       (unsigned char)byte >= 0x80;
}

static bool begins(const char *text, const char *word)
{
	while (*word && *text == *word) {
		text++;
		word++;
	}
	return !*word;
}

/* Bytes at @at of an operator's name, whose signs are no brackets, or 0 */
static size_t operator_length(const char *name, size_t at)
{
	static const char *const signs[] = { "<<=", ">>=", "<=>", "->*", "()",
					     "[]",  "<<",  ">>",  "<=",	 ">=",
					     "->",  "<",   ">",	  "/",	 "" };
	static const char word[] = "operator";
	const char *sign = name + at + strlen(word);
	int i = 0;

	if (!begins(name + at, word) || is_word(*sign) ||
	    (at && is_word(name[at - 1])))
		return 0;
	while (!begins(sign, signs[i]))
		i++;
	return strlen(word) + strlen(signs[i]);
}

/* Bytes at @at that are no brackets: an operator, or text in quotes */
static size_t plain_length(const char *name, size_t at)
{
	const char *end;

	/* Most bytes begin neither. */
	if (name[at] != 'o' && name[at] != '"')
		return 0;
	end = name[at] == '"' ? strchr(name + at + 1, '"') : NULL;
	return end ? (size_t)(end - name) + 1 - at : operator_length(name, at);
}

/* The sign is no comparison, as in (a)<(b), and no shift. */
static bool opens_arguments(const char *name, size_t at)
{
	char before = at ? name[at - 1] : '\0';

	if (before == '<' && at > 1)
		before = name[at - 2];
	if (before == ')')
		return at > 1 && name[at - 1] == ')' && name[at - 2] == '(' &&
		       at >= 10 && begins(name + at - 10, "operator");
	return name[at + 1] != '=' && (name[at + 1] != ' ' || before != ' ');
}

static bool is_opening(const char *name, size_t at)
{
	return strchr("([{", name[at]) ||
	       (name[at] == '<' && opens_arguments(name, at));
}

/* The index in @open of the bracket that the one at @at closes, or @nr */
static size_t opened_by(const char *name, const size_t *open, size_t nr,
			size_t at)
{
	static const char closing[] = ")]}>", opening[] = "([{<";
	const char *kind = strchr(closing, name[at]);
	size_t i = nr;

	if (!kind || (*kind == '>' && at && name[at - 1] == '-'))
		return nr;
	while (i && name[open[i - 1]] != opening[kind - closing]) {
		/* Parentheses have a comparison in them. */
		if (*kind == '>')
			return nr;
		i--;
	}
	return i ? i - 1 : nr;
}

static void find_brackets(struct brackets *brackets, const char *name)
{
	size_t size = strlen(name), nr = 0, at = 0;
	size_t *open = profil_grow(NULL, size + 1, sizeof(*open));

	*brackets = (struct brackets){
		.name = name,
		.size = size,
		.lengths = profil_zeros(size + 1, sizeof(*brackets->lengths)),
	};
	while (at < size) {
		size_t plain = plain_length(name, at);
		size_t opened = nr;

		/* Most bytes are those of words. */
		if (!plain && is_word(name[at])) {
			at++;
			continue;
		}
		if (!plain)
			opened = opened_by(name, open, nr, at);
		if (opened < nr) {
			nr = opened;
			brackets->lengths[open[nr]] = at - open[nr];
		} else if (!plain && is_opening(name, at)) {
			open[nr++] = at;
		}
		at += plain ?: 1;
	}
	free(open);
}

/* Arguments in <> that are a part of a path, as in <A as B>::c */
static bool is_path(const struct brackets *brackets, size_t at)
{
	const char *inside = brackets->name + at + 1;
	size_t length = brackets->lengths[at];
	char before = at ? brackets->name[at - 1] : '\0';

	if (!before || begins(inside, "impl ") || begins(inside, "lambda") ||
	    begins(inside, "unnamed"))
		return true;
	return !is_word(before) && memmem(inside, length, " as ", 4);
}

enum bracket_kind { NO_BRACKET, PARAMETERS, ARGUMENTS };

/* What the bytes at @at begin; brackets that are never folded are NO_BRACKET. */
static enum bracket_kind kind_of(const struct brackets *brackets, size_t at)
{
	const char *name = brackets->name, *inside = name + at + 1;
	char before = at ? name[at - 1] : '\0';

	if (!brackets->lengths[at])
		return NO_BRACKET;
	if (name[at] == '<')
		return is_path(brackets, at) ? NO_BRACKET : ARGUMENTS;
	if (name[at] == '[')
		return is_word(before) && *inside != ']' &&
				       !begins(inside, "abi:") ?
			       ARGUMENTS :
			       NO_BRACKET;
	if (name[at] != '(' || begins(inside, "anonymous namespace)") ||
	    !before || strchr(" .,(", before) ||
	    (at >= 8 && begins(name + at - 8, "decltype")))
		return NO_BRACKET;
	return before == '!' ? ARGUMENTS : PARAMETERS;
}

/* A space that ends a type of a result */
static bool is_end_of_type(const char *name, size_t at)
{
	return name[at] == ' ' && at && name[at + 1] && name[at + 1] != '<' &&
	       name[at + 1] != '[' && name[at + 1] != '(';
}

static size_t begin_of(const struct brackets *brackets)
{
	const char *name = brackets->name;
	size_t begin = 0, at = 0;

	while (at < brackets->size) {
		size_t plain = plain_length(name, at);

		if (kind_of(brackets, at) == PARAMETERS)
			return begin;
		if (is_end_of_type(name, at) ||
		    begins(name + at, " (anonymous namespace)"))
			begin = at + 1;
		/* The type that an operator converts to may have spaces. */
		if (plain && name[at + plain] == ' ')
			at += strcspn(name + at + plain, "(<") - 1;
		at += 1 + (plain ? plain - 1 : brackets->lengths[at]);
	}
	return 0;
}

/*
 * A name while it is folded. @group: that of the parts that are next. @is_silent:
 * nothing is put to the text. @size: bytes of the text. @room: for bytes of it
 */
struct folding {
	struct brackets brackets;
	const struct name_form *form;
	struct folded_name *folded;
	size_t group;
	bool is_silent;
	size_t size;
	size_t room;
};

static bool is_shown(const struct folding *folding, size_t part)
{
	for (size_t i = 0; i < folding->form->nr_shown; i++)
		if (folding->form->shown[i] == part)
			return true;
	return false;
}

/* End of the part from @at on: a comma, or @end */
static size_t part_end(const struct brackets *brackets, size_t at, size_t end)
{
	while (at < end && brackets->name[at] != ',')
		at += plain_length(brackets->name, at) ?:
			      brackets->lengths[at] + 1;
	return at < end ? at : end;
}

/* End of the words behind parameters that belong to them */
static size_t qualifiers_end(const char *name, size_t at)
{
	static const char *const words[] = { " const", " volatile", " &&", " &",
					     NULL };
	int i = 0;

	while (words[i]) {
		bool found = begins(name + at, words[i]) &&
			     !is_word(name[at + strlen(words[i])]);

		at += found ? strlen(words[i]) : 0;
		i = found ? 0 : i + 1;
	}
	return at;
}

static void add_part(struct folding *folding, size_t from, size_t to)
{
	struct folded_name *folded = folding->folded;

	ARRAY_ADD(folded->parts, folded->nr_parts,
		  (struct name_part){ folding->group, from, to - from });
}

static void put(struct folding *folding, const char *text, size_t size)
{
	struct folded_name *folded = folding->folded;

	if (folding->is_silent)
		return;
	if (folding->size + size > folding->room) {
		folding->room = 2 * (folding->size + size);
		folded->text = profil_grow(folded->text, folding->room, 1);
	}
	memcpy(folded->text + folding->size, text, size);
	folding->size += size;
}

static void fold_bytes(struct folding *folding, size_t from, size_t to,
		       bool is_top);

/* Print the part from @from to @to, or fold it: false */
static bool fold_part(struct folding *folding, size_t from, size_t to)
{
	bool is_open = folding->form->arguments && !folding->is_silent;

	if (is_open || is_shown(folding, from))
		fold_bytes(folding, from, to, false);
	else
		add_part(folding, from, to);
	return is_open || is_shown(folding, from);
}

/* Print the parts from @at to @end, and dots for those that follow each other folded. */
static void fold_parts(struct folding *folding, size_t at, size_t end)
{
	const char *name = folding->brackets.name;
	const char *dots = folding->form->dots;
	bool is_first = true, has_dots = false;

	while (at < end) {
		size_t to = part_end(&folding->brackets, at, end);
		bool opens = folding->form->arguments || is_shown(folding, at);

		if (!is_first && (opens || !has_dots))
			put(folding, ", ", 2);
		if (!opens && !has_dots)
			put(folding, dots, strlen(dots));
		/* Demanglers print a space between two >. */
		has_dots = !fold_part(folding, at,
				      to - (to > at && name[to - 1] == ' '));
		is_first = false;
		at = to + 1 + (to < end && name[to + 1] == ' ');
	}
}

/* Fold the brackets at @at. */
static void fold_inner(struct folding *folding, size_t at)
{
	const struct brackets *brackets = &folding->brackets;
	size_t end = at + brackets->lengths[at], outer = folding->group;

	folding->group = folding->folded->nr_groups++;
	put(folding, brackets->name + at, 1);
	fold_parts(folding, at + 1, end);
	put(folding, brackets->name + end, 1);
	folding->group = outer;
}

/* Some part from @from to @to is shown. */
static bool shows_some(const struct folding *folding, size_t from, size_t to)
{
	for (size_t i = 0; i < folding->form->nr_shown; i++)
		if (folding->form->shown[i] >= from &&
		    folding->form->shown[i] < to)
			return true;
	return false;
}

/*
 * The same for parameters of the function, and the words behind them: nothing is printed
 * if none is shown. The byte behind them
 */
static size_t fold_parameters(struct folding *folding, size_t at)
{
	const struct brackets *brackets = &folding->brackets;
	size_t behind = at + brackets->lengths[at] + 1;
	size_t end = qualifiers_end(brackets->name, behind);
	size_t outer = folding->group;

	folding->is_silent = !shows_some(folding, at, end + (end > behind));
	fold_inner(folding, at);
	folding->group = folding->folded->nr_groups++;
	if (end > behind && is_shown(folding, behind))
		put(folding, brackets->name + behind, end - behind);
	else if (end > behind)
		add_part(folding, behind, end);
	folding->group = outer;
	folding->is_silent = false;
	return end;
}

static void fold_bytes(struct folding *folding, size_t from, size_t to,
		       bool is_top)
{
	const struct brackets *brackets = &folding->brackets;
	const char *name = brackets->name;

	while (from < to) {
		size_t plain = plain_length(name, from);
		enum bracket_kind kind = plain ? NO_BRACKET :
						 kind_of(brackets, from);
		bool is_lambda = from >= 6 && begins(name + from - 6, "lambda");

		if (kind == NO_BRACKET) {
			put(folding, name + from, plain ?: 1);
			from += plain ?: 1;
		} else if (is_top && kind == PARAMETERS && !is_lambda) {
			from = fold_parameters(folding, from);
		} else {
			fold_inner(folding, from);
			from += brackets->lengths[from] + 1;
		}
	}
}

static int by_group(const void *a, const void *b)
{
	const struct name_part *one = a, *other = b;

	return compare_numbers(one->group, other->group) ?:
		       compare_numbers(one->from, other->from);
}

void profil_function_name_fold(struct folded_name *folded, const char *name,
			       const struct name_form *form)
{
	struct folding folding = { .form = form, .folded = folded };
	size_t begin;

	find_brackets(&folding.brackets, name);
	begin = begin_of(&folding.brackets);
	*folded = (struct folded_name){ .begin = begin, .nr_groups = 1 };
	if (begin && is_shown(&folding, 0)) {
		fold_bytes(&folding, 0, begin - 1, false);
		put(&folding, " ", 1);
	} else if (begin) {
		add_part(&folding, 0, begin - 1);
	}
	fold_bytes(&folding, begin, folding.brackets.size, true);
	put(&folding, "", 1);
	ARRAY_SORT(folded->parts, folded->nr_parts, by_group);
	free(folding.brackets.lengths);
}

void profil_function_name_free(struct folded_name *folded)
{
	free(folded->text);
	free(folded->parts);
}

/* A dot of Go, Java or D, not that of a clone, a file or a version */
static bool is_dot(const char *name)
{
	static const char *const suffixes[] = { "cold",	     "isra", "part",
						"constprop", "llvm", "lto_priv",
						"clone",     "so",   NULL };
	const char *const *suffix = suffixes;

	if (*name != '.' ||
	    (!isalpha((unsigned char)name[1]) && name[1] != '('))
		return false;
	while (*suffix && !begins(name + 1, *suffix))
		suffix++;
	return !*suffix;
}

size_t profil_function_name_last(const char *name, size_t from)
{
	struct brackets brackets;
	size_t at = 0, last = 0;

	find_brackets(&brackets, name);
	while (at < from && at < brackets.size) {
		size_t plain = plain_length(name, at);

		if (!plain && (begins(name + at, "::") || name[at] == '/' ||
			       begins(name + at, "+0x") || is_dot(name + at)))
			last = at++;
		if (plain && name[at + plain] == ' ' &&
		    is_word(name[at + plain + 1]))
			break;
		at += 1 + (plain ? plain - 1 : brackets.lengths[at]);
	}
	free(brackets.lengths);
	return last;
}
