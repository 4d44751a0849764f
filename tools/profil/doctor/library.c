// SPDX-License-Identifier: GPL-2.0-only
/* A file libprofil.so.1, which is read and not loaded */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>

#include "doctor/doctor.h"
#include "include/run_layout.h"

/* Find the note with the version in the notes of a segment. */
static bool find_version(Elf_Data *data, struct version_note *version)
{
	size_t at = 0, name, contents;
	GElf_Nhdr note;

	while ((at = gelf_getnote(data, at, &note, &name, &contents))) {
		const char *bytes = data->d_buf;

		if (note.n_type != VERSION_NOTE_TYPE ||
		    note.n_namesz != sizeof(RUN_NOTE_NAME) ||
		    memcmp(bytes + name, RUN_NOTE_NAME,
			   sizeof(RUN_NOTE_NAME)) ||
		    note.n_descsz < sizeof(*version))
			continue;
		memcpy(version, bytes + contents, sizeof(*version));
		version->text[sizeof(version->text) - 1] = '\0';
		return true;
	}
	return false;
}

/* musl's libc has no version in its name, or the name of the processor. */
static bool needs_musl(Elf *elf, Elf_Data *data, size_t strings)
{
	GElf_Dyn entry;

	for (int i = 0; gelf_getdyn(data, i, &entry); i++) {
		const char *name = elf_strptr(elf, strings, entry.d_un.d_val);

		if (entry.d_tag == DT_NEEDED && name &&
		    (!strcmp(name, "libc.so") ||
		     !strncmp(name, "libc.musl", 9)))
			return true;
	}
	return false;
}

static void read_sections(struct library_file *library, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);

		if (!data || !gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_NOTE &&
		    find_version(data, &library->version))
			library->has_version = true;
		if (header.sh_type == SHT_DYNAMIC)
			library->is_musl =
				needs_musl(elf, data, header.sh_link);
	}
}

void profil_library_file_read(struct library_file *library, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf;

	*library = (struct library_file){ 0 };
	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf)
		read_sections(library, elf);
	elf_end(elf);
	close(fd);
}
