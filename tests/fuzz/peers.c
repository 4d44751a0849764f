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
 * @chore: what to do
 */
struct order {
	sem_t given;
	sem_t done;
	struct chore chore;
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

static volatile bool maps;

/* The mappings of the program are locked, and those of files are others each time. */
static void *map_for_ever(void *unused)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	while (maps && fd >= 0) {
		void *at = mmap(NULL, page_size(), PROT_READ | PROT_EXEC,
				MAP_PRIVATE, fd, 0);

		if (at != MAP_FAILED)
			munmap(at, page_size());
	}
	close(fd);
	return unused;
}

static void spin_beside(const struct chore *chore)
{
	pthread_t mapper;

	maps = chore->maps;
	if (maps && pthread_create(&mapper, NULL, map_for_ever, NULL))
		_exit(1);
	if (chore->hides)
		prctl(PR_SET_DUMPABLE, 0);
	spin(chore->site, chore->ns);
	prctl(PR_SET_DUMPABLE, 1);
	if (!maps)
		return;
	maps = false;
	pthread_join(mapper, NULL);
}

static void carry_out(const struct chore *chore)
{
	pid_t child = chore->forks ? fork() : -1;

	if (child > 0) {
		waitpid(child, NULL, 0);
		return;
	}
	spin_beside(chore);
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
		carry_out(&order->chore);
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
	for (int fd = PIDFD_PEER; fd <= NO_PIDFD; fd++)
		close(fd);
}

bool peer_work(unsigned int nr, const struct chore *chore)
{
	struct order *order = peers[nr].order;
	__u64 until = wall_ns() + TIMEOUT_NS;

	if (!peers[nr].pid)
		return true;
	order->chore = *chore;
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
	struct profil_table args =
		table_args(PROFIL_TABLE_TREE | ORACLE_CALLERS, FAST_NS);

	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	return table_open(fds[DEVICE], &args);
}

bool devices_open(void)
{
	fds[DEVICE] = device_open();
	fds[TREE] = open_tree();
	return fds[DEVICE] >= 0 && fds[TREE] >= 0;
}

void devices_close(void)
{
	for (unsigned int i = 0; i < NR_DEVICES; i++)
		close(fds[i]);
}

int device_fd(unsigned int device)
{
	return fds[device];
}

/* A table is charged for as long as one of its samples is looked up. */
bool tree_renew(void)
{
	close(fds[TREE]);
	return WAIT_FOR((fds[TREE] = open_tree()) != -EAGAIN) && fds[TREE] >= 0;
}

static unsigned int measured = 1;

unsigned int tree_sessions(void)
{
	return measured;
}

#define MOST_MEASURED 1000

bool tree_measure(void)
{
	int tree = -EAGAIN;
	char limit[16];

	fds[DEVICE] = device_open();
	for (measured = 0; tree == -EAGAIN && measured < MOST_MEASURED;) {
		snprintf(limit, sizeof(limit), "%u", ++measured);
		if (param_write("max_sessions", limit))
			break;
		tree = open_tree();
	}
	close(fds[DEVICE]);
	return tree >= 0 && !close(tree);
}
