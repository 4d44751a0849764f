#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs a kernel, systemd, the packages of make deb and a service that records, enables
# profil.service, and writes the system to a disk image, disk, in $PROFIL_INSTALL_SHARED, with the kernel
# and its initramfs beside it. Runs as root in a temporary system, see
# tests/install/reboot.

. tests/common/tap.sh
. tests/common/fresh_debian.sh
. tests/common/packaging.sh

units=/etc/systemd/system
shared=$PROFIL_INSTALL_SHARED

# write_units: the service is a program that computes until it is ended, with the
# drop-in of the package, whose comment names the change. profil.service has shorter hours.
write_units()
{
	mkdir -p "$units/server.service.d" "$units/profil.service.d" \
		"$units/multi-user.target.wants"
	printf '[Service]\nEnvironment=EVERY=10s\n' \
		>"$units/profil.service.d/hours.conf"
	cat >"$units/server.service" <<-'END'
		[Service]
		User=daemon
		ExecStart=/usr/bin/sha256sum /dev/zero
	END
	sed 's, COMMAND$, /usr/bin/sha256sum /dev/zero,' \
		/usr/share/doc/profil/examples/profil.conf \
		>"$units/server.service.d/profil.conf"
	cat >"$units/boots.service" <<-'END'
		[Unit]
		After=server.service
		[Service]
		ExecStart=/root/profil/tests/install/boots.sh
	END
	ln -s ../server.service ../boots.service "$units/multi-user.target.wants"
}

# write_disk: the bind mount leaves out what is mounted in this system.
write_disk()
{
	echo '/dev/vda / ext4 defaults 0 1' >/etc/fstab
	mount --bind / /mnt && mke2fs -q -t ext4 -d /mnt "$shared/disk" 4G &&
		cp /boot/vmlinuz-* "$shared/image" &&
		cp /boot/initrd.img-* "$shared/initramfs"
}

check "git and make can be installed" get git make
check "the sources are in a repository" quietly has_commit
# shellcheck disable=SC2046 # words
check "the packages of packaging.md can be installed" get $(packages_of_page)
check "the packages are built" quietly make_deb . /tmp/packages
check "a kernel, its headers and systemd can be installed" get \
	linux-image-cloud-amd64 linux-headers-cloud-amd64 systemd-sysv udev \
	dbus e2fsprogs
check "the packages can be installed" quietly apt-get -qq -y install \
	--no-install-recommends /tmp/packages/profil_*.deb \
	/tmp/packages/libprofil1_*.deb /tmp/packages/profil-dkms_*.deb
check "the units are written" write_units
check "the machine is recorded from the next boot" quietly systemctl enable profil
check "the disk is written" quietly write_disk
finish
