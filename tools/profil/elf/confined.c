// SPDX-License-Identifier: GPL-2.0-only
/* Confined child, which reads files that are not trusted */
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/profil.h>
#include <linux/seccomp.h>

#include "elf/confined.h"
#include "util/clock.h"
#include "util/interrupt.h"
#include "util/output.h"
#include "util/regular_file.h"

/* Seconds of CPU time */
#define CPU_S 600

/* The parent looks for signals so often. */
#define LOOK_MS 50

/* Looks for the end of a child after SIGKILL, which a file system may hold up */
#define LOOKS 100

/* Exit status of a child that cannot give up its rights */
#define EXIT_UNCONFINED (EXIT_PROFIL - 1)

/* ioctl() of a terminal, by the C library in place of TCGETS; its header has another */
#define TERMINAL_GET 0x802c542a

/* In a child, itself */
static struct confined self;

/* The last number of profil_confined_note(), in memory of the child and its parent */
static volatile uint32_t *noted;

/* System calls of the child */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* The frequent ones come first. */
static const uint32_t allowed[] = {
	__NR_pread64,	    __NR_mmap,		 __NR_munmap,
	__NR_read,	    __NR_write,		 __NR_close,
	__NR_brk,	    __NR_newfstatat,	 __NR_fstat,
	__NR_statx,	    __NR_lseek,		 __NR_fstatfs,
	__NR_faccessat,	    __NR_faccessat2,	 __NR_readlinkat,
	__NR_getdents64,    __NR_getcwd,	 __NR_dup,
	__NR_memfd_create,  __NR_mremap,	 __NR_mprotect,
	__NR_madvise,	    __NR_futex,		 __NR_rt_sigaction,
	__NR_rt_sigreturn,  __NR_rt_sigprocmask, __NR_restart_syscall,
	__NR_clock_gettime, __NR_sysinfo,	 __NR_uname,
	__NR_getrandom,	    __NR_geteuid,	 __NR_exit_group,
	__NR_setitimer,
#ifdef __x86_64__
	__NR_access,	    __NR_readlink,
#endif
};

/* Calls whose @argument has @value in the bits of @mask, of the lower half */
static const struct {
	uint32_t number, argument, mask, value;
} compared[] = {
	{ __NR_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY },
	{ __NR_fcntl, 1, UINT32_MAX, F_GETFD },
	{ __NR_fcntl, 1, UINT32_MAX, F_GETFL },
	{ __NR_fcntl, 1, UINT32_MAX, F_DUPFD_CLOEXEC },
	{ __NR_ioctl, 1, UINT32_MAX, TCGETS },
	{ __NR_ioctl, 1, UINT32_MAX, TERMINAL_GET },
	{ __NR_ioctl, 1, UINT32_MAX, TIOCGWINSZ },
	{ __NR_ioctl, 1, UINT32_MAX, PROFIL_IOC_VERSION },
};

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

#define LOAD(member)                       \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
		 offsetof(struct seccomp_data, member))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)

/* Jump over @no instructions if the value is not @k. */
#define UNLESS(k, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, no)

#define ADD(...)                                                   \
	do {                                                       \
		const struct sock_filter rows[] = { __VA_ARGS__ }; \
		memcpy(code + program.len, rows, sizeof(rows));    \
		program.len += ELEMENTS(rows);                     \
	} while (0)

/* Every other call fails with EPERM, so that a library can do without it. */
static bool filter_calls(void)
{
	struct sock_filter
		code[5 + 2 * ELEMENTS(allowed) + 6 * ELEMENTS(compared)];
	struct sock_fprog program = { .filter = code };

#ifdef ARCHITECTURE
	ADD(LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
	    RETURN(SECCOMP_RET_ERRNO | EPERM));
#endif
	ADD(LOAD(nr));
	for (size_t i = 0; i < ELEMENTS(allowed); i++)
		ADD(UNLESS(allowed[i], 1), RETURN(SECCOMP_RET_ALLOW));
	for (size_t i = 0; i < ELEMENTS(compared); i++)
		ADD(UNLESS(compared[i].number, 5),
		    LOAD(args[compared[i].argument]),
		    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, compared[i].mask),
		    UNLESS(compared[i].value, 1), RETURN(SECCOMP_RET_ALLOW),
		    LOAD(nr));
	ADD(RETURN(SECCOMP_RET_ERRNO | EPERM));
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Requests of the child, and texts in answer to them */

/**
 * struct request - a request
 * @kind: of enum debuginfod_kind; or REQUEST_WRITE: write the output to its file
 * @size: bytes of @id
 * @id: build ID
 */
struct request {
	uint32_t kind;
	uint32_t size;
	uint8_t id[FILE_BUILD_ID];
};

#define REQUEST_WRITE (DEBUGINFOD_EXECUTABLE + 1)

/* Without an answer the parent has ended, and the child ends, too. */
static void ask(const struct request *request, char text[PATH_MAX])
{
	if (write(self.socket, request, sizeof(*request)) < 0 ||
	    read(self.socket, text, PATH_MAX) <= 0)
		_exit(EXIT_PROFIL);
}

void profil_confined_note(uint32_t number)
{
	if (self.pid)
		*noted = number;
}

static void ask_to_write(void)
{
	char text[PATH_MAX];

	ask(&(struct request){ .kind = REQUEST_WRITE }, text);
}

/* As profil_debuginfod_path(), of the parent */
static void ask_for_path(enum debuginfod_kind kind, const void *id, size_t size,
			 char path[PATH_MAX])
{
	struct request request = { .kind = kind, .size = size };

	if (size > sizeof(request.id))
		return;
	memcpy(request.id, id, size);
	ask(&request, path);
}

int profil_debuginfod_find(enum debuginfod_kind kind, const void *id,
			   size_t size)
{
	char path[PATH_MAX] = "";
	int fd;

	if (!size || !profil_debuginfod_has_servers())
		return -1;
	if (self.pid)
		ask_for_path(kind, id, size, path);
	else
		profil_debuginfod_path(kind, id, size, path);
	fd = *path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	/* Neither the server nor libdwfl has compared the build ID. */
	if (fd < 0 || profil_has_build_id(fd, id, size))
		return fd;
	close(fd);
	return -1;
}

/* Limits and rights of the child */

/* A lower limit of the caller stays. */
static void limit(int resource, rlim_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now))
		return;
	if (now.rlim_cur > most)
		now.rlim_cur = most;
	if (now.rlim_max > most)
		now.rlim_max = most;
	setrlimit(resource, &now);
}

/* A filter of the caller may refuse capset(), which is needed only if there are any. */
static bool drop_capabilities(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2], none = { 0 };
	uint32_t kept = 1 << CAP_DAC_READ_SEARCH;

	if (syscall(SYS_capget, &head, data))
		return false;
	if (!(data[0].permitted & ~kept) && !data[1].permitted)
		return true;
	data[0].permitted &= kept;
	data[0].effective &= kept;
	data[0].inheritable = 0;
	data[1] = none;
	return !syscall(SYS_capset, &head, data);
}

/* A sanitizer has terabytes of private memory, and other calls at the end. */
static bool give_up_rights(void)
{
	rlim_t memory = (rlim_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);

#ifdef UNCONFINED
	return true;
#endif
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, CPU_S);
	limit(RLIMIT_DATA, memory);
	limit(RLIMIT_FSIZE, memory);
	return drop_capabilities() && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       filter_calls();
}

static void be_child(const struct confined *confined, pid_t parent)
{
	self = *confined;
	profil_interrupt_watch(NULL, NULL);
	profil_interrupt_once();
	profil_output_redirect(self.fd, ask_to_write);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && give_up_rights())
		return;
	_exit(EXIT_UNCONFINED);
}

/* The parent */

void profil_confined_copy(const struct confined *confined, FILE *out)
{
	char bytes[65536];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(confined->fd, bytes, sizeof(bytes), at)) > 0) {
		fwrite(bytes, 1, got, out);
		at += got;
	}
}

static void write_output(const struct confined *confined)
{
	FILE *out = profil_output_open(confined->output, NULL);

	profil_confined_copy(confined, out);
	profil_output_close(out, confined->output);
}

/* A child that does not read its answers, or asks for an empty ID, is refused. */
bool profil_confined_answer(const struct confined *confined)
{
	struct request request;
	char text[PATH_MAX] = "";

	if (recv(confined->socket, &request, sizeof(request), 0) !=
		    sizeof(request) ||
	    request.size > sizeof(request.id) ||
	    (!request.size && request.kind < REQUEST_WRITE))
		return false;
	if (request.kind < REQUEST_WRITE)
		profil_debuginfod_path(request.kind, request.id, request.size,
				       text);
	else if (confined->output)
		write_output(confined);
	return send(confined->socket, text, strlen(text) + 1,
		    MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

/*
 * Serve the child up to its end, to nonsense, or to the deadline, for which the time of
 * servers does not count. A child that ends has an exit status before its socket is
 * closed, which SIGKILL does not change.
 */
static void serve(const struct confined *confined, unsigned int deadline)
{
	struct pollfd request = { confined->socket, POLLIN };
	uint64_t begin = profil_now(), asked;
	bool is_told = false;

	while (!deadline || profil_now() - begin < deadline * SECOND) {
		int ready = poll(&request, 1, LOOK_MS);

		asked = profil_now();
		if (ready > 0 && !profil_confined_answer(confined))
			break;
		begin += profil_now() - asked;
		if (profil_interrupted() && !is_told)
			is_told = !kill(confined->pid, SIGTERM);
	}
}

/* The exit status, or less than 0; that of a child which does not end is -SIGKILL. */
static int status_of(pid_t pid)
{
	struct pollfd end = { pidfd_open(pid, 0), POLLIN };
	int status = SIGKILL;

	for (int i = 0; i < LOOKS && !waitpid(pid, &status, WNOHANG); i++)
		poll(&end, 1, i ? LOOK_MS : 1);
	close(end.fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* A recording would say what is wrong in each of its looks. */
static bool is_first_time(void)
{
	static bool is_over;
	bool was_over = is_over;

	is_over = true;
	return !was_over;
}

static bool begin(struct confined *confined, int ends[2])
{
	confined->fd = memfd_create("profil", MFD_CLOEXEC);
	if (!noted)
		noted = mmap(NULL, sizeof(*noted), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	/* A caller that ignores it would leave no status. */
	signal(SIGCHLD, SIG_DFL);
	fflush(NULL);
	if (noted != MAP_FAILED)
		*noted = UINT32_MAX;
	return confined->fd >= 0 && noted != MAP_FAILED &&
	       !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

bool profil_confine_begin(struct confined *confined, const char *output)
{
	pid_t parent = getpid();
	int ends[2] = { -1, -1 };

	if (self.pid) {
		*confined = self;
		return true;
	}
	*confined = (struct confined){
		.output = output,
		.noted = UINT32_MAX,
		.status = EXIT_PROFIL,
	};
	confined->pid = begin(confined, ends) ? fork() : -1;
	if (confined->pid < 0) {
		if (is_first_time())
			warn("cannot start a process that reads files");
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	confined->socket = ends[!confined->pid];
	close(ends[!!confined->pid]);
	if (!confined->pid) {
		confined->pid = getpid();
		be_child(confined, parent);
		return true;
	}
	return false;
}

void profil_confined_end(struct confined *confined)
{
	close(confined->socket);
	kill(confined->pid, SIGKILL);
	confined->noted = *noted;
	confined->status = status_of(confined->pid);
	if (confined->status == EXIT_UNCONFINED) {
		if (is_first_time())
			warnx("cannot confine the process that reads files");
		confined->status = EXIT_PROFIL;
	}
}

bool profil_confine(struct confined *confined, const char *output,
		    unsigned int deadline)
{
	if (profil_confine_begin(confined, output))
		return true;
	if (confined->pid < 0)
		return false;
	serve(confined, deadline);
	profil_confined_end(confined);
	return false;
}

void profil_confined_exit(const struct confined *confined)
{
	int status = confined->status;

	if (status == -SIGPIPE)
		raise(SIGPIPE);
	if (status < 0)
		die_err("the process that reads files was ended by signal %d (%s)",
			-status, strsignal(-status));
	exit(status);
}
