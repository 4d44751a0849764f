// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of a user get stuck, one after the other, while they are sampled: tables of the
 * machine end at once, give their places back, and have every sample accounted for.
 */
#include "one_table.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sys/socket.h>

#include "fuse.h"
#include "helpers.h"

/* More than may be open at a time */
#define TABLES (3 * PROFIL_MAX_TABLES)

#define SITE 13

/* TAKE of the last samples: nothing waits, whatever the programs do. */
static void end_samples(struct table *table)
{
	take(table, PROFIL_TAKE_LAST);
	EXPECT_EQ(0, table->taken.waiting);
}

/* The lock of the mappings */

static bool taken_busy(struct table *table)
{
	take(table, 0);
	return table->sum.busy;
}

/* A table whose samples at the site have no mapping that was looked up before */
static bool is_busy(one_table_data *self, const struct locked *locked)
{
	struct table *table = begin(self, 0, FAST_NS);

	(void)WAIT_FOR(taken_busy(table) || !locked_holds(locked));
	end_samples(table);
	return table->sum.busy;
}

/* True if the lock was held all the time, and every table had a sample. */
static bool check_locked(one_table_data *self)
{
	bool all = true, held;
	struct locked locked;

	ASSERT_TRUE(locked_begin(&locked, new_user(), SITE));
	for (int i = 0; i < TABLES && all; i++)
		all = is_busy(self, &locked);
	end_table(self);
	EXPECT_TRUE(wait_for_references(1));
	held = locked_holds(&locked);
	locked_end(&locked);
	return all && held;
}

TEST_F(one_table, locked_mappings_keep_no_table)
{
	if (!starvation_works() || !can_load())
		SKIP(return, "needs two CPUs and " MODULE);
	ASSERT_OK(save_parameters());
	EXPECT_TRUE(EVENTUALLY(check_locked(self), 0));
	close(self->fd);
	EXPECT_OK(reload());
	self->fd = device_open();
	EXPECT_LE(0, self->fd);
}

/*
 * The table has looked the mapping at the site up before the lock is taken, in mmap(),
 * which also unmaps a file: that mapping may have changed.
 */
static bool check_stale(one_table_data *self, __u32 flags)
{
	struct table *table = begin(self, flags, FAST_NS);
	struct locked locked;
	bool held;

	ASSERT_TRUE(locked_begin(&locked, new_user(), SITE));
	sleep_ns(40 * FAST_NS);
	take(table, 0);
	TH_LOG("%llu hits, %llu stale, %llu busy", table->taken.hits,
	       table->taken.stale, table->taken.busy);
	EXPECT_GE(table->taken.hits, table->taken.stale);
	end_samples(table);
	held = locked_holds(&locked);
	locked_end(&locked);
	return held && table->sum.stale;
}

TEST_F(one_table, known_mapping_counts_while_mappings_are_locked)
{
	if (!starvation_works())
		SKIP(return, "needs two CPUs");
	EXPECT_TRUE(EVENTUALLY(check_stale(self, 0), 0));
#ifdef __x86_64__
	EXPECT_TRUE(EVENTUALLY(check_stale(self, PROFIL_TABLE_CALLERS), 0));
#endif
}

/*
 * System calls, and their ends. A program uses CPU time in a call from code that no sample
 * has seen, which then sleeps: it closes many descriptors, and one that waits.
 */
#define MANY_DESCRIPTORS 30000

/* A descriptor behind which there are many others; or -1 */
static int open_many(void)
{
	int first = open("/dev/null", O_RDONLY), last = first;

	while (last >= 0 && last < first + MANY_DESCRIPTORS)
		last = dup(first);
	return last < 0 ? -1 : first;
}

static bool allow_many(void)
{
	struct rlimit limit = { 2 * MANY_DESCRIPTORS, 2 * MANY_DESCRIPTORS };

	return !setrlimit(RLIMIT_NOFILE, &limit);
}

/* Close all from @first to @last by one call. */
static void close_all(int first, int last, volatile bool *calls)
{
	long (*call_close)(long nr, long from, long to, long flags) =
		new_call();

	if (first < 0 || last < first)
		_exit(1);
	*calls = true;
	call_close(SYS_close_range, first, last, 0);
}

static struct fuse fuse;

/* The call sleeps. */
static void close_held(void *calls)
{
	int first;

	close_range(3, ~0U, 0);
	first = open_many();
	close_all(first, fuse_open(&fuse, FUSE_HELD, O_RDONLY), calls);
}

/*
 * A connection whose other end reads nothing, with as much data as there is room for, most
 * of it at this end. The end of its last descriptor waits until all has been read.
 */
#define ROOM_HERE 0x10000
#define ROOM_THERE 0x800

static int connect_to(int server, struct sockaddr_in *address)
{
	static const int here = ROOM_HERE, there = ROOM_THERE;
	socklen_t size = sizeof(*address);
	int client = socket(AF_INET, SOCK_STREAM, 0);

	setsockopt(client, SOL_SOCKET, SO_SNDBUF, &here, sizeof(here));
	setsockopt(server, SOL_SOCKET, SO_RCVBUF, &there, sizeof(there));
	if (bind(server, (void *)address, size) || listen(server, 1) ||
	    getsockname(server, (void *)address, &size) ||
	    connect(client, (void *)address, size))
		return -1;
	return client;
}

#define LINGER_SECONDS 500

static int lingering_socket(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct linger linger = { 1, LINGER_SECONDS };
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int client = connect_to(server, &address);
	char data[1024] = "";

	while (send(client, data, sizeof(data), MSG_DONTWAIT) > 0)
		;
	return errno != EAGAIN || setsockopt(client, SOL_SOCKET, SO_LINGER,
					     &linger, sizeof(linger)) ?
		       -1 :
		       client;
}

/* The call returns to user mode; what the kernel does before that sleeps. */
static void close_lingering(void *calls)
{
	int client, first, last;

	close_range(3, ~0U, 0);
	client = lingering_socket();
	first = open_many();
	last = client < 0 ? -1 : dup(client);
	close(client);
	close_all(first, last, calls);
}

/* A private network whose loopback device works */
static bool network_begin(void)
{
	struct ifreq request = { .ifr_name = "lo",
				 .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd;

	if (unshare(CLONE_NEWNET))
		return false;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	return fd >= 0 && !ioctl(fd, SIOCSIFFLAGS, &request) && !close(fd);
}

/* More processes than tables: a busy host may keep all samples from some. */
#define STUCK_MAX (4 * TABLES)

static pid_t stuck[STUCK_MAX];
static int nr_stuck;

static void get_stuck(void (*body)(void *calls))
{
	volatile bool *calls = new_shared(page_size());
	pid_t pid = fork_user(new_user(), body, (void *)calls);

	ASSERT_LT(0, pid);
	stuck[nr_stuck++] = pid;
	ASSERT_TRUE(WAIT_FOR(*calls && stays_in_state(pid, pid, 'S')));
}

/* True if the table has cancelled samples. */
static bool check_table(one_table_data *self, void (*body)(void *calls))
{
	struct table *table = begin(self, 0, FAST_NS);

	ASSERT_GT(STUCK_MAX, nr_stuck);
	get_stuck(body);
	end_samples(table);
	return table->sum.cancelled;
}

static void check_tables(one_table_data *self, void (*body)(void *calls))
{
	ASSERT_TRUE(allow_many());
	for (int tables = 0; tables < TABLES;)
		tables += check_table(self, body);
	end_table(self);
	TH_LOG("%d processes are stuck", nr_stuck);
}

static void end_stuck(void)
{
	while (nr_stuck)
		kill_child(stuck[--nr_stuck]);
}

#define DIRECTORY "/tmp/profil-stuck"

TEST_F(one_table, call_that_waits_for_a_file_server_keeps_no_table)
{
	if (make_private_directory(DIRECTORY) || fuse_mount(&fuse, DIRECTORY))
		SKIP(return, "needs FUSE");
	check_tables(self, close_held);
	EXPECT_TRUE(wait_for_references(1));
	fuse_unmount(&fuse);
	end_stuck();
}

/* The end of the process is that of the module's last reference. */
TEST_F(one_table, call_whose_end_waits_keeps_no_table)
{
	if (!network_begin())
		SKIP(return, "needs network namespaces");
	check_tables(self, close_lingering);
	EXPECT_LT(1, references());
	end_stuck();
	EXPECT_TRUE(wait_for_references(1));
}

/* A program that writes to a full pipe */
#define WRITTEN 0x200000UL

static const char *writer;

static void sleep_in_write(void *calls)
{
	char number[24];

	*(volatile bool *)calls = true;
	snprintf(number, sizeof(number), "%lu", WRITTEN);
	execl(writer, writer, "write", number, NULL);
}

TEST_F(one_table, call_that_sleeps_keeps_no_table)
{
	struct folder folder = folder_new();

	ASSERT_OK(chmod(folder.path, 0755));
	ASSERT_OK(program_copy(folder.program));
	writer = folder.program;
	check_tables(self, sleep_in_write);
	EXPECT_TRUE(wait_for_references(1));
	end_stuck();
	folder_end(&folder);
}

TEST_HARNESS_MAIN
