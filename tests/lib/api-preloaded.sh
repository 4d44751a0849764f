#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# profil() and sprofil() of a program that was linked with the C library alone

export LD_PRELOAD=/usr/local/lib/libprofil.so.1 PROFIL_REQUIRE=1
exec "${0%/*}/api-libc"
