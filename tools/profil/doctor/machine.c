// SPDX-License-Identifier: GPL-2.0-only
/* Facts about the machine, the user and the installation */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
