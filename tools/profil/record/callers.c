// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of files for a table that counts callers
 *
 * The driver goes from each function to its caller by rows of its file. Those of a command
 * and of its libraries are loaded before it is executed, and those of processes before they
 * are recorded, so that the first sample has its callers; the driver asks for those of other
 * files. A confined child reads each file.
 */
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "elf/frame_rows.h"
#include "elf/needed.h"
#include "process/mapped_file.h"
#include "record/callers.h"
#include "process/child.h"
#include "record/table.h"

/* Seconds after which a child is ended */
#define DEADLINE_S 10

/* Time between looks at a child that is waited for */
#define LOOK_MS 50

/*
 * Rows stay so long at least, so that programs with more rows than the table has room for
 * do not have rows compiled all the time: further ones wait for their room. To remove those
 * of a file waits for the kernel.
 */
#define KEPT_NS (10 * SECOND)
#define MOST_REMOVED 64

#define VDSO "[vdso]"

/* Write what @bytes has to the file of the child, which ends. */
static void __attribute__((noreturn))
answer(const struct confined *child, const void *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(child->fd, bytes, size);

		if (done <= 0)
			_exit(EXIT_PROFIL);
		bytes = (const char *)bytes + done;
		size -= done;
	}
	_exit(0);
}

/* In the child: compile the file @fd, or the vDSO for -1. */
static void __attribute__((noreturn))
answer_rows(const struct confined *child, const char *path, int fd)
{
	struct symbols *symbols = fd < 0 ? profil_symbols_open(path, NULL) :
					   profil_symbols_open_fd(path, fd);
	struct frame_rows rows;

	profil_frame_rows_read(&rows, symbols->elf, NATIVE_MACHINE);
	answer(child, rows.array, rows.nr * sizeof(*rows.array));
}

/* Remove the rows that were loaded first. False if none were, or are as young. */
static bool remove_first(const struct table *table, struct compiling *compiling)
{
	struct loaded_file *first = compiling->loaded;

	if (!compiling->nr_loaded || profil_now() - first->since_ns < KEPT_NS)
		return false;
	first->key.nr_rows = 0;
	ioctl(table->fd, PROFIL_TABLE_IOC_ROWS, &first->key);
	compiling->nr_loaded--;
	memmove(first, first + 1, compiling->nr_loaded * sizeof(*first));
	return true;
}

/*
 * Load the rows that @key has, in place of others if there is no room. False if there will
 * be room.
 */
static bool load_in_place(const struct table *table,
			  struct compiling *compiling)
{
	struct profil_rows *key = &compiling->key;
	int removed = 0, failed;

	do {
		failed = ioctl(table->fd, PROFIL_TABLE_IOC_ROWS, key);
	} while (failed && errno == ENOSPC && removed++ < MOST_REMOVED &&
		 remove_first(table, compiling));
	if (!failed)
		ARRAY_ADD(compiling->loaded, compiling->nr_loaded,
			  (struct loaded_file){ *key, profil_now() });
	return !failed || errno != ENOSPC || !compiling->nr_loaded;
}

/* Load the rows in the file of the child; those the driver checks. The same */
static bool load(const struct table *table, struct compiling *compiling)
{
	const struct confined *child = &compiling->child;
	const size_t each = sizeof(struct profil_row);
	struct profil_rows *key = &compiling->key;
	struct stat status;
	bool is_done;
	void *rows;

	if (child->status || fstat(child->fd, &status) || !status.st_size ||
	    status.st_size % each ||
	    status.st_size > (off_t)(PROFIL_MAX_ROWS * each))
		return true;
	rows = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, child->fd, 0);
	if (rows == MAP_FAILED)
		return true;
	key->size = sizeof(*key);
	key->nr_rows = status.st_size / each;
	key->rows = (uintptr_t)rows;
	is_done = load_in_place(table, compiling);
	munmap(rows, status.st_size);
	return is_done;
}

/* Start to compile the file @fd, or the vDSO for -1. */
static void begin(struct compiling *compiling, const char *path, int fd)
{
	struct confined *child = &compiling->child;

	if (fd >= 0 && !profil_is_elf(fd))
		return;
	if (profil_confine_begin(child, NULL))
		answer_rows(child, path, fd);
	compiling->end_ns = profil_now() + DEADLINE_S * SECOND;
	compiling->is_busy = child->pid > 0;
	if (!compiling->is_busy)
		close(child->fd);
}

/* Wait for the child for @wait_ms at most. */
static bool has_ended(const struct compiling *compiling, int wait_ms)
{
	struct pollfd request = { compiling->child.socket, POLLIN };

	if (poll(&request, 1, wait_ms) > 0 &&
	    !profil_confined_answer(&compiling->child))
		return true;
	return profil_now() >= compiling->end_ns;
}

/* End the child, if it has not ended already: rows wait for room without it. */
static void end_child(struct confined *child)
{
	if (child->socket < 0)
		return;
	profil_confined_end(child);
	child->socket = -1;
}

void profil_callers_end(struct compiling *compiling)
{
	if (compiling->is_busy) {
		end_child(&compiling->child);
		close(compiling->child.fd);
	}
	free(compiling->loaded);
	*compiling = (struct compiling){ 0 };
}

static void finish(const struct table *table, struct compiling *compiling)
{
	end_child(&compiling->child);
	if (!load(table, compiling)) {
		compiling->end_ns = compiling->loaded->since_ns + KEPT_NS;
		return;
	}
	close(compiling->child.fd);
	compiling->is_busy = false;
}

/* Compile the file @fd, which is closed, or the vDSO for -1, and load its rows. */
static void compile(const struct table *table, const char *path, int fd,
		    const struct profil_rows *key)
{
	struct compiling compiling = { .key = *key };

	begin(&compiling, path, fd);
	while (compiling.is_busy)
		if (has_ended(&compiling, LOOK_MS))
			finish(table, &compiling);
	profil_callers_end(&compiling);
	if (fd >= 0)
		close(fd);
}

static void load_file(const struct table *table, const char *path)
{
	int fd = profil_regular_file_open(path);
	struct profil_rows key = { .kind = PROFIL_ROWS_BY_FD, .inode = fd };

	if (fd >= 0)
		compile(table, path, fd, &key);
}

static struct profil_rows key_of_vdso(void)
{
	struct profil_rows key = { .kind = PROFIL_NAME_SPECIAL };

	memcpy(&key.inode, VDSO, strlen(VDSO));
	return key;
}

static void load_vdso(const struct table *table)
{
	struct profil_rows key = key_of_vdso();

	compile(table, VDSO, -1, &key);
}

/* In the child: the paths of the files that @program needs, each with its end */
static void __attribute__((noreturn))
answer_needed(const struct confined *child, const char *program)
{
	char *paths[NEEDED_FILES], *text;
	size_t nr = profil_needed_find(program, paths), size;
	FILE *out = profil_memory_stream(&text, &size);

	for (size_t i = 0; i < nr; i++)
		fwrite(paths[i], 1, strlen(paths[i]) + 1, out);
	profil_memory_stream_end(out);
	answer(child, text, size);
}

#define MOST_OF_PATHS (NEEDED_FILES * PATH_MAX)

void profil_callers_load(const struct table *table, const char *name)
{
	char program[PATH_MAX], *paths;
	struct confined child;
	size_t size;

	if (!table->has_callers || !profil_child_find(name, program))
		return;
	if (profil_confine(&child, NULL, DEADLINE_S))
		answer_needed(&child, program);
	lseek(child.fd, 0, SEEK_SET);
	paths = profil_regular_file_text(child.fd, MOST_OF_PATHS, &size);
	close(child.fd);
	for (size_t at = 0; !child.status && at < size;
	     at += strlen(paths + at) + 1)
		load_file(table, paths + at);
	free(paths);
	load_vdso(table);
}

/* Load those of the code in @mapping of the process @pid, unless @loaded has its file. */
static void load_mapping(const struct table *table, pid_t pid,
			 const struct process_mapping *mapping,
			 struct index_map *loaded)
{
	struct index_key key = { { mapping->device, mapping->inode } };
	char *path;

	if (!mapping->is_code || *mapping->path != '/' ||
	    profil_index_map_find(loaded, key) != INDEX_NONE)
		return;
	profil_index_map_set(loaded, key, 0);
	path = profil_format("%s%s", profil_process_path(pid, "root").text,
			     mapping->path);
	load_file(table, path);
	free(path);
}

void profil_callers_attach(const struct table *table,
			   const struct option_numbers *pids)
{
	struct index_map loaded = { 0 };
	struct process_mapping *all;
	size_t nr;

	if (!table->has_callers || !pids->nr)
		return;
	for (size_t i = 0; i < pids->nr; i++) {
		all = profil_process_mappings(pids->items[i], &nr);
		for (size_t j = 0; j < nr; j++)
			load_mapping(table, pids->items[i], &all[j], &loaded);
		profil_process_mappings_free(all, nr);
	}
	profil_index_map_free(&loaded);
	load_vdso(table);
}

/* Descriptor of the file @wanted with the path @path, if it is there, or -1 */
static int open_wanted(const struct profil_wanted *wanted, const char *path)
{
	const struct file_identity identity = {
		.device = (uint64_t)major(wanted->device) << 32 |
			  minor(wanted->device),
		.inode = wanted->inode,
		.size = wanted->file_size,
		.mtime_ns = wanted->mtime_ns,
	};
	int fd, named = profil_mapped_file_open(wanted->pid, path, &identity);

	if (!named)
		return -1;
	fd = profil_regular_file_reopen(named);
	close(named);
	return fd;
}

/* Start to compile the file @wanted with the path @path, if it is there. */
static void begin_wanted(struct compiling *compiling,
			 const struct profil_wanted *wanted, const char *path)
{
	int fd;

	if (wanted->kind == PROFIL_NAME_SPECIAL) {
		compiling->key = key_of_vdso();
		if (!strcmp(path, VDSO))
			begin(compiling, path, -1);
		return;
	}
	compiling->key = (struct profil_rows){
		.kind = wanted->kind,
		.device = wanted->device,
		.inode = wanted->inode,
		.file_size = wanted->file_size,
		.mtime_ns = wanted->mtime_ns,
		.generation = wanted->generation,
	};
	fd = open_wanted(wanted, path);
	if (fd < 0)
		return;
	begin(compiling, path, fd);
	close(fd);
}

static void begin_next(const struct table *table, struct compiling *compiling)
{
	char path[PATH_MAX + sizeof(" (deleted)")];

	for (int i = 0; !compiling->is_busy && i < PROFIL_MAX_WANTED; i++) {
		struct profil_wanted wanted = {
			.size = sizeof(wanted),
			.room = sizeof(path),
			.path = (uintptr_t)path,
		};

		if (ioctl(table->fd, PROFIL_TABLE_IOC_WANTED, &wanted))
			return;
		begin_wanted(compiling, &wanted, path);
	}
}

void profil_callers_serve(const struct table *table,
			  struct compiling *compiling)
{
	if (compiling->is_busy && has_ended(compiling, 0))
		finish(table, compiling);
	if (table->has_callers)
		begin_next(table, compiling);
}
