/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_PACKAGE_H
#define PROFIL_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The Debian package that has the debugging symbols of the file @path, if dpkg
 * knows which package the file is of and apt knows the other: true, with its
 * name in @name, of @size bytes.
 */
bool profil_package_of_symbols(const char *path, char *name, size_t size);

#endif
