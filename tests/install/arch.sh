#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the Arch packages by Debian's makepkg, with the options of Arch's makepkg.conf,
# and installs them below a directory by Debian's pacman. Runs as root in a temporary
# system, see tests/install/run.

. tests/common/tap.sh
. tests/common/fresh_debian.sh
. tests/common/packaging.sh

root=/tmp/arch

# write_configuration: Debian's file differs from Arch's in what becomes of static
# libraries, in link-time optimization and in packages of debugging information.
write_configuration()
{
	cat >~builder/.makepkg.conf <<-'END'
		CFLAGS="-march=x86-64 -mtune=generic -O2 -pipe -fno-plt -fexceptions \
			-Wp,-D_FORTIFY_SOURCE=2 -Wformat -Werror=format-security \
			-fstack-clash-protection -fcf-protection"
		LDFLAGS="-Wl,-O1,--sort-common,--as-needed,-z,relro,-z,now"
		LTOFLAGS="-flto=auto"
		OPTIONS=(strip docs !libtool !staticlibs emptydirs zipman purge debug lto)
	END
}

# names_of_packages: prints the names of the packages' files.
names_of_packages()
{
	(cd ~builder && echo profil*.pkg.tar.*)
}

# pacman_below WORD...: pacman for the packages in $root. Debian has none of the
# packages that these depend on.
pacman_below()
{
	mkdir -p "$root" /tmp/pacman
	pacman --config /dev/null --root "$root" --dbpath /tmp/pacman \
		--cachedir /tmp/pacman --logfile /tmp/pacman/log \
		--noconfirm --noscriptlet -dd "$@"
}

installs()
{
	quietly pacman_below -U ~builder/"profil-$version-1-"*.pkg.tar.gz \
		~builder/"profil-dkms-$version-1-"*.pkg.tar.gz
}

# licenses_of PACKAGE: prints its licences.
licenses_of()
{
	tar -xOf ~builder/"$1-$version-1-"*.pkg.tar.gz .PKGINFO |
		sed -n 's/^license = //p' | tr '\n' ' '
}

# has_code: the objects have code of the processor, and not only the compiler's for
# an optimization at link time, which no other compiler can read.
has_code()
{
	readelf -Ws "$root/usr/lib/libprofil.a" 2>/dev/null |
		grep -q ' FUNC  *GLOBAL .* sprofil$'
}

check "makepkg and pacman can be installed" get makepkg \
	pacman-package-manager libarchive-tools file git
check "the libraries can be installed" get_libraries
check "the sources are in a repository" quietly has_commit
check "make dist" quietly make -s dist
check "an ordinary user has the tarball and PKGBUILD" \
	give_builder "profil-$version.tar.gz" packaging/arch/PKGBUILD
check "the options are Arch's" write_configuration
check "makepkg builds the packages" quietly as_builder makepkg --nodeps
x86=$version-1-x86_64.pkg.tar.gz
also "which are these" [ "$(names_of_packages)" = \
	"profil-$x86 profil-debug-$x86 profil-dkms-$version-1-any.pkg.tar.gz" ]
also "the command and library have both licences" \
	[ "$(licenses_of profil)" = 'GPL-2.0-only LGPL-2.1-or-later ' ]
also "the driver has one" [ "$(licenses_of profil-dkms)" = 'GPL-2.0-only ' ]
check "pacman installs them" installs
check "make installs such files" quietly expect_files PREFIX=/usr
check "the packages have these files" has_expected_files "$root"
also "with these contents" has_expected_contents "$root"
also "a static library with code" has_code
also "a command that runs" works_below "$root" "$root/usr/lib"
check "pacman removes them" quietly pacman_below -R profil profil-dkms
also "and leaves no file" [ ! "$(find "$root" ! -type d)" ]
finish
