// SPDX-License-Identifier: GPL-2.0-only
/* The process that saves the profile if profil is killed */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/collect.h"
#include "record/fd_message.h"
#include "record/guardian.h"
#include "util/exit_status.h"
#include "util/output.h"

/* Time between looks at the sessions of a command that profil has left */
#define POLL_US 100000

/**
 * struct watch - what the guardian knows by messages
 * @process: descriptor of the command's process, or -1
 * @has_baseline: the recording has begun after a delay
 * @baseline: what was counted before
 * @origins: processes that are attached
 */
struct watch {
	int process;
	bool has_baseline;
	struct baseline baseline;
	struct origins origins;
};

/**
 * enum message_kind - what a message to the guardian is about
 * @MESSAGE_FOLLOW: its descriptor names the command's process
 * @MESSAGE_BASELINE: the delay has ended
 * @MESSAGE_ORIGIN: a process is attached
 */
enum message_kind { MESSAGE_FOLLOW, MESSAGE_BASELINE, MESSAGE_ORIGIN };

/**
 * struct message - a message to the guardian
 * @kind: what it is about
 * @origin: for MESSAGE_ORIGIN, the process; the message has its descriptors
 */
struct message {
	enum message_kind kind;
	struct origin origin;
};

struct recording *profil_guardian_share(void)
{
	struct recording *recording = mmap(NULL, sizeof(*recording),
					   PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (recording == MAP_FAILED)
		err(EXIT_PROFIL, "cannot map shared memory");
	return recording;
}

/*
 * Replace @fd by a null device, so that no other file gets its number. No further
 * descriptor is in use, even for a while: there may be none.
 */
static void replace_by_null(int fd)
{
	close(fd);
	profil_output_null();
}

/* A killed profil has left a terminal, and pipes whose readers wait. */
static void leave(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE };

	setsid();
	prctl(PR_SET_NAME, "profil-guardian");
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_IGN);
	replace_by_null(0);
	replace_by_null(1);
}

static void save(struct recording *recording, const struct watch *watch)
{
	struct profile profile;

	profil_profile_init(&profile);
	profil_collect(&profile, recording, &watch->origins, &watch->baseline,
		       NULL);
	profil_save(&recording->save, &profile);
	profil_profile_free(&profile);
}

static const char killed[] =
	"profil was killed: the profile so far is in %s, and all of it at the end of the recording";

static const char killed_early[] =
	"profil was killed during --delay: the profile is in %s at the end of the recording";

static void print_saved(const struct recording *recording)
{
	const struct save *save = &recording->save;

	if (*save->elsewhere)
		warnx("profil was killed, and %s cannot be written (%s): the profile is in %s",
		      save->path, strerror(save->error), save->elsewhere);
	else if (save->error)
		warnx("profil was killed, and %s cannot be written (%s)",
		      save->path, strerror(save->error));
	else
		warnx(killed, save->path);
}

/* Another process may have the ID of one that was waited for. */
static bool has_ended(const struct watch *watch)
{
	struct pollfd end = { .fd = watch->process, .events = POLLIN };

	return watch->process < 0 || poll(&end, 1, 0) != 0;
}

/* A process that has ended has no CPU time: the last one seen is kept. */
static void look(struct recording *recording, const struct watch *watch)
{
	struct cpu_time now = profil_recording_cpu(recording);

	recording->wall_ns = profil_child_now() - recording->start_ns;
	if (now.all_ns > recording->cpu.all_ns && !has_ended(watch))
		recording->cpu = now;
}

static bool is_running(const struct recording *recording,
		       const struct watch *watch)
{
	struct profil_totals totals = profil_run_file_totals(&recording->file);

	return totals.sessions != totals.ended || !has_ended(watch);
}

/* Wait up to @deadline, of profil_child_now(); true if the command has ended. */
static bool wait_for_end(struct recording *recording, const struct watch *watch,
			 uint64_t deadline)
{
	while (is_running(recording, watch)) {
		if (profil_child_now() >= deadline)
			return false;
		look(recording, watch);
		usleep(POLL_US);
	}
	return true;
}

/* Samples of the delay are not in the profile. */
static void wait_for_begin(struct recording *recording, struct watch *watch)
{
	warnx(killed_early, recording->save.path);
	replace_by_null(2);
	wait_for_end(recording, watch,
		     recording->start_ns + recording->delay_ns);
	profil_baseline_read(&watch->baseline, recording);
	profil_recording_begin(recording);
}

static void save_so_far(struct recording *recording, const struct watch *watch)
{
	look(recording, watch);
	save(recording, watch);
	print_saved(recording);
	replace_by_null(2);
}

static void take_over(struct recording *recording, struct watch *watch)
{
	recording->is_orphan = true;
	recording->save.is_orphan = true;
	if (recording->delay_ns && !watch->has_baseline)
		wait_for_begin(recording, watch);
	else
		save_so_far(recording, watch);
	recording->is_complete =
		wait_for_end(recording, watch, recording->end_ns) &&
		!recording->is_attached;
	save(recording, watch);
}

static void take_message(struct watch *watch, struct message *message,
			 const int *fds, const struct recording *recording)
{
	switch (message->kind) {
	case MESSAGE_FOLLOW:
		watch->process = fds[0];
		break;
	case MESSAGE_BASELINE:
		profil_baseline_read(&watch->baseline, recording);
		watch->has_baseline = true;
		break;
	case MESSAGE_ORIGIN:
		message->origin.root = (struct root){ fds[0], fds[1] };
		profil_origins_add(&watch->origins, &message->origin);
		break;
	}
}

static void guard(struct recording *recording, int socket)
{
	struct watch watch = { .process = -1 };
	int fds[FD_MESSAGE_FDS];
	struct message message;

	leave();
	while (profil_fd_message_receive(socket, &message, sizeof(message),
					 fds))
		take_message(&watch, &message, fds, recording);
	if (recording->is_guarded)
		take_over(recording, &watch);
	_exit(0);
}

void profil_guardian_begin(struct guardian *guardian,
			   struct recording *recording)
{
	int ends[2];

	if (profil_fd_message_open(ends))
		err(EXIT_PROFIL, "cannot make a socket");
	guardian->pid = fork();
	if (guardian->pid < 0)
		err(EXIT_PROFIL, "cannot fork");
	if (!guardian->pid) {
		close(ends[1]);
		guard(recording, ends[0]);
	}
	close(ends[0]);
	guardian->socket = ends[1];
}

static void send_message(const struct guardian *guardian,
			 const struct message *message, int fd, int other)
{
	const int fds[FD_MESSAGE_FDS] = { fd, other };

	if (!guardian->pid)
		return;
	profil_fd_message_send(guardian->socket, message, sizeof(*message),
			       fds);
}

void profil_guardian_follow(const struct guardian *guardian, pid_t pid)
{
	const struct message message = { .kind = MESSAGE_FOLLOW };
	int fd = pidfd_open(pid, 0);

	if (fd < 0)
		return;
	send_message(guardian, &message, fd, -1);
	close(fd);
}

void profil_guardian_read_baseline(const struct guardian *guardian)
{
	const struct message message = { .kind = MESSAGE_BASELINE };

	send_message(guardian, &message, -1, -1);
}

void profil_guardian_add_origins(const struct guardian *guardian,
				 const struct origins *origins)
{
	struct message message = { .kind = MESSAGE_ORIGIN };

	for (size_t i = 0; i < origins->nr; i++) {
		profil_origins_get(origins, i, &message.origin);
		send_message(guardian, &message, message.origin.root.directory,
			     message.origin.root.mounts);
	}
}

void profil_guardian_end(struct guardian *guardian, struct recording *recording)
{
	recording->is_guarded = false;
	if (!guardian->pid)
		return;
	close(guardian->socket);
	while (waitpid(guardian->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
