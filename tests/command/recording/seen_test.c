// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is seen of processes while they run: files that are gone later, who has forked
 * them, and executable memory
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/mapped_file.h"
#include "record/memory.h"
#include "record/seen.h"
#include "record/sights.h"
#include "tap.h"
#include "util/clock.h"

extern char etext;

#define PAGE 4096UL

/* A process that has done @prepare, and waits for its end */
static pid_t begin_process(void (*prepare)(void))
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ready[0]);
		if (prepare)
			prepare();
		close(ready[1]);
		pause();
		_exit(0);
	}
	close(ready[1]);
	while (read(ready[0], &byte, 1) > 0)
		;
	close(ready[0]);
	return pid;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A copy of a program, which is executed and deleted */
static char copy[64];

static bool make_copy(void)
{
	char command[128];

	snprintf(copy, sizeof(copy), "/tmp/seen-%d", getpid());
	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(),
		 copy);
	return !system(command);
}

static void execute_copy(void)
{
	execl(copy, copy, "pause", NULL);
	_exit(1);
}

static void execute_on_signal(int signal)
{
	(void)signal;
	execute_copy();
}

static void execute_later(void)
{
	signal(SIGUSR1, execute_on_signal);
}

/* The copies of this program wait, before any test. */
static void __attribute__((constructor)) pause_copy(void)
{
	char name[PATH_MAX] = "";

	if (readlink("/proc/self/exe", name, sizeof(name) - 1) > 0 &&
	    !strncmp(name, "/tmp/seen-", strlen("/tmp/seen-")))
		pause();
}

static void sleep_ms(long ms)
{
	usleep(ms * 1000);
}

/* A moment later the process has executed the copy. */
static bool executes(pid_t pid, const char *path)
{
	char name[PATH_MAX];
	ssize_t size = 0;

	for (int i = 0; i < 1000; i++, sleep_ms(5)) {
		size = readlink(profil_process_path(pid, "exe").text, name,
				sizeof(name));
		if (size == (ssize_t)strlen(path) && !memcmp(name, path, size))
			return true;
	}
	return false;
}

static struct code code_of_copy(void)
{
	struct code code = {
		.path = copy,
		.origin = { .root = INDEX_NONE,
			    .identity = profil_file_identity(copy) },
	};

	return code;
}

/* The function at the address of make_copy() in the file with index @object */
static bool has_name(struct growing *growing, uint32_t object)
{
	uint64_t begin = getauxval(AT_PHDR) - sizeof(Elf64_Ehdr);
	struct profile_program program = { .path = copy };
	struct profile_place place = {
		.object = object,
		.offset = (uintptr_t)make_copy - begin,
	};
	struct profile_sample sample = { .user = 1 };
	const struct profile *profile = &growing->profile;
	uint32_t nr = profile->nr_places;

	sample.program =
		profil_profile_add_program(&growing->profile, &program);
	profil_growing_add(growing, &place, &sample);
	profil_growing_resolve(growing, false);
	tap_note("%s", profile->functions[profile->places[nr].function].name);
	return !strcmp(profile->functions[profile->places[nr].function].name,
		       "make_copy");
}

TEST("a process that has the number of an earlier one is another")
{
	struct growing growing;

	profil_growing_begin(&growing);
	for (uint64_t begin_ns = 1; begin_ns < 4; begin_ns++)
		CHECK_EQUAL(begin_ns,
			    profil_growing_process(&growing, getpid(), begin_ns)
				    ->begin_ns);
	profil_growing_free(&growing);
	return true;
}

TEST("a file that is deleted has names, if its process ran when it was taken")
{
	struct growing growing;
	struct code code;
	uint32_t object;
	pid_t pid;

	profil_growing_begin(&growing);
	CHECK(make_copy());
	pid = begin_process(execute_copy);
	CHECK(executes(pid, copy));
	code = code_of_copy();
	unlink(copy);
	object = profil_growing_file(&growing, &code, pid, 1);
	end_process(pid);
	CHECK(has_name(&growing, object));
	CHECK_EQUAL(0, growing.nr_files);
	profil_growing_free(&growing);
	return true;
}

TEST("a file that is gone with its process has names, if both were there at a look")
{
	struct growing growing;
	struct code code;
	pid_t pid;

	profil_growing_begin(&growing);
	profil_sights_look(&growing, profil_memory_see);
	CHECK(make_copy());
	pid = begin_process(execute_copy);
	CHECK(executes(pid, copy));
	code = code_of_copy();
	profil_sights_look(&growing, profil_memory_see);
	unlink(copy);
	end_process(pid);
	CHECK(has_name(&growing, profil_growing_file(&growing, &code, pid, 0)));
	code = code_of_copy();
	profil_growing_free(&growing);
	return true;
}

TEST("a young process that executes another file is looked at again")
{
	struct growing growing;
	struct code code;
	pid_t pid;

	profil_growing_begin(&growing);
	profil_sights_look(&growing, profil_memory_see);
	CHECK(make_copy());
	pid = begin_process(execute_later);
	profil_sights_look(&growing, profil_memory_see);
	kill(pid, SIGUSR1);
	CHECK(executes(pid, copy));
	code = code_of_copy();
	profil_sights_look(&growing, profil_memory_see);
	unlink(copy);
	end_process(pid);
	CHECK(has_name(&growing, profil_growing_file(&growing, &code, pid, 0)));
	profil_growing_free(&growing);
	return true;
}

static bool has_ancestor(const struct resolve_origin *process)
{
	return process && process->ancestors[0].pid == (uint32_t)getpid();
}

TEST("a forked child has its parent's code until it executes a program, also the same")
{
	struct growing growing;
	pid_t pid;

	profil_growing_begin(&growing);
	CHECK(make_copy());
	pid = begin_process(NULL);
	CHECK(has_ancestor(profil_growing_generator(&growing, pid, 1)));
	CHECK_EQUAL(profil_process_image(getpid()), profil_process_image(pid));
	end_process(pid);
	CHECK(has_ancestor(profil_growing_generator(&growing, pid, 0)));
	pid = begin_process(execute_copy);
	CHECK(executes(pid, copy));
	CHECK(profil_process_image(pid) != profil_process_image(getpid()));
	CHECK(!has_ancestor(profil_growing_generator(&growing, pid, 2)));
	end_process(pid);
	unlink(copy);
	profil_growing_free(&growing);
	return true;
}

/* Memory for generated code, from @offset on in a file, or without one */
static char *generated;

static void map_file(int fd)
{
	if (ftruncate(fd, 16 * PAGE))
		_exit(1);
	generated = mmap(generated, 4 * PAGE, PROT_READ | PROT_EXEC,
			 MAP_SHARED | MAP_FIXED, fd, 8 * PAGE);
	if (generated == MAP_FAILED)
		_exit(1);
}

static void map_memfd(void)
{
	map_file(memfd_create("jit", 0));
}

static void map_deleted(void)
{
	int fd = open(copy, O_RDWR | O_CREAT | O_TRUNC, 0700);

	unlink(copy);
	map_file(fd);
}

static void map_program(void)
{
	int fd = memfd_create("program", 0), own = open("/proc/self/exe", 0);
	char *bytes = mmap(NULL, 16 * PAGE, PROT_READ, MAP_PRIVATE, own, 0);

	if (write(fd, bytes, 16 * PAGE) < 0)
		_exit(1);
	map_file(fd);
}

/* The code of this program is moved to memory at the same addresses. */
static void move_text(void)
{
	uintptr_t low = (uintptr_t)move_text & -PAGE;
	size_t size = ((uintptr_t)&etext - low + PAGE - 1) & -PAGE;
	void *new = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(new, (void *)low, size);
	if (mremap(new, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   (void *)low) == MAP_FAILED)
		_exit(1);
}

/* The file that the process @pid has mapped at @generated, as the driver names it */
static struct code mapped_code(pid_t pid)
{
	struct code code = { .origin.root = INDEX_NONE };
	struct process_mapping *all;
	struct stat status;
	size_t nr;

	all = profil_process_mappings(pid, &nr);
	for (size_t i = 0; i < nr; i++) {
		static char path[PATH_MAX];

		if (all[i].start != (uintptr_t)generated)
			continue;
		snprintf(path, sizeof(path), "%.*s",
			 (int)(strlen(all[i].path) - strlen(" (deleted)")),
			 all[i].path);
		code.path = path;
		code.origin.identity.device = all[i].device;
		code.origin.identity.inode = all[i].inode;
		snprintf(path + 1024, 64, "/proc/%d/map_files/%lx-%lx", pid,
			 (long)all[i].start, (long)all[i].end);
		if (!stat(path + 1024, &status)) {
			code.origin.identity.size = status.st_size;
			code.origin.identity.mtime_ns =
				profil_nanoseconds(status.st_mtim);
		}
	}
	profil_process_mappings_free(all, nr);
	return code;
}

/* Code of a process that has done @prepare is generated code, and has its address. */
static bool is_generated(void (*prepare)(void))
{
	static const struct code program;
	struct growing growing;
	struct profile_place place = { .offset = 9 * PAGE + 4 };
	const struct resolve_origin *process;
	struct code code;
	uint32_t index;
	pid_t pid;

	profil_growing_begin(&growing);
	generated = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	pid = begin_process(prepare);
	code = mapped_code(pid);
	process = profil_growing_generator(&growing, pid, 1);
	index = profil_memory_find(&growing, pid, process);
	CHECK(index != INDEX_NONE);
	if (!profil_growing_is_memory(&growing, &code, pid)) {
		end_process(pid);
		return false;
	}
	end_process(pid);
	CHECK(profil_growing_is_memory(&growing, &code, pid));
	CHECK(profil_memory_place(&growing, index, &code.origin.identity,
				  &program, &place));
	CHECK_EQUAL((uintptr_t)generated + PAGE + 4, place.offset);
	place.offset = 13 * PAGE;
	CHECK(!profil_memory_place(&growing, index, &code.origin.identity,
				   &program, &place));
	profil_growing_free(&growing);
	return true;
}

TEST("code in a memfd, and in a deleted file, is generated code")
{
	CHECK(is_generated(map_memfd));
	snprintf(copy, sizeof(copy), "/tmp/seen-%d", getpid());
	CHECK(is_generated(map_deleted));
	return true;
}

/* Half of the mappings; a process may have 65530, see vm.max_map_count */
#define MANY 20000

/* Parts of a deleted file, and of memory with code that has no name, by turns */
static void map_many(void)
{
	int deleted = open(copy, O_RDWR | O_CREAT | O_TRUNC, 0700);

	unlink(copy);
	for (char *at = generated; at < generated + 2 * MANY * PAGE;
	     at += 2 * PAGE) {
		int fd = memfd_create("many", MFD_CLOEXEC);

		if (ftruncate(fd, PAGE) ||
		    mmap(at, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, deleted,
			 0) == MAP_FAILED ||
		    mmap(at + PAGE, PAGE, PROT_READ | PROT_EXEC,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			_exit(1);
		close(fd);
	}
}

static double cpu_seconds(void)
{
	return profil_clock_now(CLOCK_PROCESS_CPUTIME_ID) / 1e9;
}

/* Places of the process that are looked for, after it was seen */
#define PLACES 20000

/*
 * Are mappings of memory without a name that, as it is found when they have samples? And
 * in its ranges there is no place that was unmapped.
 */
static bool are_memory(struct growing *growing, pid_t pid,
		       const struct process_mapping *all, size_t nr)
{
	static const struct code program;
	const struct resolve_origin *process =
		profil_growing_generator(growing, pid, 1);
	uint32_t index = profil_memory_find(growing, pid, process);
	struct file_identity identity = { 0 };

	for (size_t i = 0; i < nr; i++) {
		if (!all[i].is_code || i % 9 ||
		    strncmp(all[i].path, "/memfd:many", 11))
			continue;
		identity.device = all[i].device;
		identity.inode = all[i].inode;
		CHECK(profil_mapped_file_is_memory(pid, all[i].path,
						   &identity));
	}
	for (uint64_t i = 0; i < PLACES; i++) {
		struct profile_place place = { .offset = PAGE + i };

		CHECK(!profil_memory_place(growing, index, &identity, &program,
					   &place));
	}
	return identity.inode;
}

/* To read the mappings for each file would take a hundred times as long. */
TEST("a process with very many mappings does not keep the recorder")
{
	struct process_mapping *all;
	struct growing growing;
	double begin, once;
	size_t nr;
	pid_t pid;

	profil_growing_begin(&growing);
	snprintf(copy, sizeof(copy), "/tmp/seen-%d", getpid());
	generated = mmap(NULL, 2 * MANY * PAGE, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid = begin_process(map_many);
	begin = cpu_seconds();
	all = profil_process_mappings(pid, &nr);
	once = cpu_seconds() - begin;
	CHECK(nr > 2 * MANY);
	begin = cpu_seconds();
	profil_memory_see(&growing, pid);
	CHECK(are_memory(&growing, pid, all, nr));
	tap_note("%.1f times", (cpu_seconds() - begin) / once);
	CHECK(cpu_seconds() - begin < 50 * once);
	profil_process_mappings_free(all, nr);
	munmap(generated, 2 * MANY * PAGE);
	end_process(pid);
	profil_growing_free(&growing);
	return true;
}

TEST("code of an ELF file in a memfd is that of a file")
{
	CHECK(!is_generated(map_program));
	return true;
}

TEST("code that was moved to memory has the offset in its file")
{
	struct code program = { .path = "/program", .origin.root = INDEX_NONE };
	uint64_t begin = getauxval(AT_PHDR) - sizeof(Elf64_Ehdr);
	struct profile_place place = { .offset = (uintptr_t)move_text };
	const struct resolve_origin *process;
	struct growing growing;
	uint32_t index;
	pid_t pid;

	profil_growing_begin(&growing);
	program.origin.identity = profil_file_identity("/proc/self/exe");
	pid = begin_process(move_text);
	process = profil_growing_generator(&growing, pid, 1);
	index = profil_memory_find(&growing, pid, process);
	CHECK(index != INDEX_NONE);
	end_process(pid);
	CHECK(profil_memory_place(&growing, index, NULL, &program, &place));
	CHECK_EQUAL((uintptr_t)move_text - begin, place.offset);
	CHECK(!strcmp(growing.profile.objects[place.object].path, "/program"));
	CHECK_EQUAL(PROFILE_FILE, growing.profile.objects[place.object].kind);
	profil_growing_free(&growing);
	return true;
}
