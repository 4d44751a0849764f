#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A service of systemd with the drop-in of examples/systemd, /profil.conf here, and
# profil.service, which records the machine; boots.sh has a boot without the module.
# Runs in a guest, see tests/install/service. systemd is process 1 of a PID namespace.

# shellcheck source=tests/install/systemd.sh
. /systemd.sh
# shellcheck source=tests/common/tap.sh
. /tooltests/tap.sh
# shellcheck source=tests/command/recorded.sh
. /tooltests/recorded.sh

data=/var/lib/profil/server/profil.data
complaints=/run/said-by-profil

# write_units: the service is a program that computes until it is ended. The drop-in
# has the change that its comment names.
write_units()
{
	write_targets && mkdir -p "$units/server.service.d"
	printf '[Service]\nExecStart=/tooltests/spinner-libc 100000000 0\n' \
		>"$units/server.service"
	sed 's, COMMAND$, /tooltests/spinner-libc 100000000 0,' \
		/profil.conf >"$units/server.service.d/profil.conf"
}

# write_preset: the preset, and profil.service with shorter times, on a small disk, beside
# the group that packages make for the device
write_preset()
{
	echo 'profil:x:990:' >>/etc/group
	mkdir -p /usr/lib/systemd/system-preset && cp /profil.preset \
		/usr/lib/systemd/system-preset/80-profil.preset &&
		write_machine 4m 'Environment=EVERY=2s' RestartSec=1s \
			"StandardError=append:$complaints"
}

# boot: what systemd does at boot with the file of the packages. The module is where
# make install has it.
boot()
{
	updates=/lib/modules/$(uname -r)/updates
	mkdir -p "$updates" /usr/lib/modules-load.d
	cp /profil.ko "$updates" && /sbin/depmod -a &&
		cp /modules-load.conf /usr/lib/modules-load.d/profil.conf &&
		/usr/lib/systemd/systemd-modules-load && [ -e /dev/profil ]
}

restrict_device()
{
	chgrp profil /dev/profil && chmod 660 /dev/profil
}

# doctor_says STATE: in the namespaces of systemd
doctor_says()
{
	nsenter -t "$(pidof systemd)" -m -p profil doctor |
		grep -q "^service  *$1$"
}

# has_parts: the parts in the spool have the samples of the whole.
has_parts()
{
	sum=0
	for part in "${data%/*}"/spool/*.data; do
		sum=$((sum + $(hits "$part" heavy)))
	done
	[ "$sum" = "$(hits "$data" heavy)" ]
}

# main_of_machine: prints the process that systemd watches.
main_of_machine()
{
	control show -P MainPID profil
}

has_parts_of_machine()
{
	[ "$(count_parts)" -ge "$1" ]
}

# has_more_parts: two files more than now
has_more_parts()
{
	soon has_parts_of_machine $(($(count_parts) + 2))
}

# parts_are_whole: profil reports each file, and the service has samples by name.
parts_are_whole()
{
	for part in "$machine"/spool/*.data; do
		profil report -i "$part" >/dev/null || return
	done
	[ "$(hits "$part" heavy)" -gt 0 ]
}

# recorder_in_files: prints the recorder of the machine, as its files name it.
recorder_in_files()
{
	sed -n 's/^NSpid:.*\t//p' "/proc/$(recorder_of_machine)/status"
}

# leaves_no_gap: each file of the running recorder begins where the one before ends.
leaves_no_gap()
{
	end=0
	for part in "$machine/spool/"*"-$(recorder_in_files).data"; do
		begin=$(field "$part" time 1)
		[ "$end" = 0 ] || [ "$begin" = "$end" ] || return
		end=$((begin + $(field "$part" time 2)))
	done
	[ "$end" -gt 0 ]
}

# has_least_rights: CAP_PERFMON, CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH, and no root,
# for each process
has_least_rights()
{
	[ -n "$(recorder_of_machine)" ] || return
	for pid in $(processes_of_machine); do
		grep -q "^CapEff:.0000004000080004$" "/proc/$pid/status" &&
			! grep -q "^Uid:.0" "/proc/$pid/status" || return
	done
}

kill_machine()
{
	main=$(main_of_machine)
	control kill -s KILL profil
}

has_begun_anew()
{
	[ "$(main_of_machine)" != "$main" ] && [ "$(main_of_machine)" != 0 ]
}

fill_disk()
{
	cat /dev/zero >"$disk/other" 2>/dev/null
	[ -s "$disk/other" ]
}

check "the units are written" write_units
check "the service of the machine is written" write_preset
check "systemd starts" start_systemd
check "the module is gone" unload_module
check "systemd loads the module at boot" boot
check "the service starts" control start server
also "has a profile while it runs" soon [ -s "$data" ]
also "has samples of the command" [ "$(hits "$data" heavy)" -gt 0 ]
also "is active" control is-active server
check "the service stops" control stop server
also "which is no failure" [ "$(control show -P Result server)" = success ]
also "has the whole profile" [ "$(field "$data" end 1)" = 1 ]
also "has it in parts for profil push" has_parts
also "has no process left" [ -z "$(pidof spinner-libc profil profil-recorder)" ]
check "the service starts again" control start server
also "keeps the profile before" soon [ -s "$data.old" ]
check "the service stops again" control stop server

check "the machine is not recorded unasked" \
	[ "$(control is-enabled profil)" = disabled ]
also "as profil doctor says" doctor_says "profil.service is not enabled"
check "a service computes" control start server
check "the device is the group's alone" restrict_device
check "the machine is recorded" control start profil
also "in a file of each time" has_more_parts
also "as profil doctor says" \
	doctor_says "profil.service records the machine, but not after the next boot"
also "with these rights alone" has_least_rights
also "and with names" parts_are_whole
check "the recorder is killed" kill_machine
also "begins anew" soon has_begun_anew
also "leaves files again" has_more_parts
also "all of which are whole" parts_are_whole
check "the disk is full" fill_disk
also "which has a line" soon grep -q 'cannot write to .*No space left' $complaints
also "ends no recording" control is-active profil
also "damages no file" parts_are_whole
check "the disk has room again" rm "$disk/other"
also "for new files" has_more_parts
also "which have what was counted meanwhile" leaves_no_gap
check "both services stop" control stop server profil
check "the module is gone again" unload_module
check "the machine is not recorded without it" control start profil
also "which has a line" soon grep -q 'the module is not loaded' $complaints
also "as profil doctor says" soon doctor_says "profil.service waits for the module"
check "the module is there again" boot
also "and the machine is recorded" has_more_parts
check "the recorder stops" control stop profil
also "which is no failure" [ "$(control show -P Result profil)" = success ]
stop_systemd
finish
