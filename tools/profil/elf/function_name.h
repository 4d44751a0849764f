/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_FUNCTION_NAME_H
#define PROFIL_FUNCTION_NAME_H

#include "elf/symbols.h"

/*
 * Printable copy of @symbol as in the source code: demangled for C++ and Rust,
 * without the version of an exported symbol and without the suffix of LLVM.
 */
char *profil_demangle(const char *symbol);

/*
 * Printable name of the function at @location of the file @path: its symbol, or
 * the name of the file and the address.
 */
char *profil_function_name(const char *path, const struct location *location);

#endif
