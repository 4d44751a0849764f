#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The checks of each boot of tests/install/reboot, a service of its guest: the packages
# load the module, the service records, and profil.service records the machine, at the
# first boot and at the second. Then the module is removed, as after an update of the
# kernel that DKMS could not build it for, and the third boot has none. Results go to the
# second serial port.

cd "${0%/*}/../.." && exec >/dev/ttyS1 2>&1 || exit
. tests/common/tap.sh
. tests/command/recorded.sh

data=/var/lib/profil/server/profil.data
spool=/var/lib/profil/machine/spool
count=/var/lib/boots
boot=$(($(cat $count 2>/dev/null) + 1))

# says SENTENCE OPTION...: the only line in the part of the journal of this boot that
# the options name
says()
{
	sentence=$1
	shift
	journalctl -b -q -o cat "$@" | tee /tmp/lines | sed 's/^/# /'
	[ "$(cat /tmp/lines)" = "$sentence" ]
}

has_samples()
{
	soon [ -s "$data" ] && profil report "$data" | sed 's/^/# /' &&
		[ "$(hits "$data")" -gt 0 ]
}

# is_whole FILE: the recording has all of the command, which a signal has ended.
is_whole()
{
	soon [ -s "$1" ] && [ "$(field "$1" end 1)" = 1 ]
}

runs_alone()
{
	[ "$(systemctl show -P MainPID server)" = "$(pidof sha256sum)" ] &&
		! pidof profil
}

checks_with_module()
{
	check "boot $boot: systemd loads the module" \
		says "Inserted module 'profil'" -t systemd-modules-load
	also "every user may open the device" [ "$(stat -c %a /dev/profil)" = 666 ]
	check "boot $boot: the service is active" systemctl -q is-active server
	also "has a profile with samples" has_samples
	also "is quiet" says '' -u server -t profil
}

checks_without_module()
{
	check "boot $boot: the module is missing" [ ! -e /dev/profil ]
	check "boot $boot: the service is active" systemctl -q is-active server
	also "runs its command alone" runs_alone
	also "says why in one line" says "$1" -u server -t profil
}

# hours: prints the files of profil.service, the newest last.
hours()
{
	find "$spool" -name '*.data' 2>/dev/null | sort
}

has_hours()
{
	[ "$(hours | wc -l)" -ge "$1" ]
}

# has_the_server: the second file from now on is of the machine, and names the program of
# the service.
has_the_server()
{
	soon has_hours $(($(hours | wc -l) + 2)) || return
	profil report --by program -i "$(hours | tail -n 1)" | tee /tmp/lines |
		sed 's/^/# /'
	grep -q ' sha256sum' /tmp/lines
}

# doctor_says NAME STATE: the line of profil doctor
doctor_says()
{
	profil doctor >/tmp/doctor || sed 's/^/# /' /tmp/doctor
	grep -q "^$1  *$2$" /tmp/doctor
}

checks_of_machine()
{
	check "boot $boot: profil.service is active" soon systemctl -q is-active profil
	also "has a profile of the hour with the program of the service" \
		has_the_server
	also "needs no mending" shows profil doctor
	also "as profil doctor says" \
		doctor_says service "profil.service records the machine"
	also "has never failed" [ "$(systemctl show -P NRestarts profil)" = 0 ]
	also "runs beside the group of the device" \
		[ "$(getent group profil | cut -d : -f 1)" = profil ]
}

remove_module()
{
	dkms uninstall "$(dkms status profil | sed 's/[,:].*//')" \
		-k "$(uname -r)" >/dev/null
}

echo "$boot" >$count
echo "# boot $boot"
soon systemctl is-active server
case $boot in
1)
	checks_with_module
	checks_of_machine
	;;
2)
	check "boot $boot: the profile of the boot before is whole" \
		is_whole "$data.old"
	checks_with_module
	checks_of_machine
	check "the module is removed" remove_module
	;;
3)
	checks_without_module 'profil: no /dev/profil, so the module is not loaded: sudo modprobe profil, or profil doctor for the reason'
	also "has left the profile of the boot before" is_whole "$data"
	check "boot 3: profil.service waits" \
		soon doctor_says service "profil.service waits for the module"
	;;
esac
echo "1..$number"
if [ "$boot" -lt 3 ]; then
	systemctl reboot
else
	systemctl poweroff
fi
