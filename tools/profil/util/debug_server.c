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
