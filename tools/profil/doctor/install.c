// SPDX-License-Identifier: GPL-2.0-only
/* The module as an installed file */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "doctor/install.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const char headers[] = "install the headers of Linux %s; ";

/* End of a signed module */
static const char signature[] = "~Module signature appended~\n";

/* Directories that make install, DKMS and packages use */
static const char *const directories[] = {
	"updates", "updates/dkms", "extra", "misc", "kernel/drivers/misc",
};

static const char *const suffixes[] = { "", ".xz", ".zst", ".gz" };

bool profil_install_find(const struct machine *machine, const char *release,
			 char path[PATH_MAX])
{
	for (size_t i = 0; i < COUNT(directories) * COUNT(suffixes); i++) {
		int length = snprintf(path, PATH_MAX,
				      "/lib/modules/%s/%s/profil.ko%s", release,
				      directories[i / COUNT(suffixes)],
				      suffixes[i % COUNT(suffixes)]);

		if (length < PATH_MAX &&
		    profil_machine_has(machine, "%s", path))
			return true;
	}
	return false;
}

static void consider(const struct machine *machine, const char *name,
		     char release[NAME_MAX + 1])
{
	char path[PATH_MAX];

	if (*name == '.' || !strcmp(name, machine->release) ||
	    (*release && strverscmp(name, release) < 0))
		return;
	if (profil_install_find(machine, name, path))
		snprintf(release, NAME_MAX + 1, "%s", name);
}

bool profil_install_other(const struct machine *machine,
			  char release[NAME_MAX + 1])
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *directory;

	*release = '\0';
	if (!profil_machine_path(machine, path, sizeof(path), "/lib/modules"))
		return false;
	directory = opendir(path);
	if (!directory)
		return false;
	while ((entry = readdir(directory)))
		consider(machine, entry->d_name, release);
	closedir(directory);
	return *release;
}

bool profil_install_is_listed(const struct machine *machine)
{
	char path[PATH_MAX], line[4096];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep",
		 machine->release);
	file = profil_machine_open(machine, path);
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, ":")] = '\0';
		found = strstr(line, "/profil.ko");
	}
	fclose(file);
	return found;
}

bool profil_install_is_signed(const struct machine *machine, const char *path)
{
	char end[sizeof(signature)] = "";
	size_t length = strlen(path);
	bool is_signed = false;
	FILE *file;

	if (length < 3 || strcmp(path + length - 3, ".ko"))
		return true;
	file = profil_machine_open(machine, path);
	if (!file)
		return true;
	if (!fseek(file, 1 - (long)sizeof(signature), SEEK_END) &&
	    fread(end, sizeof(signature) - 1, 1, file) == 1)
		is_signed = !memcmp(end, signature, sizeof(signature) - 1);
	fclose(file);
	return is_signed;
}

/* The kernel is that of a package; other kernels have no package of headers. */
static bool is_packaged(const struct machine *machine)
{
	return profil_machine_has(machine,
				  "/var/lib/dpkg/info/linux-image-%s.list",
				  machine->release);
}

/* The command that installs the headers of this kernel */
static void mend_headers(const struct machine *machine, struct finding *finding)
{
	const char *release = machine->release;

	if (profil_machine_has(machine, "/lib/modules/%s/build/Makefile",
			       release))
		return;
	if (is_packaged(machine))
		profil_finding_mend(finding,
				    "sudo apt install linux-headers-%s && ",
				    release);
	else if (profil_machine_has(machine, "/usr/bin/dnf"))
		profil_finding_mend(finding,
				    "sudo dnf install kernel-devel-%s && ",
				    release);
	else if (profil_machine_has(machine, "/usr/bin/pacman"))
		profil_finding_mend(finding,
				    "sudo pacman -S linux-headers && ");
	else
		profil_finding_mend(finding, headers, release);
}

void profil_install_mend(const struct machine *machine, struct finding *finding)
{
	mend_headers(machine, finding);
	if (profil_machine_has(machine, "/usr/src/profil-%s/dkms.conf",
			       machine->version))
		profil_finding_mend(finding, "sudo dkms autoinstall && ");
	else
		profil_finding_mend(finding, "make && sudo make install && ");
	profil_finding_mend(finding, "sudo modprobe profil");
}
