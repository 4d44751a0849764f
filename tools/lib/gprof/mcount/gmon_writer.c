// SPDX-License-Identifier: LGPL-2.1-or-later
/* The files of a profile, each with the calls of one object's functions */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gprof/mcount/arcs.h"
#include "gprof/mcount/file_suffix.h"
#include "gprof/mcount/gmon_writer.h"
#include "gprof/mcount/system_call.h"

static uint64_t bins_of(const struct gmon_object *text)
{
	return (text->high - text->low) / GMON_BIN;
}

static int take_arc(const struct gmon_arc *arc, void *data)
{
	struct gmon_writer *writer = data;
	const struct gmon_object *text = writer->text;
	struct gmon_arc linked = {
		.from = object_caller(&text->object, arc->from),
		.self = arc->self - text->object.base,
		.count = arc->count,
	};

	if (arc->self < text->low || arc->self >= text->high)
		return 0;
	return profil_gmon_file_arc(&writer->file, &linked);
}

static int write_to(const struct gmon *gmon, struct gmon_writer *writer,
		    const struct gmon_object *text, const char *path)
{
	struct gmon_hist hist = {
		.low = text->low - text->object.base,
		.high = text->high - text->object.base,
		.counters = text->counters,
		.width = gmon->width,
		.bins = bins_of(text),
	};
	int ret = profil_gmon_file_open(&writer->file, path, gmon->format);

	if (ret)
		return ret;
	writer->text = text;
	if (!profil_gmon_file_hist(&writer->file, &hist, gmon->rate))
		profil_arcs_each(take_arc, writer);
	return profil_gmon_file_close(&writer->file);
}

static int number_of(const struct gmon *gmon)
{
	return gmon->numbered ? syscall(SYS_getpid) : profil_file_suffix();
}

static int find_path(const struct gmon *gmon, struct gmon_writer *writer,
		     const struct gmon_object *text)
{
	return profil_output_path_get(&gmon->output, number_of(gmon),
				      text->name, writer->path);
}

int profil_gmon_write(const struct gmon *gmon, struct gmon_writer *writer,
		      const struct gmon_object *text)
{
	int ret = find_path(gmon, writer, text);

	return ret ? ret : write_to(gmon, writer, text, writer->path);
}

/* Only a regular file is replaced, not a symbolic link or a device. */
static bool may_replace(const char *path)
{
	struct stat status;

	if (syscall(CALL_FSTATAT, AT_FDCWD, path, &status,
		    AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT;
	return S_ISREG(status.st_mode);
}

static int rename_part(const struct gmon_writer *writer)
{
	if (syscall(SYS_renameat, AT_FDCWD, writer->part, AT_FDCWD,
		    writer->path) < 0)
		return -errno;
	return 0;
}

int profil_gmon_replace(const struct gmon *gmon, struct gmon_writer *writer,
			const struct gmon_object *text)
{
	int ret = find_path(gmon, writer, text);

	if (!ret)
		ret = profil_output_path_part(writer->path, syscall(SYS_getpid),
					      writer->part);
	if (!ret && !may_replace(writer->path))
		ret = -EINVAL;
	if (ret)
		return ret;
	ret = write_to(gmon, writer, text, writer->part);
	if (!ret)
		ret = rename_part(writer);
	if (ret)
		syscall(SYS_unlinkat, AT_FDCWD, writer->part, 0);
	return ret;
}
