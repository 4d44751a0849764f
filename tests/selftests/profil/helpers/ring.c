// SPDX-License-Identifier: GPL-2.0-only
#include "helpers.h"

#include "common.h"

int ring_begin(struct ring *ring)
{
	ring->fd = (int)syscall(SYS_io_uring_setup, 1, &ring->parameters);
	if (ring->fd < 0)
		return -errno;
	ring->queues = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			    MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
	ring->entry = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			   MAP_SHARED, ring->fd, IORING_OFF_SQES);
	if (ring->queues != MAP_FAILED && (void *)ring->entry != MAP_FAILED)
		return 0;
	close(ring->fd);
	return -ENOMEM;
}

void ring_end(struct ring *ring)
{
	munmap(ring->queues, page_size());
	munmap(ring->entry, page_size());
	close(ring->fd);
}

static __u32 *in_queues(const struct ring *ring, __u32 offset)
{
	return (__u32 *)(ring->queues + offset);
}

int ring_run(struct ring *ring, const struct io_uring_sqe *request)
{
	const struct io_cqring_offsets *done = &ring->parameters.cq_off;
	struct io_uring_cqe *results = (void *)in_queues(ring, done->cqes);
	__u32 *head = in_queues(ring, done->head);
	__u32 *tail = in_queues(ring, ring->parameters.sq_off.tail);
	int result;

	*ring->entry = *request;
	*in_queues(ring, ring->parameters.sq_off.array) = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS,
		    NULL, 0) < 0)
		return -errno;
	result = results[*head & *in_queues(ring, done->ring_mask)].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}
