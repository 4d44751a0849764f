/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of /dev/profil share: the calls themselves, text whose PC is
 * known, CPU clocks, and memory laid out on purpose.
 */
#ifndef PROFIL_TEST_COMMON_H
#define PROFIL_TEST_COMMON_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/profil.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

#define NSEC_PER_USEC 1000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_SEC 1000000000ULL

/* Short enough for samples to be plenty, long enough for an emulated CPU. */
#define FAST_NS (250 * NSEC_PER_USEC)

/* How long to wait for what comes at once on a machine that is not busy. */
#define TIMEOUT_NS (100 * NSEC_PER_SEC)

/* What stands wherever the driver must write, or must not. */
#define POISON 0xa5
#define POISON_U32 0xa5a5a5a5U
#define POISON_U64 0xa5a5a5a5a5a5a5a5ULL

/* The calls. Each gives 0 or a negative errno. */
int device_open(void);
int call(int fd, unsigned long command, const void *argument);
int start(int fd, struct profil_start *start);
int stop(int fd, struct profil_stats *stats);
int stats(int fd, struct profil_stats *stats);
int version(int fd, struct profil_version *version);

/* Arguments that are right, with poison in what the driver is to write. */
struct profil_region region_of(void *counters, size_t size, const void *text,
			       __u32 scale);
struct profil_start start_of(const struct profil_region *regions, __u32 nr,
			     __u32 width, __u64 period_ns);
struct profil_stats stats_blank(__u32 *states, __u32 nr_states);
struct profil_version version_blank(void);

/* The session's statistics now; all zero if it has none, or STATS fails. */
struct profil_stats stats_now(int fd);

/* The state of region 0 to 3; POISON_U32 if the session has no such region. */
__u32 region_state(int fd, __u32 region);

/* Whether @stats adds up, as it always must. */
bool adds_up(const struct profil_stats *stats);

/*
 * Sites: NR_SITES pieces of text, SITE_BYTES apart, each a loop in which a
 * thread spins without leaving it. SITE_SCALE(width) gives each a counter.
 */
#define NR_SITES 64
#define SITE_BYTES 64
#define SITE_SCALE(width) (0x10000U / SITE_BYTES * (width))
#define SITES_BYTES ((size_t)NR_SITES * SITE_BYTES)

extern const char profil_sites[];

const void *site(unsigned int nr);

/* Spin at a site till the thread has used @ns of CPU time. */
void spin(unsigned int nr, __u64 ns);

/*
 * Spin at a site till its counter, or the one at @at, is @count; false if that
 * takes too long. However slow and busy the machine, a sample comes in the end.
 */
bool spin_until(unsigned int nr, const void *counters, __u32 width,
		__u64 count);
bool spin_until_at(unsigned int nr, const void *at, __u32 width, __u64 count);

/* The same till there have been @more samples, wherever they went. */
bool spin_until_samples(int fd, unsigned int nr, __u64 more);

/* The same till the session has @hits, never far ahead of the driver's work. */
bool spin_until_hits(int fd, unsigned int nr, __u64 hits);

/*
 * Whether the machine counts instructions, as tests/qemu/run -c does: its clocks
 * stand still while its CPU does, so that each sample that is due is there,
 * whatever else the host does. On others an interrupt may come late or never,
 * and samples can only be waited for.
 */
bool machine_counts(void);

/*
 * Whether @samples are those that are due where the machine counts. A thread that
 * has the CPU to itself gets one each period, for @least_ns of CPU time between
 * START and STOP and @most_ns around them: one less or two more, as there is one
 * instant in each period, and two periods may be there in part. Threads that
 * share a CPU get theirs by which of them has it when the clock strikes: four
 * deviations of chance.
 */
bool all_due(__u64 samples, __u64 least_ns, __u64 most_ns, __u64 period_ns);
bool share_due(__u64 samples, __u64 used_ns, __u64 period_ns);

/* A counter for each site, @width bytes each, on pages of their own. */
struct profil_region sites_region(void *counters, __u32 width);

/* Start counting sites at @counters. */
int start_sites(int fd, void *counters, __u32 width, __u64 period_ns);

/* Counter @index of an array of counters of @width bytes. */
__u64 counter(const void *counters, __u32 width, size_t index);
__u64 counters_sum(const void *counters, __u32 width, size_t nr);

/* Clocks, in nanoseconds. */
__u64 thread_ns(void);
__u64 process_ns(void);
__u64 wall_ns(void);
void sleep_ns(__u64 ns);
__u64 tick_ns(int fd);

/* Whether FAST_NS can be had: not without high-resolution timers. */
bool fast_here(int fd);

/* Memory. All of it is zero; NULL when there is none. */
size_t page_size(void);
void *new_pages(size_t bytes);
void *new_shared(size_t bytes);
/* More than there is memory for, as long as most of it is not used. */
void *new_reserved(size_t bytes);
/* @bytes that end where nothing is mapped. */
void *new_at_hole(size_t bytes);
bool all_bytes(const void *start, int value, size_t bytes);

/* The same, where transparent huge pages may be; NULL when there are none. */
#define HUGE_BYTES 0x200000UL
void *new_huge(size_t bytes);

/* A line of /proc/self/status, such as "VmPin:", in pages. */
size_t status_pages(const char *name);

/* A number of /proc/vmstat, such as "nr_foll_pin_acquired"; 0 if there is none. */
unsigned long vm_event(const char *name);

/*
 * Users. Charges are a user's, and so a test that counts them has one of its own.
 * A user other than root is bound by a limit of @pages locked pages.
 */
uid_t new_user(void);
int become_user(uid_t user, size_t pages);

/* Module parameters. 0 or a negative errno. */
int param_read(const char *name, char *value, size_t room);
int param_write(const char *name, const char *value);

/*
 * The functions of the kernel that call something by way of ftrace: how many,
 * -1 if that cannot be told, and how many of those that the module hooks.
 */
int hooked_functions(void);
int hooked_as_intended(void);

/* A child's way to say yes or no, and its parent's to hear it. */
bool exited_with(pid_t child, int status);

#endif /* PROFIL_TEST_COMMON_H */
