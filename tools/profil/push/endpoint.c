// SPDX-License-Identifier: GPL-2.0-only
/* Where profiles are pushed to, with which labels, and for which user */
#include <ctype.h>
#include <curl/curl.h>
#include <fnmatch.h>
#include <regex.h>
#include <strings.h>

#include "push/endpoint.h"
#include "util/output.h"
#include "util/text.h"

/* Milliseconds for a connection */
#define CONNECT_MS 10000L

/* The whole text, and the groups of the pattern of a URL */
#define GROUPS 4

/* @text matches the extended regular expression, in which cases are equal. */
static bool matches(const char *pattern, const char *text, regmatch_t *groups)
{
	regex_t regex;
	bool is_match;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_ICASE))
		profil_memory_exhausted();
	is_match = !regexec(&regex, text, groups ? GROUPS : 0, groups, 0);
	regfree(&regex);
	return is_match;
}

/* What is no part of a URL here: queries are ours. */
#define NOT_HERE "?#[:space:][:cntrl:]"

/*
 * The scheme, the user and password, and the rest. A password may have a slash by mistake:
 * what is before any @ is never printed.
 */
static const char url_pattern[] = "^(https?://)([^/" NOT_HERE
				  "]*@)?([^/@" NOT_HERE "]+[^@" NOT_HERE "]*)$";

/* Ends of the URL of each kind of server, and types of the body */
static const char *const paths[] = {
	[PYROSCOPE] = "*/ingest",
	[PARCA] = "*/profiles/writeraw",
	[COLLECTOR] = "*/v1development/profiles",
};
static const char *const types[] = {
	[PYROSCOPE] = "Content-Type: application/octet-stream",
	[PARCA] = "Content-Type: application/json",
	[COLLECTOR] = "Content-Type: application/x-protobuf",
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

static void parse_url(struct endpoint *endpoint, const char *url)
{
	regmatch_t groups[GROUPS];
	unsigned int server = 0;
	const char *rest;

	if (!matches(url_pattern, url, groups))
		die_err("give the URL of a server that takes profiles, as in http://HOST:4040/ingest");
	rest = url + groups[3].rm_so;
	endpoint->shown = profil_format("%.*s%s", groups[1].rm_eo, url, rest);
	while (server < NR(paths) && fnmatch(paths[server], rest, 0))
		server++;
	if (server == NR(paths))
		die_err("%s: the path shows the kind of the server: /ingest is Pyroscope's, /api/profiles/writeraw is Parca's, /v1development/profiles is an OpenTelemetry collector's",
			endpoint->shown);
	endpoint->server = server;
}

/* Credentials */

static void append(struct endpoint *endpoint, const char *line)
{
	endpoint->header = curl_slist_append(endpoint->header, line);
	if (!endpoint->header)
		profil_memory_exhausted();
}

/* Characters of a name by RFC 9110, and a value without control characters */
static const char header_pattern[] =
	"^[-!#$%&'*+.^_`|~0-9A-Z]+: *[^ [:cntrl:]][^[:cntrl:]]*$";

/*
 * The type and the length of the body are those of the profile. The line is not
 * printed: it may be a secret.
 */
static void add_header(struct endpoint *endpoint, const char *line)
{
	if (!strncasecmp(line, "Content-", 8) ||
	    !matches(header_pattern, line, NULL))
		die_err("--header: give a line \"NAME: VALUE\", or @FILE with such lines; not those of the content");
	append(endpoint, line);
}

static void __attribute__((noreturn))
refuse(const char *option, const char *path)
{
	die_err("%s: cannot read %s (%s)", option, profil_file_name(path),
		strerror(errno));
}

/* An empty line is none. */
static void add_headers(struct endpoint *endpoint, const char *path)
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
			add_header(endpoint, line);
	}
	if (ferror(file))
		refuse("--header", path);
	free(line);
	fclose(file);
}

static void read_headers(struct endpoint *endpoint, char **words)
{
	append(endpoint, types[endpoint->server]);
	for (; words && *words; words++)
		if (**words == '@')
			add_headers(endpoint, *words + 1);
		else
			add_header(endpoint, *words);
}

/*
 * Labels of a profile
 *
 * What all servers take is allowed: a name as Parca wants it, a value that may
 * stand in the braces of Pyroscope's name, and a service with the characters of
 * Pyroscope's applications.
 */

/* Labels that the user may give, as Pyroscope limits them */
#define MAX_LABELS 20

/* Bytes of a name or a value */
#define MAX_BYTES 1024

/* Bytes of the name in @label, with = */
static size_t name_size(const char *label)
{
	return strcspn(label, "=") + 1;
}

/* The value of @label may have @byte. */
static bool allows(const char *label, unsigned char byte)
{
	if (!strncmp(label, LABEL_SERVICE, strlen(LABEL_SERVICE)))
		return isascii(byte) && (isalnum(byte) || strchr("_./-", byte));
	return !iscntrl(byte) && !strchr(",{}", byte);
}

static bool is_label(const char *label)
{
	const char *value = label + name_size(label);

	if (!matches("^[A-Z_][0-9A-Z_]*=", label, NULL) ||
	    !strncmp(label, "__", 2) || !*value ||
	    value - label > MAX_BYTES + 1 || strlen(value) > MAX_BYTES)
		return false;
	while (*value && allows(label, *value))
		value++;
	return !*value;
}

static void check_labels(const struct option_list *labels)
{
	for (size_t i = 0; i < labels->nr; i++)
		if (!is_label(labels->items[i]))
			die_err("--label %s: give NAME=VALUE, as in version=1.2: a name of letters, digits and _, and a value without comma, brace and control characters; a service has letters, digits and _./- only",
				labels->items[i]);
	if (labels->nr > MAX_LABELS)
		die_err("--label: give %d labels at most", MAX_LABELS);
}

/* Take @label; the last value of a name counts. */
static void take_label(struct option_list *labels, char *label)
{
	for (size_t i = 0; i < labels->nr; i++) {
		if (strncmp(labels->items[i], label, name_size(label)))
			continue;
		free(labels->items[i]);
		labels->items[i] = label;
		return;
	}
	profil_option_list_add(labels, label);
}

/* Add a label of the recording, with _ for what is not allowed. */
static void add_own(struct option_list *labels, const char *name,
		    const char *value)
{
	char *label;

	if (!*value)
		return;
	label = profil_format("%s%.*s", name, MAX_BYTES, value);
	for (char *at = label + strlen(name); *at; at++)
		if (!allows(label, *at))
			*at = '_';
	take_label(labels, label);
}

/* Build ID of the first program, if it has one and is in the profile */
static void add_build_id(struct option_list *labels,
			 const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];
		char hex[2 * FILE_BUILD_ID + 1];

		if (object->kind != PROFILE_FILE || !profile->nr_programs ||
		    object->path != profile_file_of(profile->programs))
			continue;
		profil_object_build_id(object, hex);
		add_own(labels, "build_id=", hex);
	}
}

/* The programs of a machine have no name together, apart from a cgroup. */
static const char *service_of(const struct profile_head *head)
{
	if (head->table == TABLE_MACHINE)
		return *head->cgroup ? head->cgroup : "machine";
	if (head->argc && **head->argv)
		return profil_text_base(*head->argv);
	return "unknown";
}

struct option_list profil_labels_make(const struct option_list *given,
				      const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	struct option_list labels = { 0 };

	add_own(&labels, LABEL_SERVICE, service_of(head));
	add_own(&labels, LABEL_HOST, head->host);
	if (head->table != TABLE_MACHINE)
		add_build_id(&labels, profile);
	for (size_t i = 0; i < given->nr; i++)
		take_label(&labels, profil_copy_string(given->items[i]));
	return labels;
}

void profil_labels_free(struct option_list *labels)
{
	while (labels->nr)
		free(labels->items[--labels->nr]);
	free(labels->items);
}

/* A connection for each request: a server may have gone away between two. */
static void begin_curl(struct endpoint *endpoint)
{
	const char *netrc = endpoint->request->netrc;
	CURL *curl = curl_easy_init();

	if (!curl)
		profil_memory_exhausted();
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, endpoint->header);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	/* The working directory will be another one. */
	if (netrc)
		curl_easy_setopt(curl, CURLOPT_NETRC_FILE,
				 realpath(netrc, NULL));
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "profil");
	endpoint->curl = curl;
}

void profil_endpoint_begin(struct endpoint *endpoint,
			   const struct push_request *request)
{
	*endpoint = (struct endpoint){ .request = request };
	parse_url(endpoint, request->url);
	check_labels(&request->labels);
	read_headers(endpoint, request->headers.items);
	if (request->netrc && access(request->netrc, R_OK))
		refuse("--netrc", request->netrc);
	begin_curl(endpoint);
}
