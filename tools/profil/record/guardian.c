// SPDX-License-Identifier: GPL-2.0-only
/* The process that saves the profile if profil is killed */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/collect.h"
#include "record/guardian.h"
#include "util/exit_status.h"

/* Time between looks at the sessions of a command that profil has left */
#define POLL_US 100000

struct recording *profil_guardian_share(void)
{
	struct recording *recording = mmap(NULL, sizeof(*recording),
					   PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (recording == MAP_FAILED)
		err(EXIT_PROFIL, "cannot map shared memory");
	return recording;
}

/* A killed profil has left a terminal, and pipes whose readers wait. */
static void leave(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	prctl(PR_SET_NAME, "profil-guardian");
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_IGN);
	dup2(null, 0);
	dup2(null, 1);
}

static void save(struct recording *recording, const struct baseline *baseline)
{
	struct profile profile;

	profil_profile_init(&profile);
	profil_collect(&profile, recording, baseline);
	profil_save(&recording->save, &profile);
	profil_profile_free(&profile);
}

static const char killed[] =
	"profil was killed: the profile so far is in %s, and all of it when the command ends";

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

/* A process that has ended has no CPU time: the last one seen is kept. */
static void look(struct recording *recording)
{
	struct cpu_time now = profil_cpu_time(recording->pid);

	recording->wall_ns = profil_child_now() - recording->start_ns;
	if (now.all_ns > recording->cpu.all_ns)
		recording->cpu = now;
}

/* A closed descriptor would be that of the next file, and get all messages. */
static void leave_stderr(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, 2);
	close(null);
}

static bool is_running(const struct recording *recording)
{
	struct profil_totals totals = profil_run_file_totals(&recording->file);

	return totals.sessions != totals.ended ||
	       (!kill(recording->pid, 0) || errno == EPERM);
}

static void take_over(struct recording *recording,
		      const struct baseline *baseline)
{
	recording->is_orphan = true;
	recording->save.is_orphan = true;
	look(recording);
	save(recording, baseline);
	print_saved(recording);
	leave_stderr();
	while (is_running(recording)) {
		look(recording);
		usleep(POLL_US);
	}
	recording->is_complete = true;
	save(recording, baseline);
}

static void guard(struct recording *recording, int pipe)
{
	struct baseline baseline = { 0 };
	ssize_t got;
	char byte;

	leave();
	do {
		got = read(pipe, &byte, 1);
		if (got > 0)
			profil_baseline_read(&baseline, recording);
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (recording->is_guarded)
		take_over(recording, &baseline);
	_exit(0);
}

void profil_guardian_begin(struct guardian *guardian,
			   struct recording *recording)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		err(EXIT_PROFIL, "cannot make a pipe");
	guardian->pid = fork();
	if (guardian->pid < 0)
		err(EXIT_PROFIL, "cannot fork");
	if (!guardian->pid) {
		close(ends[1]);
		guard(recording, ends[0]);
	}
	close(ends[0]);
	guardian->pipe = ends[1];
}

void profil_guardian_read_baseline(const struct guardian *guardian)
{
	if (write(guardian->pipe, "", 1) < 0)
		return;
}

void profil_guardian_end(struct guardian *guardian, struct recording *recording)
{
	recording->is_guarded = false;
	close(guardian->pipe);
	while (waitpid(guardian->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
