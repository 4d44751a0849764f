// SPDX-License-Identifier: GPL-2.0-only
/* Profiles of a recording on their way to a server, by a spool and a process */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "push/send.h"
#include "push/stream.h"
#include "util/exit_status.h"
#include "util/output.h"
#include "util/text.h"

/*
 * Spool: a directory of recordings that wait for a server
 *
 * Each is a profil.data of a part of the time, named by its beginning: the first
 * name is the oldest.
 */

/**
 * struct spool_state - what is in a spool
 * @oldest: path of the oldest file, or ""
 * @files: number of files
 * @bytes: sum of their sizes
 */
struct spool_state {
	char oldest[PATH_MAX];
	uint64_t files;
	uint64_t bytes;
};

/* Digits of nanoseconds since 1970 in a name: names sort by time. */
#define DIGITS 20
#define SUFFIX ".data"

/* A file that is being written has a name with another suffix. */
#define UNFINISHED ".new"

static bool is_recording(const char *name)
{
	size_t length = strlen(name);

	return strspn(name, "0123456789") == DIGITS && length > DIGITS &&
	       !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

static bool path_of(const struct spool *spool, const char *name, char *path)
{
	return snprintf(path, PATH_MAX, "%s/%s", spool->directory, name) <
	       PATH_MAX;
}

/* Files of an earlier profil that was killed while it wrote */
static void remove_unfinished(const struct spool *spool)
{
	DIR *directory = opendir(spool->directory);
	struct dirent *entry;
	char path[PATH_MAX];

	while (directory && (entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);

		if (strspn(entry->d_name, "0123456789") == DIGITS &&
		    !strcmp(entry->d_name + length - strlen(UNFINISHED),
			    UNFINISHED) &&
		    path_of(spool, entry->d_name, path))
			unlink(path);
	}
	if (directory)
		closedir(directory);
}

/* Make the directory; exits with a sentence if it cannot be used. */
static void spool_require(const struct spool *spool)
{
	int error = 0;

	if (mkdir(spool->directory, 0700) && errno != EEXIST)
		error = errno;
	else if (access(spool->directory, R_OK | W_OK | X_OK))
		error = errno;
	else if (strlen(spool->directory) > PATH_MAX / 2)
		error = ENAMETOOLONG;
	if (error)
		errx(EXIT_PROFIL,
		     "cannot use the directory %s (%s): name another one with --spool",
		     spool->directory, strerror(error));
	remove_unfinished(spool);
}

static int write_file(const char *path, const struct profile *profile)
{
	FILE *file = fopen(path, "wxe");
	int error;

	if (!file)
		return -errno;
	error = fchmod(fileno(file), 0600) ? -errno : 0;
	if (!error)
		error = profil_data_write(profile, fileno(file));
	if (fclose(file) && !error)
		error = -errno;
	return error;
}

/* Add @profile: 0 or -errno. The file has its name when it is complete. */
static int spool_add(const struct spool *spool, const struct profile *profile)
{
	char name[64], path[PATH_MAX], unfinished[PATH_MAX];
	int error;

	snprintf(name, sizeof(name), "%0*" PRIu64 "-%d" SUFFIX, DIGITS,
		 profile->head.begin_ns, getpid());
	if (!path_of(spool, name, path))
		return -ENAMETOOLONG;
	memcpy(strrchr(name, '.'), UNFINISHED, sizeof(UNFINISHED));
	path_of(spool, name, unfinished);
	error = write_file(unfinished, profile);
	if (!error && rename(unfinished, path))
		error = -errno;
	if (error)
		unlink(unfinished);
	return error;
}

static void consider(const struct spool *spool, const char *name,
		     struct spool_state *state)
{
	struct stat status;
	char path[PATH_MAX];

	if (!is_recording(name) || !path_of(spool, name, path) ||
	    stat(path, &status) || !S_ISREG(status.st_mode))
		return;
	state->files++;
	state->bytes += status.st_size;
	if (!*state->oldest || strcmp(path, state->oldest) < 0)
		memcpy(state->oldest, path, sizeof(path));
}

static struct spool_state spool_look(const struct spool *spool)
{
	DIR *directory = opendir(spool->directory);
	struct spool_state state = { 0 };
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		consider(spool, entry->d_name, &state);
	if (directory)
		closedir(directory);
	return state;
}

/* Remove the oldest files until the rest is in the limit; the number of them */
static uint64_t spool_trim(const struct spool *spool)
{
	struct spool_state state = spool_look(spool);
	uint64_t removed = 0;

	while (state.bytes > spool->limit && *state.oldest) {
		/* The sender may have removed it. */
		if (!unlink(state.oldest))
			removed++;
		else if (errno != ENOENT)
			break;
		state = spool_look(spool);
	}
	return removed;
}

/* A process that sends what is in a spool */

/* Seconds of tries after the end of a recording */
#define SENDER_LAST_S 10

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
		struct spool_state state = spool_look(spool);

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

/* Start the process of @sender, whose first three members are set. */
static void sender_begin(struct sender *sender)
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

/*
 * Tell the process of a new recording. A full pipe wakes as well; the sender may
 * have died, by the OOM killer say.
 */
static void sender_wake(const struct sender *sender)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	ssize_t written;

	sigaction(SIGPIPE, &ignore, &before);
	written = write(sender->pipe, "", 1);
	(void)written;
	sigaction(SIGPIPE, &before, NULL);
}

/* Let the process send the rest, for SENDER_LAST_S at most, and wait for it. */
static void sender_end(struct sender *sender)
{
	close(sender->pipe);
	while (waitpid(sender->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

#define MIB 1048576ULL

void profil_stream_begin(struct stream *stream,
			 const struct stream_request *request)
{
	struct sender *sender = &stream->sender;

	*stream = (struct stream){ 0 };
	profil_endpoint_parse(&sender->endpoint, request->url);
	profil_credentials_read(&sender->endpoint.credentials, request->headers,
				request->netrc);
	profil_labels_add_words(&sender->labels, request->labels);
	profil_labels_add_build_id(&sender->labels, request->command);
	sender->spool = (struct spool){
		.directory = request->spool,
		.limit = request->spool_mib * MIB,
	};
	profil_curl_load();
	spool_require(&sender->spool);
	sender_begin(sender);
}

static void trim(struct stream *stream)
{
	const struct spool *spool = &stream->sender.spool;
	uint64_t dropped = spool_trim(spool);

	if (dropped && !stream->dropped)
		warnx("%s has reached its limit of %llu MiB: the oldest profiles are dropped",
		      spool->directory,
		      (unsigned long long)(spool->limit / MIB));
	stream->dropped += dropped;
}

void profil_stream_add(struct stream *stream, const struct profile *profile)
{
	int error;

	if (!profil_profile_total(profile))
		return;
	error = -spool_add(&stream->sender.spool, profile);
	if (error && !stream->failed++)
		warnx("cannot write to %s (%s): profiles are not pushed",
		      stream->sender.spool.directory, strerror(error));
	trim(stream);
	sender_wake(&stream->sender);
}

static const char *plural(uint64_t number)
{
	return number == 1 ? "" : "s";
}

static void tell_lost(const struct stream *stream)
{
	const struct sender_account *account = stream->sender.account;
	uint64_t lost = stream->dropped + stream->failed + account->refused +
			account->damaged;

	if (lost)
		warnx("%" PRIu64 " profile%s not pushed: %" PRIu64
		      " dropped at the limit, %" PRIu64 " not written, %" PRIu64
		      " refused, %" PRIu64 " damaged",
		      lost, plural(lost), stream->dropped, stream->failed,
		      account->refused, account->damaged);
}

void profil_stream_end(struct stream *stream, bool is_quiet)
{
	struct sender *sender = &stream->sender;
	struct spool_state state;

	sender_end(sender);
	state = spool_look(&sender->spool);
	if (!is_quiet)
		warnx("%" PRIu64 " profile%s pushed to %s",
		      sender->account->sent, plural(sender->account->sent),
		      sender->endpoint.shown);
	if (state.files)
		warnx("%" PRIu64
		      " profile%s left in %s: the next recording with this --spool pushes them, or profil push",
		      state.files, plural(state.files),
		      sender->spool.directory);
	else
		rmdir(sender->spool.directory);
	tell_lost(stream);
	munmap(sender->account, sizeof(*sender->account));
	profil_labels_free(&sender->labels);
	profil_endpoint_free(&sender->endpoint);
}
