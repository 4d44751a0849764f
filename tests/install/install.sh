#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# From a fresh Debian to an installed profil, in the words of README.md, and
# back. Runs as root in a directory that is thrown away, see tests/install/run.
# shellcheck disable=SC2317 # check calls the functions

# shellcheck source=tests/common/tap.sh
. tests/common/tap.sh

log=/tmp/log
prefix=/usr/local

# quietly COMMAND...: what it prints is shown if it fails.
quietly()
{
	"$@" >"$log" 2>&1 || {
		tail -n 30 "$log" | sed 's/^/# /'
		return 1
	}
}

get()
{
	quietly apt-get -qq -y -o Dpkg::Use-Pty=0 install \
		--no-install-recommends "$@"
}

# lacks WORDS PACKAGES TARGET: make TARGET fails by one sentence, which names
# what is missing and how to get it, and nothing is built.
lacks()
{
	sentence="missing: $1; install with: apt install $2"
	shift 2
	touch /tmp/begin
	make -s "$@" >"$log" 2>&1 && return 1
	sed 's/^/# /' "$log"
	[ "$(grep -v '^make: ' "$log")" = "$sentence" ] &&
		[ ! "$(find . -type f -newer /tmp/begin)" ]
}

# README's words: a command that begins with $1, and the example
command_of_readme()
{
	sed -e ':again' -e '/\\$/{N;s/\\\n[[:space:]]*//;b again' -e '}' README.md |
		sed -n "s/^	\\($1.*\\)/\\1/p" | head -n 1 | sed 's/sudo //g'
}

example_of_readme()
{
	sed -n '/^In a program:/,/^<!--/s/^	//p' README.md
}

# Everything there is but what the system's own tools leave: indexes of modules,
# libraries and manual pages, and DKMS' key
everything()
{
	find / -xdev \( -path /proc -o -path /tmp -o -path /root -o \
		-path /var/cache -o -path /run \) -prune -o \
		! -path '/usr/lib/modules/*/modules.*' \
		! -path '/var/lib/dkms/mok.*' ! -path '/var/log/*' -print |
		sort
}

is_as_before()
{
	everything >/tmp/now
	diff /tmp/before /tmp/now | sed 's/^/# /' | grep . && return 1
	return 0
}

libraries='the headers of libdw, the headers of libiberty'
headers='the headers of a kernel, which make KDIR=<headers> may name'
headers_package=linux-headers-amd64
case $(uname -r) in
*-amd64) headers_package=linux-headers-$(uname -r) ;;
esac

# What is missing is named

check "make can be had" get make
check "without anything else, all is named at once" \
	lacks "a C compiler (cc), $libraries, $headers" \
	"gcc libc6-dev libdw-dev libiberty-dev $headers_package"
check "depmod too, if the module is to be installed" \
	lacks "a C compiler (cc), $libraries, $headers, depmod" \
	"gcc libc6-dev libdw-dev libiberty-dev $headers_package kmod" install
check "for the library the compiler does" \
	lacks "a C compiler (cc)" "gcc libc6-dev" lib
check "a compiler can be had" get gcc
check "without libc's headers, they are named" \
	lacks "the headers of the C library, $libraries" \
	"libc6-dev libdw-dev libiberty-dev" tools
check "they can be had" get libc6-dev
check "without the libraries' headers, they are named" \
	lacks "$libraries" "libdw-dev libiberty-dev" install-tools
check "they can be had" get libdw-dev
check "without libiberty's, they are named" \
	lacks "the headers of libiberty" libiberty-dev install-tools
check "they can be had" get libiberty-dev
check "without a kernel's, they are named" \
	lacks "$headers" "$headers_package" all
check "for the module, too" lacks "$headers" "$headers_package" module

# The library and the command without the headers of a kernel

everything >/tmp/before
check "make install-tools" quietly make install-tools
check "the command is there" [ "$(command -v profil)" = $prefix/bin/profil ]
check "make uninstall" quietly make uninstall
check "leaves nothing" is_as_before
check "make clean" quietly make clean

# As README.md has it

packages=$(command_of_readme 'sudo apt install')
check "README has a line of packages" [ "$packages" ]
# shellcheck disable=SC2086 # the packages are words
check "which can be had" get ${packages#apt install }
check "man can be had" get man-db
everything >/tmp/before
release=$(ls /lib/modules)
install=$(command_of_readme 'make && sudo make install')
check "README has a line that installs" [ "$install" ]
check "which does, up to modprobe" quietly sh -c "${install%% && modprobe*}"
check "the module is where the kernel looks for it" \
	[ "$(modinfo -k "$release" -n profil)" = \
		"/lib/modules/$release/updates/profil.ko" ]
check "and for that kernel" \
	[ "$(modinfo -k "$release" -F vermagic profil | cut -d ' ' -f 1)" = \
		"$release" ]
check "modprobe would load it" \
	[ "$(modprobe -S "$release" -n -v profil | cut -d ' ' -f 1)" = insmod ]
check "the command says what to do without the module" \
	sh -c 'profil run -- true 2>&1 | grep -q "sudo modprobe profil"'
example_of_readme >/tmp/example.c
compile=$(command_of_readme 'cc ')
check "README's example compiles" \
	sh -c "cd /tmp && ${compile%% && *} >$log 2>&1 && [ ! -s $log ]"
check "runs" quietly /tmp/example
check "and needs the module if that is asked for" sh -c \
	'PROFIL_REQUIRE=1 PROFIL_VERBOSE=1 /tmp/example 2>&1 |
	grep -q "the profil driver is not loaded"'
check "a preloaded library is there for 32-bit programs" \
	[ -s $prefix/lib/profil/i686/libprofil.so.1 ]
for page in profil.1 profil.3profil profil.4 mon.h.7 gmon.out.5profil; do
	check "man has $page" sh -c \
		"man -P cat ${page##*.} '${page%.*}' 2>&1 | grep -q '^NAME'"
done
check "make uninstall" quietly make uninstall
check "uninstalls the module for modprobe" \
	sh -c "! modprobe -S '$release' -n -q profil"
check "nothing is left" is_as_before

# Elsewhere

check "make install DESTDIR=" quietly make install DESTDIR=/tmp/staging
check "puts everything there" is_as_before
check "the module as well" \
	[ -e "/tmp/staging/lib/modules/$release/updates/profil.ko" ]
check "make install PREFIX=" quietly make install PREFIX=/opt/profil
check "puts the library there" [ -e /opt/profil/lib/libprofil.so.1 ]
check "make uninstall PREFIX=" quietly make uninstall PREFIX=/opt/profil
rm -rf /opt/profil
check "leaves nothing" is_as_before

# DKMS

check "without dkms it is named" lacks dkms dkms install-dkms
check "dkms can be had" get dkms
everything >/tmp/before
check "after make install" quietly make install
check "make install-dkms" quietly make install-dkms
check "installs the module" sh -c \
	"dkms status profil -k '$release' | grep -q installed"
check "which is the only one" [ "$(find /lib/modules/ -name 'profil.ko*' |
	grep -vc /dkms/)" = 0 ]
check "and found" sh -c \
	"modinfo -k '$release' -n profil | grep -q updates/dkms/profil.ko"
check "a second time, too" quietly make install-dkms
check "make install in its place" quietly make install
check "has the module alone" [ "$(modinfo -k "$release" -n profil)" = \
	"/lib/modules/$release/updates/profil.ko" ]
check "make uninstall" quietly make uninstall
check "leaves nothing" is_as_before
finish
