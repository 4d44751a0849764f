#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Where the driver is absent, the C library's own function is as good as ever.

# shellcheck disable=SC2317 # check calls the functions

here=${0%/*}
# shellcheck source=tests/common/tap.sh
. "$here/tap.sh"
libc=$here/no_driver-libc
preload=/usr/local/lib/libprofil.so.1
enodev=19
errors=/tmp/no_driver.stderr

# gives EXPECTED COMMAND...: by what it prints; stderr is kept.
gives()
{
	expected=$1
	shift
	printed=$("$@" 2>"$errors")
	[ "$printed" = "$expected" ] || {
		echo "# printed: $printed"
		return 1
	}
}

preloaded()
{
	env LD_PRELOAD="$preload" "$@"
}

# says NUMBER PATTERN: lines on stderr in all, each with PATTERN.
says()
{
	[ "$(wc -l <"$errors")" = "$1" ] && [ "$(grep -c "$2" "$errors")" = "$1" ]
}

check "the module is there to be unloaded" unload_module

check "profil() of a preloaded program is the C library's" \
	gives "0 0 libc counted" preloaded "$libc" profil
check "and nothing is said" says 0 .
check "sprofil() of a preloaded program is the C library's" \
	gives "0 0 libc" preloaded "$libc" sprofil
check "and nothing is said" says 0 .
check "profil() of a linked program is the C library's" \
	gives "0 0 libc counted" "$here/no_driver-linked" profil
check "profil() of a static program is the C library's, as far as linked" \
	gives "0 0 libc counted" "$here/no_driver-static" profil
check "sprofil() of a static program is ENODEV" \
	gives "-1 $enodev nobody" env PROFIL_VERBOSE=1 "$here/no_driver-static" sprofil
check "and says so once" says 1 "no such function"

check "PROFIL_VERBOSE=1 changes nothing" gives "0 0 libc counted" \
	preloaded PROFIL_VERBOSE=1 "$libc" thrice
check "and says so once" says 1 "modprobe profil.*own function"
check "PROFIL_VERBOSE=0 changes nothing" gives "0 0 libc counted" \
	preloaded PROFIL_VERBOSE=0 "$libc" profil
check "and says nothing" says 0 .

check "PROFIL_REQUIRE=1 makes profil() ENODEV" \
	gives "-1 $enodev nobody idle" \
	preloaded PROFIL_REQUIRE=1 "$libc" profil
check "and says nothing" says 0 .
check "PROFIL_REQUIRE=1 makes sprofil() ENODEV" \
	gives "-1 $enodev nobody" preloaded PROFIL_REQUIRE=1 "$libc" sprofil
check "both make it ENODEV" gives "-1 $enodev nobody idle" \
	preloaded PROFIL_REQUIRE=1 PROFIL_VERBOSE=1 "$libc" thrice
check "and say so once" says 1 "PROFIL_REQUIRE"

check "a driver that comes later takes over" gives "libc driver nobody" \
	preloaded "$libc" hand-over "env LD_PRELOAD= insmod /profil.ko"

check "a profile that cannot be stopped is ENODEV, not the C library's" \
	gives "-1 $enodev" preloaded "$libc" cut-off

as_nobody()
{
	su nobody -c "LD_PRELOAD=$preload PROFIL_VERBOSE=1 $libc profil"
}

chmod 600 /dev/profil
check "who may not open the device has the C library's" \
	gives "0 0 libc counted" as_nobody
check "and hears why" says 1 "chmod 666"
chmod 666 /dev/profil
check "who may open it again has the driver" \
	gives "0 0 driver counted" as_nobody
check "and hears nothing" says 0 .

[ -e /dev/profil ] || insmod /profil.ko
finish
