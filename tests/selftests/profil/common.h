/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all tests of /dev/profil share: the C library's headers, ioctls, code with known
 * PCs, CPU clocks, memory, users and module parameters.
 */
#ifndef PROFIL_TEST_COMMON_H
#define PROFIL_TEST_COMMON_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/profil.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

#define NSEC_PER_USEC 1000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_SEC 1000000000ULL

/*
 * A period that gives many samples, and that an emulated CPU can keep up with.
 */
#define FAST_NS (250 * NSEC_PER_USEC)

/* A limit for waits that take no time on an idle machine. */
#define TIMEOUT_NS (100 * NSEC_PER_SEC)

/*
 * True once @condition holds, with the expression @between before each further look.
 * False if it does not hold within TIMEOUT_NS.
 */
#define EVENTUALLY(condition, between)                                \
	({                                                            \
		__u64 until_ = wall_ns() + TIMEOUT_NS;                \
		bool holds_;                                          \
		while (!(holds_ = (condition)) && wall_ns() < until_) \
			(void)(between);                              \
		holds_;                                               \
	})

/* The same with a look in each millisecond */
#define WAIT_FOR(condition) EVENTUALLY(condition, sleep_ns(NSEC_PER_MSEC))

/*
 * Each line of the file @path, in the array @line; none if it cannot be read. The body
 * does not return.
 */
#define FOR_EACH_LINE(path, line)                   \
	for (FILE *file_ = fopen(path, "r"); file_; \
	     fclose(file_), file_ = NULL)           \
		while (fgets(line, sizeof(line), file_))

/*
 * Fork a child that exits with @status, an expression that the child evaluates: its PID,
 * or -1 if fork fails.
 */
#define IN_CHILD(status)               \
	({                             \
		pid_t child_ = fork(); \
		if (!child_)           \
			_exit(status); \
		child_;                \
	})

/* True if that status is 0. */
#define CHILD_OK(status) exited_with(IN_CHILD(status), 0)

/*
 * How often a test does what chance decides about: @all times, or @few in a guest whose
 * command line has rounds=few, since one round takes a kernel with checkers so long.
 */
unsigned int rounds_of(unsigned int all, unsigned int few);

/*
 * Poison: the previous content of memory that the driver must, or must not,
 * write.
 */
#define POISON 0xa5
#define POISON_U32 0xa5a5a5a5U
#define POISON_U64 0xa5a5a5a5a5a5a5a5ULL

/* The ioctls. Each function returns 0 or a negative errno. */
int device_open(void);
int call(int fd, unsigned long command, const void *argument);
int start(int fd, struct profil_start *start);
int stop(int fd, struct profil_stats *stats);
int stats(int fd, struct profil_stats *stats);
int version(int fd, struct profil_version *version);

/* Valid arguments, with poison in the fields that the driver writes. */
struct profil_region region_of(void *counters, size_t size, const void *text,
			       __u32 scale);
struct profil_start start_of(const struct profil_region *regions, __u32 nr,
			     __u32 width, __u64 period_ns);
struct profil_stats stats_blank(__u32 *states, __u32 nr_states);
struct profil_version version_blank(void);

/* START with one region of counters of @width bytes. 0 or a negative errno. */
int start_one(int fd, struct profil_region region, __u32 width, __u64 period_ns,
	      __u32 flags);

/* The session's statistics; all zero without a session, or if STATS fails. */
struct profil_stats stats_now(int fd);

/* What VERSION answers; all zero if it fails. */
struct profil_version version_now(int fd);

/*
 * The state of a region from 0 to 3; POISON_U32 if the session lacks the
 * region.
 */
__u32 region_state(int fd, __u32 region);

/* True if hits, outside and lost add up to samples. */
bool adds_up(const struct profil_stats *stats);

/*
 * Sites: NR_SITES loops of one instruction each, SITE_BYTES apart. A thread
 * that spins at a site has one PC, SITE_LOOP behind the site. SITE_SCALE(width)
 * gives each site one counter.
 *
 * No instruction of arm or arm64 counts and jumps, so the loops have two. An emulator
 * takes interrupts at the first: on real processors tests fail that expect one
 * PC.
 */
#define NR_SITES 64
#define SITE_BYTES 64
#if defined(__aarch64__) || defined(__arm__)
#define SITE_LOOP 0
#elif defined(__i386__)
#define SITE_LOOP 4
#else
#define SITE_LOOP 3
#endif
#define SITE_SCALE(width) (0x10000U / SITE_BYTES * (width))
#define SITES_BYTES ((size_t)NR_SITES * SITE_BYTES)

extern const char profil_sites[];

const void *site(unsigned int nr);

/* Spin at site @nr until the thread has used @ns of CPU time. */
void spin(unsigned int nr, __u64 ns);

/* The same at @code, a copy of the text of a site. */
void spin_at(const void *code, __u64 ns);

/*
 * Spin at site @nr until its counter, or the counter at @at, is @count. False
 * after TIMEOUT_NS: samples arrive even on a slow and busy machine.
 */
bool spin_until(unsigned int nr, const void *counters, __u32 width,
		__u64 count);
bool spin_until_at(unsigned int nr, const void *at, __u32 width, __u64 count);

/* Spin at site @nr until the session has @more samples of any outcome. */
bool spin_until_samples(int fd, unsigned int nr, __u64 more);

/*
 * Spin at site @nr until the session has @hits. STATS after each millisecond
 * lets the driver record deferred samples.
 */
bool spin_until_hits(int fd, unsigned int nr, __u64 hits);

/*
 * True if the machine counts instructions, as tests/qemu/run -c does: its
 * clocks stop while its CPU stops, and every due sample is taken on a busy
 * host, too. On other machines an interrupt may be late or missing, and a test
 * can only wait for samples.
 */
bool machine_counts(void);

/*
 * True if @samples is the number that is due, on a machine that counts
 * instructions.
 *
 * all_due() is for a process that has a CPU of its own. @least_ns is its CPU
 * time between START and STOP, @most_ns its CPU time around both calls. Each
 * period has one sample; the first and the last period may be incomplete, so
 * one sample less or two more are allowed. So is one for each time that the
 * kernel's own work had the CPU in between, as @switches tells: switches() of a
 * thread alone, and switches_of_others() for a process with threads.
 *
 * share_due() is for threads that share a CPU: chance decides which thread a
 * sample finds, so five standard deviations are allowed.
 */
bool all_due(__u64 samples, __u64 least_ns, __u64 most_ns, __u64 period_ns,
	     __u64 switches);
bool share_due(__u64 samples, __u64 used_ns, __u64 period_ns);

/* A region with one counter of @width bytes for each site. */
struct profil_region sites_region(void *counters, __u32 width);

/* Start a session over sites_region(). */
int start_sites(int fd, void *counters, __u32 width, __u64 period_ns);

/* The same over @size bytes of 32-bit counters, of which each site has a part. */
int start_spread(int fd, void *counters, size_t size, __u64 period_ns);

bool has_session(int fd);

/* A report: shared memory in which a child stores results for its parent. */
struct report {
	struct profil_stats stats[2];
	__u64 counter;
	volatile int ready;
};

struct report *new_report(void);

/*
 * Counter @index of an array of counters of @width bytes, and the sum of @nr.
 */
__u64 counter(const void *counters, __u32 width, size_t index);
__u64 counters_sum(const void *counters, __u32 width, size_t nr);

/* Write @text to the existing file @path. 0 or a negative errno. */
int write_text(const char *path, const char *text);

/* Read the first line of @path, without its end. 0 or a negative errno. */
int read_text(const char *path, char *text, size_t room);

/* The number at the beginning of the file @path; 0 if there is none. */
unsigned long number_in(const char *path);

/* Move the thread @tid, or the caller if it is 0, to @cpu. 0 or a negative errno. */
int run_on(pid_t tid, unsigned int cpu);

/*
 * The number of times that a thread of this process, or a task of any other one, has
 * been taken from a CPU. Threads that share a CPU take it from each other.
 */
__u64 switches(void);
__u64 switches_of_others(void);

/* Clocks, in nanoseconds: any one, 0 if there is none, and the usual. */
__u64 clock_ns(clockid_t clock);
__u64 thread_ns(void);
__u64 process_ns(void);
__u64 wall_ns(void);
void sleep_ns(__u64 ns);
__u64 tick_ns(int fd);

/* True if the driver accepts FAST_NS: the kernel has high-resolution timers. */
bool fast_here(int fd);

/* Memory, filled with zeros. The program ends as failed if there is none. */
size_t page_size(void);
void *new_pages(size_t bytes);
void *new_shared(size_t bytes);
/* Address space that may exceed the machine's memory. */
void *new_reserved(size_t bytes);
/* @bytes in front of an unmapped page. */
void *new_at_hole(size_t bytes);
/* Map a page of zeros at @at, in place of what is there. */
void *map_zeros(void *at);
bool all_bytes(const void *start, int value, size_t bytes);

/* Aligned memory that may get transparent huge pages; NULL without support. */
#define HUGE_BYTES 0x200000UL
void *new_huge(size_t bytes);

/* The value of a line of /proc/self/status, such as "VmPin:", in pages. */
size_t status_pages(const char *name);

/*
 * A value of /proc/vmstat, such as "nr_foll_pin_acquired"; 0 if it is missing.
 */
unsigned long vm_event(const char *name);

/* The number of pages pinned in the whole system, exact while none is */
unsigned long pages_pinned(void);

/*
 * Users. The driver charges pages to a user, so a test of charges takes a new
 * user. become_user() limits the process to @pages locked pages, by the soft limit alone.
 * Its effective user is another one, the same for all users; become_whole_user() makes it
 * this one, for a process whose children may be traced.
 */
uid_t new_user(void);
int become_user(uid_t user, size_t pages);
int become_whole_user(uid_t user, size_t pages);

/* Module parameters. Return 0 or a negative errno. */
int param_read(const char *name, char *value, size_t room);
int param_write(const char *name, const char *value);

/*
 * Wait for @child. True if it has exited with @status. Prints any other but 1: it may be
 * the number of a step.
 */
bool exited_with(pid_t child, int status);

/*
 * Two ways into the kernel, each from one known PC.
 *
 * The user PC during a system call is that of the next instruction; during a
 * page fault it is that of the faulting instruction.
 */

/* Make the system call @nr. Return its result or a negative errno. */
long do_call(long nr, long first, long second, long third);
extern const char after_call[];

/* Fill memory; one instruction stores. */
void do_store(void *at, int value, size_t bytes);
extern const char the_store[];

/* The length of both functions together, from do_call on. */
#define KERNEL_ENTRY_BYTES 64

/* Threads that spin at sites while the test does something else. */

#define BUSY_THREADS_MAX 16

/*
 * Start @nr threads, at most BUSY_THREADS_MAX. Thread i spins at site @first +
 * i, or at @first if not @spread. Return 0 or a positive errno.
 */
int busy_threads_begin(unsigned int nr, unsigned int first, bool spread);

/* End and join the threads. */
void busy_threads_end(void);

/* The number of threads that leaves no CPU idle. */
unsigned int busy_threads_for_all_cpus(void);

/*
 * Loading and unloading the module. Functions return 0 or a negative errno
 * unless stated otherwise.
 */

/* The module's file. Tests that unload the module skip without it. */
#define MODULE "/profil.ko"

bool can_load(void);
int load(const char *parameters);

/* The same for the module in the file @path */
int load_file(const char *path, const char *parameters);
int unload(int flags);

/* Unload, and try again while the module is in use. */
int unload_eventually(void);

/* The number of references to the module, or -1 if it is not loaded. */
long references(void);
bool wait_for_references(long nr);
bool wait_until_unused(void);

/*
 * Wait until no page is pinned and the module has @nr references: sessions are
 * freed in the background. False after TIMEOUT_NS.
 */
bool wait_for_nothing_left(long nr);

/*
 * The number of kernel functions with an ftrace hook, -1 if the list is not
 * readable, and the number of those that the module means to hook.
 */
int hooked_functions(void);
int hooked_as_intended(void);

/* Write @value, "0" or "1", to the sysctl kernel.ftrace_enabled. */
int enable_ftrace(const char *value);

/* The module's current parameters, in the form that load() takes. */
#define PARAMETERS_ROOM 160
int module_parameters(char parameters[PARAMETERS_ROOM]);

/* Save them for reload(), which unloads the module if it is loaded, and loads it. */
int save_parameters(void);
int reload(void);

/* Tracees: children that this thread traces (ptrace). */

/*
 * Fork a child that closes its descriptors, stops, traced, and then runs
 * @body(@argument); the result is the exit status. The child is killed when
 * the calling thread ends. The program ends as failed if there is no child.
 */
pid_t tracee_new(int (*body)(void *argument), void *argument);

/*
 * A child by clone(), with a stack of its own, whose exit status is @body(@argument): its
 * PID, or -1.
 */
pid_t child_by_clone(int flags, int (*body)(void *argument), void *argument);

/* Spin at @site until the process is killed. */
int spin_forever(unsigned int site);

/* Stop tracing; the child runs. */
void tracee_release(pid_t pid);

/* Kill @pid, a child, and wait for its end. */
void kill_child(pid_t pid);

/*
 * The state of a thread, as proc(5) has it; ? if there is none. S: it sleeps in a system
 * call; D: only what it waits for, or a fatal signal, wakes it.
 */
char state_of(pid_t pid, pid_t tid);

/* Is the thread in this state each time, at five looks in as many milliseconds? */
bool stays_in_state(pid_t pid, pid_t tid, char state);

/* A pidfd of @pid, or a negative errno. */
int pidfd_of(pid_t pid);

/*
 * Wait until the counter at @index is @count; others run meanwhile. False
 * after TIMEOUT_NS.
 */
bool wait_for_count(int fd, const void *counters, size_t index, __u64 count);

#endif /* PROFIL_TEST_COMMON_H */
