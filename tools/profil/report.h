/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_REPORT_H
#define PROFIL_REPORT_H

/* profil report; the exit status */
int profil_report(int argc, char **argv);

#endif
