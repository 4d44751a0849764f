#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the RPM packages by Debian's rpmbuild, and unpacks them. Runs as root in a
# temporary system, see tests/install/run.

. tests/common/tap.sh
. tests/common/fresh_debian.sh
. tests/common/packaging.sh

root=/tmp/rpms
names="profil profil-devel profil-dkms profil-libs"

# packages: prints the paths of the binary packages.
packages()
{
	ls ~builder/rpmbuild/RPMS/*/*.rpm
}

# names_of_packages: packages of debugging information depend on the distribution.
names_of_packages()
{
	# shellcheck disable=SC2046 # paths without spaces
	rpm -qp --queryformat '%{NAME}\n' $(packages) | grep -v -e -debug | sort |
		tr '\n' ' '
}

# unpack: documents, licences and links by build ID have no like in make install-tools.
unpack()
{
	mkdir -p "$root"
	for package in $names; do
		rpm2cpio ~builder/rpmbuild/RPMS/*/"$package-$version"-*.rpm |
			(cd "$root" && cpio -idm --quiet) || return
	done
	rm -rf "$root/usr/share/doc" "$root/usr/share/licenses" \
		"$root/usr/lib/.build-id"
}

# directory MACRO: prints a directory of rpm's macros here.
directory()
{
	rpm --eval "%{$1}"
}

# has_script PACKAGE PATTERN: a line of the package's scripts has the PATTERN.
has_script()
{
	rpm -qp --scripts ~builder/rpmbuild/RPMS/*/"$1-$version"-*.rpm |
		grep -q -e "$2"
}

# build: builds the packages. Macros of Fedora that Debian lacks become their names.
build()
{
	set -- rpmbuild -ta --nodeps "profil-$version.tar.gz"
	for macro in post preun postun_with_restart; do
		set -- "$@" --define "systemd_$macro() systemd_$macro %*"
	done
	as_builder "$@"
}

check "rpmbuild can be installed" get rpm rpm2cpio cpio git
check "the libraries can be installed" get_libraries
check "the sources are in a repository" quietly has_commit
check "make dist" quietly make -s dist
check "an ordinary user has the tarball" give_builder "profil-$version.tar.gz"
check "rpmbuild builds the packages of the tarball" quietly build
also "which are these" [ "$(names_of_packages)" = "$names " ]
also "and the package of the sources" \
	sh -c "ls ~builder/rpmbuild/SRPMS/profil-$version-*.src.rpm"
check "the driver's package adds the module to DKMS" \
	has_script profil-dkms "^dkms add profil/$version "
also "and removes it" has_script profil-dkms "^dkms remove profil/$version "
also "after the module, unless the package is updated" \
	has_script profil-dkms '|| modprobe -q -r profil '
for macro in post preun postun_with_restart; do
	check "the command's package has systemd_$macro of its service" \
		has_script profil "^systemd_$macro profil.service"
done
check "the packages can be unpacked" unpack
check "make installs such files" quietly expect_files \
	PREFIX="$(directory _prefix)" LIBDIR="$(directory _libdir)"
check "the packages have these files" has_expected_files "$root"
also "with these contents" has_expected_contents "$root"
also "a command that runs" works_below "$root" "$root$(directory _libdir)"
finish
