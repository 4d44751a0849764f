/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DIALECT_H
#define PROFIL_LIB_DIALECT_H

/* Whose profil() and sprofil() these are; the default's are 4.4BSD's. */
enum profil_dialect {
	PROFIL_DIALECT_DEFAULT,
	PROFIL_DIALECT_AIX,
	PROFIL_DIALECT_SVR4,
	PROFIL_DIALECT_BSD,
	PROFIL_DIALECT_IRIX,
};

/* As the environment has it at the first call */
enum profil_dialect profil_dialect(void);

#endif
