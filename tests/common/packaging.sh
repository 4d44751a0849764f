# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Functions for tests that build packages on a fresh Debian, to be sourced after
# fresh_debian.sh in the directory of the sources

version=$(sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' src/main.c)

# build_dependencies: prints the packages of Build-Depends.
build_dependencies()
{
	sed -n '/^Build-Depends:/,/^[^ B]/{s/^Build-Depends://;s/([^)]*)//;/^[ ]/p
		}' packaging/debian/control | tr -d ,
}

# has_commit: true if the sources are in a repository, as make dist needs one.
has_commit()
{
	git rev-parse HEAD >/dev/null 2>&1 && return
	git init -q . && git add -A &&
		git -c user.name=test -c user.email=test@localhost commit -q -m test
}

# get_libraries: installs what the library and the command are built with.
get_libraries()
{
	# shellcheck disable=SC2046 # words
	get build-essential $(build_dependencies | tr ' ' '\n' |
		grep -e '-dev$' -e pkg-config)
}

# packages_of_page: prints the packages that packaging.md lists for make deb.
packages_of_page()
{
	sed -n '/^	sudo apt install build/,/[^\\]$/p' Documentation/packaging.md |
		sed 's/[\\]$//; s/sudo apt install//'
}

# make_deb DIRECTORY TO: make deb in DIRECTORY leaves its files above, from where they
# go to TO.
make_deb()
{
	mkdir -p "$2" && make -s -C "$1" deb &&
		find "$1/.." -maxdepth 1 -type f -name '*profil*' -exec mv -t "$2" {} +
}

# as_builder COMMAND...: COMMAND by an ordinary user in the directory of its home.
as_builder()
{
	id builder >/dev/null 2>&1 || useradd --create-home builder
	(cd ~builder && HOME=~builder setpriv --reuid builder --regid builder \
		--clear-groups "$@")
}

# give_builder FILE...: copies the files into that directory.
give_builder()
{
	as_builder true && cp "$@" ~builder && chmod a+r ~builder/*
}

# expect_files VARIABLE=VALUE...: what make installs for packages, in /tmp/expected:
# compiled with the VARIABLEs of the package.
expect_files()
{
	rm -rf /tmp/expected
	make -s "$@" DESTDIR=/tmp/expected install-tools dkms-source &&
		install -D -m 644 packaging/60-profil.rules \
			/tmp/expected/usr/lib/udev/rules.d/60-profil.rules &&
		install -D -m 644 packaging/profil.conf \
			/tmp/expected/usr/lib/sysusers.d/profil.conf
}

# files_below DIRECTORY: prints files and links. Packages compress manual pages.
files_below()
{
	(cd "$1" && find . ! -type d | sed '/^.\/usr\/share\/man\//s/\.gz$//' |
		sort)
}

# has_expected_files DIRECTORY: the files below it are those of make, and no other.
has_expected_files()
{
	files_below "$1" >/tmp/packed
	files_below /tmp/expected | diff - /tmp/packed | is_nothing
}

# is_compiled FILE: the bytes depend on the flags of the compiler.
is_compiled()
{
	case $1 in
	*/bin/profil | */bin/profil-push | *.so | *.so.1 | *.a) return 0 ;;
	esac
	return 1
}

# has_expected_contents DIRECTORY: the bytes are those of make, but for what is
# compiled.
has_expected_contents()
{
	different=0
	while read -r file; do
		if is_compiled "$file"; then
			continue
		elif [ -e "$1/$file.gz" ]; then
			zcat "$1/$file.gz" | cmp - "/tmp/expected/$file"
		else
			cmp "$1/$file" "/tmp/expected/$file"
		fi || different=$((different + 1))
	done </tmp/packed
	[ "$different" = 0 ] && [ -s /tmp/packed ]
}

# works_below DIRECTORY LIBRARIES: the command of a package that is not installed
# prints the version.
works_below()
{
	LD_LIBRARY_PATH=$2 "$1/usr/bin/profil" --version | grep -q "$version"
}
