// SPDX-License-Identifier: GPL-2.0-only
/* Messages of descriptors, by SCM_RIGHTS of unix(7) */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "record/fd_message.h"

/* Room for the control message of one descriptor */
union control {
	char room[CMSG_SPACE(sizeof(int))];
	struct cmsghdr aligned;
};

int profil_fd_message_open(int sockets[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets);
}

static void attach(struct msghdr *message, union control *control, int fd)
{
	struct cmsghdr *header;

	message->msg_control = control;
	message->msg_controllen = sizeof(*control);
	header = CMSG_FIRSTHDR(message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
}

/* MSG_NOSIGNAL: a receiver that was killed is no reason for SIGPIPE. */
void profil_fd_message_send(int socket, int fd)
{
	union control control = { 0 };
	struct iovec byte = { .iov_base = "", .iov_len = 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1 };

	if (fd >= 0)
		attach(&message, &control, fd);
	sendmsg(socket, &message, MSG_NOSIGNAL);
}

bool profil_fd_message_receive(int socket, int *fd)
{
	char buffer;
	union control control;
	struct iovec byte = { .iov_base = &buffer, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header;
	ssize_t got;

	do {
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	*fd = -1;
	header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	return got > 0;
}
