// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who keeps the profile of this process
 *
 * The driver may come and go while a program runs: the module is loaded after
 * the program's first call, or the program changes its root and sees the
 * device no more. Whoever was told to start is the one to be told to stop.
 * Two threads that call at once get one of the two orders.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/fallback.h"
#include "core/owner.h"
#include "run/recorder.h"

enum { NOBODY, DRIVER, LIBC };

static atomic_int keeper;
static atomic_uint turn;

static void hand_over(int to)
{
	atomic_fetch_add(&turn, 1);
	if (atomic_exchange(&keeper, to) == LIBC && to != LIBC)
		profil_fallback_stop();
}

int profil_session_start(struct profil_start *start)
{
	int ret = profil_device(PROFIL_IOC_START, start);

	if (ret)
		return ret;
	profil_capture_yield();
	hand_over(DRIVER);
	return 0;
}

/* A profile that `profil run` keeps is not the program's to stop. */
int profil_session_stop(void)
{
	int ret;

	if (profil_capture_on())
		return 0;
	ret = profil_device(PROFIL_IOC_STOP, NULL);
	if (!ret)
		hand_over(NOBODY);
	return ret;
}

void profil_session_to_libc(bool on)
{
	atomic_fetch_add(&turn, 1);
	atomic_store(&keeper, on ? LIBC : NOBODY);
}

bool profil_session_in_driver(void)
{
	return atomic_load(&keeper) == DRIVER;
}

bool profil_session_is_on(void)
{
	return atomic_load(&keeper) != NOBODY;
}

unsigned int profil_session_turn(void)
{
	return atomic_load(&turn);
}

int profil_result(int ret, int saved_errno)
{
	errno = ret < 0 ? -ret : saved_errno;
	return ret < 0 ? -1 : 0;
}
