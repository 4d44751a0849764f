# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Paths of the cache, and kernels by name. To be sourced.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/profil
flavours='plain debug kcsan rt gcov noftrace'

# Drivers that tests use and that some of Debian's kernels have as modules.
# shellcheck disable=SC2034 # used by the scripts that source this
guest_modules='fuse loop'

die()
{
	echo "${0##*/}: $*" >&2
	exit "${die_status:-1}"
}

# note: prints a line about a slow step, which might seem to hang.
note()
{
	echo "${0##*/}: $*" >&2
}

# debian_site: prints the archive of this machine's apt, as http://HOST/debian.
# shellcheck disable=SC2016 # apt-get's own variable
debian_site()
{
	apt-get indextargets --format '$(SITE)' 'Created-By: Packages' |
		sed -n 's|/*$||; /\/debian$/p' | head -n 1
}

# digest TEXT: prints a short name for a path or a text, for use in file names.
digest()
{
	printf '%s' "$1" | sha1sum | cut -c1-12
}

# forget_builds FOLDER: removes the builds in FOLDER of the cache that no clone has
# used for a week. A build locks the file of that name in its directory.
forget_builds()
{
	find "$cache/$1" -mindepth 2 -maxdepth 2 -name lock -mtime +6 \
		-printf '%h\0' 2>/dev/null | xargs -0r rm -rf
}

# commit_but PAGE: prints the commit, and whether files other than PAGE, a path in
# the repository, differ from it.
commit_but()
{
	local changed=''

	git -C "$top" diff --quiet HEAD -- . ":!$1" || changed=', changed'
	echo "$(git -C "$top" rev-parse --short HEAD)$changed"
}

is_flavour()
{
	[[ " $flavours " == *" $1 "* ]]
}

# Names of Debian's kernels are the beginning of a version, and what it is built
# for: 6.1, 6.12 (for x86-64), 6.12-rt (PREEMPT_RT), 6.12-arm64, 6.12-arm64-16k
# (with pages of 16 KiB), 7 (the newest 7.x).

# kernel_kind NAME: prints what the kernel is built for, or nothing.
kernel_kind()
{
	case $1 in
	*-arm64-16k) echo arm64-16k ;;
	*-arm64) echo arm64 ;;
	*-rt) echo rt ;;
	esac
}

# kernel_prefix NAME: prints the beginning of the version.
kernel_prefix()
{
	local kind

	kind=$(kernel_kind "$1")
	echo "${1%"${kind:+-$kind}"}"
}

# kernel_flavours NAME: prints the flavours of Debian's packages, the best first.
kernel_flavours()
{
	case $(kernel_kind "$1") in
	arm64-16k) echo arm64-16k ;;
	arm64) echo cloud-arm64 arm64 ;;
	rt) echo rt-amd64 ;;
	*) echo cloud-amd64 amd64 ;;
	esac
}

kernel_architecture()
{
	case $1 in
	*arm64*) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

# kernel_suite NAME: prints the Debian that the kernel is taken from.
kernel_suite()
{
	case $1 in
	6.*) echo bookworm ;;
	*) echo sid ;;
	esac
}

# kernel_home NAME: prints the directory of all unpacked kernels of that kind.
kernel_home()
{
	local kind

	kind=$(kernel_kind "$1")
	echo "$cache/${kind:+kernels/}${kind:-debian}"
}

# Packages of a sysroot: the libraries that the project's programs are linked
# with, the guest's busybox, and gprof, which tests use
sysroot_packages='libc6-dev libc6 libgcc-s1 linux-libc-dev libdw-dev libdw1
	libelf-dev libelf1 zlib1g-dev zlib1g libiberty-dev liblzma5 libbz2-1.0
	busybox-static binutils-aarch64-linux-gnu libbinutils libzstd1'

# packages_of_sysroot ARCHITECTURE: prints the packages. Those of armhf are what
# 32-bit programs in a guest of arm64 run with; the cross compiler has the libraries
# that these are built with.
packages_of_sysroot()
{
	case $1 in
	armhf)
		echo libc6 libgcc-s1 binutils-arm-linux-gnueabihf libbinutils \
			zlib1g libzstd1
		;;
	*) echo "$sysroot_packages" ;;
	esac
}

# A sysroot has what programs of another architecture are built and run with.
sysroot_of()
{
	echo "$cache/sysroots/bookworm-$1-$(digest "$(packages_of_sysroot "$1")")"
}

# A toolchain is a root directory with a compiler of a later Debian.
toolchain_of()
{
	echo "$cache/toolchains/$1"
}

# Prefix and suffix of the compiler of another architecture
# shellcheck disable=SC2034 # used by the scripts that source this
cross_prefix=aarch64-linux-gnu-
# shellcheck disable=SC2034 # used by the scripts that source this
cross_suffix=-12

# A kernel is a directory in the cache: QEMU boots its file image, modules are
# built against its directory build, and its directory modules, if there is one,
# has the drivers of guest_modules that are not built in. Modules are built in the
# root directory toolchain, if there is one.
kernel_is_complete()
{
	[[ -e $1/image && -e $1/build/Makefile ]]
}

# make_kernel DIRECTORY IMAGE BUILD: makes a kernel of links to IMAGE and BUILD.
make_kernel()
{
	mkdir -p "$1"
	ln -sfn "$2" "$1/image"
	ln -sfn "$3" "$1/build"
}

# newest_of PREFIX: prints the versions on standard input that begin with
# PREFIX, newest first. PREFIX 6.1 means 6.1.0-9 and not 6.12.
newest_of()
{
	grep -E "^${1//./\\.}([^0-9]|\$)" | sort -rV
}

installed_kernel()
{
	local version

	for version in $(find /boot -maxdepth 1 -name 'vmlinuz-*-amd64' \
			-readable -printf '%f\n' 2>/dev/null |
			sed 's/^vmlinuz-//' | newest_of "$1"); do
		[[ -e /lib/modules/$version/build/Makefile ]] || continue
		make_kernel "$cache/installed/$version" \
			"/boot/vmlinuz-$version" "/lib/modules/$version/build"
		ln -sfn "/lib/modules/$version/kernel" \
			"$cache/installed/$version/modules"
		echo "$cache/installed/$version"
		return
	done
	return 1
}

unpacked_kernel()
{
	local version home

	home=$(kernel_home "$1")
	for version in $(find -L "$home" -maxdepth 1 -type d \
			-printf '%f\n' 2>/dev/null |
			newest_of "$(kernel_prefix "$1")"); do
		kernel_is_complete "$home/$version" || continue
		echo "$home/$version"
		return
	done
	return 1
}

# kernel_of_debian NAME: prints the directory of the newest kernel of that name on
# this machine.
kernel_of_debian()
{
	installed_kernel "$1" || unpacked_kernel "$1"
}

# A bzImage boots with any configuration, a vmlinux only with CONFIG_PVH.
kernel_of_tree()
{
	local tree image

	tree=$(realpath "$1")
	for image in "$tree/arch/x86/boot/bzImage" "$tree/vmlinux"; do
		[[ -e $image ]] || continue
		make_kernel "$cache/trees/$(digest "$tree")" "$image" "$tree"
		echo "$cache/trees/$(digest "$tree")"
		return
	done
	die "there is no bzImage and no vmlinux in $tree: build that kernel first"
}

# kernel_find KERNEL: prints its directory. KERNEL is a flavour, the path of a
# built tree, or the beginning of a Debian kernel's version.
kernel_find()
{
	if is_flavour "$1"; then
		"$top/tests/qemu/kernel" "$1"
	elif [[ $1 == */* ]]; then
		[[ -d $1 ]] || die "there is no directory $1"
		kernel_of_tree "$1"
	else
		kernel_of_debian "$1" ||
			die "there is no kernel $1 with headers: run 'tests/setup check $1', or give one of $flavours"
	fi
}

# source_tarball: prints the path of the source of Linux 6.12, if there is one.
source_tarball()
{
	local tarball

	for tarball in /usr/src/linux-source-6.12.tar.xz \
			"$cache/debian/linux-source-6.12.tar.xz"; do
		[[ -e $tarball ]] || continue
		echo "$tarball"
		return
	done
}

# Message of tests/qemu/run about a guest that the emulator has killed
stale_int3_message='the emulator executed an int3 that memory no longer held'

# killed_by_emulator STATUS ERRORS: true of the status of tests/qemu/run for such a guest,
# and the file of its errors.
killed_by_emulator()
{
	[[ $1 == 125 ]] && grep -qF "$stale_int3_message" "$2"
}
