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

# module_build KERNEL_DIRECTORY [MAKE_ARGUMENT...]: builds the module and prints
# its path; prints the output of make if that fails.
module_build()
{
	local kernel=$1 build log

	shift
	build=$cache/modules/$(basename "$kernel")-$(digest "$kernel $top $*")
	[[ $(kernel_architecture "${kernel##*/}") == amd64 ]] ||
		set -- "$@" "CROSS_COMPILE=$cross_prefix"
	log=$build/make.log
	mkdir -p "$build"
	(
		flock 9
		link_sources "$build"
		if ! make -s -j"$(nproc)" -C "$(realpath "$kernel/build")" \
				M="$build" "$@" modules >"$log" 2>&1; then
			cat "$log" >&2
			die "the module does not build for $(basename "$kernel")"
		fi
	) 9>"$build/lock" || return
	echo "$build/profil.ko"
}
