/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_REQUEST_H
#define PROFIL_REQUEST_H

#include <regex.h>

#include "print/flat.h"
#include "util/option.h"

/**
 * struct report_request - options and operands of `profil report`
 * @program: program or library that wrote a gmon.out or mon.out, or NULL
 * @output: file to print to, or NULL for stdout
 * @rate: samples a second of a mon.out
 * @arcs: list callers, too
 * @files: the files, ended by NULL
 * @by: indices of enum row_key
 * @flat: form of the flat profile
 * @object: rows of objects whose path matches, or NULL
 * @function: rows of functions whose name matches, or NULL
 * @json: print JSON
 * @html: print a page
 * @source: directory with the source files, or NULL
 * @quiet: print neither heading nor hints
 */
struct report_request {
	const char *program;
	const char *output;
	struct option_rate rate;
	bool arcs;
	char **files;
	struct value_choices by;
	struct flat flat;
	regex_t *object;
	regex_t *function;
	bool json;
	bool html;
	const char *source;
	bool quiet;
};

#endif
