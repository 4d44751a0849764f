#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Sources of other systems compile with the compiler of this Debian. That of
# trixie is GCC 14, which reports incompatible pointer types as errors. Runs as
# root in a temporary system, see tests/install/run.

command -v gcc >/dev/null || apt-get -qq -y -o Dpkg::Use-Pty=0 install \
	--no-install-recommends gcc libc6-dev >/dev/null || exit
exec tests/headers/headers.sh
