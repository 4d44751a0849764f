// SPDX-License-Identifier: GPL-2.0-only
/* Facts about the machine, the user and the installation */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <gelf.h>

#include "doctor/machine.h"

static bool make_path(const struct machine *machine, char *path, size_t size,
		      const char *format, va_list values)
{
	int root = snprintf(path, size, "%s", machine->root);
	int length;

	if (root < 0 || (size_t)root >= size)
		return false;
	length = vsnprintf(path + root, size - root, format, values);
	return length >= 0 && (size_t)length < size - root;
}

bool profil_machine_path(const struct machine *machine, char *path, size_t size,
			 const char *format, ...)
{
	va_list values;
	bool fits;

	va_start(values, format);
	fits = make_path(machine, path, size, format, values);
	va_end(values);
	return fits;
}

bool profil_machine_has(const struct machine *machine, const char *format, ...)
{
	char path[PATH_MAX];
	va_list values;
	bool has;

	va_start(values, format);
	has = make_path(machine, path, sizeof(path), format, values) &&
	      !access(path, F_OK);
	va_end(values);
	return has;
}

FILE *profil_machine_open(const struct machine *machine, const char *path)
{
	char whole[PATH_MAX];

	if (!profil_machine_path(machine, whole, sizeof(whole), "%s", path))
		return NULL;
	return fopen(whole, "re");
}

bool profil_machine_read(const struct machine *machine, const char *path,
			 char *line, size_t size)
{
	FILE *file = profil_machine_open(machine, path);
	bool got;

	if (!file)
		return false;
	got = fgets(line, size, file);
	fclose(file);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

bool profil_machine_is_container(const struct machine *machine)
{
	return profil_machine_has(machine, "/.dockerenv") ||
	       profil_machine_has(machine, "/run/.containerenv") ||
	       profil_machine_has(machine, "/run/host/container-manager") ||
	       profil_machine_has(machine, "/run/systemd/container");
}

bool profil_machine_is_loaded(const struct machine *machine)
{
	return profil_machine_has(machine, "/sys/module/profil");
}

int profil_machine_ask(const struct machine *machine,
		       struct profil_version *version)
{
	char path[PATH_MAX];
	int fd, error = 0;

	if (!profil_machine_path(machine, path, sizeof(path), PROFIL_DEVICE))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	*version = (struct profil_version){ .size = sizeof(*version) };
	if (ioctl(fd, PROFIL_IOC_VERSION, version))
		error = -ENOTTY;
	close(fd);
	return error;
}

/* A file libprofil.so.1, which is read and not loaded */

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

void profil_finding_good(struct finding *finding, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(finding->text, FINDING_TEXT, format, values);
	va_end(values);
}

void profil_finding_wrong(struct finding *finding, const char *format, ...)
{
	va_list values;

	finding->is_wrong = true;
	va_start(values, format);
	vsnprintf(finding->text, FINDING_TEXT, format, values);
	va_end(values);
}

void profil_finding_mend(struct finding *finding, const char *format, ...)
{
	size_t length = strlen(finding->mend);
	va_list values;

	va_start(values, format);
	vsnprintf(finding->mend + length, FINDING_TEXT - length, format,
		  values);
	va_end(values);
}
