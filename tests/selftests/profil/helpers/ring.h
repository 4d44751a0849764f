/* SPDX-License-Identifier: GPL-2.0-only */
/* An io_uring for one request at a time */
#ifndef PROFIL_TEST_RING_H
#define PROFIL_TEST_RING_H

#include <linux/io_uring.h>

struct ring {
	int fd;
	struct io_uring_params parameters;
	char *queues;
	struct io_uring_sqe *entry;
};

/* 0 or a negative errno. The ring of ring_begin() is zero. */
int ring_begin(struct ring *ring);
void ring_end(struct ring *ring);

/*
 * Submit the request, and wait for it. With IOSQE_ASYNC a worker of the kernel runs it.
 * Its result, or a negative errno.
 */
int ring_run(struct ring *ring, const struct io_uring_sqe *request);

#endif /* PROFIL_TEST_RING_H */
