// SPDX-License-Identifier: GPL-2.0-only
/* Table of the formats */
#include <string.h>

#include "export/folded.h"
#include "export/format.h"
#include "export/pprof.h"

const struct export_format profil_export_formats[] = {
	{ "pprof", "profil.pb.gz", "go tool pprof -top", profil_export_pprof },
	{ "folded", "profil.folded", "flamegraph.pl", profil_export_folded },
	{ 0 }
};

const struct export_format *profil_export_find(const char *name)
{
	const struct export_format *format = profil_export_formats;

	while (format->name && strcmp(format->name, name))
		format++;
	return format->name ? format : NULL;
}

const char *profil_export_error_text(enum export_error error)
{
	static const char *const texts[] = {
		[EXPORT_OK] = "",
		[EXPORT_NO_CODE] = "no sample is in code of a file",
		[EXPORT_MANY_OBJECTS] =
			"the format is for one file of code: name it with --object",
	};

	return texts[error];
}
