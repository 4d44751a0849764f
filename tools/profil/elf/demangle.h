/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of functions as in the source code */
#ifndef PROFIL_DEMANGLE_H
#define PROFIL_DEMANGLE_H

struct profile_function;

/*
 * Printable copy of @symbol as in the source code: demangled for C++, Rust and D,
 * without the version of an exported symbol and without the suffix of LLVM. A name of
 * more than 4 KiB is without the arguments of inner templates, and may be cut.
 */
char *profil_demangle(const char *symbol);

/*
 * Printable name of @function, of profil_symbols_function(), in the file @path: its
 * name or symbol, or the name of the file and the address.
 */
char *profil_function_name(const char *path,
			   const struct profile_function *function);

#endif
