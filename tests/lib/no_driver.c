// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls profil() where there may be no driver, and says what came of it:
 *
 *	no_driver profil		one start: "RETURN ERRNO KEEPER counted|idle"
 *	no_driver thrice		the third of three, with stops between
 *	no_driver sprofil		one start: "RETURN ERRNO KEEPER"
 *	no_driver hand-over COMMAND
 *				a start, COMMAND, a start, a stop: three KEEPERs
 *	no_driver cut-off		a start, a root without the device, a stop
 *
 * KEEPER is who keeps a profile of this process: libc, driver or nobody.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <sys/profil.h>

#include "../selftests/profil/common.h"
#include "process_state.h"

static unsigned short counters[NR_SITES];
static unsigned short *volatile none;

/* The C library's way is an interval timer. */
static const char *keeper(void)
{
	struct itimerval timer;

	getitimer(ITIMER_PROF, &timer);
	if (timer.it_interval.tv_sec || timer.it_interval.tv_usec)
		return driver_is_on() ? "both" : "libc";
	return driver_is_on() ? "driver" : "nobody";
}

static int start_profil(void)
{
	return profil(counters, sizeof(counters), (uintptr_t)profil_sites,
		      SITE_SCALE(2));
}

static void tell(int ret)
{
	int error = ret ? errno : 0;

	printf("%d %d %s", ret, error, keeper());
}

static void tell_profil(int ret)
{
	tell(ret);
	puts(!ret && spin_until(5, counters, 2, 3) ? " counted" : " idle");
}

/* A sample outside its regions can end a program that uses glibc's sprofil(). */
static void try_sprofil(void)
{
	struct prof one = { counters, sizeof(counters), (uintptr_t)profil_sites,
			    SITE_SCALE(2) };
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGPROF);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	tell(sprofil(&one, 1, NULL, PROF_USHORT));
	puts("");
}

static int thrice(void)
{
	for (int i = 0; i < 2; i++) {
		start_profil();
		profil(none, 0, 0, 0);
	}
	return start_profil();
}

static void hand_over(const char *command)
{
	start_profil();
	printf("%s ", keeper());
	fflush(stdout);
	if (system(command))
		exit(1);
	start_profil();
	printf("%s ", keeper());
	profil(none, 0, 0, 0);
	puts(keeper());
}

static void cut_off(void)
{
	int ret = start_profil();

	if (ret || chroot("/sys"))
		exit(1);
	ret = profil(none, 0, 0, 0);
	printf("%d %d\n", ret, errno);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "profil"))
		tell_profil(start_profil());
	else if (!strcmp(what, "sprofil"))
		try_sprofil();
	else if (!strcmp(what, "thrice"))
		tell_profil(thrice());
	else if (!strcmp(what, "hand-over") && argc == 3)
		hand_over(argv[2]);
	else if (!strcmp(what, "cut-off"))
		cut_off();
	else
		return 2;
	return 0;
}
