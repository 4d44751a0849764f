// SPDX-License-Identifier: GPL-2.0-only
/* Table of the formats */
#include <string.h>

#include "export/format.h"

const char *const profil_export_names[] = {
	[EXPORT_PPROF] = "pprof",
	[EXPORT_PERF] = "perf",
	[EXPORT_CALLGRIND] = "callgrind",
	[EXPORT_GMON] = "gmon",
	[EXPORT_LLVM] = "llvm",
	[EXPORT_GCC] = "gcc",
	[EXPORT_BOLT] = "bolt",
	[EXPORT_FOLDED] = "folded",
	[EXPORT_KINDS] = NULL,
};

const struct export_format profil_export_formats[] = {
	[EXPORT_PPROF] = {
		.file = "profil.pb.gz",
		.next = "go tool pprof -top",
		.write = profil_export_pprof,
	},
	[EXPORT_PERF] = {
		.file = "profil.perf.data",
		.next = "perf report -n -i",
		.check = profil_export_perf_data_check,
		.write = profil_export_perf_data,
	},
	[EXPORT_CALLGRIND] = {
		.file = "callgrind.out.profil",
		.next = "callgrind_annotate",
		.write = profil_export_callgrind,
	},
	[EXPORT_GMON] = {
		.file = "profil.gmon",
		.next = "gprof -p PROGRAM",
		.check = profil_export_gmon_check,
		.write = profil_export_gmon,
		.samples = profil_export_gmon_samples,
	},
	[EXPORT_LLVM] = {
		.file = "profil.llvm",
		.next = "clang -O2 -g -fprofile-sample-use=",
		.check = profil_export_llvm_check,
		.write = profil_export_llvm,
		.samples = profil_export_llvm_samples,
	},
	[EXPORT_GCC] = {
		.file = "profil.afdo",
		.next = "gcc -O2 -g -fauto-profile=",
		.check = profil_export_gcc_check,
		.write = profil_export_gcc,
		.samples = profil_export_gcc_samples,
	},
	[EXPORT_BOLT] = {
		.file = "profil.bolt",
		.next = "llvm-bolt -nl PROGRAM -o FASTER -data=",
		.check = profil_export_bolt_check,
		.write = profil_export_bolt,
		.samples = profil_export_bolt_samples,
	},
	[EXPORT_FOLDED] = {
		.file = "profil.folded",
		.next = "flamegraph.pl",
		.write = profil_export_folded,
	},
};

const char *profil_export_error_text(enum export_error error)
{
	static const char *const texts[] = {
		[EXPORT_OK] = "",
		[EXPORT_NO_CODE] = "no sample is in code of a file",
		[EXPORT_MANY_OBJECTS] =
			"the format is for one file of code: name it with --object",
		[EXPORT_NO_LINES] =
			"no sample has a source line: compile the program with -g, and record it again",
		[EXPORT_NO_SYMBOLS] =
			"no sample in user mode is in a function with a symbol",
		[EXPORT_NO_ADDRESS] = "a sample is at an address of no program",
		[EXPORT_MANY_SAMPLES] = "too many samples for the format",
	};

	return texts[error];
}
