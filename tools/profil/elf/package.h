/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_ELF_PACKAGE_H
#define PROFIL_ELF_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Store the name of the Debian package with the debugging symbols of the file
 * @path in @name, of @size bytes. False unless dpkg knows the package of the
 * file and apt the other one.
 */
bool profil_package_of_symbols(const char *path, char *name, size_t size);

#endif
