// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil-push: the program of `profil push`, which alone is linked with libcurl
 *
 * It sends recordings that are named, or those in a directory, the spool of profil
 * record --spool. Each of a spool is a profil.data of a part of the time, named by its
 * beginning: the first name is the oldest. A file has its name when it is complete, and
 * is removed when the server has taken or refused it. A lock keeps two processes from
 * sending the same files: the second waits for the end of the first.
 */
#include <glob.h>
#include <locale.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "elf/confined.h"
#include "profile/data_file.h"
#include "profile/kernel.h"
#include "push/send.h"
#include "read/files.h"
#include "resolve/resolve.h"
#include "util/clock.h"
#include "util/output.h"
#include "util/text.h"

#define FIRST_MS 1000L
#define LONGEST_MS 60000L

/* Pause before the next try after one of @before, or 0, in milliseconds */
static long pause_after(long before)
{
	if (!before)
		return FIRST_MS;
	return 2 * before < LONGEST_MS ? 2 * before : LONGEST_MS;
}

/* Milliseconds since some moment */
static long now_ms(void)
{
	return profil_now() / 1000000;
}

/* Recordings that are named */

/* Try until the server has @profile, or the time is over. */
static void send(const struct endpoint *endpoint, const char *file,
		 const struct profile *profile)
{
	long end = now_ms() + endpoint->request->retry_ns / 1000000;
	char text[SEND_TEXT];
	long pause = 0;

	for (;;) {
		enum send_result result =
			profil_send(endpoint, profile, SEND_MS, text);
		struct timespec step;

		if (result == SEND_TAKEN)
			return;
		pause = pause_after(pause);
		if (result != SEND_LATER || now_ms() + pause > end)
			break;
		step = (struct timespec){ .tv_sec = pause / 1000 };
		nanosleep(&step, NULL);
	}
	die_err("%s is not pushed: %s does not take it (%s)", file,
		endpoint->shown, text);
}

/* Files are read by a child, which answers with the profile. */
static void resolve_again(struct profile *profile)
{
	char text[DATA_ERROR_TEXT];
	struct confined child;
	struct profile named;

	if (!profil_debuginfod_has_servers())
		return;
	if (profil_confine(&child, NULL, 0)) {
		profil_resolve_again(profile);
		_exit(profil_data_write(profile, child.fd, DATA_TEXT) ?
			      EXIT_PROFIL :
			      0);
	}
	lseek(child.fd, 0, SEEK_SET);
	profil_profile_init(&named);
	if (child.status || profil_data_read(&named, child.fd, text)) {
		warnx("cannot look up names by DEBUGINFOD_URLS");
	} else {
		profil_profile_free(profile);
		*profile = named;
		profil_profile_init(&named);
	}
	profil_profile_free(&named);
	close(child.fd);
}

static void push_file(const struct endpoint *endpoint, char *file)
{
	struct profile profile;

	profil_files_read_data((char *[]){ file, NULL }, &profile);
	if (!profil_profile_total(&profile))
		die_err("push: %s has no samples", profil_file_name(file));
	resolve_again(&profile);
	if (endpoint->request->kernel)
		profil_files_enter_kernel(&profile);
	send(endpoint, profil_file_name(file), &profile);
	profil_profile_free(&profile);
}

static void push_files(const struct endpoint *endpoint)
{
	char **files = endpoint->request->files;
	int nr;

	push_file(endpoint, *files ?: DATA_NAME);
	for (nr = 1; *files && files[nr]; nr++)
		push_file(endpoint, files[nr]);
	warnx("%d profile%s pushed to %s", nr, plural(nr), endpoint->shown);
}

/* The recordings in a directory */

/*
 * Names begin with a number of 20 digits, nanoseconds since 1970: their order is that of
 * time.
 */
#define FOUR "[0-9][0-9][0-9][0-9]"
static const char complete[] = FOUR FOUR FOUR FOUR FOUR "-*.data";
static const char unfinished[] = FOUR FOUR FOUR FOUR FOUR "-*.data.*";

/* Seconds after which a file is one that a killed process has not finished */
#define UNFINISHED_S 60

#define MIB 1048576ULL

/**
 * struct follower - state of the process, whose working directory is that of the files
 * @endpoint: where to
 * @path: the directory
 * @directory: its descriptor
 * @signals: SIGTERM and SIGINT, which are blocked
 * @pause_ms: last pause, or 0 after a success
 * @next_ms: time of the next try
 * @end_ms: time of the last try, or 0 before the signal
 * @is_away: the user was told that the server takes nothing
 * @sent: profiles taken by the server
 * @refused: refused by it
 * @damaged: unreadable
 * @dropped: beyond the limit of the directory
 */
struct follower {
	const struct endpoint *endpoint;
	const char *path;
	int directory;
	sigset_t signals;
	long pause_ms;
	long next_ms;
	long end_ms;
	bool is_away;
	uint64_t sent;
	uint64_t refused;
	uint64_t damaged;
	uint64_t dropped;
};

static long milliseconds_to(long time)
{
	long left = time - now_ms();

	return left > 0 ? left : 0;
}

/* Exit because of the file @name: to go on would be to send it again. */
static void __attribute__((noreturn))
fail(const struct follower *follower, const char *verb, const char *name)
{
	die_err("cannot %s %s/%s (%s)", verb, follower->path, name,
		strerror(errno));
}

static void remove_file(const struct follower *follower, const char *name)
{
	if (unlink(name) && errno != ENOENT)
		fail(follower, "remove", name);
}

/* All zero if the file has gone */
static struct stat status_of(const char *name)
{
	struct stat status = { 0 };

	lstat(name, &status);
	return status;
}

/* The complete recordings, the oldest first */
static glob_t recordings(const struct follower *follower)
{
	glob_t files = { 0 };
	int error = glob(complete, GLOB_ERR, NULL, &files);

	if (error && error != GLOB_NOMATCH)
		fail(follower, "read", "");
	return files;
}

/* A process that was killed leaves a file that grows no more. */
static void remove_unfinished(const struct follower *follower)
{
	time_t before = time(NULL) - UNFINISHED_S;
	glob_t files = { 0 };

	glob(unfinished, 0, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc; i++)
		if (status_of(files.gl_pathv[i]).st_mtime < before)
			remove_file(follower, files.gl_pathv[i]);
	globfree(&files);
}

/* Remove the oldest of @files that are beyond the limit; the number of them */
static size_t trim(struct follower *follower, const glob_t *files)
{
	uint64_t bytes = 0, limit = follower->endpoint->request->spool_mib;
	size_t nr = files->gl_pathc;

	while (nr && bytes <= limit * MIB)
		bytes += status_of(files->gl_pathv[--nr]).st_size;
	nr += bytes > limit * MIB;
	for (size_t i = 0; i < nr; i++)
		remove_file(follower, files->gl_pathv[i]);
	if (nr && !follower->dropped)
		warnx("%s has reached its limit of %" PRIu64
		      " MiB: the oldest profiles are dropped",
		      follower->path, limit);
	follower->dropped += nr;
	return nr;
}

/* Count and tell of the answer to a recording; false if it has to wait. */
static bool account_for(struct follower *follower, enum send_result result,
			const char *text)
{
	const char *server = follower->endpoint->shown;

	switch (result) {
	case SEND_TAKEN:
		if (follower->is_away)
			warnx("%s takes profiles again", server);
		follower->is_away = false;
		follower->sent++;
		return true;
	case SEND_REFUSED:
		if (!follower->refused++)
			warnx("%s refuses a profile, which is dropped (%s)",
			      server, text);
		return true;
	default:
		if (!follower->is_away)
			warnx("%s takes no profiles (%s): they wait in %s",
			      server, text, follower->path);
		follower->is_away = true;
		return false;
	}
}

static bool send_profile(struct follower *follower, struct profile *profile)
{
	long limit = SEND_MS;
	char text[SEND_TEXT];
	enum send_result result;

	/* A recording without functions of the kernel is sent as it is. */
	if (follower->endpoint->request->kernel)
		profil_profile_enter_kernel(profile);
	if (follower->end_ms && milliseconds_to(follower->end_ms) < limit)
		limit = milliseconds_to(follower->end_ms) + 1;
	result = profil_send(follower->endpoint, profile, limit, text);
	return account_for(follower, result, text);
}

/*
 * Send the recording @name, and remove it; false if it has to wait. One that has gone
 * meanwhile is left out.
 */
static bool send_file(struct follower *follower, const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char text[DATA_ERROR_TEXT];
	struct profile profile;
	bool is_done = true;

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0)
		fail(follower, "read", name);
	profil_profile_init(&profile);
	if (!profil_data_read(&profile, fd, text))
		is_done = send_profile(follower, &profile);
	else if (!follower->damaged++)
		warnx("%s: %s: it is dropped", name, text);
	profil_profile_free(&profile);
	close(fd);
	if (is_done)
		remove_file(follower, name);
	return is_done;
}

/* A random part of the pause keeps many machines from coming at once. */
static void begin_pause(struct follower *follower)
{
	long pause = pause_after(follower->pause_ms);

	follower->pause_ms = pause;
	follower->next_ms = now_ms() + pause / 2 + random() % (pause / 2);
}

/* After the signal the next try is made at once. */
static void wait_for_signal(struct follower *follower, time_t seconds)
{
	const struct timespec limit = { .tv_sec = seconds };
	const struct push_request *request = follower->endpoint->request;

	if (sigtimedwait(&follower->signals, NULL, &limit) < 0 ||
	    follower->end_ms)
		return;
	follower->end_ms = now_ms() + request->retry_ns / 1000000;
	follower->pause_ms = 0;
	follower->next_ms = 0;
}

static bool is_late(const struct follower *follower)
{
	return follower->end_ms && !milliseconds_to(follower->end_ms);
}

static bool may_send(const struct follower *follower)
{
	return !milliseconds_to(follower->next_ms) && !is_late(follower);
}

/* Send @nr files, as long as the server takes them. */
static void send_files(struct follower *follower, char **files, size_t nr)
{
	for (size_t i = 0; i < nr && may_send(follower); i++) {
		if (send_file(follower, files[i]))
			follower->pause_ms = 0;
		else
			begin_pause(follower);
		wait_for_signal(follower, 0);
	}
}

/* Look at the directory, and send; false if nothing is left to do, or the time is over. */
static bool look(struct follower *follower)
{
	bool is_over = follower->end_ms;
	glob_t files;
	size_t first;

	if (!flock(follower->directory, LOCK_EX | LOCK_NB)) {
		files = recordings(follower);
		first = trim(follower, &files);
		is_over &= first == files.gl_pathc || is_late(follower);
		send_files(follower, files.gl_pathv + first,
			   files.gl_pathc - first);
		globfree(&files);
	}
	return !is_over;
}

static void work(struct follower *follower)
{
	sigemptyset(&follower->signals);
	sigaddset(&follower->signals, SIGTERM);
	sigaddset(&follower->signals, SIGINT);
	sigprocmask(SIG_BLOCK, &follower->signals, NULL);
	while (look(follower)) {
		wait_for_signal(follower, 1);
		if (!status_of(".").st_nlink)
			die_err("the directory %s was removed", follower->path);
	}
}

static void tell_end(const struct follower *follower)
{
	uint64_t lost =
		follower->dropped + follower->refused + follower->damaged;
	glob_t files = recordings(follower);
	size_t left = files.gl_pathc;

	globfree(&files);
	warnx("%" PRIu64 " profile%s pushed to %s", follower->sent,
	      plural(follower->sent), follower->endpoint->shown);
	if (left)
		warnx("%zu profile%s left in %s: the next profil push --follow sends them",
		      left, plural(left), follower->path);
	if (lost)
		warnx("%" PRIu64 " profile%s not pushed: %" PRIu64
		      " dropped at the limit, %" PRIu64 " refused, %" PRIu64
		      " damaged",
		      lost, plural(lost), follower->dropped, follower->refused,
		      follower->damaged);
}

/*
 * Send the recordings in the directory of the request, and those that come, until
 * SIGTERM or SIGINT. Exits if the directory cannot be used.
 */
static void follow_directory(const struct endpoint *endpoint)
{
	const char *path = endpoint->request->follow;
	struct follower follower = { .endpoint = endpoint, .path = path };

	follower.directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (follower.directory < 0 || fchdir(follower.directory) ||
	    access(".", W_OK))
		die_err("--follow: cannot use the directory %s (%s)", path,
			strerror(errno));
	srandom(getpid() ^ time(NULL));
	remove_unfinished(&follower);
	work(&follower);
	tell_end(&follower);
}

int main(int argc, char **argv)
{
	struct push_request request;
	struct endpoint endpoint;

	setlocale(LC_CTYPE, "");
	profil_output_begin();
	profil_push_parse(argc, argv, &request);
	profil_endpoint_begin(&endpoint, &request);
	if (request.follow)
		follow_directory(&endpoint);
	else
		push_files(&endpoint);
	return 0;
}
