#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The makefiles of a copy of the sources: directories with a space, headers of other
# packages below PREFIX=/usr, jobs of several makes, and what make clean leaves.

here=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/common/tap.sh
. "$here/../common/tap.sh"
# shellcheck source=tests/qemu/lib.sh
. "$here/../qemu/lib.sh"

staging=$work/staging
include=$staging/usr/include
build=$(realpath "$(kernel_find 6.12)/build")
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR PREFIX LIBDIR INCLUDEDIR

# copy_to DIRECTORY: the files that git tracks or would add
copy_to()
{
	mkdir -p "$1" && git -C "$top" ls-files -z -co --exclude-standard |
		(cd "$top" && xargs -0 cp --parents -t "$1")
}

# files: prints all files of this test but the notes of its functions.
files()
{
	find "$work" ! -path "$said*" | sort
}

# refuses SENTENCE COMMAND...: COMMAND fails with one line, which ends with the sentence, and
# writes nothing.
refuses()
{
	sentence=$1
	shift
	files >"$said.before"
	"$@" >"$said" 2>&1 && return 1
	files | diff "$said.before" - | is_nothing &&
		[ "$(grep -c -v '^make' "$said")" = 1 ] &&
		grep -v '^make' "$said" | grep -q -F -e "$sentence" && return
	fail_with "$said"
}

# in_spaces TARGET...: make in a directory with a space
in_spaces()
{
	make -s -C "$work/a copy" KDIR="$build" "$@"
}

# in_lib WORD...: the makefile of the library, alone
in_lib()
{
	make -s -C "$work/copy/tools/lib" "$@"
}

# is_foreign: the header of the C library is still there.
is_foreign()
{
	[ "$(cat "$include/$1/profil.h")" = '#define _PROFIL_H' ]
}

write_foreign()
{
	mkdir -p "$include/sys" "$include/linux" &&
		echo '#define _PROFIL_H' | tee "$include/sys/profil.h" \
			>"$include/linux/profil.h"
}

write_earlier()
{
	rm "$include/linux/profil.h" &&
		echo 'int profil_svr4();' >"$include/sys/profil.h"
}

# is_empty DIRECTORY: it has no file but those of write_foreign().
is_empty()
{
	find "$1" ! -type d ! -path "$include/sys/*" ! -path "$include/linux/*" |
		is_nothing
}

# shares_jobs: no make below says that it has one job.
shares_jobs()
{
	make -j2 -C "$work/copy" KDIR="$build" lib module >"$said" 2>&1 &&
		! grep jobserver "$said"
}

# keeps_sources: make clean leaves each file of the copy, and no other.
keeps_sources()
{
	make -s -C "$work/copy" KDIR="$build" clean >"$said" 2>&1 || return
	(cd "$work/copy" && find . ! -type d | sort) |
		diff "$work/sources" - | is_nothing
}

# builds_for RELEASE: dkms.conf has the module built for the kernel.
builds_for()
(
	. "$top/dkms.conf" && [[ $1 =~ $BUILD_EXCLUSIVE_KERNEL ]]
)

for release in 6.1.0-50-amd64 6.9.1 6.10.0 6.12.117+deb12-cloud-amd64 7.0.1 10.1; do
	check "DKMS builds for Linux $release" builds_for $release
done
for release in 6.0.12 6.0.12-16.1 5.10.0-30-amd64 5.15.7 4.19.0-6.1; do
	check "DKMS does not build for Linux $release" eval ! builds_for $release
done

copy_to "$work/a copy"
copy_to "$work/copy"
(cd "$work/copy" && find . ! -type d | sort) >"$work/sources"

no_kbuild='Kbuild builds in no directory with a space or a colon in its path'
check "make in a directory with a space" refuses "a copy: $no_kbuild" in_spaces
also "installs nothing" refuses "a copy: $no_kbuild" in_spaces install
also "makes the library" shows in_spaces lib
also "cleans it" shows in_spaces clean
mv "$work/a copy" "$work/a:copy"
check "make in a directory with a colon" refuses "a:copy: $no_kbuild" \
	make -s -C "$work/a:copy" KDIR="$build"

no_space='a directory with a space in its name is not supported'
for variable in DESTDIR PREFIX LIBDIR INCLUDEDIR; do
	check "make install $variable= with a space" \
		refuses "$variable=/a dir: $no_space" \
		make -s -C "$work/copy" KDIR="$build" "$variable=/a dir" install
	also "of the library alone" \
		refuses "$variable=/a dir: $no_space" in_lib "$variable=/a dir" install
done

check "several makes share the jobs" shares_jobs
check "the headers of other packages are there" write_foreign
check "make install PREFIX=/usr" shows in_lib DESTDIR="$staging" PREFIX=/usr install
also "keeps the header of the C library" is_foreign sys
also "keeps that of the kernel" is_foreign linux
also "has headers of its own" [ -e "$include/profil/sys/profil.h" ]
also "which pkg-config names" grep -qx 'includedir=/usr/include/profil' \
	"$staging/usr/lib/pkgconfig/profil.pc"
check "make uninstall PREFIX=/usr" \
	shows make -s -C "$work/copy" KDIR= DESTDIR="$staging" PREFIX=/usr uninstall
also "keeps the header of the C library" is_foreign sys
also "leaves no file" is_empty "$staging"
check "make install INCLUDEDIR=/usr/include" refuses \
	"$include/sys/profil.h belongs to another package: choose another INCLUDEDIR" \
	in_lib DESTDIR="$staging" INCLUDEDIR=/usr/include install
check "make uninstall INCLUDEDIR=/usr/include" \
	shows in_lib DESTDIR="$staging" INCLUDEDIR=/usr/include uninstall
also "keeps the header of the C library" is_foreign sys
also "keeps that of the kernel" is_foreign linux
check "the sys/profil.h of an earlier version is there" write_earlier
also "is replaced" shows in_lib DESTDIR="$staging" INCLUDEDIR=/usr/include install
also "is that of this version" cmp "$top/include/sys/profil.h" "$include/sys/profil.h"
check "make clean keeps the sources" keeps_sources
finish
