#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Source for other systems compiles against the project's headers without
# warnings. CC is the compiler, cc by default. The headers are found by -I,
# since compilers give no warnings for installed headers. The sources are named
# *.in, since their style is not that of this project.

sources=$(cd "${0%/*}" && pwd)
top=$sources/../..
. "$top/tests/common/tap.sh"

cc=${CC:-cc}
log=$work/log
object=$work/object

# compiles FLAG... FILE: without warnings
compiles()
{
	"$cc" -Werror -I"$top/include/mon" -I"$top/include" -I"$top/uapi" \
		-c -o "$object" "$@" >"$log" 2>&1 && return
	fail_with "$log"
}

refuses()
{
	compiles "$@" >"$log" || return 0
	return 1
}

# Errors of GCC 14 that are warnings in GCC 12
errors='-Werror=incompatible-pointer-types -Werror=int-conversion'
errors="$errors -Werror=implicit-int -Werror=implicit-function-declaration"

echo "# $("$cc" --version | head -n 1)"

for standard in gnu89 gnu99 c99 gnu11 c11 gnu17 gnu2x; do
	# shellcheck disable=SC2086 # the flags are words
	check "source for AIX compiles with -std=$standard" \
		compiles -std=$standard $errors \
		-Wall -Wextra -x c "$sources/aix.in"
	[ "$standard" = gnu2x ] || check "IRIX's, -std=$standard" compiles \
		-D_DEFAULT_SOURCE -std=$standard -Wall -Wextra -x c "$sources/irix.in"
done
for standard in gnu89 gnu99 gnu11 gnu17; do
	# shellcheck disable=SC2086 # the flags are words
	check "source for AIX from before prototypes compiles with -std=$standard" \
		compiles -std=$standard $errors \
		-x c "$sources/aix-old.in"
done
check "source for AIX from before prototypes compiles by default" \
	compiles -x c "$sources/aix-old.in"
check "-Wstrict-prototypes gives no warning for the header" compiles \
	-Wstrict-prototypes -x c "$sources/aix.in"
echo '#include <mon.h>' >"$object.c"
check "-Wpedantic gives no warning for the header" \
	compiles -std=gnu11 -Wpedantic "$object.c"

echo '#include <mon.h>
int f(void) { return profil(0, 0); }' >"$object.c"
check "a profil() with two arguments is refused" refuses "$object.c"

if command -v "${CXX:-c++}" >/dev/null && [ "$cc" = cc ]; then
	cc=${CXX:-c++}
	for standard in c++98 c++11 c++17; do
		check "source for AIX compiles as C++ with -std=$standard" \
			compiles -x c++ \
			-std=$standard -Wall -Wextra "$sources/aix.in"
	done
fi

finish
