#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# DKMS builds the module for the kernels of the guest, whose headers are in
# $PROFIL_INSTALL_SHARED/KERNEL/build, and the modules are copied to
# KERNEL/profil.ko there. Runs as root in a temporary system, see tests/install/load.

. tests/common/tap.sh
. tests/common/fresh_debian.sh

shared=$PROFIL_INSTALL_SHARED
version=$(sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' src/main.c)

# build KERNEL: the headers are not those of an installed kernel.
build()
{
	dkms build "profil/$version" -k "$1" \
		--kernelsourcedir "$(readlink -f "$shared/$1/build")"
}

# copy KERNEL: the module may be compressed.
copy()
{
	file=$(find "/var/lib/dkms/profil/$version/$1" -name 'profil.ko*')
	case $file in
	*.xz) xz -dc "$file" >"$shared/$1/profil.ko" ;;
	*) cp "$file" "$shared/$1/profil.ko" ;;
	esac
}

# release_is KERNEL: the kernel takes the module.
release_is()
{
	[ "$(modinfo -F vermagic "$shared/$1/profil.ko" | cut -d ' ' -f 1)" = "$1" ]
}

check "DKMS can be installed" get dkms gcc make libc6-dev kmod xz-utils libelf1
check "the source of the module is installed" quietly make -s dkms-source
check "DKMS takes it" quietly dkms add "profil/$version"
for directory in "$shared"/*/; do
	kernel=$(basename "$directory")
	check "DKMS builds the module for $kernel" quietly build "$kernel"
	also "which can be copied" copy "$kernel"
	also "which is for that kernel" release_is "$kernel"
done
finish
