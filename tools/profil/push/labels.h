/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labels of a profile, by which a server tells profiles apart
 *
 * service, host and build_id are those of the recording unless the user gives
 * others.
 */
#ifndef PROFIL_PUSH_LABELS_H
#define PROFIL_PUSH_LABELS_H

#include <stdbool.h>

#include "profile/profile.h"

/* Label that Pyroscope has as the name of an application */
#define LABEL_SERVICE "service"

/**
 * struct label - a label
 * @name: letters, digits and _
 * @value: text without a comma, a brace and control characters
 */
struct label {
	char *name;
	char *value;
};

/**
 * struct labels - labels, each name once
 * @array: @nr elements
 * @nr: number of labels
 * @has_build_id: the build ID, if there is one, is among them: that of a profile
 *	is not added
 */
struct labels {
	struct label *array;
	size_t nr;
	bool has_build_id;
};

/* Add the labels NAME=VALUE of @words, ended by NULL; exits if one is malformed. */
void profil_labels_add_words(struct labels *labels, char *const *words);

/*
 * Add the build ID of the program that @command executes, if it has one, for all
 * parts of a recording: not each part has samples in the program.
 */
void profil_labels_add_build_id(struct labels *labels, const char *command);

/* Make @labels of @profile, with those of @given in place of its own. */
void profil_labels_make(struct labels *labels, const struct labels *given,
			const struct profile *profile);

/* Value of the label, or NULL */
const char *profil_labels_value(const struct labels *labels, const char *name);

void profil_labels_free(struct labels *labels);

#endif
