// SPDX-License-Identifier: GPL-2.0-only
/* userfaultfd, io_uring, moves between CPUs, signals, memory of another process */
#include <linux/userfaultfd.h>
#include <sys/uio.h>

#include "helpers.h"
#include "torture.h"

static int new_userfaultfd(void)
{
	struct uffdio_api api = {
		.api = UFFD_API,
		.features = UFFD_FEATURE_SIGBUS,
	};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && ioctl(fd, UFFDIO_API, &api)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The slot's pages go away, and are not supplied while counters are there. */
static int withhold(struct actor *actor, int fd, struct slot *slot)
{
	struct uffdio_register registration = {
		.range = { (uintptr_t)slot->at, slot->bytes },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	struct uffdio_zeropage zero = {
		.range = { (uintptr_t)slot->at, page_size() },
	};

	slot_yield(slot);
	slot->patch.bytes = 0;
	if (ioctl(fd, UFFDIO_REGISTER, &registration))
		return -errno;
	madvise(slot->at, slot->bytes, MADV_DONTNEED);
	use_cpu(&actor->random);
	session_start_ledger(&actor->random);
	ioctl(fd, UFFDIO_ZEROPAGE, &zero);
	use_cpu(&actor->random);
	return 0;
}

static int run_userfaultfd(struct actor *actor)
{
	struct slot *slot = actor->slot;
	int fd = new_userfaultfd(), error;

	error = fd < 0 ? -errno : withhold(actor, fd, slot);
	if (fd >= 0)
		close(fd); /* the kernel supplies the pages again */
	if (!slot->covered)
		slot_poison(slot);
	return error;
}

/* The ring pins the slot's pages and reads them while they may be counters. */
static int read_slot(struct actor *actor, struct ring *ring)
{
	const struct slot *slot = actor->slot;
	struct iovec buffer = { slot->at, slot->bytes };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct io_uring_sqe request = {
		.opcode = IORING_OP_WRITE_FIXED,
		.flags = IOSQE_ASYNC,
		.fd = null,
		.addr = (uintptr_t)slot->at,
		.len = (__u32)page_size(),
	};
	int error = 0;

	if (syscall(SYS_io_uring_register, ring->fd, IORING_REGISTER_BUFFERS,
		    &buffer, 1) < 0)
		error = -errno;
	if (!error)
		error = ring_run(ring, &request);
	use_cpu(&actor->random);
	close(null);
	return error < 0 ? error : 0;
}

static int run_ring(struct actor *actor)
{
	struct ring ring = { 0 };
	int error = ring_begin(&ring);

	if (error)
		return error;
	error = read_slot(actor, &ring);
	ring_end(&ring);
	/* Ticks of the kernel's threads are the process's, and no samples. */
	actor_had_company();
	return error;
}

static int run_move_cpu(struct actor *actor)
{
	long nr = sysconf(_SC_NPROCESSORS_CONF);
	__u64 mask = draw(&actor->random);
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	for (long cpu = 0; cpu < nr && cpu < 64; cpu++)
		if (mask >> cpu & 1)
			CPU_SET((size_t)cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) ? -errno : 0;
}

static void ignore(int signal)
{
	(void)signal;
}

/* From now on signals interrupt system calls, or no more. */
static int run_signals(struct actor *actor)
{
	struct sigaction action = { .sa_handler = ignore };
	suseconds_t period =
		500 + (suseconds_t)draw_below(&actor->random, 5000);
	struct itimerval timer = { { 0, period }, { 0, period } };

	if (draw_one_in(&actor->random, 2))
		memset(&timer, 0, sizeof(timer));
	if (sigaction(SIGALRM, &action, NULL) ||
	    setitimer(ITIMER_REAL, &timer, NULL))
		return -errno;
	return 0;
}

/* The kernel writes to the slot as another process would. */
static int run_vm_write(struct actor *actor)
{
	struct slot *slot = actor->slot;
	char poison[256];
	struct iovec from = { poison, sizeof(poison) };
	struct iovec to = { slot->at, sizeof(poison) };

	if (slot->kind >= FUSE_PRIVATE)
		return -ENOENT;
	memset(poison, POISON, sizeof(poison));
	if (slot->zeros)
		slot_yield(slot);
	return process_vm_writev(getpid(), &from, 1, &to, 1, 0) < 0 ? -errno :
								      0;
}

static const struct operation list[] = {
	{ "userfaultfd", run_userfaultfd, 3, .shares = true, .mapped = true },
	{ "io_uring, fixed buffer", run_ring, 3, .shares = true,
	  .mapped = true },
	{ "sched_setaffinity", run_move_cpu, 4 },
	{ "setitimer", run_signals, 3 },
	{ "process_vm_writev", run_vm_write, 1, .mapped = true },
};

const struct operations other_operations = { list, ARRAY_LENGTH(list) };
