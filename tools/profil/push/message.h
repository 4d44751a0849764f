/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile in the form in which a server takes it */
#ifndef PROFIL_PUSH_MESSAGE_H
#define PROFIL_PUSH_MESSAGE_H

#include <stddef.h>

#include "profile/profile.h"
#include "push/endpoint.h"
#include "push/labels.h"

/**
 * struct message - URL and body of a request
 * @url: the URL, with labels and times for Pyroscope
 * @type: header of the type of @body
 * @body: @size bytes
 * @size: bytes of @body
 */
struct message {
	char *url;
	const char *type;
	char *body;
	size_t size;
};

void profil_message_make(struct message *message,
			 const struct endpoint *endpoint,
			 const struct labels *labels,
			 const struct profile *profile);
void profil_message_free(struct message *message);

#endif
