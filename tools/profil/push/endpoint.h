/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where profiles are pushed to, with which labels, and for which user
 *
 * The credentials are in memory only: neither a recording nor a spool has them, and
 * no message prints them.
 */
#ifndef PROFIL_PUSH_ENDPOINT_H
#define PROFIL_PUSH_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/profile.h"

/**
 * struct credentials - header lines and passwords
 * @headers: lines "NAME: VALUE" of the header of each request
 * @nr: elements of @headers
 * @netrc: file with user names and passwords, or NULL for ~/.netrc
 */
struct credentials {
	char **headers;
	size_t nr;
	const char *netrc;
};

/*
 * Read the headers of @words, ended by NULL: lines, or @FILE for the lines of a file.
 * @words may be NULL, too.
 * @netrc has to remain, and may be NULL. Exits with a sentence if a line is none, or a
 * file cannot be read.
 */
void profil_credentials_read(struct credentials *credentials,
			     char *const *words, const char *netrc);

/**
 * enum endpoint_kind - protocol of a server
 * @ENDPOINT_PYROSCOPE: /ingest of Grafana Pyroscope
 * @ENDPOINT_PARCA: WriteRaw of Parca, as JSON
 */
enum endpoint_kind { ENDPOINT_PYROSCOPE, ENDPOINT_PARCA };

/**
 * struct endpoint - where profiles are pushed to
 * @kind: protocol, by the end of the path
 * @url: the URL
 * @shown: the URL without a password, for messages
 * @credentials: what the server wants to know of the user; none at first
 */
struct endpoint {
	enum endpoint_kind kind;
	const char *url;
	char *shown;
	struct credentials credentials;
};

/* Read @url, which has to remain; exits with a sentence if it is no endpoint. */
void profil_endpoint_parse(struct endpoint *endpoint, const char *url);
void profil_endpoint_free(struct endpoint *endpoint);

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

/*
 * Add the labels NAME=VALUE of @words, ended by NULL, or NULL; exits if one is
 * malformed.
 */
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
