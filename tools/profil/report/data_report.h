/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DATA_REPORT_H
#define PROFIL_DATA_REPORT_H

#include "report/request.h"

/* Print the sum of files of the kind profil.data. Exits on an error. */
void profil_data_report(const struct report_request *request);

#endif
