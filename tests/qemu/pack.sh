# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by tests/qemu/run
#
# Packs the files of the guest into an initramfs. tests/qemu/run sources this
# file after build.sh. Functions here read the options of tests/qemu/run.

# libraries_of PROGRAM...: prints the paths of all libraries that the programs
# load. A guest with a sysroot has all libraries.
libraries_of()
{
	[[ ! $sysroot ]] || return 0
	ldd "$@" 2>/dev/null | grep -oE '(^|[[:space:]])/[^ :]+ \(' |
		grep -oE '/[^ ]+' | sort -u || true
}

put()
{
	mkdir -p "$2"
	cp -rL --preserve=mode,timestamps "$1" "$2/${3:-${1##*/}}"
}

# put_libraries ROOT PROGRAM...: copies libraries to the paths that the loader
# uses.
put_libraries()
{
	local root=$1 library

	shift
	for library in $(libraries_of "$@"); do
		[[ -e $root$library ]] || put "$library" "$root${library%/*}"
	done
}

elf_files()
{
	find "$1" -type f \( -perm -u+x -o -name '*.so*' \) -print
}

# put_file ROOT FILE PATH: copies FILE to PATH, with the libraries of its
# programs.
put_file()
{
	local root=$1 file=$2 place=$3 elf

	[[ -r $file ]] || die "-f $file: there is no such file, or it cannot be read"
	rm -rf "${root:?}$place"
	put "$file" "$root${place%/*}" "${place##*/}"
	mapfile -t elf < <(elf_files "$root$place")
	((${#elf[@]} == 0)) || put_libraries "$root" "${elf[@]}"
}

# put_sysroot ROOT: copies the dynamic linker and the libraries of the sysroot.
put_sysroot()
{
	local folder

	for folder in lib "lib/${cross_prefix%-}"; do
		mkdir -p "$1/$folder"
		find "$sysroot/$folder/" -maxdepth 1 \
			\( -name '*.so.*' -o -name '*-system.so' \) \
			-exec cp -L --preserve=mode -t "$1/$folder" {} +
	done
}

# make_root ROOT: makes the directories of a Debian with merged /usr.
make_root()
{
	local root=$1 name

	mkdir -p "$root"/{dev,proc,sys,tmp,root,etc,usr/{bin,sbin,lib,lib64,local/{bin,lib}}}
	for name in bin sbin lib lib64; do
		ln -s "usr/$name" "$root/$name"
	done
	cp "$sysroot/bin/busybox" "$root/bin/busybox"
	[[ ! $sysroot ]] || put_sysroot "$root"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	echo 'nobody:x:65534:65534:nobody:/:/bin/sh' >>"$root/etc/passwd"
	echo 'root:x:0:' >"$root/etc/group"
	echo 'nogroup:x:65534:' >>"$root/etc/group"
	echo '127.0.0.1 localhost' >"$root/etc/hosts"
}

# link_busybox ROOT: runs last, and does not replace programs that are there.
link_busybox()
{
	local root=$1 applet

	for applet in $(/bin/busybox --list); do
		[[ -e $root/bin/$applet || -e $root/sbin/$applet ]] ||
			ln -s busybox "$root/bin/$applet"
	done
}

# cache_libraries ROOT: the dynamic linker finds libprofil.so.1 by its name, as on a
# machine where it is installed. ldconfig knows the libraries of its own machine.
cache_libraries()
{
	[[ ! $sysroot ]] || return 0
	printf '%s\n' /usr/local/lib "/usr/lib/$(uname -m)-linux-gnu" \
		>"$1/etc/ld.so.conf"
	/sbin/ldconfig -r "$1" 2>/dev/null || true
}

# size_of CAPABILITY USUAL: of the terminal, or USUAL if tput cannot measure it
size_of()
{
	local size

	size=$(tput "$1" 2>/dev/null) || size=0
	((size > 0)) || size=$2
	echo "$size"
}

# write_settings ROOT: writes the settings that init reads.
write_settings()
{
	{
		printf 'MODULE_PARAMETERS=%q\n' "${parameters# }"
		printf 'EMULATED=%q\n' "$([[ $accel != *thread=multi ]] || echo 1)"
		printf 'COUNTING=%q\n' "$counting"
		printf 'INTERACTIVE=%q\n' "$interactive"
		printf 'ROWS=%q\n' "$(size_of lines 24)"
		printf 'COLUMNS=%q\n' "$(size_of cols 80)"
	} >"$1/settings"
}

# write_command ROOT [WORD]...: writes the script that init runs.
write_command()
{
	local root=$1

	shift
	{
		echo '#!/bin/sh'
		echo 'cd /root'
		if (($#)); then
			printf 'exec'
			printf " '%s'" "${@//\'/\'\\\'\'}"
			echo
		else
			echo 'exec sh -l'
		fi
	} >"$root/command"
	chmod 755 "$root/command"
}

# put_tools ROOT: copies gprof, and the loader of programs that use musl, which
# ldd does not list.
put_tools()
{
	local gprof musl=/lib/ld-musl-x86_64.so.1

	if [[ $sysroot ]]; then
		put "$sysroot/usr/bin/${cross_prefix}gprof" "$1/usr/bin" gprof
		return
	fi
	gprof=$(command -v gprof) && put_file "$1" "$gprof" /usr/bin/gprof
	[[ ! -e $musl ]] || put "$musl" "$1/lib"
}

# is_wanted PATH: true if a word of -w begins with PATH.
is_wanted()
{
	[[ $wanted == all || " $wanted " == *[[:space:]]"$1"* ]]
}

# put_selftests ROOT BUILD: copies the programs of today's source. BUILD may
# have programs of older sources, too.
put_selftests()
{
	local program lists='list list-counting list-faulty list-machines'

	[[ -e $cache/linux/tools ]] || return 0
	# shellcheck disable=SC2086 # names of targets
	for program in $(make_in tests/selftests/profil $lists); do
		! is_wanted "/selftests/$program" ||
			put "$2/$program" "$1/selftests/$(dirname "$program")"
	done
}

put_project()
{
	local root=$1 module=$2 build

	build=$(build_project)
	put "$module" "$root"
	put "$source/tools/lib/libprofil.so.1" "$root/usr/local/lib"
	ln -s libprofil.so.1 "$root/usr/local/lib/libprofil.so"
	put_file "$root" "$source/tools/profil/profil" /usr/local/bin/profil
	put_selftests "$root" "$build/selftests"
	! is_wanted /tooltests/ || put_file "$root" "$build/tooltests" /tooltests
	put_tools "$root"
	list_tests >"$root/tests"
}

# put_modules ROOT: copies the drivers that init loads, uncompressed.
put_modules()
{
	local name file

	mkdir -p "$1/modules"
	for name in $guest_modules; do
		file=$(find -L "$kernel/modules" -name "$name.ko*" -print -quit \
			2>/dev/null) || true
		case $file in
		'') ;;
		*.xz) xz -dc "$file" >"$1/modules/$name.ko" ;;
		*) cp "$file" "$1/modules/$name.ko" ;;
		esac
	done
}

close_initramfs()
{
	(cd "$1/root" && find . -print0 | cpio -0 -o -H newc -R 0:0 --quiet) >"$1/initramfs"
}

# pack_guest DIRECTORY MODULE: makes DIRECTORY/initramfs by the options of run.
pack_guest()
{
	local root=$1/root file

	make_root "$root"
	put "$top/tests/qemu/init" "$root"
	put_project "$root" "$2"
	put_modules "$root"
	for file in "${files[@]}"; do
		put_file "$root" "$(realpath -s "${file%%=*}")" \
			"$(realpath -sm "${file#*=}")"
	done
	link_busybox "$root"
	cache_libraries "$root"
	write_settings "$root"
	write_command "$root" "${command[@]}"
	close_initramfs "$1"
}

# pack_probe DIRECTORY: makes a guest that only writes "success".
pack_probe()
{
	local root=$1/root

	make_root "$root"
	cat >"$root/init" <<'END'
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs devtmpfs /dev
echo 'success 0' >/dev/ttyS1
/bin/busybox stty -F /dev/ttyS1 >/dev/null
/bin/busybox reboot -f
END
	chmod 755 "$root/init"
	close_initramfs "$1"
}
