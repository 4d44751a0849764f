/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending of a profile to a server */
#ifndef PROFIL_SEND_H
#define PROFIL_SEND_H

#include "push/endpoint.h"

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
