/* SPDX-License-Identifier: GPL-2.0-only */
/* A name of a function, as std::vector<int>::push_back(int const&), and its parts */
#ifndef PROFIL_FUNCTION_NAME_H
#define PROFIL_FUNCTION_NAME_H

#include "util/base.h"

/*
 * A part that may be folded: an argument of a template, a parameter, the type of the
 * result, or words behind parameters, as const
 * @group: number of the brackets that it is in, with the parts beside it
 * @from: its first byte in the name
 */
struct name_part {
	size_t group;
	size_t from;
	size_t length;
};

/*
 * A name whose parts are folded, and these by group; a group may have none. @begin: bytes
 * of the name before the name itself: the type of the result and a space, or 0
 */
struct folded_name {
	size_t begin;
	char *text;
	struct name_part *parts;
	size_t nr_parts;
	size_t nr_groups;
};

/**
 * struct name_form - what is folded of a name
 * @dots: stands for the arguments of a template that are folded
 * @arguments: arguments of templates are not folded
 * @shown: parts that are not folded either, by their first byte
 * @nr_shown: number of these
 */
struct name_form {
	const char *dots;
	bool arguments;
	const size_t *shown;
	size_t nr_shown;
};

/*
 * Fold @name: the type of the result and the parameters are left out, and the arguments
 * of templates, and of what is inside of others, become dots.
 */
void profil_function_name_fold(struct folded_name *folded, const char *name,
			       const struct name_form *form);
void profil_function_name_free(struct folded_name *folded);

/*
 * Bytes of @name before its last component, with the component's separator. If @from is
 * such a number, the component before that one counts. 0: there is none before
 */
size_t profil_function_name_last(const char *name, size_t from);

#endif
