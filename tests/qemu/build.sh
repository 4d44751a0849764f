# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by tests/qemu/run
#
# Builds the library, the command and the tests for the guest. To be sourced after
# lib.sh.
#
# A guest with the host's architecture has what is built in the project's own
# directories. For another architecture the project is built in a tree of links
# to its files, in the cache, with the libraries of a sysroot.

architecture=amd64
sysroot=''
source=$top
tools=()

# choose_tree KERNEL: sets the variables above for a kernel's directory.
choose_tree()
{
	architecture=$(kernel_architecture "${1##*/}")
	[[ $architecture != amd64 ]] || return 0
	sysroot=$(sysroot_of "$architecture")
	[[ -e $sysroot ]] ||
		die "there are no libraries for $architecture: run 'tests/setup $kernel_name'"
	source=$cache/tests/$(digest "$top $architecture")/tree
	tools=("CC=${cross_prefix}gcc$cross_suffix --sysroot=$sysroot"
		"AR=${cross_prefix}ar" CAPSTONE= CURL=)
}

# link_tree: makes the tree of links. Links to removed files are removed; others
# stay, since another guest may be reading them.
link_tree()
{
	local folder

	mkdir -p "$source"
	find "$source" -xtype l -delete
	(cd "$top" && find tools uapi include src tests -type d ! -name build \
		! -path '*/build/*') | while read -r folder; do
		mkdir -p "$source/$folder"
		find "$top/$folder" -maxdepth 1 -type f \( -name '*.[chS]' \
			-o -name '*.sh' -o -name '*.mk' -o -name '*.map' \
			-o -name '*.in' -o -name '*.html' \
			-o -name Makefile \) \
			-exec cp --symbolic-link --no-clobber \
			-t "$source/$folder" {} +
	done
}

# make_in FOLDER [ARGUMENT]...: runs make with the guest's compiler.
make_in()
{
	make -s -j "$(nproc)" "${tools[@]}" -C "$source/$1" "${@:2}"
}

# make_project BUILD: builds the library and the command, and the tests if setup
# has fetched the files that they need: a demo needs no tests.
make_project()
{
	local build=$1

	[[ ! $sysroot ]] || link_tree
	make_in tools/lib && make_in tools/profil || return
	[[ -e $cache/linux/tools ]] || return 0
	make_in tests/selftests/profil OUTPUT="$build/selftests" &&
		make_in tests/lib OUTPUT="$build/tooltests" &&
		make_in tests/command OUTPUT="$build/tooltests" &&
		make_in tests/torture OUTPUT="$build/tooltests" &&
		make_in tests/account OUTPUT="$build/tooltests" &&
		make_in tests/fuzz OUTPUT="$build/tooltests"
}

# build_project: builds the project, one build at a time, and prints the
# directory of the tests.
build_project()
{
	local build

	forget_builds tests
	build=$cache/tests/$(digest "$top${sysroot:+ $architecture}")
	mkdir -p "$build/selftests" "$build/tooltests"
	(
		flock 9
		make_project "$build"
	) 9>"$build/lock" >"$build/log" 2>&1 || {
		cat "$build/log" >&2
		die "the project does not build"
	}
	echo "$build"
}

# list_tests: prints the paths of the test programs for this guest, one a line:
# for a guest that counts instructions those that need it, else all others.
list_tests()
{
	local list=list${counting:+-counting}

	[[ -e $cache/linux/tools ]] || return 0
	make_in tests/selftests/profil "$list" | sed 's|^|/selftests/|'
	{
		make_in tests/lib "$list" && make_in tests/command "$list" &&
			make_in tests/torture "$list" &&
			make_in tests/account "$list" &&
			make_in tests/fuzz "$list"
	} | sed 's|^|/tooltests/|'
}
