// SPDX-License-Identifier: GPL-2.0-only
/*
 * generator MODE LOOPS: execute two functions of generated code, new_a and
 * new_b, LOOPS times each. The modes are
 *
 *	again		The map names the addresses twice, and the last names count.
 *	part		A small function is in the range of an older one.
 *	memfd, private	The code is a mapping, shared or private, of a memfd, and is
 *			written by another one.
 *	shm		The same of a file in /dev/shm.
 *	deleted		The same of a file that is deleted.
 *	fork		A forked child executes the code.
 *	grandchild	A child of that child does.
 *	exec		A forked child executes this program, without a map.
 *	none		There is no map.
 *	moved		The code is that of this program, moved_a and moved_b, which are
 *			moved to memory at the same addresses.
 *	spin		The same, where they are, for LOOPS milliseconds of CPU time
 */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIZE 0x10000
#define PAGE 4096UL

typedef void function(unsigned long loops);

/* 1: dec loops; jnz 1b; ret */
#if defined(__x86_64__)
static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#define LOAD_END_OF_TEXT "lea etext(%%rip), %0"
#else
#define LOAD_END_OF_TEXT "adrp %0, etext\n\tadd %0, %0, :lo12:etext"
static const unsigned char code[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff,
				      0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6 };
#endif

static __attribute__((noinline)) void moved_a(unsigned long loops)
{
	while (loops--)
		__asm__ volatile("" : "+r"(loops));
}

static __attribute__((noinline)) void moved_b(unsigned long loops)
{
	while (loops--)
		__asm__ volatile("" : "+r"(loops) : : "memory");
}

/* The linker's symbol */
static char *end_of_text(void)
{
	char *end;

	__asm__(LOAD_END_OF_TEXT : "=r"(end));
	return end;
}

static void move(void)
{
	char *low = (char *)((unsigned long)moved_a & -PAGE);
	size_t size = (end_of_text() - low + PAGE - 1) & -PAGE;
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(copy, low, size);
	if (mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, low) != low)
		err(1, "mremap");
}

static int open_memory(const char *mode)
{
	int fd;

	if (!strcmp(mode, "memfd") || !strcmp(mode, "private"))
		return memfd_create("doublemapper", 0);
	fd = open(!strcmp(mode, "shm") ? "/dev/shm/generated" :
					 "/tmp/generated",
		  O_RDWR | O_CREAT | O_TRUNC, 0700);
	if (!strcmp(mode, "deleted"))
		unlink("/tmp/generated");
	return fd;
}

/* Memory for code, to execute it, and the mapping of it to write it */
static char *map_memory(const char *mode, char **writable)
{
	bool is_file = strstr("memfd private shm deleted", mode);
	int fd = is_file ? open_memory(mode) : -1;
	int shared = !strcmp(mode, "private") ? MAP_PRIVATE : MAP_SHARED;
	char *memory;

	if (!is_file) {
		memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		*writable = memory;
		return memory;
	}
	if (fd < 0 || ftruncate(fd, SIZE))
		err(1, "memory");
	*writable = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return mmap(NULL, SIZE, PROT_READ | PROT_EXEC, shared, fd, 0);
}

static void write_map(const char *mode, const char *a, const char *b)
{
	char path[64];
	FILE *map;

	if (!strcmp(mode, "none"))
		return;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	if (!map)
		err(1, "%s", path);
	if (!strcmp(mode, "again"))
		fprintf(map, "%lx 20 old_a\n%lx 20 old_b\n", (long)a, (long)b);
	if (!strcmp(mode, "part"))
		fprintf(map, "%lx %x old_all\n", (long)a & -PAGE, SIZE);
	fprintf(map, "%lx 20 new_a\n%lx 20 new_b\n", (long)a, (long)b);
	fclose(map);
}

/* Continue in a child, and end with it. */
static void continue_in_child(void)
{
	int status;

	if (!fork())
		return;
	wait(&status);
	exit(WEXITSTATUS(status));
}

static void generate(const char *mode, unsigned long loops)
{
	char *writable, *memory = map_memory(mode, &writable);
	char *a = memory + 0x400, *b = memory + 0x800;

	memcpy(writable + 0x400, code, sizeof(code));
	memcpy(writable + 0x800, code, sizeof(code));
	__builtin___clear_cache(memory, memory + SIZE);
	write_map(mode, a, b);
	if (strstr("fork grandchild exec", mode))
		continue_in_child();
	if (!strcmp(mode, "grandchild"))
		continue_in_child();
	if (!strcmp(mode, "exec")) {
		char number[32];

		snprintf(number, sizeof(number), "%lu", loops);
		execl("/proc/self/exe", "generator", "none", number, NULL);
	}
	((function *)a)(loops);
	((function *)b)(loops);
}

static void spin(unsigned long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end) {
		moved_a(20000);
		moved_b(20000);
	}
}

int main(int argc, char **argv)
{
	unsigned long loops = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	const char *mode = argc > 2 ? argv[1] : "";

	if (!*mode)
		errx(1, "MODE LOOPS");
	if (!strcmp(mode, "spin")) {
		spin(loops);
	} else if (!strcmp(mode, "moved")) {
		move();
		moved_a(loops);
		moved_b(loops);
	} else {
		generate(mode, loops);
	}
	return 0;
}
