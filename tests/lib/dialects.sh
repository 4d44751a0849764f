#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The manuals of SVR4, 4.4BSD and IRIX, by a program linked with the C library

export LD_PRELOAD=/usr/local/lib/libprofil.so.1 PROFIL_REQUIRE=1
exec "${0%/*}/dialects-libc"
