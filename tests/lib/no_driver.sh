#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Without the driver, profil() and sprofil() are the C library's own.

here=${0%/*}
. "$here/tap.sh"
libc=$here/no_driver-libc
preload=/usr/local/lib/libprofil.so.1
enodev=19
errors=$work/stderr

# prints EXPECTED COMMAND...: on stdout; stderr goes to $errors.
prints()
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

# says NUMBER PATTERN: stderr has NUMBER lines, each with PATTERN.
says()
{
	[ "$(wc -l <"$errors")" = "$1" ] && [ "$(grep -c "$2" "$errors")" = "$1" ]
}

check "the module can be unloaded" unload_module

check "profil() of a preloaded program is the C library's" \
	prints "0 0 libc counted" preloaded "$libc" profil
check "profil() of a preloaded program prints nothing" says 0 .
check "sprofil() of a preloaded program is the C library's" \
	prints "0 0 libc" preloaded "$libc" sprofil
check "sprofil() of a preloaded program prints nothing" says 0 .
check "profil() of a linked program is the C library's" \
	prints "0 0 libc counted" "$here/no_driver-linked" profil
check "profil() of a static program is the C library's, if linked in" \
	prints "0 0 libc counted" "$here/no_driver-static" profil
check "sprofil() of a static program returns ENODEV" \
	prints "-1 $enodev none" env PROFIL_VERBOSE=1 "$here/no_driver-static" sprofil
check "the missing sprofil() is reported once" says 1 "no such function"

check "PROFIL_VERBOSE=1 changes no result" prints "0 0 libc counted" \
	preloaded PROFIL_VERBOSE=1 "$libc" third
check "PROFIL_VERBOSE=1 reports the missing driver once" \
	says 1 "modprobe profil.*own function"
check "PROFIL_VERBOSE=0 changes no result" prints "0 0 libc counted" \
	preloaded PROFIL_VERBOSE=0 "$libc" profil
check "PROFIL_VERBOSE=0 prints nothing" says 0 .

# stops_in_each_way OWNER [VARIABLE=VALUE]...
stops_in_each_way()
{
	owners="$1 none $1 none $1 none $1 none $1 none 0 0 $1 counted"
	shift
	prints "$owners" preloaded "$@" "$libc" stops
}

for dialect in '' aix svr4 irix; do
	check "each way to stop ends a profile of the C library (${dialect:-default})" \
		stops_in_each_way libc PROFIL_DIALECT=$dialect
done

check "PROFIL_REQUIRE=1 makes profil() return ENODEV" \
	prints "-1 $enodev none idle" \
	preloaded PROFIL_REQUIRE=1 "$libc" profil
check "PROFIL_REQUIRE=1 prints nothing" says 0 .
check "PROFIL_REQUIRE=1 makes sprofil() return ENODEV" \
	prints "-1 $enodev none" preloaded PROFIL_REQUIRE=1 "$libc" sprofil
check "PROFIL_REQUIRE=1 and PROFIL_VERBOSE=1 return ENODEV" \
	prints "-1 $enodev none idle" \
	preloaded PROFIL_REQUIRE=1 PROFIL_VERBOSE=1 "$libc" third
check "both report the missing driver once" says 1 "PROFIL_REQUIRE"

check "a driver that is loaded later takes over" prints "libc driver none" \
	preloaded "$libc" take-over "env LD_PRELOAD= insmod /profil.ko"
check "the module can be unloaded again" unload_module
check "it takes over from sprofil(), too" prints "libc driver none" \
	preloaded "$libc" take-over-list "env LD_PRELOAD= insmod /profil.ko"

check "stopping without the device returns ENODEV" \
	prints "-1 $enodev" preloaded "$libc" lose-device

as_user()
{
	su nobody -c "LD_PRELOAD=$preload PROFIL_VERBOSE=1 $libc profil"
}

chmod 600 /dev/profil
check "a user who may not open the device gets the C library's" \
	prints "0 0 libc counted" as_user
check "that user gets the reason and the remedy" says 1 "chmod 666"
chmod 666 /dev/profil
check "a user who may open the device gets the driver" \
	prints "0 0 driver counted" as_user
check "that user gets no message" says 0 .
for dialect in '' aix svr4 irix; do
	check "each way to stop ends a profile of the driver (${dialect:-default})" \
		stops_in_each_way driver PROFIL_DIALECT=$dialect
done

[ -e /dev/profil ] || insmod /profil.ko
finish
