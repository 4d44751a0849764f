# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by who sources this
#
# Builds the module for a kernel of the guest. To be sourced after lib.sh.
#
# The build lies in the cache, one directory for each kernel and each clone, so
# that it is incremental and leaves the profil.ko at the top alone. It sees the
# sources through symbolic links: there are no copies that could grow old.

link_sources()
{
	local build=$1 file

	find "$build" -type l -delete
	# What another build has left among the sources is none of ours.
	find "$top/Kbuild" "$top/src" "$top/uapi" -name '*.[ch]' -o -name Kbuild |
		while read -r file; do
			mkdir -p "$build/$(dirname "${file#"$top/"}")"
			ln -s "$file" "$build/${file#"$top/"}"
		done
}

# module_build KERNEL_DIRECTORY [MAKE_ARGUMENT...]: prints the module's path. What
# make says is shown when it fails.
module_build()
{
	local kernel=$1 build log

	shift
	build=$cache/modules/$(basename "$kernel")-$(digest "$kernel $top $*")
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
