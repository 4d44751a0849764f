/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles of a recording on their way to a server */
#ifndef PROFIL_PUSH_STREAM_H
#define PROFIL_PUSH_STREAM_H

#include "push/sender.h"

/**
 * struct stream_request - options
 * @url: URL of the server, or NULL for none
 * @command: the command that is recorded
 * @labels: labels NAME=VALUE, ended by NULL; the end of the list while it is made
 * @headers: as of profil_credentials_read(); the same
 * @netrc: file with user names and passwords, or NULL
 * @spool: directory, or NULL for one beside the recording
 * @spool_mib: its limit in MiB
 */
struct stream_request {
	const char *url;
	const char *command;
	char **labels;
	char **headers;
	const char *netrc;
	const char *spool;
	long spool_mib;
};

/**
 * struct stream - profiles on their way
 * @sender: the process that sends them
 * @dropped: recordings that were dropped since the spool was full
 * @failed: recordings that could not be written to the spool
 * @error: errno of the last of them
 */
struct stream {
	struct sender sender;
	uint64_t dropped;
	uint64_t failed;
	int error;
};

/* Begin to send; exits with a sentence if the request cannot be met. */
void profil_stream_begin(struct stream *stream,
			 const struct stream_request *request);

/* Send @profile, which is one of a part of the time, unless it has no samples. */
void profil_stream_add(struct stream *stream, const struct profile *profile);

/* Send the rest, and print what is not sent, and unless @is_quiet, what is. */
void profil_stream_end(struct stream *stream, bool is_quiet);

#endif
