/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that ATTACH may name, by descriptors with fixed numbers. Peers are
 * children that the creating thread traces, so this thread may attach to them.
 */
#ifndef FUZZ_PEERS_H
#define FUZZ_PEERS_H

#include <stdbool.h>

#include <linux/types.h>

#define NR_PEERS 2

#define PIDFD_PEER 200 /* the first of NR_PEERS */
#define PIDFD_FORBIDDEN (PIDFD_PEER + NR_PEERS) /* a process of root */
#define PIDFD_ENDED (PIDFD_FORBIDDEN + 1)
#define NO_PIDFD (PIDFD_ENDED + 1) /* a descriptor of a file */

/*
 * Make this process one of a user without privileges, to whom the driver applies
 * limits, which are infinite. It may trace its children.
 */
bool peers_drop_privileges(void);

/* Create the peers and the descriptors. False if that fails. */
bool peers_create(void);

/* Create the peers anew that have ended. */
bool peers_renew(void);

void peer_end(unsigned int nr);
void peers_end(void);

/*
 * Have the peer, or with @forks a child of it, spin at @site for @ns of CPU time,
 * and wait for that. False if that fails.
 */
bool peer_spin(unsigned int nr, unsigned int site, __u64 ns, bool forks);

/*
 * Descriptors of /dev/profil, each of which may be attached to other programs
 */
#define NR_DEVICES 2

/* Open all of them. False if that fails. */
bool devices_open(void);

int device_fd(unsigned int device);

/* Close the descriptor, which ends its session, and open a new one. */
bool device_renew(unsigned int device);

#endif /* FUZZ_PEERS_H */
