# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by the script that sources this
#
# The programs that are compared: the command sqlite3 by clang, BOLT and gcc, in
# build. To be sourced.

# -Wl,-q keeps the relocations, with which BOLT moves functions.
clang=(clang -O2 -g -fdebug-info-for-profiling "-Wl,-q")
gcc=(gcc -O2 -g)

# compile PROGRAM COMPILER [FLAG]...
compile()
{
	(cd "$build/sqlite" &&
		"${@:2}" -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION \
			sqlite3.c shell.c -o "$build/$1" -lm)
}

# export_to FORMAT PROGRAM: exports the samples of PROGRAM to profil.FORMAT.
export_to()
{
	"$profil" export -i "$build/profil.data" -o "$build/profil.$1" \
		-f "$1" --object "/$2\$"
}

plain_by_clang()
{
	compile clang "${clang[@]}"
}

plain_by_gcc()
{
	compile gcc "${gcc[@]}"
}

# profiled_by_clang: compiles with the profile. Functions without samples are moved
# out of the way.
profiled_by_clang()
{
	export_to llvm clang
	compile llvm "${clang[@]}" -fprofile-sample-use="$build/profil.llvm" \
		-fprofile-sample-accurate
}

# profiled_by_gcc: the same, but gcc has no option for functions without samples.
# -Wno-overflow: gcc warns of a line before that of its function, as in a macro.
profiled_by_gcc()
{
	export_to gcc gcc
	compile gcc-profile "${gcc[@]}" -fauto-profile="$build/profil.gcc" \
		-Wno-overflow
}

# rearrange: -lite=0 moves functions without samples out of the way, too.
rearrange()
{
	export_to bolt clang
	llvm-bolt-15 "$build/clang" -o "$build/bolt" -nl \
		-data="$build/profil.bolt" -lite=0 -reorder-blocks=ext-tsp \
		-reorder-functions=hfsort -split-functions -split-all-cold \
		>"$build/bolt.log" 2>&1 ||
		die "llvm-bolt failed, see $build/bolt.log"
}

# counted_by_clang: compiles with the counts of an instrumented build.
counted_by_clang()
{
	local version

	version=$(clang -dumpversion)
	compile counting "${clang[@]}" -fprofile-generate
	LLVM_PROFILE_FILE=$build/counts.raw "$build/counting" \
		:memory: ".read $train" >/dev/null
	"llvm-profdata-${version%%.*}" merge -o "$build/counts" \
		"$build/counts.raw"
	compile counted "${clang[@]}" -fprofile-use="$build/counts"
}

# counted_by_gcc: the same. gcc finds its counts by the name of the program, so the
# two builds have one name.
counted_by_gcc()
{
	compile gcc-counted "${gcc[@]}" -fprofile-generate
	"$build/gcc-counted" :memory: ".read $train" >/dev/null
	compile gcc-counted "${gcc[@]}" -fprofile-use
}
