// SPDX-License-Identifier: GPL-2.0-only
/* The child that runs the command */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/recorder.h"
#include "tap.h"
#include "util/clock.h"

/* Wait for the end of @child; false if the user has ended the recording. */
static bool wait_for(struct child *child)
{
	struct pollfd signals = { .fd = child->descriptor, .events = POLLIN };

	while (!profil_child_has_ended(child)) {
		profil_child_wait(&signals, 1, CHILD_NEVER);
		if (profil_child_is_interrupted(child))
			return false;
	}
	return true;
}

/* Exit status of the command @text of sh */
static int status_of(char *text)
{
	char *argv[4] = { "sh", "-c", text };
	struct child child = { .argv = argv, .status = -1 };

	profil_child_begin(&child);
	if (!profil_child_execute(&child))
		return -1;
	wait_for(&child);
	profil_child_end(&child);
	close(child.descriptor);
	return child.status;
}

/*
 * A child of the command sends SIGTERM to profil, and another one a second one when the
 * command gets the first. The command ends with the second, at once: the wait for it
 * does not end before, unless the machine is slow.
 */
TEST("a second SIGTERM is passed on, and ends no wait if it is an echo")
{
	char text[] = "trap 'n=$((n + 1)); [ $n = 1 ] || exit 7;"
		      " (kill -TERM $PPID)' TERM; (kill -TERM $PPID);"
		      " for i in $(seq 500); do sleep 0.02; done";
	char *argv[4] = { "sh", "-c", text };
	struct child child = { .argv = argv, .status = -1 };
	uint64_t begin = profil_now();
	bool has_ended;

	profil_child_begin(&child);
	CHECK(profil_child_execute(&child));
	has_ended = wait_for(&child);
	if (profil_now() - begin > 1000000000)
		while (!has_ended)
			has_ended = wait_for(&child);
	profil_child_end(&child);
	close(child.descriptor);
	CHECK(has_ended);
	CHECK_EQUAL(7, child.status);
	return true;
}

TEST("a signal that the command sends to profil does not come back to it")
{
	CHECK_EQUAL(5, status_of("kill -USR1 $PPID; sleep 1; exit 5"));
	CHECK_EQUAL(5, status_of("kill -TERM $PPID; sleep 1; exit 5"));
	return true;
}

/* As by nohup(1) */
TEST("a signal that the caller ignores is not waited for")
{
	static const int signals[] = { SIGQUIT, SIGTERM, SIGHUP, SIGUSR1,
				       SIGUSR2 };

	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++) {
		struct child child = { .status = -1 };
		bool is_good = true;

		signal(signals[i], SIG_IGN);
		profil_child_take_signals(&child);
		for (size_t j = 0; j < ARRAY_LENGTH(signals); j++)
			is_good &= sigismember(&child.waited, signals[j]) ==
				   (i != j);
		sigprocmask(SIG_SETMASK, &child.mask, NULL);
		sigaction(SIGCHLD, &child.sigchld, NULL);
		signal(signals[i], SIG_DFL);
		CHECK(is_good);
	}
	return true;
}

static uint64_t ns_of(struct timeval time)
{
	return time.tv_sec * SECOND + time.tv_usec * 1000;
}

/* The processes that it has waited for are included. */
TEST("a command that has ended has the CPU time that the kernel knows of it")
{
	char text[] = "i=0; while [ $i -lt 200 ]; do i=$((i + 1)); (:); done";
	char *argv[4] = { "sh", "-c", text };
	struct child child = { .argv = argv, .status = -1 };
	struct rusage before, after;

	CHECK(!getrusage(RUSAGE_CHILDREN, &before));
	profil_child_begin(&child);
	CHECK(profil_child_execute(&child));
	wait_for(&child);
	profil_child_end(&child);
	close(child.descriptor);
	CHECK(!getrusage(RUSAGE_CHILDREN, &after));
	CHECK(child.cpu.kernel_ns && child.cpu.all_ns > child.cpu.kernel_ns);
	CHECK_EQUAL(ns_of(after.ru_stime) - ns_of(before.ru_stime),
		    child.cpu.kernel_ns);
	CHECK_EQUAL(ns_of(after.ru_utime) - ns_of(before.ru_utime),
		    child.cpu.all_ns - child.cpu.kernel_ns);
	return true;
}

/* /proc counts in hundredths of a second, the two parts each by itself. */
TEST("the CPU time of a process with its children has that of those that have ended")
{
	uint64_t before = profil_cpu_time(getpid(), true).all_ns, sum;
	struct rusage ended;
	int status;
	pid_t pid = fork();

	if (!pid) {
		while (clock() < CLOCKS_PER_SEC / 5)
			;
		_exit(0);
	}
	CHECK(wait4(pid, &status, 0, &ended) == pid);
	sum = ended.ru_utime.tv_usec + ended.ru_stime.tv_usec;
	CHECK(profil_cpu_time(getpid(), true).all_ns - before + 30000000 >
	      sum * 1000);
	return true;
}

TEST("a message about a command has no control character of its name")
{
	char name[] = "a\033[mb", text[256] = "";
	char *argv[2] = { name };
	struct child child = { .argv = argv };
	int memory = memfd_create("stderr", 0), terminal = dup(2);

	signal(SIGPIPE, SIG_IGN);
	profil_child_begin(&child);
	CHECK(!kill(child.pid, SIGKILL));
	wait_for(&child);
	dup2(memory, 2);
	profil_child_execute(&child);
	dup2(terminal, 2);
	profil_child_end(&child);
	close(child.descriptor);
	signal(SIGPIPE, SIG_DFL);
	CHECK(pread(memory, text, sizeof(text) - 1, 0) > 0);
	close(memory);
	close(terminal);
	CHECK(strstr(text, "cannot start a\\x1b[mb: Broken pipe\n"));
	return true;
}

/* Clock ticks of time in the kernel, and nanoseconds of all time, between two looks */
TEST("the program of a command is a file that can be executed")
{
	char directory[] = "/tmp/childXXXXXX", entry[64], path[PATH_MAX];
	char list[PATH_MAX], *before = strdup(getenv("PATH"));

	CHECK(mkdtemp(directory));
	snprintf(entry, sizeof(entry), "%s/sh", directory);
	snprintf(list, sizeof(list), "%s:%s", directory, before);
	setenv("PATH", list, 1);
	for (int i = 0; i < 2; i++) {
		CHECK(!(i ? mkdir(entry, 0755) : mknod(entry, 0644, 0)));
		CHECK(profil_child_find("sh", path) && strcmp(path, entry));
		remove(entry);
	}
	setenv("PATH", before, 1);
	free(before);
	return !rmdir(directory);
}

TEST("a part has no more CPU time in the kernel than in all")
{
	const struct numbers then = { .cpu = { 15000000, 10000000 } };
	const struct numbers now = { .cpu = { 24000000, 20000000 } };
	struct table table = { .kind = TABLE_TREE, .period_ns = 1000000 };
	struct profile_head head = { 0 };

	profil_table_set_head(&table, &then, &now, &head);
	CHECK_EQUAL(9000000, head.cpu_ns);
	CHECK_EQUAL(9000000, head.kernel_ns);
	return true;
}

/*
 * A title fills the arguments of a program with blanks or zero bytes; an argument between
 * others, and a single one, stay.
 */
TEST("a command line ends with its last word")
{
	char *argv[8] = { "sh", "-c", "kill -STOP $$", "", "title   ", "  ",
			  "",	NULL };
	char **command;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		execv("/bin/sh", argv);
		_exit(1);
	}
	CHECK_EQUAL(pid, waitpid(pid, &status, WUNTRACED));
	command = profil_process_command(pid);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	CHECK(!strcmp(command[0], "sh"));
	CHECK(!strcmp(command[3], ""));
	CHECK(!strcmp(command[4], "title"));
	CHECK(!command[5]);
	for (int i = 0; i < 5; i++)
		free(command[i]);
	free(command);
	return true;
}
