// SPDX-License-Identifier: GPL-2.0-only
/* The coverage-guided input is the text of a profil.data. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	lseek(fd, 0, SEEK_SET);
	profil_profile_init(&profile);
	if (!profil_data_read(&profile, fd, text) && !is_sound(&profile))
		abort();
	profil_profile_free(&profile);
	close(fd);
	return 0;
}
