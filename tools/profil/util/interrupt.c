// SPDX-License-Identifier: GPL-2.0-only
/* Signals while names are looked up */
#include <signal.h>

#include "util/interrupt.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static volatile sig_atomic_t interrupted;
static void (*next)(int number) = SIG_DFL;
static void (*watcher)(void *data);
static void *watcher_data;

/* A signal of the terminal has ended the command, and the process in front passes it on. */
static void note(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code == SI_QUEUE &&
	    info->si_value.sival_int == INTERRUPT_OF_TERMINAL)
		return;
	interrupted = 1;
	signal(number, next);
}

void profil_interrupt_begin(void)
{
	struct sigaction action = {
		.sa_sigaction = note,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

void profil_interrupt_once(void)
{
	next = SIG_IGN;
}

void profil_interrupt_watch(void (*watch)(void *data), void *data)
{
	watcher = watch;
	watcher_data = data;
}

bool profil_interrupted(void)
{
	if (watcher)
		watcher(watcher_data);
	return interrupted;
}
