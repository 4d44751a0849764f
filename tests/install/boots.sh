#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The checks of each boot of tests/install/reboot, a service of its guest: the packages
# load the module and the service records, at the first boot and at the second. Then
# the module is removed, as after an update of the kernel that DKMS could not build it
# for, and the third boot has none. Results go to the second serial port.

cd "${0%/*}/../.." && exec >/dev/ttyS1 2>&1 || exit
. tests/common/tap.sh
. tests/command/recorded.sh

data=/var/lib/profil/server/profil.data
count=/var/lib/boots
boot=$(($(cat $count 2>/dev/null) + 1))

# says PROGRAM SENTENCE: the only line of the program in the journal of this boot
says()
{
	journalctl -b -q -o cat -t "$1" | tee /tmp/lines | sed 's/^/# /'
	[ "$(cat /tmp/lines)" = "$2" ]
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
		says systemd-modules-load "Inserted module 'profil'"
	also "every user may open the device" [ "$(stat -c %a /dev/profil)" = 666 ]
	check "boot $boot: the service is active" systemctl -q is-active server
	also "has a profile with samples" has_samples
	also "is quiet" says profil ''
}

checks_without_module()
{
	check "boot $boot: the module is missing" [ ! -e /dev/profil ]
	check "boot $boot: the service is active" systemctl -q is-active server
	also "runs its command alone" runs_alone
	also "says why in one line" says profil "$1"
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
	;;
2)
	check "boot $boot: the profile of the boot before is whole" \
		is_whole "$data.old"
	checks_with_module
	check "the module is removed" remove_module
	;;
3)
	checks_without_module 'profil: no /dev/profil, so the module is not loaded: sudo modprobe profil, or profil doctor for the reason'
	also "has left the profile of the boot before" is_whole "$data"
	;;
esac
echo "1..$number"
if [ "$boot" -lt 3 ]; then
	systemctl reboot
else
	systemctl poweroff
fi
