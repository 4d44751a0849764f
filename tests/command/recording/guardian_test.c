// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guardian of a recording. The test is profil's parent, and has the run's
 * file open, so that it counts samples in place of the driver. It is the
 * subreaper, so that a command which profil has left is a zombie until the test
 * waits for it.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "record/guardian.h"
#include "record/run_file.h"
#include "tap.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

#define NAME "profil.data"
#define SECOND 1000000000ULL

/* Time that anything takes at the longest, on a busy host and its disk */
#define LIMIT_NS (300 * SECOND)

/**
 * struct shared - what the processes of a test share
 * @guardian: process of the guardian
 * @start_ns: start of the recording, as profil has set it
 * @is_ready: profil waits to be killed
 */
struct shared {
	pid_t guardian;
	uint64_t start_ns;
	bool is_ready;
};

static struct recording *recording;
static struct shared *shared;
static char *argv[] = { "program", NULL };
static char directory[64];
static bool has_few_descriptors;

/*
 * The run's file with one text, of two counters
 */

static void write_text(void)
{
	static struct run_text text;
	struct run *run = recording->file.run;

	text = (struct run_text){
		.kind = RUN_TEXT_OUTSIDE,
		.text_bytes = 1,
		.path = "/bin/program",
		.program = "/bin/program",
	};
	if (pwrite(recording->file.fd, &text, sizeof(text), run->space) < 0)
		abort();
	run->texts[0] = (struct run_entry){ .where = run->space, .key = 1 };
	run->claimed = 1;
}

static void set_samples(__u32 samples)
{
	struct run *run = recording->file.run;

	if (pwrite(recording->file.fd, &samples, sizeof(samples),
		   run->texts[0].where + RUN_RECORD) < 0)
		abort();
	run->totals.samples = samples;
	run->totals.hits = samples;
}

/*
 * Processes
 */

static bool begin(void)
{
	snprintf(directory, sizeof(directory), "/tmp/guardian-test.XXXXXX");
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	recording = profil_guardian_share();
	shared = (void *)profil_guardian_share();
	CHECK(mkdtemp(directory) && !chdir(directory));
	CHECK_EQUAL(0, profil_save_begin(&recording->save, NAME));
	recording->argv = argv;
	profil_run_file_create(&recording->file, 0);
	write_text();
	return true;
}

static void run_command(struct guardian *guardian)
{
	pid_t pid;

	profil_guardian_begin(guardian, recording);
	shared->guardian = guardian->pid;
	pid = fork();
	if (!pid) {
		close(guardian->socket);
		alarm(LIMIT_NS / SECOND);
		pause();
		_exit(0);
	}
	recording->pid = pid;
	profil_guardian_follow(guardian, pid);
	profil_recording_begin(recording);
	recording->is_guarded = true;
}

/* Room for what the guardian has open: the socket, the command, the file twice */
static void limit_descriptors(void)
{
	int least = dup(0);
	struct rlimit limit = { least + 4, least + 4 };

	close(least);
	if (setrlimit(RLIMIT_NOFILE, &limit))
		abort();
}

/* Messages of the guardian go to a file, so that TAP stays readable. */
static void run_profil(void)
{
	int messages = open("messages", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	struct guardian guardian;

	dup2(messages, 2);
	close(messages);
	if (has_few_descriptors)
		limit_descriptors();
	run_command(&guardian);
	shared->start_ns = recording->start_ns;
	shared->is_ready = true;
	for (;;)
		pause();
}

static bool soon(bool (*is_true)(void))
{
	uint64_t limit = profil_child_now() + LIMIT_NS;

	while (profil_child_now() < limit) {
		if (is_true())
			return true;
		usleep(10000);
	}
	return false;
}

static bool is_ready(void)
{
	return shared->is_ready;
}

static bool kill_profil(void)
{
	pid_t profil = fork();

	if (!profil)
		run_profil();
	CHECK(soon(is_ready));
	kill(profil, SIGKILL);
	CHECK(waitpid(profil, NULL, 0) == profil);
	return true;
}

static bool is_saved(void)
{
	return !access(NAME, F_OK);
}

static bool has_ended(void)
{
	return waitpid(shared->guardian, NULL, WNOHANG) == shared->guardian;
}

static bool end_command(void)
{
	CHECK(recording->pid > 0);
	kill(recording->pid, SIGKILL);
	return waitpid(recording->pid, NULL, 0) == recording->pid;
}

/* The profile in the file has @samples in its only text. */
static bool has_samples(uint64_t samples, bool is_complete)
{
	int fd = open(NAME, O_RDONLY);
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	CHECK(fd >= 0);
	profil_profile_init(&profile);
	CHECK_EQUAL(0, profil_data_read(&profile, fd, text));
	close(fd);
	CHECK(profile.head.is_orphan);
	CHECK_EQUAL(is_complete, profile.head.is_complete);
	CHECK_EQUAL(samples, profil_profile_total(&profile));
	CHECK_EQUAL(samples, profile.head.hits);
	profil_profile_free(&profile);
	return true;
}

/* A line in the file of messages has @text. */
static bool was_said(const char *text)
{
	char messages[4096] = "";
	int fd = open("messages", O_RDONLY);

	CHECK(fd >= 0);
	CHECK(read(fd, messages, sizeof(messages) - 1) >= 0);
	close(fd);
	unlink("messages");
	if (strstr(messages, text))
		return true;
	tap_note("%s", messages);
	return false;
}

static bool end(void)
{
	unlink(NAME);
	return !rmdir(directory);
}

/* The guardian ends with a profile of @samples, and has said @text. */
static bool ends_with(uint64_t samples, bool is_complete, const char *text)
{
	CHECK(soon(has_ended));
	CHECK(has_samples(samples, is_complete));
	CHECK(was_said(text));
	return end();
}

static bool begin_with(uint32_t samples)
{
	CHECK(begin());
	set_samples(samples);
	return true;
}

/*
 * The tests
 */

TEST("a killed profil has a profile so far, and the whole one later")
{
	CHECK(begin_with(3) && kill_profil());
	CHECK(soon(is_saved) && has_samples(3, false));
	set_samples(8);
	CHECK(end_command());
	return ends_with(8, true, "the profile so far is in profil.data");
}

TEST("four descriptors suffice for the guardian")
{
	CHECK(begin_with(3));
	has_few_descriptors = true;
	CHECK(kill_profil());
	CHECK(soon(is_saved) && end_command());
	return ends_with(3, true, "the profile so far is in profil.data");
}

TEST("a zombie is a command that has ended")
{
	CHECK(begin_with(3) && kill_profil());
	CHECK(soon(is_saved) && recording->pid > 0);
	kill(recording->pid, SIGKILL);
	CHECK(ends_with(3, true, "profil was killed"));
	return end_command();
}

/* The ID of the command is that of the test, which keeps running. */
TEST("another process with the ID of the command is not waited for")
{
	pid_t command;

	CHECK(begin_with(3) && kill_profil());
	CHECK(soon(is_saved));
	command = recording->pid;
	recording->pid = getpid();
	CHECK(command > 0);
	kill(command, SIGKILL);
	CHECK(waitpid(command, NULL, 0) == command);
	return ends_with(3, true, "profil was killed");
}

/* The guardian sets the start of the recording after a delay. */
static bool has_begun(void)
{
	return recording->start_ns != shared->start_ns;
}

TEST("samples of the delay are not in the profile of a killed profil")
{
	CHECK(begin_with(100));
	recording->delay_ns = 3 * SECOND;
	CHECK(kill_profil());
	CHECK(soon(has_begun) && !is_saved());
	set_samples(107);
	CHECK(end_command());
	return ends_with(7, true, "killed during --delay");
}

TEST("a command that ends in the delay has an empty profile")
{
	CHECK(begin_with(100));
	recording->delay_ns = 1000 * SECOND;
	CHECK(kill_profil() && end_command());
	return ends_with(0, true, "killed during --delay");
}

TEST("a recording ends after its duration")
{
	CHECK(begin_with(5));
	recording->duration_ns = SECOND;
	CHECK(kill_profil());
	CHECK(ends_with(5, false, "at the end of the recording"));
	return end_command();
}

/* Profil notices a killed guardian by no signal. */
static void outlive_guardian(void)
{
	struct guardian guardian;

	run_command(&guardian);
	kill(guardian.pid, SIGKILL);
	waitid(P_PID, guardian.pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	profil_guardian_read_baseline(&guardian);
	profil_guardian_end(&guardian, recording);
	_exit(7);
}

TEST("profil outlives its guardian")
{
	pid_t profil;
	int status;

	CHECK(begin());
	profil = fork();
	if (!profil)
		outlive_guardian();
	CHECK(waitpid(profil, &status, 0) == profil);
	CHECK(WIFEXITED(status));
	CHECK_EQUAL(7, WEXITSTATUS(status));
	CHECK(end_command());
	return end();
}
