// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile in the form in which a server takes it, and its way there
 *
 * Pyroscope takes the bytes of pprof at /ingest, with labels and times in the
 * query of the URL: name=SERVICE{LABEL=VALUE,...}. Parca's gateway takes the
 * message WriteRawRequest as JSON, where bytes are base64. A collector of OpenTelemetry
 * takes the message ProfilesData, with labels as attributes of the resource.
 */
#include <curl/curl.h>

#include "export/format.h"
#include "export/otlp.h"
#include "print/json.h"
#include "push/send.h"
#include "util/clock.h"

/* Name of a profile of CPU time, as Go's programs have it in Parca */
#define PARCA_NAME "process_cpu"

/* URL of a request, for Pyroscope with labels and times, and @size bytes of its body */
struct message {
	char *url;
	char *body;
	size_t size;
};

/* SERVICE{LABEL=VALUE,...}, to be freed */
static char *pyroscope_name(const struct option_list *labels)
{
	char *name;
	FILE *out = profil_memory_stream(&name, NULL);

	fprintf(out, "%s{", labels->items[0] + strlen(LABEL_SERVICE));
	for (size_t i = 1; i < labels->nr; i++)
		fprintf(out, "%s%s", i == 1 ? "" : ",", labels->items[i]);
	fputc('}', out);
	profil_memory_stream_end(out);
	return name;
}

static void make_pyroscope(struct message *message,
			   const struct endpoint *endpoint,
			   const struct option_list *labels,
			   const struct profile_head *head)
{
	uint64_t end = head->begin_ns + head->wall_ns;
	char *name = pyroscope_name(labels);
	char *escaped = curl_easy_escape(endpoint->curl, name, 0);
	FILE *out = profil_memory_stream(&message->url, NULL);

	if (!escaped)
		profil_memory_exhausted();
	fprintf(out, "%s?name=%s&from=%" PRIu64 "&until=%" PRIu64,
		endpoint->request->url, escaped,
		(uint64_t)(head->begin_ns / SECOND),
		(uint64_t)((end + SECOND - 1) / SECOND));
	fputs("&format=pprof&spyName=profil", out);
	profil_memory_stream_end(out);
	curl_free(escaped);
	free(name);
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

static void make_parca(struct message *message, const struct endpoint *endpoint,
		       const struct option_list *labels)
{
	char *pprof = message->body;
	size_t size = message->size;
	FILE *out = profil_memory_stream(&message->body, &message->size);

	fputs("{\"series\":[{\"labels\":{\"labels\":[{\"name\":\"__name__\",\"value\":\"" PARCA_NAME
	      "\"}",
	      out);
	for (size_t i = 0; i < labels->nr; i++) {
		const char *label = labels->items[i];
		int length = strcspn(label, "=");

		fprintf(out, ",{\"name\":\"%.*s\",\"value\":", length, label);
		profil_json_string(out, label + length + 1);
		fputc('}', out);
	}
	fputs("]},\"samples\":[{\"rawProfile\":\"", out);
	put_base64(out, pprof, size);
	fputs("\"}]}]}", out);
	profil_memory_stream_end(out);
	free(pprof);
	message->url = profil_copy_string(endpoint->request->url);
}

/* The body of Pyroscope, and part of that of Parca */
static void make_pprof(struct message *message, const struct profile *profile)
{
	FILE *out = profil_memory_stream(&message->body, &message->size);

	profil_format_pprof.write(profile, out);
	profil_memory_stream_end(out);
}

/* The label as an attribute: OpenTelemetry has names for some. */
static char *attribute_of(const char *label)
{
	const char *value = label + strlen(LABEL_SERVICE);

	if (!strncmp(label, LABEL_SERVICE, strlen(LABEL_SERVICE)))
		return profil_format("service.name=%s", value);
	value = label + strlen(LABEL_HOST);
	if (!strncmp(label, LABEL_HOST, strlen(LABEL_HOST)))
		return profil_format("host.name=%s", value);
	return profil_copy_string(label);
}

static void make_otlp(struct message *message, const struct endpoint *endpoint,
		      const struct option_list *labels,
		      const struct profile *profile)
{
	FILE *out = profil_memory_stream(&message->body, &message->size);
	struct option_list attributes = { 0 };

	for (size_t i = 0; i < labels->nr; i++)
		profil_option_list_add(&attributes,
				       attribute_of(labels->items[i]));
	profil_otlp_write(profile, (const char *const *)attributes.items,
			  attributes.nr, out);
	profil_memory_stream_end(out);
	profil_labels_free(&attributes);
	message->url = profil_copy_string(endpoint->request->url);
}

static void make(struct message *message, const struct endpoint *endpoint,
		 const struct profile *profile)
{
	struct option_list labels =
		profil_labels_make(&endpoint->request->labels, profile);

	if (endpoint->server != COLLECTOR)
		make_pprof(message, profile);
	if (endpoint->server == COLLECTOR)
		make_otlp(message, endpoint, &labels, profile);
	else if (endpoint->server == PARCA)
		make_parca(message, endpoint, &labels);
	else
		make_pyroscope(message, endpoint, &labels, &profile->head);
	profil_labels_free(&labels);
}

/* Keep the beginning of an answer; libcurl wants to hear that all was taken. */
static size_t keep(const char *bytes, size_t size, size_t nr, void *data)
{
	char *text = data;
	size_t length = strlen(text);

	snprintf(text + length, SEND_TEXT - length, "%.*s", (int)(size * nr),
		 bytes);
	return size * nr;
}

/*
 * The status of HTTP, with the beginning of the answer in @text. If it is 0, there is no
 * answer, and @text is the reason. No redirection is followed.
 */
static long post(CURL *curl, const struct message *message, long timeout_ms,
		 char *text)
{
	char reason[CURL_ERROR_SIZE] = "";
	long status = 0;
	int error;

	*text = '\0';
	curl_easy_setopt(curl, CURLOPT_URL, message->url);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, message->body);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
			 (curl_off_t)message->size);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, text);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
	error = curl_easy_perform(curl);
	if (error)
		snprintf(text, SEND_TEXT, "%s",
			 *reason ? reason : curl_easy_strerror(error));
	else
		curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

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

/*
 * A collector that took the request may have rejected the profile in it: the message
 * partial_success begins with the number of those.
 */
static bool is_rejected(const char *answer)
{
	return answer[0] == '\n' && answer[1] && answer[2] == '\b' && answer[3];
}

/* Bytes of an answer in a message */
#define ANSWER 160

/* What the status means to the user, in place of the answer or before its first line */
static void explain(long status, char *text)
{
	char answer[SEND_TEXT];

	snprintf(answer, sizeof(answer), "%.*s", (int)strcspn(text, "\r\n"),
		 text);
	if (status >= 300 && status < 400)
		snprintf(text, SEND_TEXT,
			 "status %ld: the server names another URL", status);
	else if (status)
		snprintf(text, SEND_TEXT, "status %ld%s%.*s", status,
			 *answer ? ": " : "", ANSWER, answer);
}

enum send_result profil_send(const struct endpoint *endpoint,
			     const struct profile *profile, long timeout_ms,
			     char *text)
{
	struct message message;
	long status;

	make(&message, endpoint, profile);
	status = post(endpoint->curl, &message, timeout_ms, text);
	free(message.url);
	free(message.body);
	if (endpoint->server == COLLECTOR && result_of(status) == SEND_TAKEN &&
	    is_rejected(text)) {
		snprintf(text, SEND_TEXT, "rejected with status %ld", status);
		return SEND_REFUSED;
	}
	explain(status, text);
	return result_of(status);
}
