#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs profil on a fresh Debian by the commands in README.md, and uninstalls
# it. Runs as root in a temporary system, see tests/install/run.

. tests/common/tap.sh
. tests/common/fresh_debian.sh

prefix=/usr/local
pages=$(cd Documentation/man && ls)

# lacks WORDS PACKAGES TARGET: true if make TARGET fails with one sentence that
# names the missing files and their packages, and builds nothing.
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

# command_of_readme BEGINNING, example_of_readme: print a command and the
# example.
command_of_readme()
{
	sed -e ':again' -e '/\\$/{N;s/\\\n[[:space:]]*//;b again' -e '}' README.md |
		sed -n "s/^	\\($1.*\\)/\\1/p" | head -n 1 | sed 's/sudo //g'
}

example_of_readme()
{
	sed -n '/^In a program:/,/^<!--/s/^	//p' README.md
}

# files_of_tools: prints the files of make install-tools in $prefix. Each page in
# Documentation/man is installed.
files_of_tools()
{
	cat <<-END
		bin/profil
		include/linux/profil.h
		include/profil-mon/mon.h
		include/sys/profil.h
		lib/libprofil.a
		lib/libprofil.so
		lib/libprofil.so.1
		lib/pkgconfig/profil-mon.pc
		lib/pkgconfig/profil.pc
		lib/systemd/system-preset/80-profil.preset
		lib/systemd/system/profil.service
		lib/tmpfiles.d/profil.conf
		share/bash-completion/completions/profil
		share/fish/vendor_completions.d/profil.fish
		share/zsh/site-functions/_profil
	END
	for page in $pages; do
		section=${page##*.}
		echo "share/man/man${section%profil}/$page"
	done
}

installs_these_files()
{
	files_of_tools | sed "s,^,$prefix/," | sort >/tmp/these
	everything | comm -13 /tmp/before - |
		while read -r path; do
			[ -d "$path" ] || echo "$path"
		done | diff /tmp/these - | is_nothing
}

# man_has PAGE: true if man shows the installed PAGE, such as profil.4. man may
# name it in /usr/local/man, a symbolic link.
man_has()
{
	section=${1##*.}
	[ "$(realpath "$(man -w "$section" "${1%.*}")")" = \
		"$prefix/share/man/man${section%profil}/$1" ] &&
		man -P cat "$section" "${1%.*}" | grep -q '^NAME'
}

# names_running_kernel: true if make install has named the running kernel, and
# the kernel with the module is another one.
names_running_kernel()
{
	note="note: profil.ko is installed for Linux $release, and Linux"
	note="$note $(uname -r) is running: 'profil doctor' names the remedy"
	[ "$(uname -r)" = "$release" ] || [ "$(tail -n 1 "$log")" = "$note" ]
}

# uninstall_needs_root: true if another user gets one error, and removes nothing.
uninstall_needs_root()
{
	chmod o+x /root
	setpriv --reuid 65534 --clear-groups make -s uninstall-module \
		>"$log" 2>&1 && return 1
	grep -v '^make: ' "$log" | sed 's/^/# /'
	[ "$(grep -v '^make: ' "$log")" = "rm: cannot remove '/lib/modules/$release/updates/profil.ko': Permission denied" ]
}

libraries='the headers of libdw, the headers of libiberty, the headers of zlib'
library_packages='libdw-dev libiberty-dev zlib1g-dev'
headers='the headers of a kernel, which make KDIR=<headers> may name'
headers_package=linux-headers-amd64
case $(uname -r) in
*-amd64) headers_package=linux-headers-$(uname -r) ;;
esac

# Missing packages are named

check "make can be installed" get make
check "without other packages, all missing ones are named" \
	lacks "a C compiler (cc), $libraries, $headers" \
	"gcc libc6-dev $library_packages $headers_package"
check "make install names depmod, too" \
	lacks "a C compiler (cc), $libraries, $headers, depmod" \
	"gcc libc6-dev $library_packages $headers_package kmod" install
check "make lib names the compiler only" \
	lacks "a C compiler (cc)" "gcc libc6-dev" lib
check "a compiler can be installed" get gcc
check "make tools names the headers of the C library" \
	lacks "the headers of the C library, $libraries" \
	"libc6-dev $library_packages" tools
check "the headers of the C library can be installed" get libc6-dev
check "make install-tools names the headers of the libraries" \
	lacks "$libraries" "$library_packages" install-tools
check "the headers of libdw and, by it, of zlib can be installed" get libdw-dev
check "make install-tools names the headers of libiberty" \
	lacks "the headers of libiberty" libiberty-dev install-tools
check "the headers of libiberty can be installed" get libiberty-dev
check "make names the headers of a kernel" \
	lacks "$headers" "$headers_package" all
check "make module names the headers of a kernel" \
	lacks "$headers" "$headers_package" module

# The library and the command without the headers of a kernel

everything >/tmp/before
check "make install-tools" quietly make install-tools
check "make install-tools installs these files" installs_these_files
check "make install-tools installs the command" \
	[ "$(command -v profil)" = $prefix/bin/profil ]
check "make install-tools installs the completion for bash" quietly bash -c \
	". $prefix/share/bash-completion/completions/profil && complete -p profil"
check "profil doctor finds the installed library" sh -c "profil doctor |
	grep -q '^library  *$prefix/lib/libprofil.so.1$'"
check "make uninstall" quietly make uninstall
check "make uninstall leaves no file" is_as_before
check "make clean" quietly make clean

# The commands of README.md

packages=$(command_of_readme 'sudo apt install')
check "README has a command that installs packages" [ "$packages" ]
# shellcheck disable=SC2086 # the packages are words
check "the packages of README can be installed" get ${packages#apt install }
check "man can be installed" get man-db
everything >/tmp/before
release=$(ls /lib/modules)
install=$(command_of_readme 'make && sudo make install')
check "README has a command that installs profil" [ "$install" ]
check "the command of README installs profil" \
	quietly sh -c "${install%% && modprobe*}"
check "make install names the running kernel, which has no module" \
	names_running_kernel
check "the module is in the directory of updates" \
	[ "$(modinfo -k "$release" -n profil)" = \
		"/lib/modules/$release/updates/profil.ko" ]
check "the module is for the kernel of the headers" \
	[ "$(modinfo -k "$release" -F vermagic profil | cut -d ' ' -f 1)" = \
		"$release" ]
check "modprobe would load it" \
	[ "$(modprobe -S "$release" -n -v profil | cut -d ' ' -f 1)" = insmod ]
check "the module is loaded at boot" \
	grep -qx profil /usr/lib/modules-load.d/profil.conf
check "the command names modprobe if the module is not loaded" \
	sh -c 'profil run -- true 2>&1 | grep -q "sudo modprobe profil"'
example_of_readme >/tmp/example.c
compile=$(command_of_readme 'cc ')
check "README's example compiles" \
	sh -c "cd /tmp && ${compile%% && *} >$log 2>&1 && [ ! -s $log ]"
check "README's example runs" quietly /tmp/example
check "README's example needs the module with PROFIL_REQUIRE=1" sh -c \
	'PROFIL_REQUIRE=1 PROFIL_VERBOSE=1 /tmp/example 2>&1 |
	grep -q "the profil driver is not loaded"'
for page in $pages; do
	check "man has $page" man_has "$page"
done
check "make uninstall by another user removes nothing" uninstall_needs_root
check "make uninstall" quietly make uninstall
check "modprobe does not find the uninstalled module" \
	sh -c "! modprobe -S '$release' -n -q profil"
check "make uninstall removes all installed files" is_as_before

# Other directories

check "make install DESTDIR=" quietly make install DESTDIR=/tmp/staging
check "make install DESTDIR= writes no file elsewhere" is_as_before
check "make install DESTDIR= installs the module" \
	[ -e "/tmp/staging/lib/modules/$release/updates/profil.ko" ]
check "make install PREFIX=" quietly make install PREFIX=/opt/profil
check "make install PREFIX= installs the library" \
	[ -e /opt/profil/lib/libprofil.so.1 ]
check "make uninstall PREFIX=" quietly make uninstall PREFIX=/opt/profil
rm -rf /opt/profil
check "make uninstall leaves no file" is_as_before

# DKMS

check "make install-dkms names dkms" lacks dkms dkms install-dkms
check "dkms can be installed" get dkms
everything >/tmp/before
check "make install before make install-dkms" quietly make install
check "make install-dkms" quietly make install-dkms
check "make install-dkms installs the module" sh -c \
	"dkms status profil -k '$release' | grep -q installed"
check "the module of DKMS is the only one" [ "$(find /lib/modules/ -name 'profil.ko*' |
	grep -vc /dkms/)" = 0 ]
check "modinfo finds the module of DKMS" sh -c \
	"modinfo -k '$release' -n profil | grep -q updates/dkms/profil.ko"
check "make install-dkms can be repeated" quietly make install-dkms
check "make install replaces the module of DKMS" quietly make install
check "make install leaves one module" [ "$(modinfo -k "$release" -n profil)" = \
	"/lib/modules/$release/updates/profil.ko" ]
check "make uninstall" quietly make uninstall
check "make uninstall leaves no file" is_as_before
finish
