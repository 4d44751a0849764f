/* SPDX-License-Identifier: GPL-2.0-only */
/* Where profiles are pushed to, and their labels */
#ifndef PROFIL_ENDPOINT_H
#define PROFIL_ENDPOINT_H

#include "profile/profile.h"
#include "push/push.h"

/* Label that Pyroscope has as the name of an application */
#define LABEL_SERVICE "service="

/* Label with the name of the machine */
#define LABEL_HOST "host="

/*
 * Labels of @profile, each name once and LABEL_SERVICE first, with those of @given in
 * place of its own
 */
struct option_list profil_labels_make(const struct option_list *given,
				      const struct profile *profile);
void profil_labels_free(struct option_list *labels);

/**
 * enum server - kind of a server
 * @PYROSCOPE: /ingest of Grafana Pyroscope
 * @PARCA: WriteRaw of Parca
 * @COLLECTOR: a collector of OpenTelemetry
 */
enum server { PYROSCOPE, PARCA, COLLECTOR };

/*
 * Where profiles are pushed to. @shown: the URL without a password, for messages. @curl: handle of
 * libcurl
 */
struct endpoint {
	const struct push_request *request;
	enum server server;
	char *shown;
	struct curl_slist *header;
	void *curl;
};

/* @request remains. Exits with a sentence if a part of it is malformed. */
void profil_endpoint_begin(struct endpoint *endpoint,
			   const struct push_request *request);

#endif
