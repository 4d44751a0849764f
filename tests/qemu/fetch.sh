# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by the script that sources this
#
# Debian's kernels for the guest, and the files that programs for another
# architecture are built with, from packages. To be sourced after archive.sh.

# version_in_pool PREFIX FLAVOUR: prints the newest version with kernel and
# headers.
version_in_pool()
{
	local pattern="^linux-\(image\|headers\)-$1\.[^ ]*[0-9]-$2 "

	apt-cache "${apt_options[@]}" search --names-only "^linux-(image|headers)-$1\\." |
		sed -n "/$pattern/s/^linux-[a-z]*-\([^ ]*\) .*/\1/p" |
		sort | uniq -d | sort -rV | head -n 1
}

# newest_in_pool NAME: prints the newest version of the kernel NAME.
newest_in_pool()
{
	local flavour version=''

	for flavour in $(kernel_flavours "$1"); do
		[[ $version ]] ||
			version=$(version_in_pool "$(kernel_prefix "$1")" "$flavour")
	done
	echo "$version"
}

# parts_of_headers VERSION ARCHITECTURE: prints the packages that the headers
# depend on. kbuild's programs run on this machine.
parts_of_headers()
{
	local kbuild=''

	[[ $2 == amd64 ]] || kbuild=:amd64
	apt-cache "${apt_options[@]}" depends "linux-headers-$1" |
		grep -oE 'linux-(headers-[^ ]*-common(-rt)?|kbuild-[^ :]*)$' |
		sort -u | sed "/kbuild/s/\$/$kbuild/"
}

# parts_of_image VERSION: prints the packages that have the kernel's image and
# drivers, where the package of that name is empty: from Debian 14 on.
parts_of_image()
{
	apt-cache "${apt_options[@]}" depends "linux-image-$1" |
		sed -n 's/^ *Depends: *//p' |
		grep -xF -e "linux-binary-$1" -e "linux-modules-$1" || true
}

# keep_modules WORK: moves the drivers that the guest loads to WORK/modules, and
# removes the others. Debian 12 has them in lib/modules, 13 in usr/lib/modules.
keep_modules()
{
	local name

	mkdir "$1/modules"
	for name in $guest_modules; do
		find "$1" -path "*/lib/modules/*/$name.ko*" \
			-exec mv -t "$1/modules" {} +
	done
	rm -rf "${1:?}/lib" "$1/usr/lib/modules"
}

# keep_image VERSION WORK: moves the image to /boot, where Debian 13 has it. Debian
# 14 has it beside the drivers.
keep_image()
{
	local image=$2/usr/lib/modules/$1/vmlinuz

	[[ -e $image ]] || return 0
	mkdir -p "$2/boot"
	mv "$image" "$2/boot/vmlinuz-$1"
}

# unpack_kernel VERSION WORK HOME: unpacks WORK/debs in WORK, for a move to
# HOME.
unpack_kernel()
{
	local version=$1 work=$2 home=$3 deb

	for deb in "$work"/debs/*.deb; do
		dpkg-deb -x "$deb" "$work"
	done
	keep_image "$version" "$work"
	keep_modules "$work"
	# All other drivers of the guest are built in. The vmlinux of the
	# headers is for BTF, which needs pahole and is not used.
	(cd "$work" && rm -rf debs usr/share boot/System.map-* \
		"usr/src/linux-headers-$version/vmlinux")
	# The headers name each other by absolute paths.
	sed -Ei "s,^(include |KBUILD_OUTPUT=)/usr/src/,\1$home/usr/src/," \
		"$work"/usr/src/linux-headers-*/Makefile
	ln -s "boot/vmlinuz-$version" "$work/image"
	ln -s "usr/src/linux-headers-$version" "$work/build"
}

# fetch_kernel NAME: downloads the newest kernel of that name, if it is not here.
# False if the package lists lack it.
fetch_kernel()
{
	local version home parts work

	version=$(newest_in_pool "$1")
	[[ $version ]] || return 1
	home=$(kernel_home "$1")/$version
	! has_modules "$home" || return 0
	mapfile -t parts < <(parts_of_headers "$version" "$(kernel_architecture "$1")"
		parts_of_image "$version")
	note "fetching Debian's kernel $version for the guest"
	work=$(mktemp -d "$cache/work.XXXXXX")
	mkdir "$work/debs"
	if ! download "$work/debs" "linux-image-$version" \
			"linux-headers-$version" "${parts[@]}"; then
		rm -rf "$work"
		return 1
	fi
	unpack_kernel "$version" "$work" "$home"
	kernel_is_complete "$work" ||
		die "Debian's packages of $version do not have the expected shape, see $work"
	keep "$work" "$home"
}

# fetch_newest NAME: downloads the newest kernel of that name, by new lists of
# its suite, if it is not here.
fetch_newest()
{
	local suite

	suite=$(kernel_suite "$1")
	use_lists_of "$suite" "$(kernel_architecture "$1")"
	fetch_kernel "$1" || die "Debian's $suite has no kernel $1"
	[[ $suite == bookworm ]] || fetch_toolchain "$1"
}

# compiler_of VERSION: prints the major version of gcc that has built the kernel.
compiler_of()
{
	apt-cache "${apt_options[@]}" depends "linux-headers-$1" |
		sed -n 's/^ *Depends: gcc-\([0-9]*\)-for-host.*/\1/p'
}

# packages_of_toolchain VERSION COMPILER: prints the packages to build modules
# with: the compiler, what kbuild's programs are linked with, and what its
# makefiles call.
packages_of_toolchain()
{
	parts_of_headers "$1" other | grep kbuild
	printf '%s:amd64\n' "$2" make bash dash coreutils mawk sed grep findutils
}

# fetch_toolchain NAME: downloads the compiler of the kernel NAME, which this
# machine's libraries are too old for, if it is not here, and links it to the
# kernel. By the lists of the last use_lists_of().
fetch_toolchain()
{
	local version compiler home work

	version=$(newest_in_pool "$1")
	compiler=gcc-$(compiler_of "$version")
	[[ $(kernel_architecture "$1") == amd64 ]] ||
		compiler+=-${cross_prefix%-}
	home=$(toolchain_of "$compiler")
	ln -sfn "$home" "$(kernel_home "$1")/$version/toolchain"
	[[ ! -e $home ]] || return 0
	note "fetching $compiler and its libraries"
	work=$(mktemp -d "$cache/work.XXXXXX")
	# The list is words.
	# shellcheck disable=SC2046
	download_with_dependencies "$work/debs" \
		$(packages_of_toolchain "$version" "$compiler") ||
		die "Debian's archive lacks $compiler, or a package that it needs"
	unpack_root "$work"
	mkdir -p "$work"/{dev,proc,tmp}
	ln -s mawk "$work/bin/awk"
	keep "$work" "$home"
}

# has_modules DIRECTORY: false also for a kernel of an older setup, without
# modules.
has_modules()
{
	kernel_is_complete "$1" && [[ -e $1/modules ]]
}

# has_kernel NAME: true if a kernel of that name is here, perhaps not the newest.
has_kernel()
{
	local kernel

	kernel=$(kernel_of_debian "$1") && has_modules "$kernel"
}

# fetch_source: downloads the source of the kernel. False if the lists lack it.
fetch_source()
{
	local work

	are_listed linux-source-6.12 || return 1
	note "fetching Debian's source of Linux 6.12 (150 MB)"
	work=$(mktemp -d "$cache/work.XXXXXX")
	if ! download "$work" linux-source-6.12; then
		rm -rf "$work"
		return 1
	fi
	dpkg-deb --fsys-tarfile "$work"/*.deb |
		tar -x -C "$work" ./usr/src/linux-source-6.12.tar.xz
	keep "$work/usr/src/linux-source-6.12.tar.xz" \
		"$cache/debian/linux-source-6.12.tar.xz"
	rm -rf "$work"
}

# unpack_sysroot WORK HOME: unpacks WORK/debs in WORK, for a move to HOME. Absolute
# links would lead to files of this system.
unpack_sysroot()
{
	local work=$1 home=$2 link

	unpack_root "$work"
	find "$work" -lname '/*' | while read -r link; do
		ln -sfn "$home$(readlink "$link")" "$link"
	done
}

# fetch_sysroot ARCHITECTURE: downloads the sysroot.
fetch_sysroot()
{
	local home work packages

	home=$(sysroot_of "$1")
	[[ ! -e $home ]] || return 0
	packages=$(packages_of_sysroot "$1")
	use_lists_of bookworm "$1"
	note "fetching Debian's libraries for $1"
	work=$(mktemp -d "$cache/work.XXXXXX")
	mkdir "$work/debs"
	# The list is words.
	# shellcheck disable=SC2086
	download "$work/debs" $packages ||
		die "Debian's archive lacks a package of $packages"
	unpack_sysroot "$work" "$home"
	keep "$work" "$home"
}
