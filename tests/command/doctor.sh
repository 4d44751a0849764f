#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `profil doctor` asks the machine: where the module is loaded, where it is not, and where
# the user lacks rights. tests/golden/doctor has the findings of each check.

here=${0%/*}
. "$here/profil_run.sh"

# finds STATUS CHECK PATTERN [PATTERN]: profil doctor exits with STATUS; the
# line of CHECK has PATTERN, and the line below has the second one.
finds()
{
	status_is "$1" profil doctor && has "$2" "$3" "$4"
}

# finds_as_user STATUS COMMAND CHECK PATTERN [PATTERN]: the same for an
# unprivileged user, after COMMAND
finds_as_user()
{
	status_is "$1" su nobody -c "$2; profil doctor" && has "$3" "$4" "$5"
}

has()
{
	grep -A 1 "^$1  *" "$out" >"$work/lines"
	head -n 1 "$work/lines" | grep -q -e "$2" &&
		tail -n 1 "$work/lines" | grep -q -e "$3" && return
	fail_with "$out"
}

# ends_with TEXT: the last line is TEXT.
ends_with()
{
	[ "$(tail -n 1 "$out")" = "$1" ]
}

check "all is in order" finds 0 module "loaded, version [0-9]"
also "says so" ends_with "0 of 13 need mending"
also "finds the device" has device "/dev/profil, open to this user"
also "finds the clock" has clock "1 to 10000 samples a second"
if [ "$(uname -m)" = x86_64 ]; then
	also "has callers of a test" has callers \
		"[1-9][0-9]* of [1-9][0-9]* samples of a test have all$"
else
	also "finds no callers for this processor" has callers \
		"not recorded: this driver has none for this processor"
fi
also "finds functions of the kernel for root" has kernel "are recorded"
also "finds no generated code" has generated "no java that may be read lacks"
also "finds no limit for root" has memlock "no limit"
also "finds no kernel to boot" has "next boot" "unknown: no kernel"
also "finds no systemd" has service "none: systemctl does not answer"
also "finds the library" has library \
	"/usr/local/lib/libprofil.so.1"
also "prints nothing on stderr" is_silent
check "a user has a limit" \
	finds_as_user 0 "ulimit -l 8192" memlock "8192 KiB: enough for 512"
also "finds no functions of the kernel" has kernel "are not recorded"
if [ "$(uname -m)" = x86_64 ]; then
	also "has callers" has callers "[1-9][0-9]* samples of a test have all$"
	# Without a table of sections, no reader finds .eh_frame.
	cp "$(command -v profil)" "$work/bare"
	for field in 40:8 60:4; do
		dd if=/dev/zero of="$work/bare" bs=1 seek="${field%:*}" \
			count="${field#*:}" conv=notrunc 2>/dev/null
	done
	check "a program without unwind tables" status_is 1 "$work/bare" doctor
	also "is named" has callers \
		"0 of [1-9][0-9]* .*: no unwind table of $work/bare was loaded"
fi
check "a low limit" finds_as_user 1 "ulimit -S -l 64" memlock \
	"64 KiB: enough for 4 pages" "mend: .*8192"
also "is the one that needs mending" ends_with "1 of 13 needs mending"

chmod 600 /dev/profil
check "a device that the user may not open" finds_as_user 1 : device \
	"may not open" "mend: sudo chmod 666 /dev/profil"
chmod 666 /dev/profil
check "is mended" finds_as_user 0 : device "open to this user"

clock=$(cat "$parameters/clock")
release=$(uname -r)
if unload_module; then
	check "no module" finds 1 module \
		"missing: profil.ko is not installed for $release" \
		"mend: .*sudo modprobe profil"
	also "is one cause only" ends_with "1 of 13 needs mending"
	insmod /profil.ko "clock=$clock"
	check "the module is loaded again" finds 0 module "loaded, version"
else
	check "the module can be unloaded" false
fi
finish
