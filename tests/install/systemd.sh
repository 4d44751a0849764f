# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# systemd in a guest, as process 1 of a PID namespace, with units that the caller
# writes. To be sourced by a script whose first argument it takes, and by nothing else.
# shellcheck disable=SC2034 # the script uses the variables

# $0 enter: becomes systemd, which finds the mounts that it would make.
if [ "${1:-}" = enter ]; then
	mount -t proc proc /proc || exit
	exec env container=guest /usr/lib/systemd/systemd --unit=test.target \
		--log-target=console --default-standard-output=null
fi

units=/etc/systemd/system
machine=/var/lib/profil/machine
disk=/var/lib/private/profil

# write_targets: targets without dependencies, and profil where units have it.
write_targets()
{
	mkdir -p "$units"
	for target in sysinit basic shutdown test; do
		printf '[Unit]\nDefaultDependencies=no\n' \
			>"$units/$target.target"
	done
	ln -s /usr/local/bin/profil /usr/bin/profil
}

# write_machine SIZE SETTING...: profil.service with other settings, on a disk of SIZE
write_machine()
{
	size=$1
	shift
	cp /profil.service "$units" && mkdir -p "$units/profil.service.d" &&
		printf '%s\n' '[Service]' "$@" \
			>"$units/profil.service.d/times.conf" &&
		mkdir -p "$disk" && chmod 700 "${disk%/*}" &&
		mount -t tmpfs -o "size=$size,mode=755" tmpfs "$disk"
}

# control WORD...: systemctl in the namespaces of systemd, which answers no others.
control()
{
	nsenter -t "$(pidof systemd)" -m -p systemctl "$@"
}

start_systemd()
{
	mkdir -p /run && mount -t tmpfs tmpfs /run || return
	unshare -mpf sh "$0" enter >/dev/null 2>&1 &
	init=$!
	soon control is-active test.target
}

stop_systemd()
{
	kill -KILL "$(pidof systemd)"
	wait "$init"
	umount /run "$disk"
}

# count_parts: files of the machine
count_parts()
{
	find "$machine/spool/" -name '*.data' 2>/dev/null | wc -l
}

# processes_of_machine: prints all processes of profil.service.
processes_of_machine()
{
	cat /sys/fs/cgroup/system.slice/profil.service/cgroup.procs
}

# recorder_of_machine: prints the one that records the machine.
recorder_of_machine()
{
	for pid in $(processes_of_machine); do
		! grep -qx profil-recorder "/proc/$pid/comm" || echo "$pid"
	done
}
