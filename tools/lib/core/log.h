/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_LOG_H
#define PROFIL_LIB_LOG_H

/* Print a message on the standard error, in one line after "libprofil: ". */
__attribute__((format(printf, 1, 2))) void profil_log(const char *format, ...);

#endif
