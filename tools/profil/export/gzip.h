/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_EXPORT_GZIP_H
#define PROFIL_EXPORT_GZIP_H

#include <stddef.h>
#include <stdio.h>

/* Write @size bytes, compressed; equal bytes become equal files. */
void profil_export_gzip(FILE *out, const void *bytes, size_t size);

#endif
