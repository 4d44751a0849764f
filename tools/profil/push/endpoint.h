/* SPDX-License-Identifier: GPL-2.0-only */
/* Where profiles are pushed to, and their labels */
#ifndef PROFIL_ENDPOINT_H
#define PROFIL_ENDPOINT_H

#include "profile/profile.h"
#include "push/push.h"

/* Label that Pyroscope has as the name of an application */
#define LABEL_SERVICE "service="

/*
 * Labels of @profile, each name once and LABEL_SERVICE first, with those of @given in
 * place of its own
 */
struct option_list profil_labels_make(const struct option_list *given,
				      const struct profile *profile);
void profil_labels_free(struct option_list *labels);

/*
 * Where profiles are pushed to. @is_parca: it is WriteRaw of Parca, not /ingest of
 * Grafana Pyroscope. @shown: the URL without a password, for messages. @curl: handle of
 * libcurl
 */
struct endpoint {
	const struct push_request *request;
	bool is_parca;
	char *shown;
	struct curl_slist *header;
	void *curl;
};

/* @request remains. Exits with a sentence if a part of it is malformed. */
void profil_endpoint_begin(struct endpoint *endpoint,
			   const struct push_request *request);

#endif
