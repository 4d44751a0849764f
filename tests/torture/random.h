/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers of an operation: a function of the seed, of the process, and of
 * the operation's number in the process, and of nothing else. The results of
 * operations, and the order in which processes run, change no number.
 */
#ifndef TORTURE_RANDOM_H
#define TORTURE_RANDOM_H

#include <stdbool.h>

#include <linux/types.h>

/**
 * struct stream - a sequence of random numbers
 * @state: changes with each number
 */
struct stream {
	__u64 state;
};

/* A number that depends on all bits of @a and @b. */
__u64 mix(__u64 a, __u64 b);

/* The seed in @text, or without a text a random one of nine digits. */
__u64 seed_of(const char *text);

struct stream stream_of(__u64 seed, __u64 process, __u64 operation);

__u64 draw(struct stream *stream);

/* 0 to @limit - 1; @limit is not 0. */
__u64 draw_below(struct stream *stream, __u64 limit);

/* True once in @n. */
bool draw_one_in(struct stream *stream, unsigned int n);

#endif /* TORTURE_RANDOM_H */
