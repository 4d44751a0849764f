// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configuration of modprobe: files *.conf of the directories of modprobe.d(5)
 *
 * "install profil COMMAND" executes a command in place of loading the module.
 * "blacklist profil" keeps the module from being loaded at boot.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "doctor/modprobe.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define BLANKS " \t\n"

/* A file hides those of the same name in later directories. */
static const char *const directories[] = {
	"/etc/modprobe.d",     "/run/modprobe.d", "/usr/local/lib/modprobe.d",
	"/usr/lib/modprobe.d", "/lib/modprobe.d",
};

/* A command may load the module after all. */
static bool loads(const char *command)
{
	if (!command) /* the rest of a line, for some strtok_r() */
		return false;
	return strstr(command, "--ignore-install") || strstr(command, " -i ");
}

/* Read the words of @line, which is changed; false if it has no rule. */
static bool read_rule(char *line, struct modprobe_rule *rule)
{
	char *rest = line;
	char *word = strtok_r(rest, BLANKS, &rest);
	char *module = word ? strtok_r(NULL, BLANKS, &rest) : NULL;

	if (!module || strcmp(module, "profil"))
		return false;
	rule->replaces = !strcmp(word, "install");
	rule->word = rule->replaces ? "install" : "blacklist";
	if (rule->replaces)
		return !loads(rest);
	return !strcmp(word, "blacklist");
}

static bool read_file(const struct machine *machine, const char *path,
		      struct modprobe_rule *rule)
{
	FILE *file = profil_machine_open(machine, path);
	bool found = false;
	char line[4096];

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = read_rule(line, rule);
	fclose(file);
	if (found)
		snprintf(rule->file, sizeof(rule->file), "%s", path);
	return found;
}

static bool is_hidden(const struct machine *machine, size_t directory,
		      const char *name)
{
	for (size_t i = 0; i < directory; i++)
		if (profil_machine_has(machine, "%s/%s", directories[i], name))
			return true;
	return false;
}

static bool is_configuration(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && !strcmp(name + length - 5, ".conf");
}

/* A rule that replaces the loading is preferred. */
static void read_directory(const struct machine *machine, size_t index,
			   struct modprobe_rule *rule)
{
	struct modprobe_rule other;
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *directory;

	if (!profil_machine_path(machine, path, sizeof(path), "%s",
				 directories[index]))
		return;
	directory = opendir(path);
	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (!is_configuration(entry->d_name) ||
		    is_hidden(machine, index, entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directories[index],
			 entry->d_name);
		if (!rule->replaces && read_file(machine, path, &other))
			*rule = other;
	}
	closedir(directory);
}

bool profil_modprobe_find(const struct machine *machine,
			  struct modprobe_rule *rule)
{
	*rule = (struct modprobe_rule){ 0 };
	for (size_t i = 0; i < COUNT(directories); i++)
		read_directory(machine, i, rule);
	return rule->word;
}
