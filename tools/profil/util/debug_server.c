// SPDX-License-Identifier: GPL-2.0-only
#include "util/debug_server.h"

#include "util/base.h"

/* Systems that are like one of the first LIKE have its packages; others have their own. */
#define LIKE 3
static const struct {
	const char *id;
	const char *url;
} servers[] = {
	{ "debian", "https://debuginfod.debian.net" },
	{ "ubuntu", "https://debuginfod.ubuntu.com" },
	{ "arch", "https://debuginfod.archlinux.org" },
	{ "fedora", "https://debuginfod.fedoraproject.org" },
	{ "centos", "https://debuginfod.centos.org" },
};

/* Server of the first of the words @ids that is one of the first @nr; or NULL */
static const char *find_id(char *ids, size_t nr)
{
	char *id;

	while ((id = strsep(&ids, " \"'\n")))
		for (size_t i = 0; i < nr; i++)
			if (!strcmp(id, servers[i].id))
				return servers[i].url;
	return NULL;
}

static FILE *open_release(const char *root)
{
	char *path = profil_format("%s/etc/os-release", root);
	FILE *file = fopen(path, "re");

	free(path);
	if (file)
		return file;
	path = profil_format("%s/usr/lib/os-release", root);
	file = fopen(path, "re");
	free(path);
	return file;
}

const char *profil_debug_server(const char *root)
{
	FILE *file = open_release(root);
	const char *own = NULL, *like = NULL;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "ID=", 3))
			own = find_id(line + 3,
				      sizeof(servers) / sizeof(*servers));
		else if (!strncmp(line, "ID_LIKE=", 8))
			like = find_id(line + 8, LIKE);
	}
	if (file)
		fclose(file);
	return own ? own : like;
}

/*
 * Print the URL @url, or another word of the list. A password or a query may have any of
 * these signs: where a @ is behind the others, what is the host is not known.
 */
static void show_server(FILE *out, const char *url)
{
	const char *scheme = strstr(url, "://");
	const char *rest = scheme ? scheme + strlen("://") : url;
	const char *at = strrchr(rest, '@'), *end = rest + strcspn(rest, "?#");

	fprintf(out, "%.*s", (int)(rest - url), url);
	if (at && at > end)
		fputs("...", out);
	else if (at)
		fprintf(out, "%.*s", (int)(end - at) - 1, at + 1);
	else
		fprintf(out, "%.*s", (int)(end - rest), rest);
}

char *profil_debug_servers_shown(const char *servers)
{
	char *list = profil_copy_string(servers), *rest = list, *url, *shown;
	size_t size;
	FILE *out = profil_memory_stream(&shown, &size);

	for (bool is_first = true; (url = strsep(&rest, " \t\n"));) {
		if (!*url)
			continue;
		if (!is_first)
			putc(' ', out);
		is_first = false;
		show_server(out, url);
	}
	profil_memory_stream_end(out);
	free(list);
	return shown;
}
