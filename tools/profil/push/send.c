// SPDX-License-Identifier: GPL-2.0-only
/* Sending of a profile */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "push/curl.h"
#include "push/message.h"
#include "push/send.h"
#include "util/text.h"

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
	struct message message;
	struct labels labels;

	profil_labels_make(&labels, given, profile);
	profil_message_make(&message, endpoint, &labels, profile);
	request = (struct curl_request){
		.url = message.url,
		.type = message.type,
		.credentials = &endpoint->credentials,
		.body = message.body,
		.size = message.size,
		.timeout_ms = timeout_ms,
	};
	profil_curl_post(&request, &answer);
	profil_message_free(&message);
	profil_labels_free(&labels);
	explain(&answer, text);
	return result_of(answer.status);
}
