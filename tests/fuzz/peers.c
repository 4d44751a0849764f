// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <semaphore.h>
#include <sys/ptrace.h>

#include "table.h"

#define USER 4242

/**
 * struct order - what a peer has to do, in memory that it shares
 * @given: posted when the order is complete
 * @done: posted when it has been carried out
 * @site: where to spin
 * @ns: for how long
 * @forks: a child is to do it
 */
struct order {
	sem_t given;
	sem_t done;
	unsigned int site;
	__u64 ns;
	bool forks;
};

static struct {
	struct order *order;
	pid_t pid; /* 0 when it has ended */
} peers[NR_PEERS];

bool peers_drop_privileges(void)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	/* A change of the user makes a process undumpable, and its children. */
	return !setrlimit(RLIMIT_MEMLOCK, &limit) && !setgid(USER) &&
	       !setuid(USER) && !prctl(PR_SET_DUMPABLE, 1);
}

static void carry_out(const struct order *order)
{
	pid_t child = order->forks ? fork() : -1;

	if (child > 0) {
		waitpid(child, NULL, 0);
		return;
	}
	spin(order->site, order->ns);
	if (!child)
		_exit(0);
}

/* A signal, such as that of a child's end, would stop the peer: it is traced. */
static int obey(void *argument)
{
	struct order *order = argument;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	munmap((void *)ARENA, ARENA_END - ARENA);
	for (;;) {
		while (sem_wait(&order->given))
			;
		carry_out(order);
		sem_post(&order->done);
	}
	return 0;
}

/* False if @fd is none. @number becomes a descriptor of the same, in its place. */
static bool move_descriptor(int fd, int number)
{
	bool good = fd >= 0 && dup2(fd, number) == number;

	if (fd >= 0)
		close(fd);
	return good;
}

static bool create_peer(unsigned int nr)
{
	struct order *order = peers[nr].order;

	if (sem_init(&order->given, 1, 0) || sem_init(&order->done, 1, 0))
		return false;
	peers[nr].pid = tracee_new(obey, order);
	return peers[nr].pid > 0 &&
	       move_descriptor(pidfd_of(peers[nr].pid), PIDFD_PEER + nr) &&
	       !ptrace(PTRACE_CONT, peers[nr].pid, NULL, NULL);
}

static bool create_ended(void)
{
	pid_t pid = IN_CHILD(0);

	return pid > 0 && move_descriptor(pidfd_of(pid), PIDFD_ENDED) &&
	       waitpid(pid, NULL, 0) == pid;
}

bool peers_create(void)
{
	for (unsigned int i = 0; i < NR_PEERS; i++) {
		peers[i].order = new_shared(sizeof(*peers[i].order));
		if (!peers[i].order || !create_peer(i))
			return false;
	}
	return create_ended() &&
	       move_descriptor(pidfd_of(getppid()), PIDFD_FORBIDDEN) &&
	       move_descriptor(open("/dev/null", O_RDWR), NO_PIDFD);
}

bool peers_renew(void)
{
	bool good = true;

	for (unsigned int i = 0; i < NR_PEERS; i++)
		if (!peers[i].pid)
			good &= create_peer(i);
	return good;
}

void peer_end(unsigned int nr)
{
	if (peers[nr].pid > 0)
		kill_child(peers[nr].pid);
	peers[nr].pid = 0;
}

void peers_end(void)
{
	for (unsigned int i = 0; i < NR_PEERS; i++)
		peer_end(i);
}

bool peer_spin(unsigned int nr, unsigned int site, __u64 ns, bool forks)
{
	struct order *order = peers[nr].order;
	__u64 until = wall_ns() + TIMEOUT_NS;

	if (!peers[nr].pid)
		return true;
	order->site = site;
	order->ns = ns;
	order->forks = forks;
	sem_post(&order->given);
	while (sem_trywait(&order->done)) {
		if (wall_ns() > until)
			return false;
		sleep_ns(100 * NSEC_PER_USEC);
	}
	return true;
}

static int fds[NR_DEVICES];

static int open_tree(void)
{
	struct profil_table args = table_args(PROFIL_TABLE_TREE, FAST_NS);

	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	return table_open(fds[DEVICE], &args);
}

bool devices_open(void)
{
	fds[DEVICE] = device_open();
	fds[TREE] = open_tree();
	return fds[DEVICE] >= 0 && fds[TREE] >= 0;
}

int device_fd(unsigned int device)
{
	return fds[device];
}

bool tree_renew(void)
{
	close(fds[TREE]);
	fds[TREE] = open_tree();
	return fds[TREE] >= 0;
}
