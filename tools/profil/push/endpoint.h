/* SPDX-License-Identifier: GPL-2.0-only */
/* URL to which profiles are pushed */
#ifndef PROFIL_PUSH_ENDPOINT_H
#define PROFIL_PUSH_ENDPOINT_H

#include "push/credentials.h"

/**
 * enum endpoint_kind - protocol of a server
 * @ENDPOINT_PYROSCOPE: /ingest of Grafana Pyroscope
 * @ENDPOINT_PARCA: WriteRaw of Parca, as JSON
 */
enum endpoint_kind { ENDPOINT_PYROSCOPE, ENDPOINT_PARCA };

/**
 * struct endpoint - where profiles are pushed to
 * @kind: protocol, by the end of the path
 * @url: the URL
 * @shown: the URL without a password, for messages
 * @credentials: what the server wants to know of the user; none at first
 */
struct endpoint {
	enum endpoint_kind kind;
	const char *url;
	char *shown;
	struct credentials credentials;
};

/* Read @url, which has to remain; exits with a sentence if it is no endpoint. */
void profil_endpoint_parse(struct endpoint *endpoint, const char *url);
void profil_endpoint_free(struct endpoint *endpoint);

#endif
