// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executable memory of processes
 *
 * Memory for generated code may be a file: a memfd, or another one without symbols,
 * whose code is counted at offsets in it. And a program may have moved a part of its own
 * code to other memory at the same addresses, to that of huge pages.
 */
#include "process/mapped_file.h"
#include "record/memory.h"
#include "record/seen.h"
#include "util/clock.h"

/* Ranges that are kept in all, and of a process: each place is looked for in all of these */
#define MAX_RANGES 32768
#define MOST_RANGES 4096

/* A moved part is so near to the parts of its file that were not moved. */
#define NEAR 8

/*
 * Files that are looked for in one reading of a process, among all of its mappings. A
 * program moves its own code, and has generated code in few files.
 */
#define MOST_FILES 64

/*
 * Memory in which a place is not found is read again after these times: an address is
 * mostly one of generated code all the same, and an offset in a file is of no use. If it
 * is large, that takes one of PART parts of the time.
 */
#define AGE_NS (SECOND / 4)
#define AGE_OF_FILES_NS (SECOND / 50)
#define PART 20

/* Code of files that was moved */

/* A segment of a file; @is_code: it is executable */
struct segment {
	uint64_t offset;
	uint64_t address;
	uint64_t size;
	bool is_code;
};

#define MAX_HEADERS 32

/* The segments of the file @fd, ascending; their number, 0 if that is no ELF file */
static size_t read_segments(int fd, struct segment segments[MAX_HEADERS])
{
	Elf64_Phdr headers[MAX_HEADERS];
	Elf64_Ehdr header;
	size_t nr = 0;
	ssize_t size;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_phentsize != sizeof(*headers) ||
	    header.e_phnum > MAX_HEADERS)
		return 0;
	size = header.e_phnum * sizeof(*headers);
	if (pread(fd, headers, size, header.e_phoff) != size)
		return 0;
	for (size_t i = 0; i < header.e_phnum; i++)
		if (headers[i].p_type == PT_LOAD)
			segments[nr++] = (struct segment){
				.offset = headers[i].p_offset,
				.address = headers[i].p_vaddr,
				.size = headers[i].p_filesz,
				.is_code = headers[i].p_flags & PF_X,
			};
	return nr;
}

static bool are_of_one_file(const struct process_mapping *one,
			    const struct process_mapping *other)
{
	return one->inode == other->inode && one->device == other->device;
}

/* The file that has mappings around the one with index @at; NULL if there is none */
static const struct process_mapping *
find_around(const struct process_mapping *all, size_t nr, size_t at)
{
	const struct process_mapping *file = NULL;

	for (size_t i = at; i-- > 0 && i + NEAR >= at && !file;)
		if (*all[i].path == '/' && all[i].inode &&
		    !are_of_one_file(&all[i], &all[at]))
			file = &all[i];
	for (size_t i = at + 1; file && i < nr && i <= at + NEAR; i++)
		if (are_of_one_file(&all[i], file))
			return file;
	return NULL;
}

/*
 * What is added to addresses of the file in @segments, whose first one has the lowest of
 * its mappings up to @file; false if that cannot be known.
 */
static bool find_bias(const struct process_mapping *all,
		      const struct process_mapping *file,
		      const struct segment *first, uint64_t *bias)
{
	uint64_t page = sysconf(_SC_PAGESIZE);

	for (size_t i = file - all + 1; i-- > 0;) {
		if (!are_of_one_file(&all[i], file) ||
		    all[i].offset != first->offset / page * page)
			continue;
		*bias = all[i].start - first->address / page * page;
		return true;
	}
	return false;
}

/* The file of @mapping, the program or another one, to be freed */
static struct code *file_of(const struct memory *memory,
			    const struct process_mapping *mapping)
{
	struct process_path program = profil_process_path(memory->pid, "exe");
	struct code *code = profil_zeros(1, sizeof(*code));
	struct file_identity *identity = &code->origin.identity;
	char *inside;

	code->path = profil_copy_string(mapping->path);
	code->origin.pid = memory->pid;
	code->origin.root = INDEX_NONE;
	*identity = profil_file_identity(program.text);
	if (identity->inode == mapping->inode)
		return code;
	inside = profil_format("%s%s",
			       profil_process_path(memory->pid, "root").text,
			       mapping->path);
	*identity = profil_file_identity(inside);
	free(inside);
	return code;
}

static void free_code(struct code *code)
{
	if (code)
		free((char *)code->path);
	free(code);
}

static void forget(struct memory *memory)
{
	for (size_t i = 0; i < memory->nr; i++)
		free_code(memory->ranges[i].file);
	free(memory->ranges);
	memory->ranges = NULL;
	memory->nr = 0;
}

void profil_memory_forget(struct growing *growing)
{
	for (size_t i = 0; i < growing->nr_memories; i++)
		forget(&growing->memories[i]);
	free(growing->memories);
	growing->memories = NULL;
	growing->nr_memories = 0;
	profil_index_map_free(&growing->memory_files);
}

/* File systems have several devices for a file. */
static bool is_same_file(const struct file_identity *one,
			 const struct file_identity *other)
{
	return one->inode == other->inode && one->size == other->size &&
	       one->mtime_ns == other->mtime_ns;
}

static void add_range(struct memory *memory,
		      const struct process_mapping *mapping, uint64_t start,
		      uint64_t end, struct range range)
{
	range.start = start;
	range.end = end;
	range.offset = mapping->offset + (start - mapping->start);
	range.device = mapping->device;
	range.inode = mapping->inode;
	ARRAY_ADD(memory->ranges, memory->nr, range);
}

static uint64_t greater(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* Add what @mapping has of the code in @segments of @file. */
static void add_moved(struct memory *memory,
		      const struct process_mapping *mapping,
		      const struct segment *segments, size_t nr, uint64_t bias,
		      const struct process_mapping *file)
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t begin = bias + segments[i].address;
		uint64_t start = greater(mapping->start, begin);
		uint64_t end = lesser(mapping->end, begin + segments[i].size);
		struct range range = { .moved = segments[i].offset +
						(start - begin) };

		if (!segments[i].is_code || start >= end)
			continue;
		range.file = file_of(memory, file);
		add_range(memory, mapping, start, end, range);
	}
}

/* The segments of the file of @mapping, which the process @pid has mapped */
static size_t segments_of(pid_t pid, const struct process_mapping *mapping,
			  struct segment segments[MAX_HEADERS])
{
	const struct memory memory = { .pid = pid };
	struct code *code = file_of(&memory, mapping);
	int named = profil_mapped_file_open(pid, code->path,
					    &code->origin.identity);
	int fd = named ? profil_regular_file_reopen(named) : -1;
	size_t nr = fd < 0 ? 0 : read_segments(fd, segments);

	if (fd >= 0)
		close(fd);
	if (named)
		close(named);
	free_code(code);
	return nr;
}

/*
 * Add the code of a file that was moved to the mapping with index @at, unless @looks files
 * were looked for, which is raised.
 */
static void find_moved(struct memory *memory, const struct process_mapping *all,
		       size_t nr, size_t at, int *looks)
{
	const struct process_mapping *file = find_around(all, nr, at);
	struct segment segments[MAX_HEADERS];
	uint64_t bias;
	size_t found;

	if (!file || (*looks)++ >= MOST_FILES)
		return;
	found = segments_of(memory->pid, file, segments);
	if (found && find_bias(all, file, segments, &bias))
		add_moved(memory, &all[at], segments, found, bias, file);
}

/* Executable memory of a process */

static void read_memory(struct memory *memory)
{
	uint64_t begin_ns = profil_now();
	size_t nr;
	struct process_mapping *all = profil_process_mappings(memory->pid, &nr);
	int looks = 0;

	/* What a process had is known after its end. */
	if (nr)
		forget(memory);
	for (size_t i = 0; i < nr && memory->nr < MOST_RANGES; i++) {
		if (!all[i].is_code)
			continue;
		find_moved(memory, all, nr, i, &looks);
		add_range(memory, &all[i], all[i].start, all[i].end,
			  (struct range){ 0 });
	}
	profil_process_mappings_free(all, nr);
	memory->read_ns = profil_now();
	memory->took_ns = memory->read_ns - begin_ns;
}

static bool has_many(const struct growing *growing)
{
	size_t nr = growing->nr_memories;

	for (size_t i = 0; i < growing->nr_memories; i++)
		nr += growing->memories[i].nr;
	return nr > MAX_RANGES;
}

/* The memory of a process is that of the same process, and of the same program. */
static bool is_of(const struct memory *memory, uint32_t pid,
		  const struct resolve_origin *process)
{
	return memory->pid == pid && (!process || !process->image ||
				      (memory->begin_ns == process->begin_ns &&
				       memory->image == process->image));
}

static uint32_t find_memory(const struct growing *growing, uint32_t pid,
			    const struct resolve_origin *process)
{
	uint32_t i = growing->nr_memories;

	while (i-- > 0)
		if (is_of(&growing->memories[i], pid, process))
			return i;
	return INDEX_NONE;
}

uint32_t profil_memory_find(struct growing *growing, uint32_t pid,
			    const struct resolve_origin *process)
{
	uint32_t index = find_memory(growing, pid, process);
	struct memory memory = { .pid = pid };

	if (index != INDEX_NONE || !process)
		return index;
	if (has_many(growing))
		profil_memory_forget(growing);
	memory.begin_ns = process->begin_ns;
	memory.image = process->image;
	read_memory(&memory);
	if (!memory.nr)
		return INDEX_NONE;
	ARRAY_ADD(growing->memories, growing->nr_memories, memory);
	return growing->nr_memories - 1;
}

/* Offset in @range of the address @at, or of the offset @at in @file; may be beyond it */
static uint64_t offset_in(const struct range *range,
			  const struct file_identity *file, uint64_t at)
{
	if (!file)
		return at - range->start;
	if (range->inode != file->inode || range->device != file->device)
		return UINT64_MAX;
	return (uint32_t)(at - range->offset);
}

static const struct range *find_range(const struct memory *memory,
				      const struct file_identity *file,
				      uint64_t at)
{
	for (size_t i = 0; i < memory->nr; i++) {
		const struct range *range = &memory->ranges[i];

		if (offset_in(range, file, at) < range->end - range->start)
			return range;
	}
	return NULL;
}

/* Index of the file with the identity of @code, or INDEX_NONE */
static uint32_t find_known(const struct growing *growing,
			   const struct code *code)
{
	for (uint32_t i = 0; i < growing->profile.nr_objects; i++)
		if (growing->profile.objects[i].kind == PROFILE_FILE &&
		    is_same_file(&growing->origins[i].identity,
				 &code->origin.identity))
			return i;
	return INDEX_NONE;
}

/* The file whose code was moved to @range: @program, as the driver names it, or another */
static uint32_t object_of(struct growing *growing, const struct memory *memory,
			  const struct range *range, const struct code *program)
{
	struct code code = *range->file;
	uint32_t index = find_known(growing, &code);

	if (index != INDEX_NONE)
		return index;
	if (is_same_file(&code.origin.identity, &program->origin.identity))
		code = *program;
	return profil_growing_file(growing, &code, memory->pid,
				   memory->begin_ns);
}

bool profil_memory_place(struct growing *growing, uint32_t index,
			 const struct file_identity *file,
			 const struct code *program,
			 struct profile_place *place)
{
	struct memory *memory = &growing->memories[index];
	const struct range *range = find_range(memory, file, place->offset);
	uint64_t age_ns = file ? AGE_OF_FILES_NS : AGE_NS, into;

	age_ns += PART * memory->took_ns;
	if (!range && profil_now() - memory->read_ns > age_ns) {
		read_memory(memory);
		range = find_range(memory, file, place->offset);
	}
	if (!range)
		return false;
	into = offset_in(range, file, place->offset);
	place->offset = range->start + into;
	if (!range->file)
		return true;
	place->object = object_of(growing, memory, range, program);
	place->offset = range->moved + into;
	return true;
}

/* The process may have generated code: it has executable memory that is no named file. */
static bool has_memory(const struct process_mapping *all, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (all[i].is_code && strncmp(all[i].path, "[v", 2) &&
		    (!all[i].inode || profil_mapping_is_nameless(&all[i])))
			return true;
	return false;
}

/* Its files are known by their names, if they have one, when they are taken. */
static void note_files(struct growing *growing, pid_t pid,
		       const struct process_mapping *all, size_t nr)
{
	int looks = 0;

	for (size_t i = 0; i < nr && looks < MOST_FILES; i++) {
		struct code code = {
			.path = all[i].path,
			.origin.identity = { .device = all[i].device,
					     .inode = all[i].inode },
		};

		if (!all[i].is_code || !all[i].inode ||
		    !profil_mapping_is_nameless(&all[i]))
			continue;
		profil_growing_is_memory(growing, &code, pid);
		looks++;
	}
}

void profil_memory_see(struct growing *growing, pid_t pid)
{
	const struct resolve_origin *process;
	size_t nr;
	struct process_mapping *all = profil_process_mappings(pid, &nr);
	uint64_t begin_ns;
	uint32_t index;

	if (has_memory(all, nr)) {
		begin_ns = profil_process_begin_ns(pid);
		process = profil_growing_generator(growing, pid, begin_ns);
		index = profil_memory_find(growing, pid, process);
		if (index != INDEX_NONE)
			read_memory(&growing->memories[index]);
		note_files(growing, pid, all, nr);
	}
	profil_process_mappings_free(all, nr);
}
