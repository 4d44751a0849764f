// SPDX-License-Identifier: GPL-2.0-only
/* A file libprofil.so.1, which is read and not loaded */
#include <fcntl.h>
#include <gelf.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "doctor/library_file.h"

/* Store the contents of the note if it is the one with the version. */
static bool read_note(struct library_file *library, const GElf_Nhdr *note,
		      const char *name, const char *contents)
{
	struct version_note version;

	if (note->n_type != VERSION_NOTE_TYPE ||
	    note->n_namesz != sizeof(RUN_NOTE_NAME) ||
	    memcmp(name, RUN_NOTE_NAME, sizeof(RUN_NOTE_NAME)) ||
	    note->n_descsz < sizeof(version))
		return false;
	memcpy(&version, contents, sizeof(version));
	library->run_magic = version.run_magic;
	memcpy(library->version, version.text, sizeof(library->version));
	library->version[sizeof(library->version) - 1] = '\0';
	return true;
}

static bool read_notes(struct library_file *library, Elf_Data *data)
{
	size_t at = 0, name, contents;
	const char *bytes = data->d_buf;
	GElf_Nhdr note;

	while ((at = gelf_getnote(data, at, &note, &name, &contents)))
		if (read_note(library, &note, bytes + name, bytes + contents))
			return true;
	return false;
}

static bool find_note(struct library_file *library, Elf *elf)
{
	GElf_Phdr segment;
	size_t nr = 0;

	elf_getphdrnum(elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		Elf_Data *data;
		Elf_Type type;

		if (!gelf_getphdr(elf, i, &segment) ||
		    segment.p_type != PT_NOTE)
			continue;
		type = segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
		data = elf_getdata_rawchunk(elf, segment.p_offset,
					    segment.p_filesz, type);
		if (data && read_notes(library, data))
			return true;
	}
	return false;
}

/* musl's libc has no version in its name, or the name of the processor. */
static bool is_musl(const char *needed)
{
	return !strcmp(needed, "libc.so") || !strncmp(needed, "libc.musl", 9);
}

static void read_needed(struct library_file *library, Elf *elf,
			Elf_Scn *section, size_t strings)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
		const char *name;

		if (entry.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(elf, strings, entry.d_un.d_val);
		if (name && is_musl(name))
			library->is_musl = true;
	}
}

static void find_needed(struct library_file *library, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_DYNAMIC)
			read_needed(library, elf, section, header.sh_link);
}

bool profil_library_file_read(struct library_file *library, const char *path)
{
	bool found = false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf;

	*library = (struct library_file){ 0 };
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf) {
		found = find_note(library, elf);
		find_needed(library, elf);
		elf_end(elf);
	}
	close(fd);
	return found;
}
