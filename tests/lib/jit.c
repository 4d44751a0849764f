// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code in anonymous memory under `profil run`: libprofil gives it counters. The
 * test creates the run's file itself, executes this program again with libprofil
 * preloaded and the name of a JIT program below as its argument, and reads the
 * counters of the addresses that the JIT program has written code to.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "include/run_layout.h"
#include "process_state.h"
#include "tap.h"
#include "work.h"

#define LIBRARY "/usr/local/lib/libprofil.so.1"
#define PERIOD_NS 1000000
#define RESERVED 0x100000
#define PAGE 4096
#define MAX_CODES 8

/*
 * CPU time in each piece of code, and the samples during this time. All of them
 * may be lost while the host is busy, so there may be more turns. A few samples
 * are elsewhere, where the clock and the statistics are read.
 */
#define SPIN_NS (20 * NSEC_PER_MSEC)
#define ENOUGH 50
#define LEAST 5

/**
 * struct notes - what a JIT program tells the test
 * @nr: elements of @codes
 * @codes: addresses of its code
 * @failed: line of the first check of the program that failed, or 0
 */
struct notes {
	int nr;
	uint64_t codes[MAX_CODES];
	int failed;
};

static struct notes *notes;

#define REQUIRE(condition)                          \
	do {                                        \
		if (!(condition) && !notes->failed) \
			notes->failed = __LINE__;   \
	} while (0)

/*
 * The JIT programs
 */

/* mov %rdi,%rcx; loop: dec %rcx; jne loop; ret */
static const unsigned char loop[] = { 0x48, 0x89, 0xf9, 0x48, 0xff,
				      0xc9, 0x75, 0xfb, 0xc3 };

static void *map(size_t size, int protection)
{
	void *mapped = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	REQUIRE(mapped != MAP_FAILED);
	return mapped;
}

static void execute(void *code)
{
	__u64 until = wall_ns() + TIMEOUT_NS, begin = driver_samples();

	do
		work_for((work_fn)(uintptr_t)code, SPIN_NS);
	while (driver_samples() < begin + ENOUGH && wall_ns() < until);
}

static void write_code(void *code)
{
	memcpy(code, loop, sizeof(loop));
	notes->codes[notes->nr++] = (uintptr_t)code;
}

static void write_and_execute(char *code)
{
	write_code(code);
	execute(code);
}

static void run_writable_code(void)
{
	char *page = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);

	write_and_execute(page + 0x123);
}

/* Reserve memory, and change pages of it between writable and executable. */
static void run_toggled_code(void)
{
	char *reserved = map(RESERVED, PROT_NONE);
	int i;

	for (i = 0; i < 3; i++) {
		char *page = reserved + (5 + 20 * i) * PAGE;

		REQUIRE(!mprotect(page, PAGE, PROT_READ | PROT_WRITE));
		write_code(page + 7 * i);
		REQUIRE(!mprotect(page, PAGE, PROT_READ | PROT_EXEC));
		execute(page + 7 * i);
		REQUIRE(!mprotect(page, PAGE, PROT_NONE));
		REQUIRE(!mprotect(page, PAGE, PROT_READ | PROT_EXEC));
		execute(page + 7 * i);
	}
}

/* The parent's code, executed by the child alone */
static void run_code_in_child(void)
{
	char *code = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	pid_t child;
	int status;

	write_code(code);
	child = fork();
	if (!child) {
		execute(code);
		_exit(0);
	}
	REQUIRE(waitpid(child, &status, 0) == child && !status);
}

static void check_results(void)
{
	char *page = map(PAGE, PROT_READ | PROT_WRITE);

	errno = 77;
	REQUIRE(!mprotect(page, PAGE, PROT_READ | PROT_EXEC) && errno == 77);
	REQUIRE(mmap(NULL, PAGE, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0) != MAP_FAILED &&
		errno == 77);
	REQUIRE(mprotect(page + 1, PAGE, PROT_EXEC) == -1 && errno == EINVAL);
	errno = 0;
	REQUIRE(mmap(NULL, 0, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
			MAP_FAILED &&
		errno == EINVAL);
	REQUIRE(mmap(NULL, PAGE, PROT_EXEC, MAP_PRIVATE, -1, 0) == MAP_FAILED &&
		errno == EBADF);
	REQUIRE(!munmap(page, PAGE));
	REQUIRE(mprotect(page, PAGE, PROT_EXEC) == -1 && errno == ENOMEM);
	run_writable_code();
}

static void map_code(int signal)
{
	int saved = errno;
	char *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)signal;
	REQUIRE(page != MAP_FAILED);
	REQUIRE(!mprotect(page, PAGE, PROT_NONE));
	REQUIRE(!munmap(page, PAGE));
	errno = saved;
}

/* Both the program and its signal handler map code. */
static void map_code_in_handler(void)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = map_code,
				    .sa_flags = SA_RESTART };
	__u64 until = wall_ns() + NSEC_PER_SEC;

	REQUIRE(!sigaction(SIGALRM, &action, NULL));
	REQUIRE(!setitimer(ITIMER_REAL, &often, NULL));
	do
		map_code(0);
	while (wall_ns() < until);
	REQUIRE(!setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL));
}

/* Calls by which a file can be opened or examined */
static const int forbidden[] = {
	SYS_open,	SYS_openat,
	SYS_openat2,	SYS_access,
	SYS_faccessat,	SYS_statx,
	SYS_newfstatat, SYS_readlinkat,
	SYS_ioctl,	SYS_process_vm_readv,
};

static struct sock_filter filter_code[ARRAY_LENGTH(forbidden) + 3];
static struct sock_fprog filter = { .filter = filter_code };

static void add(struct sock_filter instruction)
{
	filter_code[filter.len++] = instruction;
}

/* A filter that kills at each of the calls: its last instruction */
static void make_filter(void)
{
	size_t nr = ARRAY_LENGTH(forbidden), i;

	add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					 offsetof(struct seccomp_data, nr)));
	for (i = 0; i < nr; i++)
		add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
						 forbidden[i], nr - i, 0));
	add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
					 SECCOMP_RET_KILL_PROCESS));
}

/*
 * All that libprofil takes notice of, under a filter, with samples in code that
 * has no counters. The end of the program is part of it.
 */
static void run_code_under(bool by_prctl)
{
	char *code = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	char *later = map(PAGE, PROT_READ | PROT_WRITE);
	void *handle;

	make_filter();
	memcpy(later, loop, sizeof(loop));
	write_and_execute(code);
	REQUIRE(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	REQUIRE(!(by_prctl ?
			  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) :
			  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0,
				  &filter)));
	REQUIRE(!mprotect(later, PAGE, PROT_READ | PROT_EXEC));
	work_for((work_fn)(uintptr_t)later, SPIN_NS);
	map(PAGE, PROT_READ | PROT_EXEC);
	handle = dlopen(NULL, RTLD_NOW);
	REQUIRE(handle && !dlclose(handle));
	errno = 0;
	REQUIRE(execl("/none/such", "such", NULL) == -1 && errno == ENOENT);
}

static void run_under_prctl(void)
{
	run_code_under(true);
}

static void run_under_syscall(void)
{
	run_code_under(false);
}

/* A filter that the kernel refuses is no reason to miss later code. */
static void run_after_refusal(void)
{
	struct sock_fprog none = { 0 };

	REQUIRE(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	REQUIRE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &none) == -1 &&
		errno == EINVAL);
	REQUIRE(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) == -1 &&
		errno == EFAULT);
	REQUIRE(syscall(SYS_getpid) == getpid());
	run_writable_code();
}

/* Mappings that take a while to read */
#define MANY 10000

static void map_many(void)
{
	char *pages = map(2 * MANY * PAGE, PROT_NONE);
	int i;

	for (i = 0; i < MANY; i++)
		REQUIRE(!mprotect(pages + 2 * i * PAGE, PAGE, PROT_READ));
}

/* Wait until the library reads the mappings, with the descriptor @argument. */
static void *lock_while_mappings_are_read(void *argument)
{
	char link[32], path[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", *(int *)argument);
	do
		length = readlink(link, path, sizeof(path));
	while (length < 5 || memcmp(path + length - 5, "/maps", 5));
	mlockall(MCL_CURRENT | MCL_ONFAULT);
	return NULL;
}

/*
 * At exit the library reads the mappings, since there are samples in code that it
 * has not been told of. Meanwhile another thread locks all memory, for which the
 * library unmaps the counters.
 */
static void exit_while_locking(void)
{
	static int next;
	pthread_t thread;
	char *code = (char *)syscall(SYS_mmap, NULL, PAGE,
				     PROT_READ | PROT_WRITE | PROT_EXEC,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	REQUIRE(code != MAP_FAILED);
	memcpy(code, loop, sizeof(loop));
	execute(code);
	map_many();
	next = dup(STDIN_FILENO);
	close(next);
	REQUIRE(!pthread_create(&thread, NULL, lock_while_mappings_are_read,
				&next));
}

static const struct {
	const char *name;
	void (*run)(void);
} programs[] = {
	{ "writable", run_writable_code },  { "toggled", run_toggled_code },
	{ "child", run_code_in_child },	    { "results", check_results },
	{ "handler", map_code_in_handler }, { "prctl", run_under_prctl },
	{ "syscall", run_under_syscall },   { "refused", run_after_refusal },
	{ "exit", exit_while_locking },
};

static int run_program(const char *name)
{
	size_t i = 0;

	notes = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		     STDIN_FILENO, 0);
	while (strcmp(programs[i].name, name))
		i++;
	programs[i].run();
	return 0;
}

/*
 * The run's file
 */
static struct run *run;
static int run_fd;
static pid_t program_pid;

/* Bytes of text for each counter that the program is to have */
static __u32 text_bytes = 1;

static int memory_file(off_t size, void **mapped, size_t length)
{
	int fd = memfd_create("jit-test", 0);

	if (fd < 0 || ftruncate(fd, size))
		return -1;
	*mapped = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return *mapped == MAP_FAILED ? -1 : fd;
}

static bool create_run(void)
{
	void *mapped;

	run_fd = memory_file(RUN_SIZE, &mapped, sizeof(*run));
	CHECK(run_fd >= 0);
	run = mapped;
	run->period_ns = PERIOD_NS;
	if (text_bytes == 4) {
		run->crowd = 5;
		run->totals.sessions = 5;
	}
	run->space = run_align(sizeof(*run));
	run->magic = RUN_MAGIC;
	return true;
}

static void execute_program(const char *name, int notes_fd)
{
	char path[64], self[4096] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", run_fd);
	if (dup2(notes_fd, STDIN_FILENO) < 0 ||
	    readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		_exit(3);
	setenv(RUN_ENVIRONMENT, path, 1);
	setenv("LD_PRELOAD", LIBRARY, 1);
	execl(self, self, name, NULL);
	_exit(3);
}

/* Run a JIT program; true if it has ended without a failed check. */
static bool profile(const char *name)
{
	void *mapped;
	int notes_fd = memory_file(PAGE, &mapped, PAGE);
	int status;

	CHECK(notes_fd >= 0);
	CHECK(create_run());
	notes = mapped;
	program_pid = fork();
	if (!program_pid)
		execute_program(name, notes_fd);
	CHECK(waitpid(program_pid, &status, 0) == program_pid);
	CHECK_EQUAL(0, status);
	CHECK_EQUAL(0, notes->failed);
	CHECK_EQUAL(0, run->failed);
	CHECK_EQUAL(1, run->processes);
	return true;
}

/**
 * struct jit_sum - samples in texts of anonymous memory
 * @texts: number of such texts
 * @in_code: samples at the addresses of the program's code
 * @elsewhere: samples at other addresses
 * @marks: records of code in memory among the counters for no file
 */
struct jit_sum {
	int texts;
	__u64 in_code[MAX_CODES];
	__u64 elsewhere;
	int marks;
};

static void add_sample(struct jit_sum *sum, __u64 address, __u32 count)
{
	int i;

	for (i = 0; i < notes->nr; i++) {
		__u64 code = notes->codes[i];

		if (address < (code & -(__u64)text_bytes) ||
		    address >= code + sizeof(loop))
			continue;
		sum->in_code[i] += count;
		return;
	}
	sum->elsewhere += count;
}

/* Only the pages of the notes' addresses are looked at, in both modes. */
static bool add_text(struct jit_sum *sum, const struct run_text *text,
		     __u64 where)
{
	__u64 half = run_counters_size(text->kind, text->to - text->from,
				       text->text_bytes);
	off_t first = (off_t)where + RUN_RECORD, at = first;

	sum->texts++;
	while ((at = lseek(run_fd, at, SEEK_DATA)) >= 0 &&
	       at < first + 2 * (off_t)half) {
		__u64 index = (__u64)(at - first) % half / RUN_COUNTER;
		__u32 counters[PAGE / RUN_COUNTER];
		size_t i;

		CHECK(pread(run_fd, counters, PAGE, at) == PAGE);
		for (i = 0; i < ARRAY_LENGTH(counters); i++)
			add_sample(sum,
				   text->from + (index + i) * text->text_bytes,
				   counters[i]);
		at += PAGE;
	}
	return true;
}

static const struct run_text *text_at(__u64 where)
{
	static struct run_text text;

	if (pread(run_fd, &text, sizeof(text), (off_t)where) != sizeof(text))
		return NULL;
	return &text;
}

static bool read_texts(struct jit_sum *sum)
{
	__u32 i;

	*sum = (struct jit_sum){ 0 };
	for (i = 0; i < run->claimed && i < RUN_TEXTS; i++) {
		const struct run_entry *entry = &run->texts[i];
		const struct run_text *text = text_at(entry->where);

		/* The library maps the text, and pages may have 64 KiB. */
		CHECK_EQUAL(0, entry->where % 0x10000);
		CHECK(text);
		sum->marks += text->kind == RUN_TEXT_OUTSIDE && text->jit;
		if (text->kind != RUN_TEXT_JIT)
			continue;
		CHECK_EQUAL(program_pid, text->pid);
		CHECK_EQUAL(text_bytes, text->text_bytes);
		CHECK(strstr(text->program, "/jit"));
		CHECK(!strcmp(text->path, text->program));
		CHECK(add_text(sum, text, entry->where));
	}
	return true;
}

/* All code of the program has samples, and nothing else in its memory has. */
static bool code_is_counted(const char *name, int texts)
{
	struct jit_sum sum;
	int i;

	CHECK(profile(name));
	CHECK(read_texts(&sum));
	CHECK_EQUAL(texts, sum.texts);
	CHECK_EQUAL(0, sum.elsewhere);
	CHECK(notes->nr > 0);
	for (i = 0; i < notes->nr; i++) {
		tap_note("%llu samples in code at %#llx", sum.in_code[i],
			 (unsigned long long)notes->codes[i]);
		CHECK(sum.in_code[i] >= LEAST);
	}
	return true;
}

TEST("code in writable memory is counted by address")
{
	return code_is_counted("writable", 1);
}

/* Many sessions are under way: a counter has four bytes of text. */
TEST("many processes at once count four bytes of code together")
{
	text_bytes = 4;
	return code_is_counted("writable", 1);
}

/* One session for the program, and one more for all its code */
TEST("code in pages of reserved memory takes one more session")
{
	CHECK(code_is_counted("toggled", 1));
	CHECK_EQUAL(2, run->starts);
	return true;
}

TEST("a child counts in the code of its parent")
{
	return code_is_counted("child", 1);
}

TEST("results and errno of the calls stay")
{
	return profile("results");
}

/* There is an end to new texts, and to new sessions with them. */
TEST("a program and its signal handler can map code without end")
{
	struct jit_sum sum;

	CHECK(profile("handler"));
	CHECK(read_texts(&sum));
	tap_note("%d texts, %u sessions", sum.texts, run->starts);
	CHECK_BETWEEN(1, sum.texts, 64);
	CHECK_BETWEEN(2, run->starts, 65);
	return true;
}

TEST("a filter that kills at open() does not meet the library")
{
	return code_is_counted("prctl", 1) && code_is_counted("syscall", 1);
}

TEST("a filter that is refused changes nothing")
{
	return code_is_counted("refused", 1);
}

/* The mark of code in memory, in the record of counters for no file */
TEST("a program may exit while a thread locks all memory")
{
	struct jit_sum sum;

	CHECK(profile("exit"));
	CHECK(read_texts(&sum));
	CHECK_EQUAL(1, sum.marks);
	return true;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return run_program(argv[1]);
	return tap_run();
}
