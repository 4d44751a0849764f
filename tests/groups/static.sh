# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/check sets the variables
#
# Checks that run no test. To be sourced.

c_files()
{
	git ls-files -- "$@" | grep -E '\.[ch]$'
}

build_strictly()
{
	local kernel dir=$work/strict-$1

	kernel=$(kernel_find "$1")
	mkdir "$dir"
	link_sources "$dir"
	make -s -j "$(nproc)" -C "$(realpath "$kernel/build")" M="$dir" W=1 C=2 \
		KCFLAGS='-Werror -g0' CONFIG_DEBUG_INFO_BTF_MODULES= modules 2>&1 |
		grep -v '^ *$' || true
	[[ -e $dir/profil.ko ]]
}

# build_tools: builds a copy of the library and the command with -O1, since dlopen() of
# the library needs some optimization. Other groups build them as they are installed.
build_tools()
{
	local tree=$work/tree

	mkdir "$tree"
	git ls-files -z tools uapi include src |
		xargs -0 cp --parents -t "$tree"
	make -s -j "$(nproc)" -C "$tree/tools/lib" CFLAGS=-O1 libprofil.so.1
	make -s -j "$(nproc)" -C "$tree/tools/profil" CFLAGS=-O1
}

# old_picture: the difference of Documentation/rooms.dot from the tools as they are
old_picture()
{
	tests/rooms draw "$work/tree/tools/profil" |
		diff Documentation/rooms.dot - || true
}

# tool_circles FOLDER SUFFIX: circles among the object files of tools/FOLDER
tool_circles()
{
	find "$work/tree/tools/$1" -name "*.$2" -print0 |
		xargs -0 tests/rooms circles
}

# each_changed COMMAND...: runs COMMAND with those files on stdin, of the project, that are
# not as they were when it has found nothing in any. The cache has their digests, in a
# file for each COMMAND, its program and the rules that it reads.
each_changed()
{
	local known sums=$work/sums complaints=$work/complaints

	known=$cache/checked-$(digest "$* $(sha256sum <"$(command -v "$1")") $(
		cat "$top/.clang-format" "$cache/linux/scripts/checkpatch.pl" | sha256sum)")
	touch "$known"
	xargs sha256sum >"$sums"
	if { grep -vxFf "$known" "$sums" || true; } | sed "s|^[^ ]*  |$top/|" |
			(cd "$work" && xargs -r -P "$(nproc)" -n 16 "$@") >"$complaints" &&
			[[ ! -s $complaints ]]; then
		mv "$sums" "$known"
	else
		cat "$complaints"
		return 1
	fi
}

# checkpatch IGNORED FILE...: ignores CONSTANT_COMPARISON, which takes a macro
# of the tests for a constant, LINUX_VERSION_CODE, which compat.h is for, and
# IGNORED. checkpatch.pl leaves files in its directory, and without a kernel
# tree prints warnings about itself.
checkpatch()
{
	local ignored=$1

	shift
	c_files "$@" |
		each_changed perl "$cache/linux/scripts/checkpatch.pl" --no-tree \
			--strict --quiet --no-summary --terse --file \
			--ignore "LINUX_VERSION_CODE,CONSTANT_COMPARISON$ignored" \
			2>/dev/null
}

not_kernel=,CAMELCASE,LINE_SPACING,MACRO_ARG_REUSE,PREFER_DEFINED_ATTRIBUTE_MACRO,VOLATILE
not_kernel+=,MACRO_WITH_FLOW_CONTROL,NEW_TYPEDEFS,MACRO_ARG_UNUSED
# A list that other macros expand, such as EXPORT_FORMATS, has no parentheses.
not_kernel+=,PREFER_KERNEL_TYPES,COMPLEX_MACRO,TRAILING_SEMICOLON

kernel_doc()
{
	c_files src uapi include tools |
		xargs perl "$cache/linux/scripts/kernel-doc" -none -Werror
}

clang_format()
{
	c_files src uapi include tools tests examples |
		each_changed clang-format --dry-run -Werror
}

shell_lint()
{
	git ls-files | while read -r file; do
		[[ $file == *.sh || $file == *.bash ]] || head -c 64 "$file" 2>/dev/null |
			head -n 1 | grep -aqE '^#!.*[/ ](ba)?sh( |$)' || continue
		echo "$file"
	done | xargs shellcheck -x
}

# mandoc does not know sections with a suffix, as in profil(3profil).
man_lint()
{
	mandoc -T lint -W warning Documentation/man/*.[1-9]* |
		grep -v 'unknown manual section' || true
}

# Warnings of groff, such as a table that is wider than the page
man_warnings()
{
	local page

	for page in Documentation/man/*.[1-9]*; do
		MANWIDTH=80 man --warnings -E UTF-8 -l "$page" >/dev/null
	done
}

# licences: prints files without a licence, and those of these kinds without its line.
licences()
{
	reuse lint -q || reuse lint
	git ls-files -- '*.[chS]' '*.sh' '*.md' '*.mk' 'Documentation/man/*' '*Makefile' |
		xargs grep -L 'SPDX-License-Id' || true
}

# words: tests/words has the list of words.
words()
{
	git ls-files -z -- . ':!LICENSE*' ':!tests/words' | xargs -0 tests/words
}

# declared FOLDER: the functions of FOLDER that the header of another file declares, if
# these are more than a twentieth
declared()
{
	c_files "$1" | xargs tests/declared 95
}

# wide_folders: prints folders of more than 30 tracked files. src is flat.
wide_folders()
{
	git ls-files | grep / | xargs dirname | sort | uniq -c |
		awk '$1 > 30 && $2 != "src" { print $2 ": " $1 " files" }'
}

# missing_flags PREFIX FILE: a line for each file, FILE or one that has all flags, that lacks
# a flag of the driver whose name begins with PREFIX
missing_flags()
{
	local flag file

	sed -n "s/^#define \\($1[A-Z0-9_]*\\) 0x.*/\\1/p" uapi/linux/profil.h |
		while read -r flag; do
			for file in "$2" Documentation/profil.rst tests/fuzz/fuzz.h \
					tests/selftests/profil/uapi/answers.c; do
				grep -qw "$flag" "$file" || echo "$file: no $flag"
			done
		done
}

flags()
{
	missing_flags PROFIL_F_ src/config.h
	missing_flags PROFIL_TABLE_ src/table.h
}

static_checks()
{
	local kernel folder

	for kernel in 6.12 6.1; do
		silent "the module builds for $kernel with W=1 and sparse" \
			build_strictly "$kernel"
	done
	silent "no circle among the modules of src" \
		tests/rooms circles "$work"/strict-6.12/src/*.o
	silent "the tools build" build_tools
	silent "no circle among the modules of tools/lib" tool_circles lib os
	silent "no circle among the modules of tools/profil" \
		tool_circles profil o
	silent "the picture of the command is of its folders" old_picture
	silent "every external symbol of profil.ko begins with profil_" \
		tests/rooms prefix profil_ "$work/strict-6.12/profil.ko"
	silent "array_index_nospec() makes masks" \
		tests/nospec "$work/strict-6.12/profil.ko"
	silent "checkpatch --strict of the kernel's part" checkpatch '' src uapi
	silent "checkpatch --strict of the rest" checkpatch "$not_kernel" \
		include tools tests examples
	silent "kernel-doc" kernel_doc
	silent "clang-format" clang_format
	silent "words" words
	silent "no folder but src has more than 30 files" wide_folders
	for folder in src tools/lib tools/profil; do
		silent "the header of a file of $folder declares its functions" \
			declared "$folder"
	done
	silent "shellcheck" shell_lint
	silent "each file has a licence" licences
	silent "manual pages for mandoc" man_lint
	silent "manual pages for groff" man_warnings
	silent "each flag of the driver is documented and tested" flags
	silent "each branch that no test reaches is one of src" \
		tests/coverage/branches -n . tests/coverage/unreached
	silent "each mutant fits the sources" tests/mutants/run -n
	silent "each message has a row in troubleshooting.md" tests/messages
}
