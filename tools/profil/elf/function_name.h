/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_FUNCTION_NAME_H
#define PROFIL_FUNCTION_NAME_H

#include "elf/symbols.h"

/*
 * A symbol as the source code has it: demangled, if it is that of C++ or Rust,
 * without the version that it is exported with and without LLVM's suffix of a
 * module. In memory of its own, and fit for a terminal.
 */
char *profil_demangle(const char *symbol);

/*
 * What a profile calls @location of the file @path: its symbol, or the file's name
 * and the address. In memory of its own, and fit for a terminal.
 */
char *profil_function_name(const char *path, const struct location *location);

#endif
