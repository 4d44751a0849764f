// SPDX-License-Identifier: GPL-2.0-only
/* URL to which profiles are pushed */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "push/endpoint.h"
#include "util/exit_status.h"
#include "util/memory.h"

/* End of the path for each kind */
static const char *const paths[] = {
	[ENDPOINT_PYROSCOPE] = "/ingest",
	[ENDPOINT_PARCA] = "/profiles/writeraw",
};

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);

	return length > size && !strcmp(text + length - size, end);
}

/* The part behind the scheme, or NULL */
static const char *behind_scheme(const char *url)
{
	if (!strncasecmp(url, "http://", 7))
		return url + 7;
	return strncasecmp(url, "https://", 8) ? NULL : url + 8;
}

static bool is_plain(const char *url)
{
	for (; *url; url++)
		if (!isgraph((unsigned char)*url) || strchr("?#", *url))
			return false;
	return true;
}

/* @url without what stands before an @ */
static char *without_password(const char *url)
{
	const char *host = behind_scheme(url);
	size_t authority = strcspn(host, "/");
	const char *at = memrchr(host, '@', authority);
	size_t size;
	char *text;
	FILE *out = profil_memory_stream(&text, &size);

	fprintf(out, "%.*s%s", (int)(host - url), url, at ? at + 1 : host);
	fclose(out);
	return text;
}

void profil_endpoint_parse(struct endpoint *endpoint, const char *url)
{
	const char *host = behind_scheme(url);

	if (!host || !is_plain(url) || !strcspn(host, "/"))
		errx(EXIT_PROFIL,
		     "give the URL of a server that takes profiles, as in http://HOST:4040/ingest");
	*endpoint = (struct endpoint){
		.url = url,
		.shown = without_password(url),
	};
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		endpoint->kind = i;
		if (ends_with(host, paths[i]))
			return;
	}
	errx(EXIT_PROFIL,
	     "%s: the path shows the kind of the server: /ingest is Pyroscope's, /api/profiles/writeraw is Parca's",
	     endpoint->shown);
}

void profil_endpoint_free(struct endpoint *endpoint)
{
	free(endpoint->shown);
	profil_credentials_free(&endpoint->credentials);
}
