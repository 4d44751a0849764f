// SPDX-License-Identifier: GPL-2.0-only
/* Processes, their descendants, CPU time and root directories, as /proc has them */
#include <dirent.h>
#include <elf.h>
#include <sys/stat.h>

#include "process/process.h"
#include "util/clock.h"
#include "util/text.h"

static uint64_t tick_ns(void)
{
	return SECOND / sysconf(_SC_CLK_TCK);
}

/* CPU time of clock ticks in user and in kernel mode */
static struct cpu_time time_of(unsigned long long user,
			       unsigned long long kernel)
{
	return (struct cpu_time){ tick_ns() * (user + kernel),
				  tick_ns() * kernel };
}

/* The name of the program, in parentheses, may contain any character. */
static bool parse(const char *line, struct process *process)
{
	unsigned long long user, kernel, child_user, child_kernel, begin;
	const char *rest = strrchr(line, ')');

	if (!rest ||
	    sscanf(rest,
		   ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d %*d %*d %*d %llu",
		   &process->parent, &user, &kernel, &child_user, &child_kernel,
		   &begin) != 6)
		return false;
	process->begin_ns = begin * tick_ns();
	process->alone = time_of(user, kernel);
	process->waited = time_of(user + child_user, kernel + child_kernel);
	return true;
}

/* The CPU clock has nanoseconds; /proc truncates both modes to clock ticks. */
static void read_clock(struct process *process)
{
	struct cpu_time *alone = &process->alone;
	uint64_t ticks_ns = alone->all_ns;
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(process->pid, &clock) ||
	    clock_gettime(clock, &used))
		return;
	alone->all_ns = profil_nanoseconds(used);
	if (alone->all_ns < alone->kernel_ns)
		alone->all_ns = alone->kernel_ns;
	process->waited.all_ns += alone->all_ns - ticks_ns;
}

struct process_path profil_process_path(pid_t pid, const char *name)
{
	struct process_path path;

	snprintf(path.text, sizeof(path.text), "/proc/%d/%s", pid, name);
	return path;
}

/* Read the process @pid; false if there is none. */
static bool read_process(pid_t pid, struct process *process)
{
	struct process_path path = profil_process_path(pid, "stat");
	char line[1024];

	*process = (struct process){ .pid = pid };
	if (pid <= 0 ||
	    !parse(profil_text_line(path.text, line, sizeof(line)), process))
		return false;
	read_clock(process);
	return true;
}

uint64_t profil_process_status(pid_t pid, const char *name, int base)
{
	FILE *status = fopen(profil_process_path(pid, "status").text, "re");
	uint64_t number = 0;
	char line[1024];

	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, name, strlen(name)))
			number =
				strtoull(strrchr(line, '\t') ?: "", NULL, base);
	if (status)
		fclose(status);
	return number;
}

uid_t profil_process_owner(pid_t pid)
{
	struct stat status;

	return stat(profil_process_path(pid, "stat").text, &status) ?
		       (uid_t)-1 :
		       status.st_uid;
}

uint64_t profil_process_begin_ns(pid_t pid)
{
	struct process process;

	return read_process(pid, &process) ? process.begin_ns : 0;
}

/* Images of programs */

/* Bytes of @file, @most or fewer, from @offset on; 0 if it cannot be read */
static size_t read_bytes(struct process_path file, void *bytes, size_t most,
			 uint64_t offset)
{
	int fd = open(file.text, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : pread(fd, bytes, most, offset);

	if (fd >= 0)
		close(fd);
	return got > 0 ? got : 0;
}

size_t profil_process_memory(pid_t pid, uint64_t address, void *bytes,
			     size_t size)
{
	return read_bytes(profil_process_path(pid, "mem"), bytes, size,
			  address);
}

/* Bytes at AT_RANDOM */
#define RANDOM 16

/*
 * The auxiliary vector has addresses that are random, mostly; the bytes at AT_RANDOM are
 * always, and can be read by who may trace the process.
 */
uint64_t profil_process_image(pid_t pid)
{
	uint64_t vector[64] = { 0 }, hash;
	uint8_t random[RANDOM];
	size_t size = read_bytes(profil_process_path(pid, "auxv"), vector,
				 sizeof(vector), 0);

	if (!size)
		return 0;
	hash = profil_hash(HASH_EMPTY, vector, size);
	for (size_t i = 0; i + 1 < size / sizeof(*vector); i += 2)
		if (vector[i] == AT_RANDOM &&
		    profil_process_memory(pid, vector[i + 1], random,
					  sizeof(random)) == sizeof(random))
			hash = profil_hash(hash, random, sizeof(random));
	return hash ? hash : 1;
}

/* Mappings */

static bool parse_mapping(char *line, struct process_mapping *mapping)
{
	unsigned int major, minor;
	char rights[5];
	int path = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64
		   " %n",
		   &mapping->start, &mapping->end, rights, &mapping->offset,
		   &major, &minor, &mapping->inode, &path) != 7)
		return false;
	mapping->device = (uint64_t)major << 32 | minor;
	mapping->is_code = rights[2] == 'x';
	mapping->path = profil_copy_string(line + path);
	return true;
}

struct process_mapping *profil_process_mappings(pid_t pid, size_t *nr)
{
	FILE *maps = fopen(profil_process_path(pid, "maps").text, "re");
	struct process_mapping *all = NULL, mapping;
	char *line = NULL;
	size_t room = 0;

	*nr = 0;
	while (maps && getline(&line, &room, maps) > 0)
		if (parse_mapping(line, &mapping))
			ARRAY_ADD(all, *nr, mapping);
	free(line);
	if (maps)
		fclose(maps);
	return all;
}

void profil_process_mappings_free(struct process_mapping *mappings, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(mappings[i].path);
	free(mappings);
}

static struct process *read_all(size_t *nr)
{
	struct process *all = NULL, process;
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	*nr = 0;
	while (directory && (entry = readdir(directory)))
		if (read_process(atoi(entry->d_name), &process))
			ARRAY_ADD(all, *nr, process);
	if (directory)
		closedir(directory);
	return all;
}

struct process *profil_process_tree(pid_t pid, size_t *nr)
{
	size_t nr_all;
	struct process *all = read_all(&nr_all);

	*nr = 0;
	/* First the process itself, then the children of each in the tree */
	for (size_t i = 0; i <= *nr; i++) {
		for (size_t j = *nr; j < nr_all; j++) {
			struct process it = all[j];

			if (i ? it.parent != all[i - 1].pid : it.pid != pid)
				continue;
			all[j] = all[*nr];
			all[(*nr)++] = it;
		}
	}
	return all;
}

/* Command lines */

static void trim(char *string)
{
	size_t length = strlen(string);

	while (length && string[length - 1] == ' ')
		string[--length] = '\0';
}

/* The strings of a file, each with a zero byte at its end */
static char **read_strings(struct process_path path, char end)
{
	FILE *file = fopen(path.text, "re");
	char **strings = NULL, *string = NULL;
	size_t nr = 0, room = 0;

	while (file && getdelim(&string, &room, end, file) > 0) {
		string[strcspn(string, "\n")] = '\0';
		ARRAY_ADD(strings, nr, profil_copy_string(string));
	}
	ARRAY_ADD(strings, nr, NULL);
	free(string);
	if (file)
		fclose(file);
	return strings;
}

/*
 * A program that sets its title fills what is left of its arguments with blanks or with
 * zero bytes, which are empty arguments.
 */
static void trim_end(char **strings)
{
	size_t nr = 0;

	while (strings[nr])
		nr++;
	while (nr) {
		char *last = strings[nr - 1];

		trim(last);
		if (*last || nr == 1)
			break;
		free(last);
		strings[--nr] = NULL;
	}
}

char **profil_process_command(pid_t pid)
{
	char **argv = read_strings(profil_process_path(pid, "cmdline"), '\0');

	trim_end(argv);
	if (*argv && **argv)
		return argv;
	free(argv);
	return read_strings(profil_process_path(pid, "comm"), '\n');
}

/* CPU time */

struct cpu_time profil_cpu_time(pid_t pid, bool children)
{
	struct cpu_time sum = { 0 };
	struct process *tree, process;
	size_t nr;

	if (!children)
		return read_process(pid, &process) ? process.alone : sum;
	tree = profil_process_tree(pid, &nr);
	for (size_t i = 0; i < nr; i++) {
		sum.all_ns += tree[i].waited.all_ns;
		sum.kernel_ns += tree[i].waited.kernel_ns;
	}
	free(tree);
	return sum;
}

struct machine_time profil_machine_time(void)
{
	unsigned long long idle = 0, waiting = 0, stolen = 0;
	char line[256];

	profil_text_line("/proc/stat", line, sizeof(line));
	if (sscanf(line, "cpu %*u %*u %*u %llu %llu %*u %*u %llu", &idle,
		   &waiting, &stolen) != 3)
		return (struct machine_time){ 0 };
	return (struct machine_time){
		.idle_ns = tick_ns() * (idle + waiting),
		.stolen_ns = tick_ns() * stolen,
	};
}

/* Root directories */

static bool read_key(const char *root, const char *namespace,
		     struct index_key *key)
{
	struct stat directory, mounts;

	if (stat(root, &directory) || stat(namespace, &mounts))
		return false;
	*key = (struct index_key){ { directory.st_dev, directory.st_ino,
				     mounts.st_ino } };
	return true;
}

uint32_t profil_roots_add(struct roots *roots, pid_t pid)
{
	struct process_path root = profil_process_path(pid, "root");
	struct index_key key, own;
	uint32_t index;
	int fd = -1;

	if (pid <= 0 ||
	    !read_key(root.text, profil_process_path(pid, "ns/mnt").text, &key))
		return INDEX_NONE;
	index = profil_index_map_find(&roots->indices, key);
	if (index != INDEX_NONE)
		return index;
	/* The root directory is another one than that of profil. */
	if (!read_key("/proc/self/root", "/proc/self/ns/mnt", &own) ||
	    memcmp(&own, &key, sizeof(key))) {
		fd = open(root.text, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			return INDEX_NONE;
	}
	profil_index_map_set(&roots->indices, key, roots->nr);
	ARRAY_ADD(roots->fds, roots->nr, fd);
	return roots->nr - 1;
}

void profil_roots_free(struct roots *roots)
{
	for (size_t i = 0; i < roots->nr; i++)
		if (roots->fds[i] >= 0)
			close(roots->fds[i]);
	free(roots->fds);
	profil_index_map_free(&roots->indices);
	*roots = (struct roots){ 0 };
}
