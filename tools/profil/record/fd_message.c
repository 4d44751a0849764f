// SPDX-License-Identifier: GPL-2.0-only
/* Messages of descriptors, by SCM_RIGHTS of unix(7) */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "record/fd_message.h"

/* Room for the control message */
union control {
	char room[CMSG_SPACE(FD_MESSAGE_FDS * sizeof(int))];
	struct cmsghdr aligned;
};

int profil_fd_message_open(int sockets[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets);
}

static void attach(struct msghdr *message, union control *control,
		   const int *fds, size_t nr)
{
	struct cmsghdr *header;

	message->msg_control = control;
	message->msg_controllen = CMSG_SPACE(nr * sizeof(*fds));
	header = CMSG_FIRSTHDR(message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(nr * sizeof(*fds));
	memcpy(CMSG_DATA(header), fds, nr * sizeof(*fds));
}

/* MSG_NOSIGNAL: a receiver that was killed is no reason for SIGPIPE. */
void profil_fd_message_send(int socket, const void *data, size_t size,
			    const int fds[FD_MESSAGE_FDS])
{
	union control control = { 0 };
	struct iovec contents = { .iov_base = (void *)data, .iov_len = size };
	struct msghdr message = { .msg_iov = &contents, .msg_iovlen = 1 };
	size_t nr = 0;

	while (nr < FD_MESSAGE_FDS && fds[nr] >= 0)
		nr++;
	if (nr)
		attach(&message, &control, fds, nr);
	while (sendmsg(socket, &message, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void take(struct msghdr *message, int *fds)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);

	for (size_t i = 0; i < FD_MESSAGE_FDS; i++)
		fds[i] = -1;
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
}

bool profil_fd_message_receive(int socket, void *data, size_t size,
			       int fds[FD_MESSAGE_FDS])
{
	union control control;
	struct iovec contents = { .iov_base = data, .iov_len = size };
	struct msghdr message = {
		.msg_iov = &contents,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got;

	do {
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got != (ssize_t)size)
		return false;
	take(&message, fds);
	return true;
}
