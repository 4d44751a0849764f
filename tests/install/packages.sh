#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the Debian packages on a fresh Debian, and installs, upgrades and purges
# them. Runs as root in a temporary system, see tests/install/run.

. tests/common/tap.sh
. tests/common/fresh_debian.sh
. tests/common/packaging.sh

built=/tmp/packages
names="profil libprofil1 libprofil-dev profil-dkms"

same_bytes_twice()
{
	make -s dist && mv "profil-$version.tar.gz" /tmp/first.tar.gz &&
		touch README.md && sleep 1 && make -s dist &&
		cmp /tmp/first.tar.gz "profil-$version.tar.gz"
}

contains_each_file()
{
	tar -tf "profil-$version.tar.gz" | grep -v '/$' |
		sed "s,^profil-$version/,," | sort >/tmp/packed
	git ls-files | sort | diff - /tmp/packed | head -n 5 | is_nothing
}

# next_revision: the same sources as a later package.
next_revision()
{
	mkdir /tmp/next
	sed "1s/-1)/-2)/" packaging/debian/changelog >/tmp/changelog
	cp /tmp/changelog packaging/debian/changelog
	git -c user.name=test -c user.email=test@localhost commit -q -a -m next
	make -s dist && packaging/build-deb "profil-$version.tar.gz" /tmp/next
}

# unpacked_deb: the same in an unpacked tarball
unpacked_deb()
{
	mkdir /tmp/unpacked && tar -C /tmp/unpacked -xf "profil-$version.tar.gz" &&
		make_deb "/tmp/unpacked/profil-$version" /tmp/unpacked-debs &&
		[ "$(find /tmp/unpacked-debs -name '*.deb' | wc -l)" = 6 ]
}

has_packages()
{
	for package in $names profil-dbgsym libprofil1-dbgsym; do
		ls "$built/${package}_$version-1_"*.deb >/dev/null || return 1
	done
}

debs()
{
	for package in $names; do
		ls "$1/${package}_"*.deb
	done
}

# built_for_each_kernel: true if DKMS has built the module for each kernel that
# has headers, and modprobe finds it.
built_for_each_kernel()
{
	for headers in /lib/modules/*/build/Makefile; do
		release=${headers#/lib/modules/}
		release=${release%%/*}
		dkms status profil -k "$release" | grep -q installed || return 1
		modprobe -S "$release" -n -v profil | grep -q '^insmod ' || return 1
	done
}

# is_not_enabled: the service that records the machine is installed alone.
is_not_enabled()
{
	grep -q '^ExecStart=/usr/bin/profil record ' \
		/usr/lib/systemd/system/profil.service &&
		! find /etc/systemd -name profil.service | grep .
}

compiles_with_the_headers()
{
	cat >/tmp/program.c <<-'END'
		#include <sys/profil.h>
		#include <linux/profil.h>
		int main(void)
		{
			struct prof p = { 0 };
			return PROFIL_ABI < 1 || sprofil(&p, 0, 0, PROF_UINT);
		}
	END
	# shellcheck disable=SC2046 # options
	cc /tmp/program.c -o /tmp/program $(pkg-config --cflags --libs profil) &&
		readelf -d /tmp/program | grep -q 'libprofil.so.1'
}

installed_version()
{
	[ "$(dpkg-query -W -f '${Version}' "$1")" = "$2" ]
}

list_files()
{
	# shellcheck disable=SC2086 # words
	dpkg -L $names >/tmp/installed
}

# left_files: prints the files of the packages, and of DKMS for them, that exist.
left_files()
{
	while read -r file; do
		[ -d "$file" ] || ls -d "$file" 2>/dev/null
	done </tmp/installed
	find /var/lib/dkms /lib/modules -name profil -o -name 'profil.ko*'
	find /usr/include/profil /usr/src/profil-* 2>/dev/null
}

# is_left_without_files: true if none is left. The group of the device stays, as
# the groups of all packages do.
is_left_without_files()
{
	left_files | is_nothing
}

check "git and make can be installed" get git make
check "the sources are in a repository" quietly has_commit
check "make dist writes the same bytes twice" same_bytes_twice
check "the tarball has each file of the commit" contains_each_file
# shellcheck disable=SC2046 # words
check "the packages of packaging.md can be installed" get $(packages_of_page)
check "the packages are built" quietly make_deb . $built
check "they are built from an unpacked tarball" quietly unpacked_deb
check "these packages are built, and those with debugging information" \
	has_packages
check "lintian can be installed" get lintian
# No bug of Debian's asks for the package before its first upload.
check "lintian finds no error and no warning" quietly lintian \
	--fail-on error,warning --suppress-tags initial-upload-closes-no-bugs \
	$built/*.changes

check "a next revision is built" quietly next_revision
check "headers of two kernels can be installed" get \
	linux-headers-amd64 linux-headers-cloud-amd64
check "headers of two kernels are installed" \
	[ "$(find /lib/modules/*/build/Makefile | wc -l)" -ge 2 ]
apt-get -qq -y purge libdw-dev libiberty-dev libelf-dev libcapstone-dev \
	>/dev/null 2>&1
# shellcheck disable=SC2046 # words
check "the packages can be installed" quietly apt-get -qq -y install \
	--no-install-recommends $(debs $built)
check "DKMS has built the module for each kernel" built_for_each_kernel
check "the device's group is there" getent group profil
check "the module is loaded at boot" \
	grep -qx profil /usr/lib/modules-load.d/profil.conf
check "the machine is not recorded unasked" is_not_enabled
check "profil prints its version" sh -c \
	"profil --version | grep -q '$version'"
check "profil doctor finds the library" sh -c "profil doctor |
	grep -q '^library  */usr/lib/[^ ]*/libprofil.so.1$'"
check "profil run names modprobe if the module is not loaded" sh -c \
	'profil run -- true 2>&1 | grep -q "sudo modprobe profil"'
check "pkg-config can be installed" get pkg-config
check "a program compiles with the headers" compiles_with_the_headers
check "the program runs" /tmp/program
# shellcheck disable=SC2046 # words
check "the packages can be upgraded" quietly apt-get -qq -y install \
	--no-install-recommends $(debs /tmp/next)
check "the command is upgraded" installed_version profil "$version-2"
check "the module is upgraded" installed_version profil-dkms "$version-2"
check "DKMS has built the module for each kernel again" built_for_each_kernel
check "the files of the packages are listed" list_files
# shellcheck disable=SC2086 # words
check "the packages can be purged" quietly apt-get -qq -y purge $names
check "no file of the packages is left" is_left_without_files
finish
