// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"

unsigned int rounds_of(unsigned int all, unsigned int few)
{
	const char *word = getenv("rounds");

	return word && !strcmp(word, "few") ? few : all;
}

int device_open(void)
{
	int fd = open(PROFIL_DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int call(int fd, unsigned long command, const void *argument)
{
	return ioctl(fd, command, argument) < 0 ? -errno : 0;
}

int start(int fd, struct profil_start *start)
{
	return call(fd, PROFIL_IOC_START, start);
}

int stop(int fd, struct profil_stats *stats)
{
	return call(fd, PROFIL_IOC_STOP, stats);
}

int stats(int fd, struct profil_stats *stats)
{
	return call(fd, PROFIL_IOC_STATS, stats);
}

int version(int fd, struct profil_version *version)
{
	return call(fd, PROFIL_IOC_VERSION, version);
}

struct profil_region region_of(void *counters, size_t size, const void *text,
			       __u32 scale)
{
	return (struct profil_region){
		.base = (uintptr_t)counters,
		.size = size,
		.offset = (uintptr_t)text,
		.scale = scale,
	};
}

struct profil_start start_of(const struct profil_region *regions, __u32 nr,
			     __u32 width, __u64 period_ns)
{
	return (struct profil_start){
		.size = sizeof(struct profil_start),
		.width = width,
		.nr_regions = nr,
		.regions = (uintptr_t)regions,
		.period_ns = period_ns,
	};
}

int start_one(int fd, struct profil_region region, __u32 width, __u64 period_ns,
	      __u32 flags)
{
	struct profil_start args = start_of(&region, 1, width, period_ns);

	args.flags = flags;
	return start(fd, &args);
}

struct profil_stats stats_blank(__u32 *states, __u32 nr_states)
{
	struct profil_stats stats;

	memset(&stats, POISON, sizeof(stats));
	stats.size = sizeof(stats);
	stats.nr_states = nr_states;
	stats.states = (uintptr_t)states;
	return stats;
}

struct profil_stats stats_now(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	if (stats(fd, &seen))
		memset(&seen, 0, sizeof(seen));
	return seen;
}

__u32 region_state(int fd, __u32 region)
{
	__u32 states[4] = { POISON_U32, POISON_U32, POISON_U32, POISON_U32 };
	struct profil_stats seen = stats_blank(states, 4);

	return stats(fd, &seen) ? POISON_U32 : states[region];
}

struct profil_version version_blank(void)
{
	struct profil_version version;

	memset(&version, POISON, sizeof(version));
	version.size = sizeof(version);
	return version;
}

bool adds_up(const struct profil_stats *stats)
{
	return stats->hits + stats->outside + stats->lost == stats->samples &&
	       stats->saturated <= stats->hits;
}

bool has_session(int fd)
{
	return stats_now(fd).flags & PROFIL_STATS_SESSION;
}

struct report *new_report(void)
{
	return new_shared(sizeof(struct report));
}

/*
 * LOOP is one instruction that jumps to itself until its count is zero: the PC
 * stays the same, and no second thread is needed to end the loop. The text
 * behind the sites is never executed; a region may include it.
 */
#if defined(__x86_64__)
#define COUNT_DOWN "mov %rdi, %rcx\n1: loop 1b\nret\n"
#elif defined(__i386__)
#define COUNT_DOWN "mov 4(%esp), %ecx\n1: loop 1b\nret\n"
#elif defined(__aarch64__)
#define COUNT_DOWN "1: subs x0, x0, #1\nb.ne 1b\nret\n"
#elif defined(__arm__)
#define COUNT_DOWN "1: subs r0, r0, #1\nbne 1b\nbx lr\n"
#define MODE ".arm\n"
#else
#error "sites have no code for this architecture"
#endif

#ifndef MODE
#define MODE
#endif

/* Or a section that is apart from all code that is executed */
#ifndef SITES_SECTION
#define SITES_SECTION ".text"
#endif

__asm__(".pushsection " SITES_SECTION "\n" MODE ".balign 4096\n"
	".globl profil_sites\n"
	"profil_sites:\n"
	".rept 64\n"
	".balign 64\n" COUNT_DOWN ".endr\n"
	".skip 0x10000, 0xcc\n"
	".popsection\n");

_Static_assert(NR_SITES == 64 && SITE_BYTES == 64, "the asm above knows both");

const void *site(unsigned int nr)
{
	return profil_sites + nr * SITE_BYTES;
}

/*
 * Return the number of loops until the next reading of the clock. A reading is
 * a system call, outside the site, so there are about four in @ns, or one each
 * millisecond.
 */
static unsigned long pace(unsigned long loops, __u64 gap, __u64 ns)
{
	__u64 goal = ns / 4;

	if (goal > NSEC_PER_MSEC)
		goal = NSEC_PER_MSEC;
	if (gap > goal)
		return loops > 1000 ? loops - loops / 8 : loops;
	return loops + loops / 8;
}

void spin(unsigned int nr, __u64 ns)
{
	spin_at(site(nr), ns);
}

void spin_at(const void *code, __u64 ns)
{
	static __thread unsigned long loops = 5000;
	void (*loop)(unsigned long count) = (void *)code;
	__u64 begin = thread_ns(), last = begin;

	while (last - begin < ns) {
		__u64 now;

		loop(loops);
		now = thread_ns();
		loops = pace(loops, now - last, ns);
		last = now;
	}
}

bool spin_until(unsigned int nr, const void *counters, __u32 width, __u64 count)
{
	return spin_until_at(nr, (const char *)counters + nr * width, width,
			     count);
}

bool spin_until_at(unsigned int nr, const void *at, __u32 width, __u64 count)
{
	return EVENTUALLY(counter(at, width, 0) >= count,
			  spin(nr, NSEC_PER_MSEC));
}

bool spin_until_samples(int fd, unsigned int nr, __u64 more)
{
	__u64 goal = stats_now(fd).samples + more;

	return EVENTUALLY(stats_now(fd).samples >= goal,
			  spin(nr, NSEC_PER_MSEC));
}

bool spin_until_hits(int fd, unsigned int nr, __u64 hits)
{
	spin(nr, NSEC_PER_MSEC);
	return EVENTUALLY(stats_now(fd).hits >= hits, spin(nr, NSEC_PER_MSEC));
}

static __u64 root(__u64 n)
{
	__u64 r = 0;

	while ((r + 1) * (r + 1) <= n)
		r++;
	return r;
}

bool machine_counts(void)
{
	return getenv("COUNTS_INSTRUCTIONS");
}

bool all_due(__u64 samples, __u64 least_ns, __u64 most_ns, __u64 period_ns,
	     __u64 switches)
{
	return samples + 1 + switches >= least_ns / period_ns &&
	       samples <= most_ns / period_ns + 2 + switches;
}

bool share_due(__u64 samples, __u64 used_ns, __u64 period_ns)
{
	__u64 due = used_ns / period_ns, chance = 5 * root(due) + 1;

	return samples + chance >= due && samples <= due + chance;
}

struct profil_region sites_region(void *counters, __u32 width)
{
	return region_of(counters, (size_t)NR_SITES * width, profil_sites,
			 SITE_SCALE(width));
}

int start_sites(int fd, void *counters, __u32 width, __u64 period_ns)
{
	return start_one(fd, sites_region(counters, width), width, period_ns,
			 0);
}

int start_spread(int fd, void *counters, size_t size, __u64 period_ns)
{
	__u32 scale = (__u32)(size / NR_SITES * (0x10000 / SITE_BYTES));

	return start_one(fd, region_of(counters, size, profil_sites, scale), 4,
			 period_ns, 0);
}

__u64 counter(const void *counters, __u32 width, size_t index)
{
	const volatile char *at = (const char *)counters + index * width;

	if (width == 2)
		return *(const volatile __u16 *)at;
	if (width == 4)
		return *(const volatile __u32 *)at;
	return *(const volatile __u64 *)at;
}

__u64 counters_sum(const void *counters, __u32 width, size_t nr)
{
	__u64 sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += counter(counters, width, i);
	return sum;
}

__u64 clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (__u64)now.tv_sec * NSEC_PER_SEC + (__u64)now.tv_nsec;
}

int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		error = -errno;
	close(fd);
	return error;
}

int read_text(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	*text = '\0';
	if (fd < 0)
		return -errno;
	got = read(fd, text, room - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return got < 0 ? -EIO : 0;
}

unsigned long number_in(const char *path)
{
	char text[64];

	return read_text(path, text, sizeof(text)) ? 0 : strtoul(text, NULL, 0);
}

int run_on(pid_t tid, unsigned int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(tid, sizeof(cpus), &cpus) ? -errno : 0;
}

__u64 switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

__u64 switches_of_others(void)
{
	char line[4096];
	__u64 all = 0;

	FOR_EACH_LINE("/proc/stat", line)
	sscanf(line, "ctxt %llu", &all);
	return all - switches();
}

__u64 thread_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

__u64 process_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

__u64 wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

void sleep_ns(__u64 ns)
{
	struct timespec left = {
		.tv_sec = (time_t)(ns / NSEC_PER_SEC),
		.tv_nsec = (long)(ns % NSEC_PER_SEC),
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

struct profil_version version_now(int fd)
{
	struct profil_version answer = version_blank();

	return version(fd, &answer) ? (struct profil_version){ 0 } : answer;
}

__u64 tick_ns(int fd)
{
	return version_now(fd).tick_ns;
}

bool fast_here(int fd)
{
	__u64 shortest = version_now(fd).min_period_ns;

	return shortest && shortest <= FAST_NS;
}

size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void *map_pages(size_t bytes, int flags)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   flags | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED) {
		perror("mmap");
		_exit(1);
	}
	return pages;
}

void *new_pages(size_t bytes)
{
	return map_pages(bytes, MAP_PRIVATE);
}

void *new_shared(size_t bytes)
{
	return map_pages(bytes, MAP_SHARED);
}

void *new_reserved(size_t bytes)
{
	return map_pages(bytes, MAP_PRIVATE | MAP_NORESERVE);
}

void *new_at_hole(size_t bytes)
{
	size_t page = page_size(), room = (bytes + page - 1) / page * page;
	char *pages = new_pages(room + page);

	munmap(pages + room, page);
	return pages + room - bytes;
}

void *map_zeros(void *at)
{
	return mmap(at, page_size(), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

bool all_bytes(const void *start, int value, size_t bytes)
{
	const unsigned char *at = start;

	return !bytes ||
	       (*at == (unsigned char)value && !memcmp(at, at + 1, bytes - 1));
}

void *new_huge(size_t bytes)
{
	uintptr_t at = (uintptr_t)new_pages(bytes + HUGE_BYTES);

	at = (at + HUGE_BYTES - 1) & -HUGE_BYTES;
	return madvise((void *)at, bytes, MADV_HUGEPAGE) ? NULL : (void *)at;
}

size_t status_pages(const char *name)
{
	unsigned long kib = 0;
	char line[128];

	FOR_EACH_LINE("/proc/self/status", line)
	{
		if (!strncmp(line, name, strlen(name)))
			kib = strtoul(line + strlen(name) + 1, NULL, 10);
	}
	return kib * 1024 / page_size();
}

/*
 * The kernel adds what each CPU has counted now and then, and seldom what an
 * isolated CPU has.
 */
static void add_counts_of_cpus(void)
{
	int fd = open("/proc/sys/vm/stat_refresh", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "1", 1) != 1)
		perror("/proc/sys/vm/stat_refresh");
	close(fd);
}

unsigned long vm_event(const char *name)
{
	unsigned long value = 0, number;
	char key[64];
	FILE *file;

	add_counts_of_cpus();
	file = fopen("/proc/vmstat", "r");
	while (file && fscanf(file, "%63s %lu", key, &number) == 2)
		if (!strcmp(key, name))
			value = number;
	if (file)
		fclose(file);
	return value;
}

unsigned long pages_pinned(void)
{
	return vm_event("nr_foll_pin_acquired") -
	       vm_event("nr_foll_pin_released");
}

uid_t new_user(void)
{
	static unsigned int users;

	return 100000 + (uid_t)getpid() * 16 + users++;
}

/* No new_user() */
#define EFFECTIVE_USER 99999

int become_user(uid_t user, size_t pages)
{
	struct rlimit limit = { pages * page_size(), RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setgid(65534))
		return -errno;
	return setresuid(user, EFFECTIVE_USER, user) ? -errno : 0;
}

int become_whole_user(uid_t user, size_t pages)
{
	int error = become_user(user, pages);

	return error ?: seteuid(user) ? -errno : 0;
}

#define PARAMETERS "/sys/module/profil/parameters/"

int param_read(const char *name, char *value, size_t room)
{
	char path[128];

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	return read_text(path, value, room);
}

int param_write(const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	return write_text(path, value);
}

bool exited_with(pid_t child, int status)
{
	int seen = -1;

	if (child > 0 && waitpid(child, &seen, 0) == child && WIFEXITED(seen) &&
	    WEXITSTATUS(seen) == status)
		return true;
	if (!WIFEXITED(seen) || WEXITSTATUS(seen) > 1)
		fprintf(stderr, "# child: wait status %#x\n", seen);
	return false;
}
