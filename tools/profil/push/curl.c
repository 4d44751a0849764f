// SPDX-License-Identifier: GPL-2.0-only
/*
 * HTTP by libcurl
 *
 * The library is loaded when it is needed: it needs some thirty others, which no
 * other verb has to load, and profil is built and runs without it. The numbers
 * of options are part of its binary interface, which has not changed since 2006.
 */
#include <dlfcn.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "push/curl.h"
#include "util/exit_status.h"
#include "util/memory.h"

#define LIBRARY "libcurl.so.4"

/* Milliseconds for a connection */
#define CONNECT_MS 10000L

/* Bytes of libcurl's text of an error */
#define ERROR_SIZE 256

enum {
	GLOBAL_ALL = 3,
	NETRC_OPTIONAL = 1,
	RESPONSE_CODE = 0x200002,
};

enum {
	NETRC = 51,
	NOSIGNAL = 99,
	TIMEOUT_MS = 155,
	CONNECTTIMEOUT_MS = 156,
	WRITEDATA = 10001,
	URL = 10002,
	ERRORBUFFER = 10010,
	POSTFIELDS = 10015,
	USERAGENT = 10018,
	HTTPHEADER = 10023,
	NETRC_FILE = 10118,
	WRITEFUNCTION = 20011,
	POSTFIELDSIZE_LARGE = 30120,
};

struct curl_slist;

/* Functions of libcurl */
static struct {
	int (*global_init)(long flags);
	void *(*init)(void);
	int (*setopt)(void *handle, int option, ...);
	int (*perform)(void *handle);
	int (*getinfo)(void *handle, int info, ...);
	void (*cleanup)(void *handle);
	const char *(*strerror)(int error);
	struct curl_slist *(*append)(struct curl_slist *list, const char *text);
	void (*free_list)(struct curl_slist *list);
} curl;

static bool has_functions(void *library)
{
	curl.global_init = dlsym(library, "curl_global_init");
	curl.init = dlsym(library, "curl_easy_init");
	curl.setopt = dlsym(library, "curl_easy_setopt");
	curl.perform = dlsym(library, "curl_easy_perform");
	curl.getinfo = dlsym(library, "curl_easy_getinfo");
	curl.cleanup = dlsym(library, "curl_easy_cleanup");
	curl.strerror = dlsym(library, "curl_easy_strerror");
	curl.append = dlsym(library, "curl_slist_append");
	curl.free_list = dlsym(library, "curl_slist_free_all");
	return curl.global_init && curl.init && curl.setopt && curl.perform &&
	       curl.getinfo && curl.cleanup && curl.strerror && curl.append &&
	       curl.free_list;
}

void profil_curl_load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW);

	if (!library || !has_functions(library))
		errx(EXIT_PROFIL,
		     "profiles are pushed by libcurl, which is not installed; on Debian: sudo apt install libcurl4");
	if (curl.global_init(GLOBAL_ALL))
		profil_memory_exhausted();
}

/* Keep what there is room for; libcurl wants to hear that all was taken. */
static size_t keep(const char *bytes, size_t size, size_t nr, void *text)
{
	size_t length = strlen(text);
	size_t room = CURL_TEXT - 1 - length;
	size_t all = size * nr;

	memcpy((char *)text + length, bytes, all < room ? all : room);
	return all;
}

static void set(void *handle, const struct curl_request *request)
{
	curl.setopt(handle, URL, request->url);
	curl.setopt(handle, POSTFIELDS, request->body);
	curl.setopt(handle, POSTFIELDSIZE_LARGE, (long long)request->size);
	curl.setopt(handle, TIMEOUT_MS, request->timeout_ms);
	curl.setopt(handle, CONNECTTIMEOUT_MS, CONNECT_MS);
	curl.setopt(handle, NOSIGNAL, 1L);
	curl.setopt(handle, NETRC, (long)NETRC_OPTIONAL);
	curl.setopt(handle, NETRC_FILE, request->credentials->netrc);
	curl.setopt(handle, USERAGENT, "profil");
	curl.setopt(handle, WRITEFUNCTION, keep);
}

static void perform(void *handle, struct curl_answer *answer)
{
	char text[ERROR_SIZE] = "";
	int error;

	curl.setopt(handle, WRITEDATA, answer->text);
	curl.setopt(handle, ERRORBUFFER, text);
	error = curl.perform(handle);
	if (!error) {
		curl.getinfo(handle, RESPONSE_CODE, &answer->status);
		return;
	}
	snprintf(answer->text, sizeof(answer->text), "%s",
		 *text ? text : curl.strerror(error));
}

/* Append @line to *@list; libcurl copies it. */
static void append(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl.append(*list, line);

	if (!longer)
		profil_memory_exhausted();
	*list = longer;
}

static struct curl_slist *header_of(const struct curl_request *request)
{
	const struct credentials *credentials = request->credentials;
	struct curl_slist *header = NULL;

	append(&header, request->type);
	for (size_t i = 0; i < credentials->nr; i++)
		append(&header, credentials->headers[i]);
	return header;
}

void profil_curl_post(const struct curl_request *request,
		      struct curl_answer *answer)
{
	struct curl_slist *header = header_of(request);
	void *handle = curl.init();

	*answer = (struct curl_answer){ 0 };
	if (!handle)
		profil_memory_exhausted();
	set(handle, request);
	curl.setopt(handle, HTTPHEADER, header);
	perform(handle, answer);
	curl.cleanup(handle);
	curl.free_list(header);
}
