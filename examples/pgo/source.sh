# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by the script that sources this
#
# The source of SQLite: Debian's, from the cache or the archive. To be sourced
# after tests/qemu/lib.sh and tests/qemu/archive.sh.

# fetch_source: downloads the source into the cache.
fetch_source()
{
	local site

	site=$(debian_site)
	[[ $site ]] || die "no source of apt is an archive of Debian: add a line to /etc/apt/sources.list, as in sources.list(5)"
	note "downloading the source of SQLite (14 MB)"
	mkdir -p "$cache/pgo"
	apt_options=()
	read_lists "$cache/apt-source" deb-src \
		"$site bookworm main"
	(cd "$cache/pgo" &&
		apt-get "${apt_options[@]}" -o APT::Sandbox::User=root -qq \
			--download-only source sqlite3)
}

# find_source: prints the path of the source in the cache, if there is one.
find_source()
{
	find "$cache/pgo" -name 'sqlite3_*.orig.tar.xz' 2>/dev/null |
		sort -V | tail -n 1
}

# unpack_source DIRECTORY: unpacks the source, and makes sqlite3.c, which is the
# whole library in one file, and shell.c, the command.
unpack_source()
{
	local compiler=${CC:-cc}

	[[ $(find_source) ]] || fetch_source
	mkdir -p "$1"
	tar -x -f "$(find_source)" -C "$1" --strip-components=1
	make -s -C "$1" -f main.mk TOP=. BCC="$compiler" TCC="$compiler" \
		NAWK=awk sqlite3.c shell.c >"$1/../source.log"
}
