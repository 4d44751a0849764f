# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by tests/bench/run
#
# The programs of other people that are measured with their callers, and what they work
# on. tests/bench/run sources this file.

python=$(realpath /usr/bin/python3)

# collect_programs DIRECTORY: builds and copies what the guest's /programs has.
collect_programs()
{
	local name

	mkdir -p "$1/source" "$1/python"
	cp "$here"/programs/{run_in_guest,redis,work.py,work.js,work.pl,work.sql} \
		"$work/bench/within" "$1"
	go build -o "$1/work-go" "$here/programs/work.go"
	for name in elf/frame_rows profile/rows export/compilers; do
		gcc -E -P -D_GNU_SOURCE -std=gnu11 -I"$top/uapi" -I"$top/tools/include" \
			-I"$top/tools/profil" "$top/tools/profil/$name.c" \
			>"$1/source/${name##*/}.i"
	done
	(cd "/usr/lib/${python##*/}" && tar -c ./*.py json re encodings collections \
		importlib) | tar -x -C "$1/python"
}

# program_files DIRECTORY: options of tests/qemu/run
program_files()
{
	printf -- '-f %s=%s ' "$1" /programs "$python" /usr/bin/python3 \
		"$1/python" "/usr/lib/${python##*/}" \
		"$(gcc -print-prog-name=cc1)" /usr/bin/cc1 \
		"$cache/servers/usr/bin/redis-benchmark" /usr/bin/redis-benchmark \
		"$cache/servers/usr/bin/redis-check-rdb" /usr/bin/redis-server
	printf -- '-f /usr/bin/%s ' as node perl sqlite3
}
