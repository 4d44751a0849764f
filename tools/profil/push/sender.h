/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that sends what is in a spool
 *
 * It sends the oldest recording first, and removes it when the server has taken
 * or refused it. While the server is away it tries again after 1 second, then
 * after twice as long each time, up to a minute. It ends when profil has.
 */
#ifndef PROFIL_PUSH_SENDER_H
#define PROFIL_PUSH_SENDER_H

#include <stdint.h>
#include <sys/types.h>

#include "push/endpoint.h"
#include "push/labels.h"
#include "push/spool.h"

/* Seconds of tries after the end of a recording */
#define SENDER_LAST_S 10

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

/* Start the process of @sender, whose first three members are set. */
void profil_sender_begin(struct sender *sender);

/* Tell the process of a new recording. */
void profil_sender_wake(const struct sender *sender);

/* Let the process send the rest, for SENDER_LAST_S at most, and wait for it. */
void profil_sender_end(struct sender *sender);

/*
 * Pause before the next try, in milliseconds, after a pause of @before, or 0:
 * twice as long, up to a minute
 */
long profil_sender_pause(long before);

#endif
