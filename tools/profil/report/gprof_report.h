/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_GPROF_REPORT_H
#define PROFIL_GPROF_REPORT_H

#include "report/request.h"

/* Print the sum of files gmon.out or mon.out. Exits on an error. */
void profil_gprof_report(const struct report_request *request);

#endif
