// SPDX-License-Identifier: GPL-2.0-only
/* next: print the last line of profil run, of the profil.data at stdin. */
#include <err.h>
#include <string.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "profile/rows.h"
#include "record/recorder.h"
#include "record/saved.h"
#include "util/text.h"

int main(void)
{
	struct row_choice choice = { .printable = profil_text_printable,
				     .has_totals = true };
	struct recorder recorder = {
		.save.path = "profil.data",
		.is_saved = true,
	};
	char text[DATA_ERROR_TEXT];
	struct profile profile;
	struct rows rows;

	profil_profile_init(&profile);
	if (profil_data_read(&profile, STDIN_FILENO, text))
		errx(1, "%s", text);
	profil_rows_read(&rows, &profile, &choice);
	profil_saved_print(stdout, &recorder, &profile, &rows);
	profil_rows_free(&rows);
	profil_profile_free(&profile);
	return 0;
}
