// SPDX-License-Identifier: GPL-2.0-only
/* `profil run`: run a command, and print where it spent its time */
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "driver.h"
#include "flat.h"
#include "option.h"
#include "output.h"
#include "program.h"
#include "run.h"
#include "runfile.h"
#include "status.h"

/* Sessions are folded into the account by a worker of the kernel. */
#define PATIENCE_MS 1000
#define STEP_MS 5

/*
 * A process that ends at once may take a sample or two with it, whose counter
 * was not in memory yet. What is lost is worth a word if it is more than a few,
 * and 1 in so many.
 */
#define LOST_FEW 100
#define LOST_SHARE 50

/**
 * struct request - what the command line asks for
 * @hz: samples a second of CPU time, as -F gives them
 * @has_hz: whether there was a -F
 * @output: file to print to, or NULL for stderr
 * @argv: the command
 */
struct request {
	long hz;
	bool has_hz;
	const char *output;
	char **argv;
};

static void parse(int argc, char **argv, struct request *request)
{
	int option;

	*request = (struct request){ 0 };
	while ((option = profil_option_next(argc, argv, "+:F:o:")) != -1) {
		if (option == 'F') {
			request->hz = profil_option_hz(optarg);
			request->has_hz = true;
		} else if (option == 'o') {
			request->output = optarg;
		} else {
			profil_option_refuse(option, argv);
		}
	}
	request->argv = argv + optind;
	if (!*request->argv)
		errx(EXIT_PROFIL,
		     "run: name the command to run, as in profil run -- ls -l");
}

static void wait_for_sessions(const struct runfile *file)
{
	struct timespec step = { .tv_nsec = STEP_MS * 1000000L };

	for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
		struct profil_account account = profil_runfile_account(file);

		if (account.ended == account.sessions)
			return;
		nanosleep(&step, NULL);
	}
}

static void say_failure(const struct run *run)
{
	const char *hint = "";

	if (run->error == ENOMEM)
		hint = ": raise ulimit -l";
	else if (run->error == ENODEV)
		hint = ": is " PROFIL_DEVICE " there for them?";
	warnx("processes that are missing from some time on: %u (%s)%s",
	      run->failed, strerror(run->error), hint);
}

/* What the figures leave out, a sentence for each reason */
static void say_gaps(const struct run *run,
		     const struct profil_account *account)
{
	unsigned long long running = account->sessions - account->ended;

	if (!run->processes)
		warnx("the command did not load libprofil, and is missing");
	if (run->failed)
		say_failure(run);
	if (account->missed)
		warnx("forked processes that the kernel had no memory for: %llu",
		      account->missed);
	if (run->yielded)
		warnx("processes that called profil() and are missing since: %u",
		      run->yielded);
	if (run->dropped)
		warnx("there was too much code: the rest of it counts as outside");
	if (running)
		warnx("processes that go on, and will be missing from now on: %llu",
		      running);
	if (account->lost > LOST_FEW &&
	    account->lost > account->samples / LOST_SHARE)
		warnx("lost samples: %llu: raise ulimit -l, unless processes were very short",
		      account->lost);
}

/* The driver's sum and that of the counters are made apart from each other. */
static void say_difference(const struct profil_account *account,
			   const struct profile *profile)
{
	uint64_t hits = account->hits - account->saturated;

	if (account->sessions == account->ended && profile->counted != hits)
		warnx("the counters hold %lld samples more than were taken",
		      (long long)(profile->counted - hits));
}

static void report(const struct runfile *file, FILE *out)
{
	struct profil_account account;
	struct profile profile = { 0 };

	wait_for_sessions(file);
	account = profil_runfile_account(file);
	profile.period_ns = file->run->true_period_ns;
	profile.outside = account.outside;
	profile.lost = account.lost;
	profil_runfile_read(file, &profile);
	profil_flat(out, &profile);
	say_gaps(file->run, &account);
	say_difference(&account, &profile);
}

int profil_run(int argc, char **argv)
{
	struct profil_version version;
	struct command command;
	struct request request;
	struct runfile file;
	uint64_t period_ns = 0;
	char name[64];
	bool begun;
	int status;
	FILE *out;

	parse(argc, argv, &request);
	profil_driver(&version);
	profil_program_check(request.argv[0]);
	command.library = profil_program_library();
	if (request.has_hz)
		period_ns = profil_driver_period(&version, request.hz);
	profil_runfile_make(&file, period_ns);
	out = profil_output_open(request.output, stderr);
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", getpid(), file.fd);
	command.argv = request.argv;
	command.run = name;
	status = profil_command(&command, &begun);
	if (begun)
		report(&file, out);
	profil_output_close(out, request.output);
	return status;
}
