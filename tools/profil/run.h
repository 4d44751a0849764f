/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RUN_H
#define PROFIL_RUN_H

/* profil run; the exit status */
int profil_run(int argc, char **argv);

#endif
