// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call profil() where the driver may be missing, and print the results:
 *
 *	no_driver profil	one start: "RETURN ERRNO OWNER counted|idle"
 *	no_driver third		the same of the third of three starts
 *	no_driver sprofil	one start: "RETURN ERRNO OWNER"
 *	no_driver take-over COMMAND
 *				a start, COMMAND, a start, a stop: three OWNERs
 *	no_driver take-over-list COMMAND	the same, first by sprofil()
 *	no_driver lose-device	a start, a root without the device, a stop
 *	no_driver stops		a start and a stop in each way: OWNER and, after the
 *				last start, counted or idle
 *
 * OWNER is the owner of the running profile: libc, driver, none or both.
 */
#include <sys/profil.h>

#include "../selftests/profil/common.h"
#include "process_state.h"

static unsigned short counters[NR_SITES];
static unsigned short *volatile null_buffer;

/* The C library profiles by an interval timer. */
static const char *owner(void)
{
	struct itimerval timer;

	getitimer(ITIMER_PROF, &timer);
	if (timer.it_interval.tv_sec || timer.it_interval.tv_usec)
		return driver_is_on() ? "both" : "libc";
	return driver_is_on() ? "driver" : "none";
}

static int start_profil(void)
{
	return profil(counters, sizeof(counters), (uintptr_t)profil_sites,
		      SITE_SCALE(2));
}

static void print_result(int ret)
{
	int error = ret ? errno : 0;

	printf("%d %d %s", ret, error, owner());
}

static void print_profil(int ret)
{
	print_result(ret);
	puts(!ret && spin_until(5, counters, 2, 3) ? " counted" : " idle");
}

/*
 * SIGPROF is blocked: glibc's sprofil() can crash on a sample outside its
 * regions.
 */
static int start_sprofil(void)
{
	struct prof one = { counters, sizeof(counters), (uintptr_t)profil_sites,
			    SITE_SCALE(2) };
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGPROF);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	return sprofil(&one, 1, NULL, PROF_USHORT);
}

static int third_start(void)
{
	for (int i = 0; i < 2; i++) {
		start_profil();
		profil(null_buffer, 0, 0, 0);
	}
	return start_profil();
}

static void take_over(const char *command, int (*start)(void))
{
	start();
	printf("%s ", owner());
	fflush(stdout);
	if (system(command))
		exit(1);
	start_profil();
	printf("%s ", owner());
	profil(null_buffer, 0, 0, 0);
	puts(owner());
}

static void lose_device(void)
{
	int ret = start_profil();

	if (ret || chroot("/sys"))
		exit(1);
	ret = profil(null_buffer, 0, 0, 0);
	printf("%d %d\n", ret, errno);
}

/* By size, by scale, and by NULL; the last profile is as new as the first. */
static void stop_in_each_way(void)
{
	size_t sizes[] = { 0, 1, sizeof(counters), sizeof(counters), 0 };
	unsigned int scales[] = { 0xffff, 0xffff, 0, 1, 0 };

	for (int i = 0; i < 5; i++) {
		int ret = start_profil();

		printf("%s ", owner());
		ret |= profil(i < 4 ? counters : null_buffer, sizes[i],
			      (uintptr_t)profil_sites, scales[i]);
		printf("%s%s ", ret ? "error " : "", owner());
	}
	print_profil(start_profil());
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "profil"))
		print_profil(start_profil());
	else if (!strcmp(what, "sprofil"))
		print_result(start_sprofil());
	else if (!strcmp(what, "third"))
		print_profil(third_start());
	else if (!strcmp(what, "take-over") && argc == 3)
		take_over(argv[2], start_profil);
	else if (!strcmp(what, "take-over-list") && argc == 3)
		take_over(argv[2], start_sprofil);
	else if (!strcmp(what, "lose-device"))
		lose_device();
	else if (!strcmp(what, "stops"))
		stop_in_each_way();
	else
		return 2;
	return 0;
}
