/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of one descriptor, or none, between two processes */
#ifndef PROFIL_FD_MESSAGE_H
#define PROFIL_FD_MESSAGE_H

#include <stdbool.h>

/* Make two connected sockets, which are closed by exec: as socketpair(2). */
int profil_fd_message_open(int sockets[2]);

/*
 * Send the descriptor @fd, or no descriptor if @fd is -1. Without a receiver the
 * message is lost.
 */
void profil_fd_message_send(int socket, int fd);

/*
 * Wait for a message. False if the other process has closed its socket. @fd is
 * the descriptor, closed by exec, or -1.
 */
bool profil_fd_message_receive(int socket, int *fd);

#endif
