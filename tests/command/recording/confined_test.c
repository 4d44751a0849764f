// SPDX-License-Identifier: GPL-2.0-only
/* The confined child: what it may do, and what its parent knows of its end */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "elf/confined.h"
#include "tap.h"

#define NONE "/none/file"
#define AT(path) AT_FDCWD, (long)(path)

/*
 * System calls that no reader of files needs. An ordinary process is refused few of
 * them with EPERM, in a container; nothing of the machine is changed by them.
 */
static const struct {
	const char *name;
	long number;
	long arguments[5];
} refused[] = {
	{ "write a file", SYS_openat, { AT("/dev/null"), O_WRONLY } },
	{ "change a file", SYS_openat, { AT("/dev/null"), O_RDWR } },
	{ "make a file", SYS_openat, { AT(NONE), O_CREAT } },
	{ "empty a file", SYS_openat, { AT(NONE), O_TRUNC } },
	{ "open in another way", SYS_openat2, { AT(NONE) } },
	{ "make a directory", SYS_mkdirat, { AT(NONE), 0700 } },
	{ "remove a file", SYS_unlinkat, { AT(NONE) } },
	{ "rename a file", SYS_renameat2, { AT(NONE), AT(NONE) } },
	{ "link a file", SYS_linkat, { AT(NONE), AT(NONE) } },
	{ "change a mode", SYS_fchmodat, { AT(NONE), 0700 } },
	{ "change an owner", SYS_fchownat, { AT(NONE) } },
	{ "make a socket", SYS_socket, { AF_INET, SOCK_STREAM } },
	{ "execute a program", SYS_execve, { (long)NONE } },
	{ "start a process", SYS_clone, { CLONE_SIGHAND } },
	{ "send a signal", SYS_kill, { 0, 0 } },
	{ "have signals sent", SYS_fcntl, { 0, F_SETOWN, 0 } },
	{ "trace a process", SYS_ptrace, { PTRACE_CONT, 0 } },
	{ "read a process", SYS_process_vm_readv, { 0, 0, 0, 0, 0 } },
	{ "control a device", SYS_ioctl, { 0, 0 } },
	{ "end the filter", SYS_prctl, { 0 } },
};

#define NR_REFUSED (sizeof(refused) / sizeof(*refused))

/* Names of the calls that are refused, or of those that are not */
static void try_calls(bool is_refused, int to)
{
	for (size_t i = 0; i < NR_REFUSED; i++) {
		const long *with = refused[i].arguments;
		long result = syscall(refused[i].number, with[0], with[1],
				      with[2], with[3], with[4]);

		if ((result < 0 && errno == EPERM) == is_refused)
			dprintf(to, "%s\n", refused[i].name);
	}
}

/* The text of @fd is empty; it is printed otherwise. */
static bool is_empty(int fd)
{
	char text[4096];
	ssize_t size = pread(fd, text, sizeof(text) - 1, 0);

	text[size > 0 ? size : 0] = '\0';
	close(fd);
	if (size)
		tap_note("%s", text);
	return !size;
}

TEST("a child makes, changes and starts nothing, and its parent could")
{
	int text = memfd_create("text", 0);
	struct confined child;

	if (profil_confine(&child, NULL, 0)) {
		try_calls(false, child.fd);
		_exit(0);
	}
	CHECK_EQUAL(0, child.status);
	CHECK(is_empty(child.fd));
	if (!fork()) {
		try_calls(true, text);
		_exit(0);
	}
	CHECK(wait(NULL) > 0);
	CHECK(lseek(text, 0, SEEK_END) < 100);
	close(text);
	return true;
}

TEST("a child reads files, and answers in its own")
{
	struct confined child, other;
	char byte = 0;
	int fd;

	if (profil_confine(&child, NULL, 0)) {
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		_exit(read(fd, &byte, 1) != 1 ||
		      !profil_confine(&other, NULL, 0) ||
		      write(other.fd, &byte, 1) != 1);
	}
	CHECK_EQUAL(0, child.status);
	CHECK(pread(child.fd, &byte, 1, 0) == 1 && byte == 0x7f);
	close(child.fd);
	return true;
}

TEST("a child can bound the time of a name")
{
	const struct itimerval time = { .it_value.tv_usec = 1000 };
	struct confined child;

	if (profil_confine(&child, NULL, 20)) {
		if (setitimer(ITIMER_VIRTUAL, &time, NULL))
			_exit(1);
		for (;;)
			;
	}
	close(child.fd);
	CHECK_EQUAL(-SIGVTALRM, child.status);
	return true;
}

/* Capabilities of this process but CAP_DAC_READ_SEARCH */
static bool has_capabilities(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	unsigned long long permitted = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "CapPrm: %llx", &permitted);
	return !status || permitted & ~(1ULL << CAP_DAC_READ_SEARCH);
}

TEST("a child has one capability at most")
{
	struct confined child;

	if (profil_confine(&child, NULL, 0))
		_exit(has_capabilities());
	close(child.fd);
	CHECK_EQUAL(0, child.status);
	return true;
}

/* Private memory of as many bytes as the machine has, and a GiB */
static bool has_memory(void)
{
	size_t size = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);

	return mmap(NULL, size + (1 << 30), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		    0) != MAP_FAILED;
}

TEST("a child has no more memory than the machine")
{
	struct confined child;

	if (profil_confine(&child, NULL, 0))
		_exit(has_memory());
	close(child.fd);
	CHECK_EQUAL(0, child.status);
	CHECK(has_memory());
	return true;
}

TEST("the parent knows the signal that ends a child, and what the child has noted")
{
	struct confined child;

	if (profil_confine(&child, NULL, 0)) {
		profil_confined_note(7);
		__builtin_trap();
	}
	close(child.fd);
	CHECK(child.status == -SIGILL || child.status == -SIGTRAP);
	CHECK_EQUAL(7, child.noted);
	if (profil_confine(&child, NULL, 0))
		_exit(3);
	close(child.fd);
	CHECK_EQUAL(3, child.status);
	CHECK_EQUAL(UINT32_MAX, child.noted);
	return true;
}

/* Ask for the file of no build ID, once, or to write the output again and again. */
static void ask(int socket, uint32_t kind)
{
	uint32_t request[10] = { kind };

	while (write(socket, request, sizeof(request)) > 0) {
		if (kind != DEBUGINFOD_EXECUTABLE)
			continue;
		if (read(socket, request, sizeof(request)) > 0)
			_exit(0);
		break;
	}
	for (;;)
		;
}

TEST("a child that waits, asks nonsense, or reads no answer is ended")
{
	struct confined child;
	char byte = 0;

	if (profil_confine(&child, NULL, 1))
		for (;;)
			;
	close(child.fd);
	CHECK_EQUAL(-SIGKILL, child.status);
	if (profil_confine(&child, NULL, 0)) {
		(void)!write(child.socket, &byte, 1);
		for (;;)
			;
	}
	close(child.fd);
	CHECK_EQUAL(-SIGKILL, child.status);
	for (uint32_t kind = 1; kind < 3; kind++) {
		if (profil_confine(&child, NULL, 0))
			ask(child.socket, kind);
		close(child.fd);
		CHECK_EQUAL(-SIGKILL, child.status);
	}
	return true;
}
