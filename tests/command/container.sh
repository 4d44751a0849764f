#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil run` by an ordinary user in a container: namespaces of its own, a root
# directory of its own, and no device but /dev/profil

here=${0%/*}
box=/tmp/box

# make_box: makes the root directory of the container, with the device if $device
# names it.
make_box()
{
	mount -t tmpfs box $box && cd $box || exit
	mkdir dev proc run tmp
	touch run/.containerenv
	for directory in bin lib lib64 tooltests usr; do
		[ -d "/$directory" ] || continue
		mkdir $directory && mount --bind "/$directory" $directory || exit
	done
	mount -t proc proc proc && mkdir sys && mount -o rbind /sys sys || exit
	[ -z "$device" ] || {
		touch dev/profil && mount --bind "$device" dev/profil || exit
	}
}

# $0 enter COMMAND...: executes COMMAND in the container, as its process 1.
if [ "${1:-}" = enter ]; then
	shift
	make_box
	exec chroot $box "$@"
fi

# $0 recorder: prints the descriptors of the process that records, as the command of a
# recording.
if [ "${1:-}" = recorder ]; then
	for process in /proc/[0-9]*; do
		[ "$(cat "$process/comm")" = profil-recorder ] || continue
		# Looks at other processes open files for a moment.
		# shellcheck disable=SC2012 # the names are numbers
		ls "$process/fd" 2>/dev/null | sort -n
		exit 0
	done
	exit 1
fi

. "$here/profil_run.sh"
mkdir -p $box

# contain DEVICE STATUS COMMAND...: COMMAND exits with STATUS in a container of an
# unprivileged user.
contain()
{
	device=$1
	expected=$2
	shift 2
	status_is "$expected" su nobody -c \
		"device=$device exec unshare -Urmpf $here/container.sh enter $*"
}

check "a container of an ordinary user has one device" \
	contain /dev/profil 0 /bin/ls /dev
also "/dev/profil" [ "$(cat "$out")" = profil ]
check "profil run works there" contain /dev/profil 0 \
	"/usr/local/bin/profil run -an -F 1000 -o - -- $here/workload exec $here/workload exit 0"
also "has samples" [ "$(samples "$out" heavy)" -gt 0 ]
# A file that is opened later gets none of the numbers of the standard streams.
check "profil record works without /dev/null" contain /dev/profil 0 \
	"/usr/local/bin/profil record -q -o /tmp/data -- $here/container.sh recorder"
also "no file takes the place of a standard stream" \
	[ "$(head -n 3 "$out" | tr '\n' ' ')" = '0 1 2 ' ]
check "profil doctor names a device that is missing" contain '' 1 \
	/usr/local/bin/profil doctor
also "and the options that give it to a container" grep -q 'docker (or podman) run --device /dev/profil ..., or systemd-nspawn --bind=/dev/profil' "$out"
check "profil run without the device" contain '' 125 /usr/local/bin/profil run -- true
also "does not say that the module is missing" says \
	'^profil: no /dev/profil here, though the module is loaded: profil doctor has the remedy$'
finish
