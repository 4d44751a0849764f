// SPDX-License-Identifier: GPL-2.0-only
/* Signals while names are looked up */
#include <signal.h>
#include <stddef.h>

#include "util/interrupt.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static volatile sig_atomic_t interrupted;

static void note(int signal)
{
	(void)signal;
	interrupted = 1;
}

void profil_interrupt_begin(void)
{
	struct sigaction action = {
		.sa_handler = note,
		.sa_flags = SA_RESETHAND | SA_RESTART,
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

bool profil_interrupted(void)
{
	return interrupted;
}
