/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending of a profile */
#ifndef PROFIL_PUSH_SEND_H
#define PROFIL_PUSH_SEND_H

#include <stddef.h>

#include "profile/profile.h"
#include "push/endpoint.h"

/* Load libcurl; exits with a sentence if it is not installed. */
void profil_curl_load(void);

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
 * Send @profile with the labels @given and its own, within @timeout_ms. @text, of
 * SEND_TEXT bytes, is the reason if it was not taken.
 */
enum send_result profil_send(const struct endpoint *endpoint,
			     const struct labels *given,
			     const struct profile *profile, long timeout_ms,
			     char *text);

#endif
