/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_ATTACHED_COMMAND_H
#define PROFIL_ATTACHED_COMMAND_H

#include <sys/types.h>

/*
 * Arguments of the process @pid, ended by NULL, for the life of the command; its
 * name if it has overwritten them, and none if there is no such process
 */
char **profil_attached_command(pid_t pid);

#endif
