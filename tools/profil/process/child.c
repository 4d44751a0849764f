// SPDX-License-Identifier: GPL-2.0-only
/*
 * The child that runs the command, and the process in front of the recorder
 *
 * A terminal sends its signals to the processes of its foreground. Signals that are
 * sent to profil alone are passed on to the command. All of them are blocked and read
 * from a descriptor, together with SIGCHLD: no handler runs, and no signal is missed.
 *
 * The recorder is a process of its own, in a session of its own, so that it outlives
 * profil. The command is its child, in the session and the process group of profil, and
 * profil waits for the recorder: a shell has the job that it has started. The reading
 * end of a pipe, whose other end only profil has, ends when profil is killed. If the
 * recorder is killed, the command becomes a child of profil, which is its subreaper.
 */
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "process/child.h"
#include "util/clock.h"
#include "util/interrupt.h"
#include "util/output.h"
#include "util/regular_file.h"
#include "util/text.h"

/* Nanoseconds after which a second SIGINT is not an echo of the first */
#define ECHO_NS SECOND

/* Bytes of a #! line that the kernel reads */
#define LINE 256

static const int to_pass_on[] = { SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

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
void profil_child_take_signals(struct child *child)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };

	if (child->are_taken)
		return;
	child->are_taken = true;
	sigemptyset(&child->waited);
	sigaddset(&child->waited, SIGINT);
	sigaddset(&child->waited, SIGCHLD);
	for (size_t i = 0; i < sizeof(to_pass_on) / sizeof(*to_pass_on); i++)
		if (!is_ignored(to_pass_on[i]))
			sigaddset(&child->waited, to_pass_on[i]);
	sigprocmask(SIG_BLOCK, &child->waited, &child->mask);
	sigaction(SIGCHLD, &usual, &child->sigchld);
}

/* execvp() passes by a directory of the name. */
static bool is_executable(const char *path)
{
	struct stat state;

	return !stat(path, &state) && S_ISREG(state.st_mode) &&
	       !access(path, X_OK);
}

bool profil_child_find(const char *name, char path[PATH_MAX])
{
	bool is_path = strchr(name, '/');
	const char *list = is_path ? "" : getenv("PATH") ?: "/bin:/usr/bin";

	for (;; list++) {
		int length = strcspn(list, ":");
		int size = snprintf(path, PATH_MAX, "%.*s%s%s", length, list,
				    length ? "/" : "", name);

		if (size < PATH_MAX && (is_path || is_executable(path)))
			return true;
		list += length;
		if (!*list)
			return false;
	}
}

/* The file that execvp() executes for @name exists. */
static bool is_found(const char *name)
{
	char path[PATH_MAX];

	return profil_child_find(name, path) && !access(path, F_OK);
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
	char path[PATH_MAX], line[LINE];

	return profil_child_find(name, path) &&
	       sscanf(profil_text_line(path, line, sizeof(line)),
		      "#! %255[^ \t]", interpreter) == 1;
}

static void print_error(const char *name, int error)
{
	char interpreter[LINE];

	if (error != ENOENT)
		warnx("cannot run %s: %s", name, strerror(error));
	else if (!is_found(name))
		warnx("no such program: %s", name);
	else if (read_interpreter(name, interpreter) &&
		 access(interpreter, F_OK))
		warnx("cannot run %s: its interpreter %s is missing", name,
		      interpreter);
	else
		warnx("cannot run %s: its dynamic linker is missing", name);
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
	if (!pipe2(ends, O_CLOEXEC))
		return;
	if (errno == EMFILE)
		die_err("cannot make a pipe, as ulimit -n is too low: raise it");
	die_errno("cannot make a pipe");
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

/* In the new process, which waits until its parent has added it to the table */
static void be_child(const struct child *child, int report, int go[2])
{
	int begins;

	sigaction(SIGCHLD, &child->sigchld, NULL);
	sigprocmask(SIG_SETMASK, &child->mask, NULL);
	close(go[1]);
	if (read_number(go[0], &begins) != sizeof(begins))
		_exit(EXIT_PROFIL);
	become(child, report);
}

static void fork_command(struct child *child)
{
	int report[2], go[2];

	open_pipe(report);
	open_pipe(go);
	child->pid = fork();
	if (child->pid < 0)
		die_errno("cannot fork");
	if (!child->pid)
		be_child(child, report[1], go);
	close(go[0]);
	close(report[1]);
	child->go = go[1];
	child->report = report[0];
}

/* A process in front that was killed reads nothing. */
static void tell_front(const struct child *child, int number)
{
	if (!child->front || child->is_orphan)
		return;
	(void)!write(child->command, &number, sizeof(number));
}

static void leave_session(const struct child *child)
{
	setsid();
	signal(SIGPIPE, SIG_IGN);
	tell_front(child, child->pid);
	if (!child->pid)
		tell_front(child, 0);
}

void profil_child_begin(struct child *child)
{
	profil_child_take_signals(child);
	child->descriptor =
		signalfd(-1, &child->waited, SFD_CLOEXEC | SFD_NONBLOCK);
	if (child->descriptor < 0)
		die_errno("cannot wait for signals");
	if (*child->argv)
		fork_command(child);
	if (child->front)
		leave_session(child);
}

bool profil_child_execute(struct child *child)
{
	int error, go = 1;
	ssize_t got;

	if (!child->pid)
		return true;
	if (write(child->go, &go, sizeof(go)) < 0)
		warn("cannot start %s", child->argv[0]);
	close(child->go);
	got = read_number(child->report, &error);
	if (got == sizeof(error))
		print_error(child->argv[0], error);
	return got == 0;
}

static uint64_t nanoseconds(struct timeval time)
{
	return time.tv_sec * SECOND + time.tv_usec * 1000;
}

/* Exit status of a shell for the status of wait(2) */
static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

bool profil_child_has_ended(struct child *child)
{
	struct rusage usage;
	int status;
	pid_t ended;

	if (!child->pid || child->has_ended)
		return child->pid;
	ended = wait4(child->pid, &status, WNOHANG, &usage);
	if (ended < 0)
		die_errno("cannot wait for the command");
	if (!ended)
		return false;
	child->has_ended = true;
	child->killed_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	child->status = exit_status(status);
	child->cpu.kernel_ns = nanoseconds(usage.ru_stime);
	child->cpu.all_ns = child->cpu.kernel_ns + nanoseconds(usage.ru_utime);
	tell_front(child, child->status);
	return true;
}

/* False if /proc cannot be read: the wait continues. */
static bool ignores(pid_t pid, int signal)
{
	return profil_process_status(pid, "SigIgn:", 16) >> (signal - 1) & 1;
}

/* The sender of a signal, or INTERRUPT_OF_TERMINAL */
static pid_t sender_of(const struct signalfd_siginfo *info)
{
	if (info->ssi_code == SI_KERNEL)
		return INTERRUPT_OF_TERMINAL;
	return info->ssi_code == SI_QUEUE ? info->ssi_int : (int)info->ssi_pid;
}

/*
 * A terminal has sent the signal to the command, too. One that the command has sent, to
 * its parent or to its process group, is not for the command, as in sudo(8).
 */
static bool is_echo(const struct child *child,
		    const struct signalfd_siginfo *info)
{
	pid_t sender = sender_of(info);

	return sender == child->pid ||
	       (sender == INTERRUPT_OF_TERMINAL && info->ssi_signo != SIGHUP);
}

/*
 * Pass on the signal of @info. True if the wait ends. Some callers send a signal
 * to a process and at once to its process group, so an early second one is
 * ignored.
 */
static bool pass_on(struct child *child, const struct signalfd_siginfo *info)
{
	bool is_first = !child->interrupted_ns;
	int signal = info->ssi_signo;

	if (signal == SIGCHLD)
		return false;
	if (!child->pid) {
		child->signal = signal;
		return true;
	}
	if (is_echo(child, info))
		return false;
	if (!child->has_ended)
		kill(child->pid, signal);
	if (signal != SIGINT && signal != SIGTERM)
		return false;
	child->signal = signal;
	if (is_first)
		child->interrupted_ns = profil_now();
	return ignores(child->pid, signal) ||
	       (!is_first && profil_now() - child->interrupted_ns > ECHO_NS);
}

bool profil_child_is_interrupted(struct child *child)
{
	struct signalfd_siginfo info;
	bool is_over = false;

	while (!is_over &&
	       read(child->descriptor, &info, sizeof(info)) == sizeof(info))
		is_over = pass_on(child, &info);
	return is_over;
}

bool profil_child_wait(struct pollfd *fds, size_t nr, uint64_t deadline)
{
	uint64_t now = profil_now();
	struct timespec left = { 0 };

	if (deadline > now) {
		left.tv_sec = (deadline - now) / SECOND;
		left.tv_nsec = (deadline - now) % SECOND;
	}
	return ppoll(fds, nr, deadline == CHILD_NEVER ? NULL : &left, NULL);
}

/*
 * Signals of a terminal, which the child has got, are still pending. Those that only
 * the command knows a meaning of would end the recorder.
 */
void profil_child_end(struct child *child)
{
	static const struct timespec none;
	sigset_t mask = child->mask;

	while (sigtimedwait(&child->waited, NULL, &none) > 0)
		;
	sigaddset(&mask, SIGUSR1);
	sigaddset(&mask, SIGUSR2);
	sigaction(SIGCHLD, &child->sigchld, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	child->are_taken = false;
}

/* The process in front of the recorder */

/* Children that end beside the recorder were daemons. */
static bool has_ended(pid_t pid, int *status)
{
	pid_t ended;

	do {
		ended = waitpid(-1, status, WNOHANG);
	} while (ended > 0 && ended != pid);
	return ended == pid || ended < 0;
}

/* The recorder has told of the end of the command, too, or that there is none. */
static bool is_told(int report)
{
	int bytes = 0;

	return !ioctl(report, FIONREAD, &bytes) &&
	       bytes == 2 * (int)sizeof(int);
}

/* Pass a signal on to the recorder or, without @report, to the command. */
static void relay_one(pid_t pid, int report, const siginfo_t *info)
{
	union sigval sender = { 0 };

	if (info->si_code != SI_KERNEL)
		sender.sival_int = info->si_pid;
	else if (!is_told(report))
		sender.sival_int = INTERRUPT_OF_TERMINAL;
	if (report >= 0)
		sigqueue(pid, info->si_signo, sender);
	else if (info->si_code != SI_KERNEL && info->si_pid != pid)
		kill(pid, info->si_signo);
}

/* Pass signals to the process @pid up to its end; its status as of wait(2) */
static int relay(const sigset_t *waited, pid_t pid, int report)
{
	siginfo_t info;
	/* The status of a process that cannot be waited for */
	int status = SIGKILL;

	while (!has_ended(pid, &status))
		if (sigwaitinfo(waited, &info) > 0 && info.si_signo != SIGCHLD)
			relay_one(pid, report, &info);
	return status;
}

/*
 * The recorder has written the process of the command and, when that has ended, its
 * exit status; without a command, 0 and 0.
 */
void profil_child_stand_in_front(const struct child *child, pid_t recorder)
{
	int status = relay(&child->waited, recorder, child->command);
	int command[2];
	ssize_t got;

	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	got = read(child->command, command, sizeof(command));
	warnx("the recording process was killed: what it had not saved yet is lost");
	if (got == sizeof(command) && *command)
		_exit(command[1]);
	if (got < (ssize_t)sizeof(*command) || !*command)
		_exit(exit_status(status));
	_exit(exit_status(relay(&child->waited, *command, -1)));
}

pid_t profil_child_outlive(struct child *child)
{
	int life[2], report[2];
	pid_t recorder;

	profil_child_take_signals(child);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	open_pipe(life);
	open_pipe(report);
	recorder = fork();
	if (recorder < 0)
		die_errno("cannot fork");
	if (recorder) {
		close(life[0]);
		close(report[1]);
		child->command = report[0];
		return recorder;
	}
	close(life[1]);
	close(report[0]);
	/* The command has the name, too, until its execve(). */
	prctl(PR_SET_NAME, "profil-recorder");
	child->front = life[0];
	child->command = report[1];
	return 0;
}

bool profil_child_is_orphan(struct child *child)
{
	struct pollfd life = { .fd = child->front, .events = POLLIN };

	if (!child->front || child->is_orphan || poll(&life, 1, 0) <= 0)
		return child->is_orphan;
	child->is_orphan = true;
	/* No further descriptor is in use, even for a while: there may be none. */
	for (int fd = 0; fd <= 2; fd++) {
		close(fd);
		profil_output_null();
	}
	return true;
}
