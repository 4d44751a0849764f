/* SPDX-License-Identifier: GPL-2.0-only */
/* HTTP by libcurl */
#ifndef PROFIL_PUSH_CURL_H
#define PROFIL_PUSH_CURL_H

#include <stddef.h>

#include "push/credentials.h"

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

/* Load libcurl; exits with a sentence if it is not installed. */
void profil_curl_load(void);

/* Send @request after profil_curl_load(). No redirection is followed. */
void profil_curl_post(const struct curl_request *request,
		      struct curl_answer *answer);

#endif
