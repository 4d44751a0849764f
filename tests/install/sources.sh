#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Source of other systems compiles with the compiler of this Debian: GCC 14, to
# which pointers of another type are errors, is trixie's. Runs as root in a
# directory that is thrown away, see tests/install/run.

command -v gcc >/dev/null || apt-get -qq -y -o Dpkg::Use-Pty=0 install \
	--no-install-recommends gcc libc6-dev >/dev/null || exit
exec tests/headers/headers.sh
