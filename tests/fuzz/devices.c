// SPDX-License-Identifier: GPL-2.0-only
#include "devices.h"

#include <unistd.h>

#include "common.h"

static int fds[NR_DEVICES];

bool devices_open(void)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < NR_DEVICES; i++) {
		fds[i] = device_open();
		good &= fds[i] >= 0;
	}
	return good;
}

int device_fd(unsigned int device)
{
	return fds[device];
}

bool device_renew(unsigned int device)
{
	close(fds[device]);
	fds[device] = device_open();
	return fds[device] >= 0;
}
