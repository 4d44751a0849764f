#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Programs in public use, by their pattern and linked with the C library

export LD_PRELOAD=/usr/local/lib/libprofil.so.1 PROFIL_REQUIRE=1
exec "${0%/*}/third_party-libc"
