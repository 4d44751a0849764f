# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/check sets the variables
#
# Results of tests: counted, and printed as each test ends. To be sourced.
#
# Groups that run at the same time print lines between each other's lines. A line
# names its group, and a failure with its details is printed at once.

passed=0
failed=0
skipped=0
# Lines that are printed again at the end of all checks
again=()

pass()
{
	passed=$((passed + 1))
}

# fail NAME: prints a failure, with details from standard input; again at the end of
# all checks, with the last details.
fail()
{
	local details

	failed=$((failed + 1))
	details=$(sed 's/^/    /')
	printf 'FAILED %s\n%s\n' "$1" "$details"
	again+=("FAILED $1" "$(tail -n 5 <<<"$details")")
}

# silent NAME COMMAND...: passes if COMMAND succeeds and prints nothing.
silent()
{
	local name=$1

	shift
	if "$@" >"$work/said" 2>&1 && [[ ! -s $work/said ]]; then
		pass
		echo "ok $name"
	else
		fail "$name" < <(tail -n 40 "$work/said")
	fi
}

# took NAME SECONDS [CPU]: prints a duration, and seconds of CPU time, again at the end of
# all checks.
took()
{
	again+=("$1 took $(($2 / 60)) min $(($2 % 60)) s${3:+, $3 s of CPU time}")
	echo "   ${again[-1]}"
}

# time_programs: copies the output of tests/run_programs, and adds to the line at
# the end of each program the seconds by the host's clock, from which that of a guest
# differs that counts instructions.
time_programs()
{
	local line begin

	while IFS= read -r line; do
		case $line in
		'# program /'*) begin=$SECONDS ;;
		'# status '*' /'*) echo "# seconds $((SECONDS - begin))" ;;
		esac
		printf '%s\n' "$line"
	done
}

# read_results NAME: reads results of test programs, in the form that the
# kernel's selftests print, and prints each program and each failure.
read_results()
{
	local group=$1 program=$1 before=$passed$failed line
	local planned='' seen=0 bad=0 good=0 said=() left='' seconds=0 runs=''

	while IFS= read -r line; do
		line=${line%$'\r'}
		case $line in
		'# program /'*)
			program="$group ${line#\# program }" runs=1
			planned='' seen=0 bad=0 good=0 said=()
			;;
		1..[0-9]*)
			planned=${line#1..}
			planned=${planned%% *}
			;;
		'ok '*'# SKIP'*)
			skipped=$((skipped + 1)) seen=$((seen + 1)) said=()
			echo "skipped $program: ${line#*# SKIP }"
			;;
		'ok '*)
			pass
			seen=$((seen + 1)) good=$((good + 1)) said=()
			;;
		'not ok '*)
			seen=$((seen + 1)) bad=$((bad + 1))
			fail "$program: ${line#not ok }" < <(
				printf '%s\n' "${said[@]:0:25}")
			said=()
			;;
		'# repeated '*)
			passed=$((passed - good))
			echo "   $group: $stale_int3_message;" \
				"another guest repeats ${line#\# repeated }"
			;;
		'# seconds '*) seconds=${line#\# seconds } ;;
		'# left '*) said+=("$line") left=1 ;;
		'# status '*' /'*)
			if [[ $left ]]; then
				bad=$((bad + 1)) left=''
				fail "$program leaves another state than before" < <(
					printf '%s\n' "${said[@]}")
			fi
			line=${line#\# status }
			if [[ ${line%% *} != 0 && $bad == 0 ]]; then
				fail "$program ends with status ${line%% *}" < <(
					printf '%s\n' "${said[@]}" | tail -n 25)
			elif [[ $seen == 0 || $seen != "$planned" ]]; then
				fail "$program: $seen results of ${planned:-?}" < <(
					printf '%s\n' "${said[@]}" | tail -n 25)
			fi
			echo "   $program: $good passed, $bad failed, $seconds s"
			said=() runs=''
			;;
		*) said+=("$line") ;;
		esac
	done
	[[ ! $runs ]] ||
		fail "$program has not ended" < <(printf '%s\n' "${said[@]}" | tail -n 60)
	[[ $before != "$passed$failed" ]] ||
		fail "$group: no results" <<<'the output has no result'
}
