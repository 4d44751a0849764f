# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Functions for tests that install files and packages on a fresh Debian, to be
# sourced as root there

log=/tmp/log

# quietly COMMAND...: shows the output of COMMAND only if it fails.
quietly()
{
	"$@" >"$log" 2>&1 || tail -n 30 "$log" | fail_with
}

get()
{
	quietly apt-get -qq -y -o Dpkg::Use-Pty=0 install \
		--no-install-recommends "$@"
}

# everything: prints all files but those that the system's tools leave: indexes
# of modules, libraries and manual pages, and the key of DKMS.
everything()
{
	find / -xdev \( -path /proc -o -path /tmp -o -path /root -o \
		-path /var/cache -o -path /run \) -prune -o \
		! -path '/usr/lib/modules/*/modules.*' \
		! -path '/var/lib/dkms/mok.*' ! -path '/var/log/*' -print |
		sort
}

# is_as_before: true if the files are those in /tmp/before.
is_as_before()
{
	everything >/tmp/now
	diff /tmp/before /tmp/now | is_nothing
}
