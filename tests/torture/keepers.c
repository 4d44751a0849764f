// SPDX-License-Identifier: GPL-2.0-only
#include "keepers.h"

#include <errno.h>
#include <unistd.h>

#include "board.h"
#include "common.h"
#include "crowd.h"
#include "guest.h"
#include "operations/users.h"
#include "sessions.h"

#define NR_KEEPERS (1 + NR_USERS)

static struct holder keepers[NR_KEEPERS];
static bool are_there;

static int stay_root(const void *unused)
{
	(void)unused;
	return 0;
}

static struct holder new_holder(unsigned int nr)
{
	int fd = device_open();
	struct holder holder = nr ? holder_of(fd, FIRST_USER + nr - 1) :
				    holder_new(fd, stay_root, NULL);

	close(fd);
	return holder;
}

void keepers_begin(unsigned long long seed)
{
	unsigned int i;

	are_there = seed % 2 && !guest_missing() && !sessions_missing();
	for (i = 0; are_there && i < NR_KEEPERS; i++) {
		keepers[i] = new_holder(i);
		if (keepers[i].result)
			board_fail(SESSIONS, "keeper %u cannot START: %d", i,
				   keepers[i].result);
	}
}

/* The result of one more START of the user */
static int result_of_start(unsigned int nr)
{
	struct holder holder = new_holder(nr);

	holder_end(&holder);
	return holder.result;
}

/* Processes that have just ended are charged for a moment. */
static int result_in_the_end(unsigned int nr)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	int result;

	while ((result = result_of_start(nr)) == -EAGAIN && wall_ns() < until)
		sleep_ns(5 * NSEC_PER_MSEC);
	return result;
}

/* With a limit of two there is room for one more, and with a limit of one for none. */
static void check(unsigned int nr)
{
	int result;

	set_max_sessions(2);
	result = result_in_the_end(nr);
	if (result)
		board_fail(SESSIONS,
			   "keeper %u is not the only session of its user: %d",
			   nr, result);
	set_max_sessions(1);
	result = result_of_start(nr);
	if (result != -EAGAIN)
		board_fail(SESSIONS, "keeper %u is not charged: %d", nr,
			   result);
}

void keepers_end(void)
{
	char saved[32];
	unsigned int i;

	if (!are_there || param_read("max_sessions", saved, sizeof(saved)))
		return;
	for (i = 0; i < NR_KEEPERS; i++)
		check(i);
	param_write("max_sessions", saved);
	for (i = 0; i < NR_KEEPERS; i++)
		holder_end(&keepers[i]);
	are_there = false;
}
