# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by the script that sources this
#
# Debian's archive: package lists, and downloads of packages that are unpacked in
# the cache and not installed. To be sourced after lib.sh.
#
# Downloads use the machine's package lists, or lists in the cache. The
# configuration of apt and the architectures of dpkg stay as they are.

debian_keys=/usr/share/keyrings/debian-archive-keyring.gpg

# of_system VARIABLE: prints the value in os-release(5).
of_system()
{
	sed -n "s/^$1=//p" /etc/os-release | tr -d '"'
}

as_root()
{
	if ((EUID == 0)); then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "packages are missing and this is neither root nor a user with sudo: as root, run: apt-get install --no-install-recommends ${missing[*]:-}"
	fi
}

refresh_lists()
{
	note "reading the package lists"
	as_root apt-get -qq update
}

# The machine's package lists may lack the newest kernels: a newly bootstrapped
# machine has no list of the security archive, and lists become out of date. The
# following three functions are tried in turn.
apt_options=()

use_lists_as_they_are()
{
	apt_options=()
}

use_new_lists()
{
	apt_options=()
	((EUID == 0)) || command -v sudo >/dev/null || return 1
	refresh_lists
}

use_security_archive()
{
	local site

	site=$(debian_site)
	[[ $site ]] || return 1
	note "reading the package list of Debian's security archive"
	apt_options=()
	read_lists "$cache/apt" deb \
		"$site-security $(of_system VERSION_CODENAME)-security main"
}

# use_lists_of SUITE ARCHITECTURE: reads lists of SUITE, and uses them alone. The
# packages of ARCHITECTURE go by their plain names, others end with ":amd64":
# kbuild's programs run on the machine that compiles.
use_lists_of()
{
	local site state=$cache/apt-$1 sources=()

	site=$(debian_site)
	[[ $site ]] || return 1
	sources=("$site $1 main")
	# sid has no security archive, and armhf's libraries are for tests alone.
	[[ $1 == sid || $2 == armhf ]] || sources+=("$site-security $1-security main")
	note "reading Debian's package lists of $1"
	mkdir -p "$state"
	: >"$state/status"
	apt_options=(
		-o "APT::Architecture=$2"
		-o "APT::Architectures::=amd64"
		-o "APT::Architectures::=arm64"
		-o "Dir::State::status=$state/status"
	)
	read_lists "$state" deb "${sources[@]}"
}

# read_lists DIRECTORY TYPE SOURCE...: reads the lists of SOURCEs into DIRECTORY,
# and adds to apt_options that these are used alone. TYPE is deb or deb-src.
read_lists()
{
	local state=$1

	mkdir -p "$state/lists/partial" "$state/archives/partial"
	printf "$2 [signed-by=$debian_keys] %s\n" "${@:3}" >"$state/sources.list"
	apt_options+=(
		-o "Dir::Etc::SourceList=$state/sources.list"
		-o "Dir::Etc::SourceParts=/dev/null"
		-o "Dir::State::Lists=$state/lists"
		-o "Dir::Cache=$state"
	)
	apt-get "${apt_options[@]}" -o APT::Sandbox::User=root -qq update
}

# are_listed PACKAGE...: false, without a message, if the package lists lack one.
are_listed()
{
	local package

	for package; do
		apt-cache "${apt_options[@]}" show "$package" >/dev/null 2>&1 ||
			return 1
	done
}

# download DIRECTORY PACKAGE...: downloads packages into DIRECTORY.
download()
{
	local directory=$1

	shift
	(cd "$directory" &&
		apt-get "${apt_options[@]}" -o APT::Sandbox::User=root -qq \
			download "$@" >/dev/null)
}

# download_with_dependencies DIRECTORY PACKAGE...: downloads packages, and those
# that they depend on, into DIRECTORY, by lists of use_lists_of().
download_with_dependencies()
{
	mkdir -p "$1/partial"
	apt-get "${apt_options[@]}" -o APT::Sandbox::User=root \
		-o "Dir::Cache::archives=$1" -o Debug::NoLocking=1 -qq -y \
		--no-install-recommends --download-only install "${@:2}" >/dev/null &&
		rm -rf "$1/partial"
}

# unpack_root WORK: unpacks WORK/debs in WORK. /bin, /sbin and /lib are links, as
# on a system.
unpack_root()
{
	local work=$1 name deb

	for name in bin sbin lib lib64; do
		mkdir -p "$work/usr/$name"
		ln -s "usr/$name" "$work/$name"
	done
	for deb in "$work"/debs/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -x -C "$work" --keep-directory-symlink
	done
	(cd "$work" && rm -rf debs usr/share)
}

# from_pool COMMAND...: runs COMMAND with each set of lists until it succeeds.
from_pool()
{
	local lists

	mkdir -p "$cache"
	for lists in use_lists_as_they_are use_new_lists use_security_archive; do
		"$lists" && "$@" && return
	done
	die "Debian's archive lacks a package: make 'apt-get update' succeed and run this again"
}

# keep WORK HOME: moves a complete directory or file to its final path.
keep()
{
	mkdir -p "${2%/*}"
	rm -rf "$2"
	mv "$1" "$2"
}
