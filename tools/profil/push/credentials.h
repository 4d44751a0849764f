/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a server wants to know of the user
 *
 * The credentials are in memory only: neither a recording nor a spool has them, and
 * no message prints them.
 */
#ifndef PROFIL_PUSH_CREDENTIALS_H
#define PROFIL_PUSH_CREDENTIALS_H

#include <stddef.h>

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
 * @netrc has to remain, and may be NULL. Exits with a sentence if a line is none, or a
 * file cannot be read.
 */
void profil_credentials_read(struct credentials *credentials,
			     char *const *words, const char *netrc);
void profil_credentials_free(struct credentials *credentials);

#endif
