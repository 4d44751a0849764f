// SPDX-License-Identifier: GPL-2.0-only
/*
 * The child that runs the command
 *
 * A terminal sends its signals to the child as well as to profil. Signals that
 * are sent to profil alone are passed on. All of them are blocked and waited
 * for, together with SIGCHLD: no handler runs, and no signal is missed.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "attach/exec_stop.h"
#include "include/reach.h"
#include "include/run_layout.h"
#include "record/child.h"
#include "util/exit_status.h"
#include "util/output.h"
#include "util/regular_file.h"
#include "util/text.h"

#define SECOND 1000000000ULL

/* Nanoseconds after which a second SIGINT is not an echo of the first */
#define ECHO_NS SECOND

/* Bytes of a #! line that the kernel reads */
#define LINE 256

static const int to_pass_on[] = { SIGQUIT, SIGTERM, SIGHUP };

static bool is_ignored(int signal)
{
	struct sigaction action;

	return !sigaction(signal, NULL, &action) &&
	       action.sa_handler == SIG_IGN;
}

/*
 * SIGCHLD may be ignored by the caller, and wait4() would fail then. Other
 * signals that the caller ignores, as nohup(1) does, stay ignored, except
 * SIGINT, which ends a recording: shells ignore it in the background.
 */
static void take_signals(struct child_signals *signals)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };

	sigemptyset(&signals->waited);
	sigaddset(&signals->waited, SIGINT);
	sigaddset(&signals->waited, SIGCHLD);
	for (size_t i = 0; i < 3; i++)
		if (!is_ignored(to_pass_on[i]))
			sigaddset(&signals->waited, to_pass_on[i]);
	sigprocmask(SIG_BLOCK, &signals->waited, &signals->mask);
	sigaction(SIGCHLD, &usual, &signals->child);
}

/* Signals of a terminal, which the child has got, are still pending. */
static void give_signals_back(const struct child_signals *signals)
{
	static const struct timespec none;

	while (sigtimedwait(&signals->waited, NULL, &none) > 0)
		;
	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

/* Set the variable @name to @first and, after a colon, its value so far. */
static bool prepend(const char *name, const char *first)
{
	const char *others = getenv(name);
	char *list = NULL;

	if (!others || !*others)
		return !setenv(name, first, 1);
	if (asprintf(&list, "%s:%s", first, others) < 0)
		return false;
	return !setenv(name, list, 1);
}

/*
 * libprofil is the first, so that other libraries see it as the libc. A program
 * with AddressSanitizer would end, as it requires its own library to be the first,
 * before that of malloc(), which libprofil does not replace.
 */
static void set_environment(const struct child *child)
{
	if (!child->library)
		return;
	if (!prepend("LD_PRELOAD", child->library) ||
	    !prepend("ASAN_OPTIONS", "verify_asan_link_order=0") ||
	    setenv(RUN_ENVIRONMENT, child->run, 1))
		_exit(EXIT_NOT_RUNNABLE);
}

/* The file that execvp() executes for @name exists. */
static bool is_found(const char *name)
{
	char path[REACH_PATH];

	return profil_reach_find(name, path) && !access(path, F_OK);
}

static void set_files(const struct child *child)
{
	int null = child->is_silent ? profil_output_null() : -1;

	if (child->stdout_is_stderr)
		dup2(2, 1);
	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

/* execvp() closes @report, or its errno is written there. */
static void become(const struct child *child, int report)
{
	int error;

	profil_output_undo();
	profil_file_limit_restore();
	set_environment(child);
	set_files(child);
	execvp(child->argv[0], child->argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(EXIT_NOT_RUNNABLE);
	_exit(error == ENOENT && !is_found(child->argv[0]) ? EXIT_NOT_FOUND :
							     EXIT_NOT_RUNNABLE);
}

/* Interpreter in the #! line of the file that execvp() executes for @name */
static bool read_interpreter(const char *name, char interpreter[LINE])
{
	char path[REACH_PATH], line[LINE] = "";
	FILE *file;

	if (!profil_reach_find(name, path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		*line = '\0';
	fclose(file);
	return sscanf(line, "#! %255[^ \t\n]", interpreter) == 1;
}

static void print_no_interpreter(const char *name)
{
	char interpreter[LINE];
	char *printable;

	if (!read_interpreter(name, interpreter)) {
		warnx("cannot run %s: its dynamic linker is missing", name);
		return;
	}
	printable = profil_text_printable(interpreter);
	warnx("cannot run %s: its interpreter %s is missing", name, printable);
	free(printable);
}

static void print_error(const char *name, int error)
{
	if (error == ENOENT && is_found(name))
		print_no_interpreter(name);
	else if (error == ENOENT)
		warnx("no such program: %s", name);
	else
		warnx("cannot run %s: %s", name, strerror(error));
}

void profil_child_become(char **argv)
{
	int error;

	profil_output_undo();
	execvp(*argv, argv);
	error = errno;
	print_error(*argv, error);
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUNNABLE);
}

static void open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC))
		err(EXIT_PROFIL, "cannot make a pipe");
}

/* Read up to the end of a pipe, or one number. */
static ssize_t read_number(int pipe, int *number)
{
	ssize_t got;

	do {
		got = read(pipe, number, sizeof(*number));
	} while (got < 0 && errno == EINTR);
	close(pipe);
	return got;
}

/* In the new process, which waits until its parent traces it or cannot. */
static void be_child(const struct child *child,
		     const struct child_signals *signals, int report, int go[2])
{
	int nothing;

	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
	close(go[1]);
	read_number(go[0], &nothing);
	become(child, report);
}

static pid_t start(struct child *child, const struct child_signals *signals,
		   int report[2])
{
	int go[2];
	pid_t pid;

	open_pipe(report);
	open_pipe(go);
	pid = fork();
	if (pid < 0)
		err(EXIT_PROFIL, "cannot fork");
	if (!pid)
		be_child(child, signals, report[1], go);
	child->is_traced = child->is_traced && profil_exec_stop_begin(pid);
	close(go[0]);
	close(go[1]);
	close(report[1]);
	return pid;
}

/* True if the child executed the command; prints a message otherwise. */
static bool is_begun(struct child *child, int report)
{
	int error;
	ssize_t got;

	child->is_traced = child->is_traced &&
			   profil_exec_stop_wait(child->pid);
	got = read_number(report, &error);
	if (got == sizeof(error))
		print_error(child->argv[0], error);
	return got == 0;
}

uint64_t profil_child_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

static uint64_t nanoseconds(struct timeval time)
{
	return time.tv_sec * SECOND + time.tv_usec * 1000;
}

/* True if the command has ended; stores its status and times. */
static bool has_ended(pid_t pid, struct child_result *result)
{
	struct rusage usage;
	int status;
	pid_t ended;

	do {
		ended = wait4(pid, &status, WNOHANG, &usage);
	} while (ended < 0 && errno == EINTR);
	if (ended < 0)
		err(EXIT_PROFIL, "cannot wait for the command");
	if (!ended)
		return false;
	result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	result->status = result->signal ? 128 + result->signal :
					  WEXITSTATUS(status);
	result->cpu.kernel_ns = nanoseconds(usage.ru_stime);
	result->cpu.all_ns =
		result->cpu.kernel_ns + nanoseconds(usage.ru_utime);
	return true;
}

/* False if /proc cannot be read: the wait continues. */
static bool ignores(pid_t pid, int signal)
{
	unsigned long long ignored = 0;
	char name[32], line[256];
	FILE *status;

	snprintf(name, sizeof(name), "/proc/%d/status", pid);
	status = fopen(name, "re");
	if (!status)
		return false;
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "SigIgn: %llx", &ignored) == 1)
			break;
	fclose(status);
	return ignored >> (signal - 1) & 1;
}

/*
 * Pass on the signal of @info. True if the wait ends. Some callers send a signal
 * to a process and at once to its process group, so an early second one is
 * ignored.
 */
static bool pass_on(struct child *child, const siginfo_t *info)
{
	bool is_first = !child->interrupted_ns;
	int signal = info->si_signo;

	if (signal == SIGCHLD)
		return false;
	if (!child->pid) {
		child->signal = signal;
		return true;
	}
	if (info->si_code == SI_KERNEL && signal != SIGHUP)
		return false;
	kill(child->pid, signal);
	if (signal != SIGINT && signal != SIGTERM)
		return false;
	child->signal = signal;
	if (is_first)
		child->interrupted_ns = profil_child_now();
	return ignores(child->pid, signal) ||
	       (!is_first &&
		profil_child_now() - child->interrupted_ns > ECHO_NS);
}

/* The next signal, or an error at @deadline */
static int next_signal(const sigset_t *waited, siginfo_t *info,
		       uint64_t deadline)
{
	uint64_t now = profil_child_now();
	struct timespec left = { 0 };

	if (deadline == CHILD_NEVER)
		return sigwaitinfo(waited, info);
	if (deadline > now) {
		left.tv_sec = (deadline - now) / SECOND;
		left.tv_nsec = (deadline - now) % SECOND;
	}
	return sigtimedwait(waited, info, &left);
}

enum child_event profil_child_wait(struct child *child, uint64_t deadline,
				   struct child_result *result)
{
	siginfo_t info;

	while (!child->pid || !has_ended(child->pid, result)) {
		if (next_signal(&child->signals.waited, &info, deadline) < 0) {
			if (errno == EAGAIN)
				return CHILD_DEADLINE;
			continue;
		}
		if (pass_on(child, &info))
			return CHILD_INTERRUPTED;
	}
	return CHILD_ENDED;
}

bool profil_child_begin(struct child *child)
{
	int report[2];

	take_signals(&child->signals);
	child->pid = start(child, &child->signals, report);
	return is_begun(child, report[0]);
}

void profil_child_begin_none(struct child *child)
{
	take_signals(&child->signals);
	child->pid = 0;
}

void profil_child_end(struct child *child)
{
	give_signals_back(&child->signals);
}

void profil_child_resume(struct child *child)
{
	take_signals(&child->signals);
}
