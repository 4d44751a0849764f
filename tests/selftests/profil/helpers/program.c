// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"
#include "program.h"

#include <dirent.h>
#include <sys/sendfile.h>

int code_file(const char *path)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
			     0755) :
			memfd_create("code", MFD_CLOEXEC);

	if (fd < 0 || pwrite(fd, profil_sites, SITES_BYTES, CODE_AT) !=
			      (ssize_t)SITES_BYTES)
		return -1;
	return fd;
}

const char *code_map(int fd, const char *at)
{
	void *code = mmap((void *)at, SITES_BYTES, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE | (at ? MAP_FIXED : 0), fd, CODE_AT);

	return code == MAP_FAILED ? NULL : code;
}

__u64 offset_of(const void *pc)
{
	FILE *file = fopen("/proc/self/maps", "r");
	unsigned long start, end, offset;
	__u64 found = NOWHERE;

	while (file && fscanf(file, "%lx-%lx %*s %lx%*[^\n]", &start, &end,
			      &offset) == 3)
		if (start <= (uintptr_t)pc && (uintptr_t)pc < end)
			found = (uintptr_t)pc - start + offset;
	if (file)
		fclose(file);
	return found;
}

int program_copy(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	struct stat seen;
	ssize_t done = -1;

	if (from >= 0 && to >= 0 && !fstat(from, &seen))
		done = sendfile(to, from, NULL, (size_t)seen.st_size);
	close(from);
	close(to);
	return done > 0 && done == seen.st_size ? 0 : -1;
}

pid_t program_new(const char *path, const char *what, __u64 argument)
{
	char number[24];
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(number, sizeof(number), "%llu", argument);
	execl(path, path, what, number, NULL);
	_exit(125);
}

static bool is_program(pid_t pid, const char *path)
{
	char link[64], exe[256] = "";

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	return readlink(link, exe, sizeof(exe) - 1) > 0 && !strcmp(exe, path);
}

bool program_sleeps(pid_t pid, const char *path)
{
	return is_program(pid, path) && stays_in_state(pid, pid, 'S');
}

long (*new_call(void))(long nr, long first, long second, long third)
{
	void *code = new_pages(page_size());

	memcpy(code, (void *)do_call, KERNEL_ENTRY_BYTES);
	if (mprotect(code, page_size(), PROT_READ | PROT_EXEC)) {
		perror("mprotect");
		_exit(1);
	}
	return (long (*)(long nr, long first, long second, long third))code;
}

/* The samples of the call are known only once it ends. */
static int write_to_pipe(size_t bytes)
{
	int pipes[2];

	if (pipe(pipes))
		return 1;
	fcntl(pipes[1], F_SETPIPE_SZ, (int)bytes / 2);
	new_call()(SYS_write, pipes[1], (long)new_pages(bytes), (long)bytes);
	return 1;
}

static void read_zeros(size_t bytes)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char *buffer = new_pages(bytes);

	while (read(zero, buffer, bytes) > 0)
		;
}

static void read_random(size_t bytes)
{
	char *buffer = new_pages(bytes);

	while (syscall(SYS_getrandom, buffer, bytes, 0) > 0)
		;
}

static int chain(const char *path, __u64 links)
{
	char number[24];

	if (!links)
		return 0;
	snprintf(number, sizeof(number), "%llu", links - 1);
	execl(path, path, "chain", number, NULL);
	return 125;
}

static int branch(__u64 ns)
{
	sigset_t pending;

	do {
		spin(SPIN_SITE, NSEC_PER_MSEC);
		sigpending(&pending);
	} while (!sigismember(&pending, SIGUSR1));
	return !CHILD_OK((spin(SPIN_SITE, ns), 0));
}

/* The arguments of program_new(): the tests of the program do not begin. */
__attribute__((constructor)) static void program_main(int argc, char **argv)
{
	__u64 argument = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	if (argc != 3)
		return;
	if (!strcmp(argv[1], "spin")) {
		spin(SPIN_SITE, argument);
		_exit(0);
	}
	if (!strcmp(argv[1], "zeros"))
		read_zeros(argument);
	if (!strcmp(argv[1], "random"))
		read_random(argument);
	if (!strcmp(argv[1], "write"))
		_exit(write_to_pipe(argument));
	if (!strcmp(argv[1], "chain"))
		_exit(chain(argv[0], argument));
	if (!strcmp(argv[1], "branch"))
		_exit(branch(argument));
}

static __u64 ns_of(struct timeval time)
{
	return (__u64)time.tv_sec * NSEC_PER_SEC +
	       (__u64)time.tv_usec * NSEC_PER_USEC;
}

__u64 cpu_time_of(pid_t child)
{
	struct rusage usage;
	int status;

	if (child < 0 || wait4(child, &status, 0, &usage) != child || status)
		return 0;
	return ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
}

struct folder folder_new(void)
{
	struct folder folder = { .path = "/tmp/profil-XXXXXX" };

	if (!mkdtemp(folder.path)) {
		perror(folder.path);
		_exit(1);
	}
	snprintf(folder.program, sizeof(folder.program), "%s/program",
		 folder.path);
	return folder;
}

void folder_end(const struct folder *folder)
{
	DIR *files = opendir(folder->path);
	struct dirent *entry;

	while (files && (entry = readdir(files)))
		unlinkat(dirfd(files), entry->d_name, 0);
	if (files)
		closedir(files);
	rmdir(folder->path);
}
