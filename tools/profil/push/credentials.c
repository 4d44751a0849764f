// SPDX-License-Identifier: GPL-2.0-only
/* What a server wants to know of the user */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "push/credentials.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/memory.h"

/* Characters of a name in a header, by RFC 9110 */
static bool is_token(unsigned char character)
{
	return isascii(character) &&
	       (isalnum(character) || strchr("!#$%&'*+-.^_`|~", character));
}

/* The type and the length of the body are those of the profile. */
static bool is_header(const char *line)
{
	const char *at = line;

	if (!strncasecmp(line, "Content-", 8))
		return false;
	while (*at && is_token(*at))
		at++;
	if (at == line || *at++ != ':')
		return false;
	at += strspn(at, " ");
	if (!*at)
		return false;
	while (*at && !iscntrl((unsigned char)*at))
		at++;
	return !*at;
}

/* The line is not printed: it may be a secret. */
static void add(struct credentials *credentials, const char *line)
{
	if (!is_header(line))
		errx(EXIT_PROFIL,
		     "--header: give a line \"NAME: VALUE\", or @FILE with such lines; not those of the content");
	credentials->headers = profil_grow(credentials->headers,
					   credentials->nr + 1,
					   sizeof(*credentials->headers));
	credentials->headers[credentials->nr++] = profil_copy_string(line);
}

static void __attribute__((noreturn))
refuse(const char *option, const char *path)
{
	errx(EXIT_PROFIL, "%s: cannot read %s (%s)", option,
	     profil_file_name(path), strerror(errno));
}

/* An empty line is none. */
static void add_file(struct credentials *credentials, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!file)
		refuse("--header", path);
	errno = 0;
	while (getline(&line, &room, file) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (*line)
			add(credentials, line);
	}
	if (ferror(file))
		refuse("--header", path);
	free(line);
	fclose(file);
}

void profil_credentials_read(struct credentials *credentials,
			     char *const *words, const char *netrc)
{
	*credentials = (struct credentials){ .netrc = netrc };
	for (; *words; words++)
		if (**words == '@')
			add_file(credentials, *words + 1);
		else
			add(credentials, *words);
	if (netrc && access(netrc, R_OK))
		refuse("--netrc", netrc);
}

void profil_credentials_free(struct credentials *credentials)
{
	for (size_t i = 0; i < credentials->nr; i++)
		free(credentials->headers[i]);
	free(credentials->headers);
	*credentials = (struct credentials){ 0 };
}
