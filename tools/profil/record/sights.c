// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that processes execute, at first sight
 *
 * The driver tells of a file when it is taken, seconds later: by then the process may have
 * ended, and its file may be deleted, or in a mount namespace that is gone. So the files
 * of young processes are looked for, whether these have samples or not.
 */
#include <sys/resource.h>
#include <sys/stat.h>

#include "record/sights.h"
#include "util/clock.h"

/*
 * Part of the time that looks may take: one of this many, and what is saved of it. Memory,
 * whose reading takes ten times as long as that of a file, is left while less than half of
 * that is saved.
 */
#define PART 1000
#define SAVED_NS 20000000

/* A short command on one CPU would have the looks in its samples: see accuracy.sh. */
#define SAVED_OF_TREE_NS 2500000

/* Looks after which a process may have generated code, and is not young any more */
#define OLDER 3
#define YOUNG 243

/* Processes that are young, and files, of which names need others, too */
#define MAX_YOUNG 256
#define MAX_FILES 1024

/* A process that has executed the file which @fd names */
struct sight {
	int fd;
	pid_t pid;
};

/* A young process, and how often there was a look since it was forked */
struct young {
	pid_t pid;
	unsigned int looks;
};

/**
 * struct sights - what was seen of young processes
 * @files: files, each of them once
 * @indices: indices of @files by size and time of modification
 * @nr_files: number of @files
 * @young: young processes
 * @nr_young: number of @young
 * @last: the last process that there was
 * @load: descriptor of the file that tells the last process, or 0
 * @most_ns: the most that is saved
 * @left_ns: time that looks may take
 * @looked_ns: time of the last look
 */
struct sights {
	struct sight *files;
	size_t nr_files;
	struct index_map indices;
	struct young young[MAX_YOUNG];
	size_t nr_young;
	pid_t last;
	int load;
	int64_t most_ns;
	int64_t left_ns;
	uint64_t looked_ns;
};

uint32_t profil_sights_most(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	return lesser(limit.rlim_cur / 4, MAX_FILES);
}

static struct index_key file_key(uint64_t size, uint64_t mtime_ns)
{
	return (struct index_key){ { size, mtime_ns } };
}

/* Keep the file that @fd names, which the process @pid executes. */
static void keep(struct sights *sights, int fd, pid_t pid)
{
	struct stat status;
	struct index_key key;
	uint32_t index;

	if (fd <= 0 || fstat(fd, &status) || !S_ISREG(status.st_mode))
		goto close;
	key = file_key(status.st_size, profil_nanoseconds(status.st_mtim));
	index = profil_index_map_find(&sights->indices, key);
	if (index != INDEX_NONE) {
		sights->files[index].pid = pid;
		goto close;
	}
	if (sights->nr_files >= profil_sights_most())
		goto close;
	profil_index_map_set(&sights->indices, key, sights->nr_files);
	ARRAY_ADD(sights->files, sights->nr_files, (struct sight){ fd, pid });
	return;
close:
	if (fd >= 0)
		close(fd);
}

/* The libraries of a container are gone with its last process. */
static void keep_libraries(struct sights *sights, pid_t pid)
{
	size_t nr;
	struct process_mapping *all = profil_process_mappings(pid, &nr);

	for (size_t i = 0; i < nr; i++) {
		char *inside;

		if (!all[i].is_code || *all[i].path != '/')
			continue;
		inside = profil_format("%s%s",
				       profil_process_path(pid, "root").text,
				       all[i].path);
		keep(sights, open(inside, O_PATH | O_CLOEXEC), pid);
		free(inside);
	}
	profil_process_mappings_free(all, nr);
}

static bool is_elsewhere(pid_t pid)
{
	struct stat own, its;

	return !stat("/proc/self/ns/mnt", &own) &&
	       !stat(profil_process_path(pid, "ns/mnt").text, &its) &&
	       own.st_ino != its.st_ino;
}

static bool is_power_of_two(unsigned int number)
{
	return !(number & (number - 1));
}

/* After OLDER looks, and after OLDER times as many as before */
static bool is_older(unsigned int looks)
{
	while (looks > OLDER && looks % OLDER == 0)
		looks /= OLDER;
	return looks == OLDER;
}

/* False if the process has ended, or may not be looked at */
static bool visit(struct growing *growing, const struct young *young,
		  see_memory *see)
{
	struct sights *sights = growing->sights;
	size_t nr = sights->nr_files;
	int fd = open(profil_process_path(young->pid, "exe").text,
		      O_PATH | O_CLOEXEC);

	if (fd < 0)
		return false;
	keep(sights, fd, young->pid);
	if (sights->nr_files > nr && is_elsewhere(young->pid))
		keep_libraries(sights, young->pid);
	if (is_older(young->looks) && sights->left_ns > sights->most_ns / 2)
		see(growing, young->pid);
	return true;
}

/* The last process that was forked, in the PID namespace of this one; 0 if not known */
static pid_t last_process(struct sights *sights)
{
	char line[128];
	const char *last;
	ssize_t size;

	if (sights->load <= 0)
		sights->load = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	size = pread(sights->load, line, sizeof(line) - 1, 0);
	if (size <= 0)
		return 0;
	line[size] = '\0';
	last = strrchr(line, ' ');
	return last ? atoi(last) : 0;
}

/* Note those that were forked since the last look, the last ones if there are many. */
static void add_young(struct sights *sights)
{
	pid_t last = last_process(sights), pid = sights->last;

	sights->last = last;
	if (!pid || pid == last)
		return;
	if (pid > last || last - pid > MAX_YOUNG / 4)
		pid = last > MAX_YOUNG / 4 ? last - MAX_YOUNG / 4 : 0;
	while (pid < last && sights->nr_young < MAX_YOUNG)
		sights->young[sights->nr_young++] = (struct young){ ++pid, 0 };
}

/* A process is visited again, since it may execute another file. */
static void visit_young(struct growing *growing, uint64_t deadline_ns,
			see_memory *see)
{
	struct sights *sights = growing->sights;
	size_t kept = 0;

	for (size_t i = 0; i < sights->nr_young; i++) {
		struct young young = sights->young[i];
		bool is_there = ++young.looks <= YOUNG;

		if (is_there && is_power_of_two(young.looks)) {
			if (profil_clock_now(CLOCK_THREAD_CPUTIME_ID) >
			    deadline_ns)
				young.looks--;
			else
				is_there = visit(growing, &young, see);
		}
		if (is_there)
			sights->young[kept++] = young;
	}
	sights->nr_young = kept;
}

static struct sights *begin(uint64_t now, bool is_machine)
{
	struct sights *sights = profil_zeros(1, sizeof(*sights));

	sights->looked_ns = now;
	sights->most_ns = is_machine ? SAVED_NS : SAVED_OF_TREE_NS;
	sights->left_ns = sights->most_ns;
	return sights;
}

/* A look at no processes costs a system call. */
void profil_sights_look(struct growing *growing, see_memory *see)
{
	uint64_t now = profil_now(), cpu;
	struct sights *sights = growing->sights;

	if (!sights)
		sights = begin(now,
			       growing->profile.head.table == TABLE_MACHINE);
	growing->sights = sights;
	sights->left_ns += (now - sights->looked_ns) / PART;
	if (sights->left_ns > sights->most_ns)
		sights->left_ns = sights->most_ns;
	sights->looked_ns = now;
	add_young(sights);
	if (sights->left_ns <= 0 || !sights->nr_young)
		return;
	cpu = profil_clock_now(CLOCK_THREAD_CPUTIME_ID);
	visit_young(growing, cpu + sights->left_ns, see);
	sights->left_ns -= profil_clock_now(CLOCK_THREAD_CPUTIME_ID) - cpu;
}

int profil_sights_find(const struct growing *growing,
		       const struct file_identity *identity)
{
	const struct sights *sights = growing->sights;
	struct index_key key;
	uint32_t index;
	int fd;

	if (!sights || !identity->size)
		return 0;
	key = file_key(identity->size, identity->mtime_ns);
	index = profil_index_map_find(&sights->indices, key);
	if (index == INDEX_NONE)
		return 0;
	fd = fcntl(sights->files[index].fd, F_DUPFD_CLOEXEC, 1);
	return fd < 0 ? 0 : fd;
}

static bool is_running(pid_t pid)
{
	return !access(profil_process_path(pid, "exe").text, F_OK);
}

void profil_sights_drop(struct growing *growing, bool is_all)
{
	struct sights *sights = growing->sights;
	struct sight *files = sights ? sights->files : NULL;
	size_t nr = sights ? sights->nr_files : 0;

	if (!sights)
		return;
	profil_index_map_free(&sights->indices);
	sights->files = NULL;
	sights->nr_files = 0;
	for (size_t i = 0; i < nr; i++) {
		if (!is_all && is_running(files[i].pid))
			keep(sights, files[i].fd, files[i].pid);
		else
			close(files[i].fd);
	}
	free(files);
	if (!is_all)
		return;
	if (sights->load > 0)
		close(sights->load);
	free(sights->files);
	free(sights);
	growing->sights = NULL;
}
