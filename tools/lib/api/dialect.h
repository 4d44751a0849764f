/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DIALECT_H
#define PROFIL_LIB_DIALECT_H

/* System whose profil() and sprofil() a program expects; 4.4BSD's by default */
enum profil_dialect {
	PROFIL_DIALECT_DEFAULT,
	PROFIL_DIALECT_AIX,
	PROFIL_DIALECT_SVR4,
	PROFIL_DIALECT_BSD,
	PROFIL_DIALECT_IRIX,
};

/* Dialect, read from the environment at the first call */
enum profil_dialect profil_dialect(void);

#endif
