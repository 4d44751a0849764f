/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages with descriptors between two processes */
#ifndef PROFIL_FD_MESSAGE_H
#define PROFIL_FD_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Descriptors of a message at the most */
#define FD_MESSAGE_FDS 2

/* Make two connected sockets, which are closed by exec: as socketpair(2). */
int profil_fd_message_open(int sockets[2]);

/*
 * Send @size bytes of @data, and the descriptors of @fds up to the first that is -1.
 * Without a receiver the message is lost.
 */
void profil_fd_message_send(int socket, const void *data, size_t size,
			    const int fds[FD_MESSAGE_FDS]);

/*
 * Wait for a message of @size bytes. False if the other process has closed its
 * socket. @fds are the descriptors, closed by exec, and then -1.
 */
bool profil_fd_message_receive(int socket, void *data, size_t size,
			       int fds[FD_MESSAGE_FDS]);

#endif
