/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles of a recording on their way to a server, by a spool and a process
 *
 * The spool is a directory of recordings that wait for the server. Each is a
 * profil.data of a part of the time, named by its beginning: the first name is the
 * oldest.
 *
 * The process sends the oldest recording first, and removes it when the server has taken
 * or refused it. While the server is unreachable it tries again after 1 second, then
 * after twice as long each time, up to a minute. It ends when profil has.
 */
#ifndef PROFIL_PUSH_STREAM_H
#define PROFIL_PUSH_STREAM_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile/profile.h"
#include "push/endpoint.h"

/**
 * struct spool - a spool
 * @directory: its path
 * @limit: bytes of its files at most
 */
struct spool {
	const char *directory;
	uint64_t limit;
};

/**
 * struct sender_account - recordings that have left the spool
 * @sent: taken by the server
 * @refused: refused by the server
 * @damaged: unreadable
 */
struct sender_account {
	uint64_t sent;
	uint64_t refused;
	uint64_t damaged;
};

/**
 * struct sender - the process as profil knows it
 * @endpoint: where to
 * @labels: labels that the user has given
 * @spool: where from
 * @account: what was done, in memory that both processes share
 * @pid: the process
 * @pipe: profil's end of a pipe: a byte for each new recording
 */
struct sender {
	struct endpoint endpoint;
	struct labels labels;
	struct spool spool;
	struct sender_account *account;
	pid_t pid;
	int pipe;
};

/*
 * Pause before the next try, in milliseconds, after a pause of @before, or 0:
 * twice as long, up to a minute
 */
long profil_sender_pause(long before);

/**
 * struct stream_request - options
 * @url: URL of the server, or NULL for none
 * @command: the command that is recorded
 * @labels: labels NAME=VALUE, ended by NULL, or NULL
 * @headers: as of profil_credentials_read()
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
 */
struct stream {
	struct sender sender;
	uint64_t dropped;
	uint64_t failed;
};

/* Begin to send; exits with a sentence if the request cannot be met. */
void profil_stream_begin(struct stream *stream,
			 const struct stream_request *request);

/* Send @profile, which is one of a part of the time, unless it has no samples. */
void profil_stream_add(struct stream *stream, const struct profile *profile);

/* Send the rest, and print what is not sent, and unless @is_quiet, what is. */
void profil_stream_end(struct stream *stream, bool is_quiet);

#endif
