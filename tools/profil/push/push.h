/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sending of profiles to a server
 *
 * The credentials are in memory only: neither a recording nor a spool has them, and
 * no message prints them.
 */
#ifndef PROFIL_PUSH_H
#define PROFIL_PUSH_H

#include "profile/profile.h"
#include "util/option.h"

/*
 * Options and operands
 * @files: recordings, ended by NULL
 * @labels: as NAME=VALUE
 * @headers: lines "NAME: VALUE" of the header of requests, or @FILE
 * @netrc: file with user names and passwords, or NULL for ~/.netrc
 * @follow: directory of recordings, or NULL
 * @kernel: samples in kernel mode are those of functions of the kernel
 * @retry_ns: time in which a server that does not answer is tried again
 */
struct push_request {
	const char *url;
	char **files;
	struct option_list labels;
	struct option_list headers;
	const char *netrc;
	const char *follow;
	long spool_mib;
	bool kernel;
	uint64_t retry_ns;
};

/* Read the command line. Exits with a sentence, or the help. */
void profil_push_parse(int argc, char **argv, struct push_request *request);

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

/* Bytes for the reason of a failure */
#define SEND_TEXT 384

/* Milliseconds for a request */
#define SEND_MS 30000L

/**
 * enum send_result - result of sending a profile
 * @SEND_TAKEN: the server has it
 * @SEND_LATER: the server does not answer or is busy: worth another try
 * @SEND_WRONG: the server takes nothing at this URL or from this user
 * @SEND_REFUSED: the server does not take this profile
 */
enum send_result { SEND_TAKEN, SEND_LATER, SEND_WRONG, SEND_REFUSED };

/*
 * Send @profile within @timeout_ms. @text, of SEND_TEXT bytes, is the reason if it was
 * not taken.
 */
enum send_result profil_send(const struct endpoint *endpoint,
			     const struct profile *profile, long timeout_ms,
			     char *text);

#endif
