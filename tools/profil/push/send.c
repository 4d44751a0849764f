// SPDX-License-Identifier: GPL-2.0-only
/* Sending of a profile: what a server takes, by libcurl */
#include <ctype.h>
#include <dlfcn.h>
#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/format.h"
#include "push/send.h"
#include "util/exit_status.h"
#include "util/memory.h"
#include "util/text.h"

/*
 * HTTP by libcurl
 *
 * The library is loaded when it is needed: it needs some thirty others, which no
 * other verb has to load, and profil is built and runs without it. The numbers
 * of options are part of its binary interface, which has not changed since 2006.
 */

/* Bytes of an answer that are kept, with the 0 at the end */
#define CURL_TEXT 512

/**
 * struct curl_request - a request POST
 * @url: the URL
 * @type: line of the header with the type of @body
 * @credentials: further lines of the header, and a file of passwords
 * @body: @size bytes
 * @size: bytes of @body
 * @timeout_ms: milliseconds after which the request ends
 */
struct curl_request {
	const char *url;
	const char *type;
	const struct credentials *credentials;
	const void *body;
	size_t size;
	long timeout_ms;
};

/**
 * struct curl_answer - the answer to a request
 * @status: status of HTTP; 0 if there was no answer
 * @text: beginning of the answer, or the reason why there is none
 */
struct curl_answer {
	long status;
	char text[CURL_TEXT];
};

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

/* Send @request after profil_curl_load(). No redirection is followed. */
static void curl_post(const struct curl_request *request,
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

/*
 * A profile in the form in which a server takes it
 *
 * Pyroscope takes the bytes of pprof at /ingest, with labels and times in the
 * query of the URL: name=SERVICE{LABEL=VALUE,...}. Parca's gateway takes the
 * message WriteRawRequest as JSON, where bytes are base64.
 */

/**
 * struct push_message - URL and body of a request
 * @url: the URL, with labels and times for Pyroscope
 * @type: header of the type of @body
 * @body: @size bytes
 * @size: bytes of @body
 */
struct push_message {
	char *url;
	const char *type;
	char *body;
	size_t size;
};

#define SECOND 1000000000ULL

/* Name of a profile of CPU time, as Go's programs have it in Parca */
#define PARCA_NAME "process_cpu"

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = *text;

		if (isascii(byte) && (isalnum(byte) || strchr("-._~", byte)))
			fputc(byte, out);
		else
			fprintf(out, "%%%02X", byte);
	}
}

static void put_name(FILE *out, const struct labels *labels)
{
	const char *comma = "";

	put_escaped(out, profil_labels_value(labels, LABEL_SERVICE));
	put_escaped(out, "{");
	for (size_t i = 0; i < labels->nr; i++) {
		const struct label *label = &labels->array[i];

		if (!strcmp(label->name, LABEL_SERVICE))
			continue;
		put_escaped(out, comma);
		put_escaped(out, label->name);
		put_escaped(out, "=");
		put_escaped(out, label->value);
		comma = ",";
	}
	put_escaped(out, "}");
}

static void make_pyroscope(struct push_message *message, const char *url,
			   const struct labels *labels,
			   const struct profile_head *head)
{
	uint64_t end = head->begin_ns + head->wall_ns;
	size_t size;
	FILE *out = profil_memory_stream(&message->url, &size);

	fprintf(out, "%s?name=", url);
	put_name(out, labels);
	fprintf(out, "&from=%" PRIu64 "&until=%" PRIu64,
		(uint64_t)(head->begin_ns / SECOND),
		(uint64_t)((end + SECOND - 1) / SECOND));
	fputs("&format=pprof&spyName=profil", out);
	fclose(out);
	message->type = "Content-Type: application/octet-stream";
}

static void put_string(FILE *out, const char *text)
{
	char *utf8 = profil_text_utf8(text);

	fputc('"', out);
	for (const char *at = utf8; *at; at++) {
		if (strchr("\"\\", *at))
			fputc('\\', out);
		fputc(*at, out);
	}
	fputc('"', out);
	free(utf8);
}

static void put_label(FILE *out, const char *name, const char *value)
{
	fputs("{\"name\":", out);
	put_string(out, name);
	fputs(",\"value\":", out);
	put_string(out, value);
	fputc('}', out);
}

static void put_base64(FILE *out, const char *bytes, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		uint32_t three = 0;

		for (size_t j = i; j < i + 3; j++)
			three = three << 8 |
				(j < size ? (unsigned char)bytes[j] : 0);
		for (int digit = 0; digit < 4; digit++)
			fputc(i + digit > size ?
				      '=' :
				      digits[three >> (18 - 6 * digit) & 63],
			      out);
	}
}

static void make_parca(struct push_message *message, const char *url,
		       const struct labels *labels)
{
	char *pprof = message->body;
	size_t size = message->size;
	FILE *out = profil_memory_stream(&message->body, &message->size);

	fputs("{\"series\":[{\"labels\":{\"labels\":[", out);
	put_label(out, "__name__", PARCA_NAME);
	for (size_t i = 0; i < labels->nr; i++) {
		fputc(',', out);
		put_label(out, labels->array[i].name, labels->array[i].value);
	}
	fputs("]},\"samples\":[{\"rawProfile\":\"", out);
	put_base64(out, pprof, size);
	fputs("\"}]}]}", out);
	fclose(out);
	free(pprof);
	message->url = profil_copy_string(url);
	message->type = "Content-Type: application/json";
}

static void message_make(struct push_message *message,
			 const struct endpoint *endpoint,
			 const struct labels *labels,
			 const struct profile *profile)
{
	FILE *out = profil_memory_stream(&message->body, &message->size);

	profil_export_pprof(profile, out);
	fclose(out);
	if (endpoint->kind == ENDPOINT_PARCA)
		make_parca(message, endpoint->url, labels);
	else
		make_pyroscope(message, endpoint->url, labels, &profile->head);
}

static void message_free(struct push_message *message)
{
	free(message->url);
	free(message->body);
}

/* Characters of a server's answer in a message */
#define ANSWER 160

static enum send_result result_of(long status)
{
	if (status >= 200 && status < 300)
		return SEND_TAKEN;
	switch (status) {
	case 400: /* malformed */
	case 413: /* too large */
	case 415: /* of another type */
	case 422: /* beyond a limit */
		return SEND_REFUSED;
	case 0: /* none */
	case 408: /* too slow */
	case 425: /* too early */
	case 429: /* too many */
		return SEND_LATER;
	default:
		return status >= 500 ? SEND_LATER : SEND_WRONG;
	}
}

/* The first line of the answer, or what the status means to the user */
static void explain(const struct curl_answer *answer, char *text)
{
	char line[CURL_TEXT];
	char *printable, *cut;

	snprintf(line, sizeof(line), "%.*s", (int)strcspn(answer->text, "\r\n"),
		 answer->text);
	printable = profil_text_printable(line);
	cut = profil_text_cut(printable, ANSWER);
	if (!answer->status)
		snprintf(text, SEND_TEXT, "%s", cut);
	else if (answer->status >= 300 && answer->status < 400)
		snprintf(text, SEND_TEXT,
			 "status %ld: the server names another URL",
			 answer->status);
	else
		snprintf(text, SEND_TEXT, "status %ld%s%s", answer->status,
			 *cut ? ": " : "", cut);
	free(printable);
	free(cut);
}

enum send_result profil_send(const struct endpoint *endpoint,
			     const struct labels *given,
			     const struct profile *profile, long timeout_ms,
			     char *text)
{
	struct curl_request request;
	struct curl_answer answer;
	struct push_message message;
	struct labels labels;

	profil_labels_make(&labels, given, profile);
	message_make(&message, endpoint, &labels, profile);
	request = (struct curl_request){
		.url = message.url,
		.type = message.type,
		.credentials = &endpoint->credentials,
		.body = message.body,
		.size = message.size,
		.timeout_ms = timeout_ms,
	};
	curl_post(&request, &answer);
	message_free(&message);
	profil_labels_free(&labels);
	explain(&answer, text);
	return result_of(answer.status);
}
