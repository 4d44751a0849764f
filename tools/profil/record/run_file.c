// SPDX-License-Identifier: GPL-2.0-only
/*
 * The run's file, as `profil run` creates and reads it
 *
 * The file is sparse. Only its ranges of data are read, so that the cost depends
 * on the hot code and not on all mapped code.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/run_file.h"
#include "util/exit_status.h"

/* Kernels may have it without the headers of the system. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

/*
 * RLIMIT_MEMLOCK that any number of processes may use, and the part of a lower
 * one that a process is expected to use: a compiler locks 1 to 3 MiB.
 */
#define MEMLOCK_AMPLE (64UL << 20)
#define MEMLOCK_SHARE (2UL << 20)

/* Counters that are read at once */
#define AT_ONCE 16384

/* Kernels before 6.3 reject the flag; later ones may require it. */
static int new_file(void)
{
	unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	int fd = memfd_create("profil-run", flags | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("profil-run", flags);
	return fd;
}

/* Next range of data of @fd in @from to @end; false if there is none */
static bool next_data(int fd, off_t from, off_t end, off_t *start, off_t *stop)
{
	*start = lseek(fd, from, SEEK_DATA);
	if (*start < 0 || *start >= end)
		return false;
	*stop = lseek(fd, *start, SEEK_HOLE);
	if (*stop < 0 || *stop > end)
		*stop = end;
	return *stop > *start; /* A device has neither data nor holes. */
}

/* RLIMIT_FSIZE applies to sparse files, too; the hard limit remains. */
static int enlarge(int fd)
{
	struct rlimit old, most;
	int ret;

	if (getrlimit(RLIMIT_FSIZE, &old))
		return -1;
	most = (struct rlimit){ old.rlim_max, old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &most);
	ret = ftruncate(fd, RUN_SIZE);
	setrlimit(RLIMIT_FSIZE, &old);
	return ret;
}

/* A program that could cut the file would end all that map it by SIGBUS. */
static int seal(int fd)
{
	return fcntl(fd, F_ADD_SEALS,
		     F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

uint64_t profil_run_file_counter_bytes(const struct run_file *file)
{
	uint64_t bytes = 0;
	off_t start, stop = sizeof(*file->run);

	while (next_data(file->fd, stop, RUN_SIZE, &start, &stop))
		bytes += stop - start;
	return bytes;
}

/* CAP_IPC_LOCK lifts the limit. */
static bool may_lock_anything(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return !syscall(SYS_capget, &head, data) &&
	       data[0].effective & 1U << CAP_IPC_LOCK;
}

static uint32_t crowd(void)
{
	struct rlimit limit;

	if (may_lock_anything() || getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur >= MEMLOCK_AMPLE)
		return 0;
	if (limit.rlim_cur < MEMLOCK_SHARE)
		return 1;
	return limit.rlim_cur / MEMLOCK_SHARE;
}

void profil_run_file_create(struct run_file *file, uint64_t period_ns)
{
	file->fd = new_file();
	if (file->fd < 0)
		err(EXIT_PROFIL, "cannot create a file in memory");
	if (enlarge(file->fd))
		errx(EXIT_PROFIL,
		     "cannot create a sparse file of 64 TiB in memory (%s): ulimit -f unlimited",
		     strerror(errno));
	if (seal(file->fd))
		err(EXIT_PROFIL, "cannot create a file in memory");
	file->run = mmap(NULL, sizeof(*file->run), PROT_READ | PROT_WRITE,
			 MAP_SHARED, file->fd, 0);
	if (file->run == MAP_FAILED)
		err(EXIT_PROFIL, "cannot map a file in memory");
	file->run->period_ns = period_ns;
	file->run->crowd = crowd();
	file->run->space = run_align(sizeof(*file->run));
	file->run->magic = RUN_MAGIC;
}

static uint64_t load(const __u64 *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/*
 * @ended is read first: the driver increments it last, so that the other totals
 * include all sessions in it.
 */
struct profil_totals profil_run_file_totals(const struct run_file *file)
{
	const struct profil_totals *totals = &file->run->totals;
	uint64_t ended = load(&totals->ended);

	return (struct profil_totals){
		.samples = load(&totals->samples),
		.hits = load(&totals->hits),
		.outside = load(&totals->outside),
		.lost = load(&totals->lost),
		.saturated = load(&totals->saturated),
		.kernel_samples = load(&totals->kernel_samples),
		.sessions = load(&totals->sessions),
		.ended = ended,
		.unprofiled_children = load(&totals->unprofiled_children),
		.cpu_ns = load(&totals->cpu_ns),
		.sampled_ns = load(&totals->sampled_ns),
	};
}

/**
 * struct half - the counters of a text for one mode
 * @fd: the run's file
 * @first: offset of the first counter in the run's file
 * @end: offset after the last
 * @from: offset in the object that the first counter stands for
 * @text_bytes: bytes of text for each counter
 * @is_kernel: the mode is kernel mode
 * @table: samples of the run
 * @object: the object of the text
 */
struct half {
	int fd;
	off_t first;
	off_t end;
	uint64_t from;
	uint32_t text_bytes;
	bool is_kernel;
	struct sample_table *table;
	struct code_object *object;
};

/* Add @nr counters, which are at @at in the run's file. */
static void add_counters(const struct half *half, off_t at,
			 const uint32_t *counters, size_t nr)
{
	uint64_t index = (at - half->first) / RUN_COUNTER;

	for (size_t i = 0; i < nr; i++) {
		struct sample sample = {
			.offset = half->from + (index + i) * half->text_bytes,
		};

		if (!counters[i])
			continue;
		*(half->is_kernel ? &sample.kernel : &sample.user) =
			counters[i];
		profil_sample_table_add(half->table, half->object, &sample);
	}
}

/* Add the counters at @start to @stop of the run's file. */
static void read_data(const struct half *half, off_t start, off_t stop)
{
	static uint32_t counters[AT_ONCE];

	while (start < stop) {
		size_t size = sizeof(counters);
		ssize_t got;

		if (stop - start < (off_t)size)
			size = stop - start;
		got = pread(half->fd, counters, size, start);
		if (got < (ssize_t)sizeof(*counters))
			return;
		add_counters(half, start, counters, got / sizeof(*counters));
		start += got;
	}
}

static void read_half(const struct half *half)
{
	off_t start, stop;

	for (off_t at = half->first;
	     next_data(half->fd, at, half->end, &start, &stop); at = stop)
		read_data(half, start, stop);
}

static struct code_object *object_of(struct sample_table *table,
				     struct run_text *text)
{
	struct code_object object = {
		.path = text->path,
		.program = text->program,
		.identity = text->identity,
	};

	if (text->kind == RUN_TEXT_JIT || text->jit)
		object.kind = CODE_JIT;
	else if (text->kind == RUN_TEXT_OUTSIDE)
		object.kind = CODE_OUTSIDE;
	if (text->kind == RUN_TEXT_JIT)
		object.pid = text->pid;
	return profil_sample_table_object(table, &object);
}

static bool read_record(int fd, uint64_t where, struct run_text *text)
{
	if (pread(fd, text, sizeof(*text), where) != sizeof(*text))
		return false;
	text->path[RUN_PATH - 1] = '\0';
	text->program[RUN_PATH - 1] = '\0';
	if (text->text_bytes != 1 && text->text_bytes != 4)
		return false;
	return text->from <= text->to && text->to - text->from <= RUN_SIZE;
}

static void read_text(const struct run_file *file, uint64_t where,
		      struct sample_table *table)
{
	struct half half = {
		.fd = file->fd,
		.first = where + RUN_RECORD,
		.table = table,
	};
	struct run_text text;
	off_t size;

	if (!read_record(file->fd, where, &text))
		return;
	half.text_bytes = text.text_bytes;
	size = run_counters_size(text.kind, text.to - text.from,
				 half.text_bytes);
	half.end = half.first + size;
	half.from = text.from;
	half.object = object_of(table, &text);
	read_half(&half);
	half.first += size;
	half.end += size;
	half.is_kernel = true;
	read_half(&half);
}

void profil_run_file_read(const struct run_file *file,
			  struct sample_table *table)
{
	uint32_t claimed =
		__atomic_load_n(&file->run->claimed, __ATOMIC_RELAXED);

	for (uint32_t i = 0; i < claimed && i < RUN_TEXTS; i++) {
		const struct run_entry *entry = &file->run->texts[i];

		if (load(&entry->key))
			read_text(file, entry->where, table);
	}
	profil_sample_table_sort(table);
}
