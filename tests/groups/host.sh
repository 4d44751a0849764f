# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/check sets the variables
#
# Tests on the host. To be sourced.

# objects_of_command: prints the directory in the cache for the objects of the command,
# which this clone, compiler and rules build once for all tests, groups and runs.
objects_of_command()
{
	echo "$cache/tests/$(digest "$top $(gcc --version; clang --version;
		cat tests/common/command.mk)")"
}

# build_on_host NAME: builds the tests in tests/NAME.
build_on_host()
{
	local files=$work/host/$1 objects

	objects=$(objects_of_command)
	mkdir -p "$files" "$objects"
	touch "$objects/lock"
	if flock "$objects/lock" make -s -j "$(nproc)" -C "tests/$1" \
			BUILD="$files/build" COMMAND_OBJECTS="$objects" \
			>"$files/err" 2>&1; then
		make -s -C "tests/$1" BUILD="$files/build" list >"$files/list"
	fi
}

# run_on_host NAME: runs the tests in tests/NAME.
run_on_host()
{
	local files=$work/host/$1 begin=$SECONDS

	[[ ! -e $files/list ]] ||
		xargs tests/run_programs <"$files/list" |
		time_programs >"$files/out" || true
	echo "$((SECONDS - begin))" >"$files/seconds"
}

# read_on_host NAME: reads the output of the tests in tests/NAME.
read_on_host()
{
	local files=$work/host/$1

	if [[ -e $files/list ]]; then
		read_results "$1" <"$files/out"
	else
		fail "the tests in tests/$1 do not build" <"$files/err"
	fi
	took "$1" "$(cat "$files/seconds")"
}

# on_host NAME...: builds and runs the tests in each tests/NAME, as many NAMEs at
# a time as there are CPUs.
on_host()
{
	local name begin=$SECONDS

	for name; do
		build_on_host "$name"
	done
	took "building tests of the host" "$((SECONDS - begin))"
	for name; do
		(($(jobs -rp | wc -l) < $(nproc))) || wait -n || true
		run_on_host "$name" &
	done
	wait
	for name; do
		read_on_host "$name"
	done
}

# as_program COMMAND...: runs a command of tests/ that prints results, with the
# lines that tests/run_programs prints around a program.
as_program()
{
	local status=0 begin=$SECONDS

	echo "# program $top/$1"
	"$@" || status=$?
	echo "# seconds $((SECONDS - begin))"
	echo "# status $status $top/$1"
}
