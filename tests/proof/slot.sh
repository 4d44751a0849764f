#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The slot protocol in the kernel's memory model, by herd7. A litmus test ends
# with the state that must not be reached. It names the functions of src that it
# models, with their accesses in order, which are compared with the sources.

. "$(dirname "$0")/prove.sh"

accesses='\b(READ_ONCE|WRITE_ONCE|smp_[a-z_]+|(raw_)?spin_(un)?lock_irq[a-z]*'
accesses+='|pages_(un)?lock|mutex_(try|un)lock|slot_(enter|leave)|profil_[a-z_]+|kfree_rcu'
accesses+='|(cmp)?xchg|counters_add|process_session|retire|complete_all|atomic64_inc)\('

sources=$top/src

# accesses_of FUNCTION: prints the accesses in a function of src, in order.
accesses_of()
{
	local body

	body=$(sed -n "/[ *]$1(.*[^;]\$/,/^}/p;/^$1(.*[^;]\$/,/^}/p" \
		"$sources"/*.[ch] | sed '/^{/,/^}/!d')
	grep -oE "$accesses" <<<"$body" | tr -d '('
}

# follows_sources TEST: each access that TEST names is in its function, in order.
follows_sources()
{
	local function named access place rest

	sed -n 's/^ \* \([a-z_]*\): \([A-Za-z_ ]*\)$/\1 \2/p' "$here/litmus/$1" |
		while read -r function named; do
			rest=" $(accesses_of "$function" | tr '\n' ' ')"
			for access in $named; do
				place=${rest#* "$access" }
				[[ $place != "$rest" ]] || {
					echo "# $function: no $access in $rest"
					exit 1
				}
				rest=" $place"
			done
		done
}

# differs_from_mutant TEST EDIT: a change of the sources is noticed.
differs_from_mutant()
{
	mutate "$2" && ! (sources=$work/src && follows_sources "$1") >/dev/null
}

# state_is VERDICT FILE: Never, Sometimes or Always is the state reached.
state_is()
{
	local root=$cache/proof/sid

	(cd "$cache/proof/memory-model" &&
		foreign sid herd7 -set-libdir "$root/usr/share/herdtools7/herd" \
			-conf linux-kernel.cfg "$2") >"$work/said" 2>&1
	grep -q "^Observation [^ ]* $1 " "$work/said" ||
		{ sed 's/^/# /' "$work/said"; false; }
}

is_reached()
{
	sed "$2" "$here/litmus/$1" >"$work/$1"
	! cmp -s "$here/litmus/$1" "$work/$1" || return 1
	state_is Sometimes "$work/$1"
}

# never TEST NAME EDIT...: the state of TEST is not reached, but is with each EDIT.
never()
{
	local test=$1 name=$2 edit

	shift 2
	check "$name" state_is Never "$here/litmus/$test"
	also 'the accesses are those of the sources' follows_sources "$test"
	for edit; do
		also "reached with $edit" is_reached "$test" "$edit"
	done
}

enter='/^P0/,/^}/s/smp_mb();//'
leave='/^P0/,/^}/s/smp_store_release(slot, 0)/WRITE_ONCE(*slot, 0)/'
waiting='s/r1 = smp_load_acquire(slot)/r1 = READ_ONCE(*slot)/'

never stop.litmus 'no counter is written after STOP' \
	"$enter" "$leave" '/^P2/,/^}/s/smp_mb();//' "$waiting" \
	's/smp_store_release(ending, 1)/WRITE_ONCE(*ending, 1)/'
never unmap.litmus 'no page is written after munmap()' \
	"$enter" "$leave" '/^P1/,/^}/s/smp_mb();//' "$waiting"
never unmap-twice.litmus 'nor where munmap() finds the page dropped' \
	"$enter" "$leave" '/^P2/,/^}/s/smp_mb();//' "$waiting"
never take.litmus 'no page is written after it has been unpinned' \
	"$enter" "$leave" '/^P1/,/^}/s/smp_mb();//'
never replace.litmus 'no freed span table is read' \
	"$enter" "$leave" '/^P2/,/^}/s/smp_mb();//'
never free.litmus 'no freed session is read' 's/synchronize_rcu();//'
never account.litmus 'the final tally has each sample once' \
	"$enter" "$leave" '/^P1/,/^}/s/smp_mb();//' "$waiting"
never queued.litmus 'the work sees what was written before it was queued' \
	's/r0 = xchg(/r0 = xchg_relaxed(/' 's/r2 = xchg(/r2 = xchg_relaxed(/'
never postponed.litmus 'the work gets the lock, or is queued again' \
	's/r0 = xchg(/r0 = xchg_relaxed(/' 's/r2 = xchg(/r2 = xchg_relaxed(/'
never add-locked.litmus 'nor does a task that records deferred samples' \
	'/^P0/,/^}/s/spin_\(un\)*lock(pages);//'
for edit in 'slot.h:s/smp_mb();//' 'session.c:s/smp_mb();//' \
		'slot.h:s/smp_store_release/WRITE_ONCE/' \
		'session.c:s/smp_store_release/WRITE_ONCE/'; do
	check "the accesses of STOP are not those with $edit" \
		differs_from_mutant stop.litmus "$edit"
done
finish
