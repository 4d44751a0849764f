// SPDX-License-Identifier: GPL-2.0-only
/* A process that sends what is in a spool */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "push/send.h"
#include "push/sender.h"
#include "util/exit_status.h"
#include "util/output.h"

#define FIRST_MS 1000L
#define LONGEST_MS 60000L
#define FOREVER -1L

/**
 * struct sending - state of the process
 * @sender: what it was started with
 * @input: its end of the pipe
 * @pause_ms: last pause, or 0 after a success
 * @end_ms: time when it has to end, or 0 while the recording lasts
 * @is_away: the user was told that the server takes nothing
 */
struct sending {
	const struct sender *sender;
	int input;
	long pause_ms;
	long end_ms;
	bool is_away;
};

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static long least(long one, long other)
{
	return one < other ? one : other;
}

long profil_sender_pause(long before)
{
	return before ? least(2 * before, LONGEST_MS) : FIRST_MS;
}

/* The terminal's signals are for the command, and readers of a pipe may wait. */
static void leave(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE };

	setsid();
	prctl(PR_SET_NAME, "profil-push");
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_IGN);
	for (int fd = 0; fd < 2; fd++) {
		close(fd);
		profil_output_null();
	}
}

/* Read the recording; false if it is none. */
static bool read_recording(const char *path, struct profile *profile)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char text[DATA_ERROR_TEXT];
	bool is_good;

	profil_profile_init(profile);
	if (fd < 0)
		return false;
	is_good = !profil_data_read(profile, fd, text);
	close(fd);
	return is_good;
}

static void tell_away(struct sending *sending, const char *text)
{
	if (!sending->is_away)
		warnx("%s takes no profiles (%s): they wait in %s",
		      sending->sender->endpoint.shown, text,
		      sending->sender->spool.directory);
	sending->is_away = true;
}

static void tell_taken(struct sending *sending)
{
	if (sending->is_away)
		warnx("%s takes profiles again",
		      sending->sender->endpoint.shown);
	sending->is_away = false;
}

/* Count and tell of what became of a recording; false if it has to wait. */
static bool account_for(struct sending *sending, enum send_result result,
			const char *text)
{
	struct sender_account *account = sending->sender->account;

	switch (result) {
	case SEND_TAKEN:
		account->sent++;
		tell_taken(sending);
		return true;
	case SEND_REFUSED:
		if (!account->refused++)
			warnx("%s refuses a profile, which is dropped (%s)",
			      sending->sender->endpoint.shown, text);
		return true;
	default:
		tell_away(sending, text);
		return false;
	}
}

static long request_ms(const struct sending *sending)
{
	long left = sending->end_ms - now_ms();

	if (!sending->end_ms)
		return SEND_MS;
	return left > 0 ? least(left, SEND_MS) : 1;
}

/* False if the recording has to wait */
static bool send_one(struct sending *sending, const char *path)
{
	const struct sender *sender = sending->sender;
	struct profile profile;
	char text[SEND_TEXT];
	bool is_done = true;

	if (!read_recording(path, &profile)) {
		sender->account->damaged += !access(path, F_OK);
	} else {
		is_done = account_for(sending,
				      profil_send(&sender->endpoint,
						  &sender->labels, &profile,
						  request_ms(sending), text),
				      text);
	}
	if (is_done)
		unlink(path);
	profil_profile_free(&profile);
	return is_done;
}

/* At the end of the recording the next try is made at once. */
static void note_end(struct sending *sending)
{
	sending->end_ms = now_ms() + SENDER_LAST_S * 1000;
	sending->pause_ms = 0;
}

/*
 * Wait for @wait_ms, or FOREVER, and for the end of the recording; with
 * @is_idle, for a new recording, too.
 */
static void wait_for(struct sending *sending, long wait_ms, bool is_idle)
{
	struct pollfd input = { .fd = sending->input, .events = POLLIN };
	long until = now_ms() + wait_ms;
	char bytes[64];

	do {
		long left = wait_ms == FOREVER ? FOREVER : until - now_ms();

		if (wait_ms != FOREVER && left <= 0)
			return;
		if (poll(&input, 1, left) <= 0)
			continue;
		if (read(sending->input, bytes, sizeof(bytes)) > 0)
			continue;
		note_end(sending);
		return;
	} while (!is_idle);
}

/* A random part of the pause keeps many machines from coming at once. */
static void pause_for_server(struct sending *sending)
{
	struct timespec step;
	long wait;

	sending->pause_ms = profil_sender_pause(sending->pause_ms);
	wait = sending->pause_ms / 2 + random() % (sending->pause_ms / 2);
	if (!sending->end_ms) {
		wait_for(sending, wait, false);
		return;
	}
	wait = least(wait, request_ms(sending));
	step = (struct timespec){ wait / 1000, wait % 1000 * 1000000 };
	nanosleep(&step, NULL);
}

static bool is_over(const struct sending *sending)
{
	return sending->end_ms && now_ms() >= sending->end_ms;
}

static void __attribute__((noreturn)) work(struct sending *sending)
{
	const struct spool *spool = &sending->sender->spool;

	leave();
	srandom(getpid() ^ time(NULL));
	while (!is_over(sending)) {
		struct spool_state state = profil_spool_look(spool);

		if (!*state.oldest && sending->end_ms)
			break;
		if (!*state.oldest)
			wait_for(sending, FOREVER, true);
		else if (send_one(sending, state.oldest))
			sending->pause_ms = 0;
		else
			pause_for_server(sending);
	}
	_exit(0);
}

void profil_sender_begin(struct sender *sender)
{
	struct sending sending = { .sender = sender };
	int ends[2];

	sender->account = mmap(NULL, sizeof(*sender->account),
			       PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sender->account == MAP_FAILED)
		err(EXIT_PROFIL, "cannot map shared memory");
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		err(EXIT_PROFIL, "cannot make a pipe");
	sender->pid = fork();
	if (sender->pid < 0)
		err(EXIT_PROFIL, "cannot fork");
	if (!sender->pid) {
		close(ends[1]);
		sending.input = ends[0];
		work(&sending);
	}
	close(ends[0]);
	sender->pipe = ends[1];
}

/* A full pipe wakes as well; the sender may have died, by the OOM killer say. */
void profil_sender_wake(const struct sender *sender)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	ssize_t written;

	sigaction(SIGPIPE, &ignore, &before);
	written = write(sender->pipe, "", 1);
	(void)written;
	sigaction(SIGPIPE, &before, NULL);
}

void profil_sender_end(struct sender *sender)
{
	close(sender->pipe);
	while (waitpid(sender->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
