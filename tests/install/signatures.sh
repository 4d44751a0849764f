#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel takes the module with the signature of a listed key alone. Runs in a guest
# with Secure Boot, see tests/install/secure_boot; /profil.ko has that signature.

# shellcheck source=tests/common/tap.sh
. /tooltests/tap.sh

# is_locked_down: the kernel protects itself from root, as Secure Boot demands.
is_locked_down()
{
	mount -t securityfs securityfs /sys/kernel/security
	grep -q '\[integrity\]' /sys/kernel/security/lockdown
}

# refuses MODULE: with the message that Documentation/packaging.md has.
refuses()
{
	shows insmod "$1" && return 1
	grep -q ': Key was rejected by service$' "$said"
}

# runs: a command has samples.
runs()
{
	shows profil run -F 1000 -- sh -c "for _ in \$(seq 50000); do :; done"
	grep -q '^[1-9][0-9]* samples, one each 1 ms$' "$said"
}

check "the kernel is locked down" is_locked_down
check "the module with the signature of a listed key is loaded" \
	[ -e /sys/module/profil ]
check "profil run works" runs
check "the module is unloaded" unload_module
check "the module without a signature is refused" refuses /unsigned.ko
check "the module with the signature of an unknown key is refused" \
	refuses /unknown.ko
check "the module with the listed key is loaded again" insmod /profil.ko
finish
