// SPDX-License-Identifier: GPL-2.0-only
/* Where profiles are pushed to, with which labels, and for which user */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "include/reach.h"
#include "push/endpoint.h"
#include "util/array.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/memory.h"
#include "util/text.h"

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
static void add_header(struct credentials *credentials, const char *line)
{
	if (!is_header(line))
		errx(EXIT_PROFIL,
		     "--header: give a line \"NAME: VALUE\", or @FILE with such lines; not those of the content");
	ARRAY_ADD(credentials->headers, credentials->nr,
		  profil_copy_string(line));
}

static void __attribute__((noreturn))
refuse(const char *option, const char *path)
{
	errx(EXIT_PROFIL, "%s: cannot read %s (%s)", option,
	     profil_file_name(path), strerror(errno));
}

/* An empty line is none. */
static void add_headers(struct credentials *credentials, const char *path)
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
			add_header(credentials, line);
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
	for (; words && *words; words++)
		if (**words == '@')
			add_headers(credentials, *words + 1);
		else
			add_header(credentials, *words);
	if (netrc && access(netrc, R_OK))
		refuse("--netrc", netrc);
}

static void credentials_free(struct credentials *credentials)
{
	for (size_t i = 0; i < credentials->nr; i++)
		free(credentials->headers[i]);
	free(credentials->headers);
	*credentials = (struct credentials){ 0 };
}

/* URL to which profiles are pushed */

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
	credentials_free(&endpoint->credentials);
}

/*
 * Labels of a profile
 *
 * What both servers take is allowed: a name as Parca wants it, a value that may
 * stand in the braces of Pyroscope's name, and a service with the characters of
 * Pyroscope's applications.
 */

/* Pyroscope's limits, less the labels that are added here and there */
#define MAX_LABELS 20
#define MAX_BYTES 1024

#define BUILD_ID "build_id"

static bool is_service(unsigned char character)
{
	return isascii(character) &&
	       (isalnum(character) || strchr("_./-", character));
}

static bool is_value(unsigned char character)
{
	return !iscntrl(character) && !strchr(",{}", character);
}

/* The label @name may have @character in its value. */
static bool allows(const char *name, unsigned char character)
{
	return strcmp(name, LABEL_SERVICE) ? is_value(character) :
					     is_service(character);
}

static bool is_name(const char *name)
{
	if (!*name || isdigit((unsigned char)*name) || !strncmp(name, "__", 2))
		return false;
	while (isascii((unsigned char)*name) &&
	       (isalnum((unsigned char)*name) || *name == '_'))
		name++;
	return !*name;
}

static bool is_valid(const struct label *label)
{
	const char *value = label->value;

	if (!is_name(label->name) || !*value || strlen(value) > MAX_BYTES ||
	    strlen(label->name) > MAX_BYTES)
		return false;
	while (*value && allows(label->name, *value))
		value++;
	return !*value;
}

static struct label *find_label(const struct labels *labels, const char *name)
{
	for (size_t i = 0; i < labels->nr; i++)
		if (!strcmp(labels->array[i].name, name))
			return &labels->array[i];
	return NULL;
}

/* Take both strings; the last value of a name counts. */
static void take_label(struct labels *labels, char *name, char *value)
{
	struct label *label = find_label(labels, name);

	if (label) {
		free(name);
		free(label->value);
		label->value = value;
		return;
	}
	ARRAY_ADD(labels->array, labels->nr, (struct label){ name, value });
}

static void add_word(struct labels *labels, const char *word)
{
	const char *equal = strchrnul(word, '=');
	struct label label = {
		.name = strndup(word, equal - word),
		.value = profil_copy_string(*equal ? equal + 1 : ""),
	};

	if (!label.name)
		profil_memory_exhausted();
	if (!is_valid(&label))
		errx(EXIT_PROFIL,
		     "--label %s: give NAME=VALUE, as in version=1.2: a name of letters, digits and _, and a value without comma, brace and control characters; a service has letters, digits and _./- only",
		     word);
	take_label(labels, label.name, label.value);
}

void profil_labels_add_words(struct labels *labels, char *const *words)
{
	for (; words && *words; words++)
		add_word(labels, *words);
	if (labels->nr > MAX_LABELS)
		errx(EXIT_PROFIL, "--label: give %d labels at most",
		     MAX_LABELS);
}

/* Add a label of the recording, with _ for what is not allowed. */
static void add_label(struct labels *labels, const char *name,
		      const char *value)
{
	char *copy = profil_copy_string(value);

	for (char *at = copy; *at; at++)
		if (!allows(name, *at) || at - copy >= MAX_BYTES)
			*at = '_';
	if (strlen(copy) > MAX_BYTES)
		copy[MAX_BYTES] = '\0';
	if (*copy)
		take_label(labels, profil_copy_string(name), copy);
	else
		free(copy);
}

static void add_hex(struct labels *labels, const uint8_t *id, size_t size)
{
	char hex[2 * PROFILE_BUILD_ID + 1] = "";

	for (size_t i = 0; i < size && i < PROFILE_BUILD_ID; i++)
		sprintf(hex + 2 * i, "%02x", id[i]);
	add_label(labels, BUILD_ID, hex);
}

/* Build ID of the first program, if it has one and samples */
static void add_build_id(struct labels *labels, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (object->kind == PROFILE_FILE && profile->nr_programs &&
		    object->path == profile->programs[0])
			add_hex(labels, object->build_id,
				object->build_id_size);
	}
}

static void read_build_id(struct labels *labels, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	const void *id;
	ssize_t size = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;

	if (size > 0)
		add_hex(labels, id, size);
	elf_end(elf);
}

void profil_labels_add_build_id(struct labels *labels, const char *command)
{
	char path[REACH_PATH];
	int fd;

	labels->has_build_id = true;
	if (find_label(labels, BUILD_ID) || !profil_reach_find(command, path))
		return;
	elf_version(EV_CURRENT);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	read_build_id(labels, fd);
	close(fd);
}

void profil_labels_make(struct labels *labels, const struct labels *given,
			const struct profile *profile)
{
	const struct profile_head *head = &profile->head;

	*labels = (struct labels){ 0 };
	add_label(labels, LABEL_SERVICE,
		  head->argc && **head->argv ? profil_text_base(*head->argv) :
					       "unknown");
	add_label(labels, "host", head->host);
	if (!given->has_build_id)
		add_build_id(labels, profile);
	for (size_t i = 0; i < given->nr; i++)
		take_label(labels, profil_copy_string(given->array[i].name),
			   profil_copy_string(given->array[i].value));
}

const char *profil_labels_value(const struct labels *labels, const char *name)
{
	const struct label *label = find_label(labels, name);

	return label ? label->value : NULL;
}

void profil_labels_free(struct labels *labels)
{
	for (size_t i = 0; i < labels->nr; i++) {
		free(labels->array[i].name);
		free(labels->array[i].value);
	}
	free(labels->array);
	*labels = (struct labels){ 0 };
}
