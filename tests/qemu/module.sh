# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by the script that sources this
#
# Builds the module for a kernel of the guest. To be sourced after lib.sh.
#
# Each kernel and each clone has a build directory in the cache, so that builds
# are incremental and do not change the profil.ko at the top. The directory has
# symbolic links to the sources, which are never out of date.

link_sources()
{
	local build=$1 file

	find "$build" -type l -delete
	# Only sources are linked, no files of other builds.
	find "$top/Kbuild" "$top/src" "$top/uapi" -name '*.[ch]' -o -name Kbuild |
		while read -r file; do
			mkdir -p "$build/$(dirname "${file#"$top/"}")"
			ln -s "$file" "$build/${file#"$top/"}"
		done
}

# with_toolchain ROOT COMMAND [ARGUMENT]...: runs COMMAND where ROOT is the root
# directory, and has the cache and the project at their paths.
with_toolchain()
{
	local map=()

	((EUID == 0)) || map=(--map-root-user)
	# The words are those of the inner shell.
	# shellcheck disable=SC2016
	unshare --mount "${map[@]}" bash -euc '
		root=$1
		for place in /dev /proc "$2" "$3"; do
			mkdir -p "$root$place"
			mount --rbind "$place" "$root$place"
		done
		PATH=$PATH:/usr/sbin
		exec chroot "$root" env -i PATH=/usr/bin DEB_BUILD_ARCH=amd64 \
			"${@:4}"' bash "$1" "$cache" "$top" "${@:2}"
}

# make_module KERNEL_DIRECTORY ARGUMENT...: runs make with the kernel's compiler.
make_module()
{
	local in=()

	[[ ! -e $1/toolchain ]] ||
		in=(with_toolchain "$(realpath "$1/toolchain")")
	"${in[@]}" make -s -j"$(nproc)" -C "$(realpath "$1/build")" "${@:2}"
}

# module_build KERNEL_DIRECTORY [MAKE_ARGUMENT...]: builds the module and prints
# its path; prints the output of make if that fails.
module_build()
{
	local kernel=$1 build log

	shift
	forget_builds modules
	build=$cache/modules/$(basename "$kernel")-$(digest "$kernel $top $*")
	[[ $(kernel_architecture "${kernel##*/}") == amd64 ]] ||
		set -- "$@" "CROSS_COMPILE=$cross_prefix"
	log=$build/make.log
	mkdir -p "$build"
	(
		flock 9
		link_sources "$build"
		if ! make_module "$kernel" M="$build" "$@" modules \
				>"$log" 2>&1; then
			cat "$log" >&2
			die "the module does not build for $(basename "$kernel")"
		fi
	) 9>"$build/lock" || return
	echo "$build/profil.ko"
}
