// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile in the form in which a server takes it
 *
 * Pyroscope takes the bytes of pprof at /ingest, with labels and times in the
 * query of the URL: name=SERVICE{LABEL=VALUE,...}. Parca's gateway takes the
 * message WriteRawRequest as JSON, where bytes are base64.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/pprof.h"
#include "push/message.h"
#include "util/memory.h"
#include "util/text.h"

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

static void make_pyroscope(struct message *message, const char *url,
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

static void make_parca(struct message *message, const char *url,
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

void profil_message_make(struct message *message,
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

void profil_message_free(struct message *message)
{
	free(message->url);
	free(message->body);
}
