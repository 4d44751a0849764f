// SPDX-License-Identifier: GPL-2.0-only
/* Programs by what people call them: of files, names and command lines, and of processes */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/called.h"
#include "record/half.h"
#include "record/program.h"
#include "tap.h"

/* A directory with the file "real" and the link "link" to it */
static char directory[32];

static const char *in_directory(const char *name)
{
	static char paths[4][128];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

static void make_directory(void)
{
	FILE *file;

	snprintf(directory, sizeof(directory), "/tmp/profil-program-XXXXXX");
	if (!mkdtemp(directory))
		abort();
	file = fopen(in_directory("real"), "w");
	if (!file || fclose(file) || symlink("real", in_directory("link")))
		abort();
}

static void remove_directory(void)
{
	unlink(in_directory("real"));
	unlink(in_directory("link"));
	rmdir(directory);
}

/* The program is called @path, with a space and @script if that is not "". */
static bool is_called(const char *file, const char *comm,
		      const char *const *argv, const char *path,
		      const char *script)
{
	struct called called = {
		.file = file,
		.comm = comm,
		.argv = (char *const *)argv,
	};
	bool is_right;

	profil_called_find(&called);
	is_right = !strcmp(called.path, path) &&
		   !strcmp(called.script ?: "", script);
	if (!is_right)
		tap_note("%s, %s, %s: %s and %s, not %s and %s", file, comm,
			 argv[0] ?: "", called.path, called.script ?: "", path,
			 script);
	profil_called_free(&called);
	return is_right;
}

#define ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define GONE ((const char *const[]){ NULL })

TEST("a program has the name that it was executed by, if the process has it, too")
{
	const char *redis = "/usr/bin/redis-check-rdb";

	CHECK(is_called(redis, "redis-server", ARGV("redis-server"),
			"/usr/bin/redis-server", ""));
	CHECK(is_called(redis, "redis-server",
			ARGV("/usr/bin/redis-server 127.0.0.1:6379"),
			"/usr/bin/redis-server", ""));
	CHECK(is_called("/bin/busybox", "ls", ARGV("ls", "-l"), "/bin/ls", ""));
	/* Executed by a descriptor, as of a file that was deleted */
	CHECK(is_called("/tmp/gone", "3", ARGV("/proc/self/fd/3"), "/tmp/gone",
			""));
	CHECK(is_called("/tmp/gone", "4", ARGV("/dev/fd/4"), "/tmp/gone", ""));
	CHECK(is_called("/bin/busybox", "sh", ARGV("-sh"), "/bin/sh", ""));
	CHECK(is_called("/usr/bin/x86_64-linux-gnu-g++-12", "g++", ARGV("g++"),
			"/usr/bin/g++", ""));
	CHECK(is_called("/opt/a", "a-name-of-more-",
			ARGV("a-name-of-more-than-15"),
			"/opt/a-name-of-more-than-15", ""));
	CHECK(is_called("/opt/a", "b", ARGV("/usr/bin/b"), "/usr/bin/b", ""));
	return true;
}

TEST("a name that the process does not have, or that is a title, is not believed")
{
	CHECK(is_called("/bin/cat", "cat", ARGV("dog"), "/bin/cat", ""));
	CHECK(is_called("/bin/cat", "thread", ARGV("dog"), "/bin/cat", ""));
	CHECK(is_called("/bin/cat", "cat", GONE, "/bin/cat", ""));
	CHECK(is_called("/bin/cat", "cat", ARGV(""), "/bin/cat", ""));
	CHECK(is_called("/bin/cat", "", ARGV("-"), "/bin/cat", ""));
	CHECK(is_called("/usr/sbin/nginx", "nginx",
			ARGV("nginx: worker process"), "/usr/sbin/nginx", ""));
	CHECK(is_called("/usr/lib/postgres", "postgres",
			ARGV("postgres: 15/main: walwriter"),
			"/usr/lib/postgres", ""));
	return true;
}

static bool links_are_found(void)
{
	const char *real = in_directory("real"), *link = in_directory("link");

	CHECK(is_called(real, "link", GONE, link, ""));
	CHECK(is_called(real, "other", GONE, real, ""));
	CHECK(is_called(real, "thread", ARGV(link), real, ""));
	CHECK(is_called(real, "../real", GONE, real, ""));
	return true;
}

TEST("a link beside the file has its name, also when the process has ended")
{
	bool are_found;

	make_directory();
	are_found = links_are_found();
	remove_directory();
	return are_found;
}

#define PYTHON "/usr/bin/python3.11", "python3"

static bool is_python(const char *const *argv, const char *script)
{
	return is_called(PYTHON, argv, "/usr/bin/python3", script);
}

TEST("an interpreter has its script, if no option may have another one")
{
	CHECK(is_python(ARGV("python3", "/srv/app.py", "-c", "x"), "app.py"));
	CHECK(is_python(ARGV("python3", "-u", "-X", "perf", "app.py"),
			"app.py"));
	CHECK(is_python(ARGV("python3", "-Xperf", "-OO", "--", "a.py"),
			"a.py"));
	CHECK(is_python(ARGV("python3", "-m", "http.server"),
			"-m http.server"));
	CHECK(is_python(ARGV("python3", "-um", "http.server"),
			"-m http.server"));
	CHECK(is_python(ARGV("python3", "-c", "app.py"), ""));
	CHECK(is_python(ARGV("python3", "-uc", "app.py"), ""));
	CHECK(is_python(ARGV("python3", "-", "app.py"), ""));
	CHECK(is_python(ARGV("python3", "--unknown", "app.py"), ""));
	CHECK(is_python(ARGV("python3", "-Y", "app.py"), ""));
	CHECK(is_python(ARGV("python3", "-X"), ""));
	CHECK(is_python(ARGV("python3", "-m"), ""));
	CHECK(is_python(ARGV("python3", "/srv/app/"), "app"));
	CHECK(is_python(ARGV("python3"), ""));
	return true;
}

TEST("each interpreter has its own options")
{
	CHECK(is_called("/usr/bin/perl", "perl",
			ARGV("perl", "-wI", "lib", "-Mstrict", "a.pl"),
			"/usr/bin/perl", "a.pl"));
	CHECK(is_called("/usr/bin/perl", "perl", ARGV("perl", "-ne", "a.pl"),
			"/usr/bin/perl", ""));
	CHECK(is_called("/usr/bin/ruby3.1", "ruby3.1",
			ARGV("ruby3.1", "-r", "set", "-W0", "a.rb"),
			"/usr/bin/ruby3.1", "a.rb"));
	CHECK(is_called("/usr/bin/php8.2", "php",
			ARGV("php", "-d", "a=b", "a.php"), "/usr/bin/php",
			"a.php"));
	CHECK(is_called("/usr/bin/php8.2", "php", ARGV("php", "-r", "a.php"),
			"/usr/bin/php", ""));
	CHECK(is_called("/usr/bin/node", "node",
			ARGV("node", "--perf-basic-prof", "--a=b", "-r", "./x",
			     "server.js"),
			"/usr/bin/node", "server.js"));
	CHECK(is_called("/usr/bin/node", "node",
			ARGV("node", "--require", "./x.js", "server.js"),
			"/usr/bin/node", ""));
	CHECK(is_called("/usr/bin/dash", "sh", ARGV("sh", "-e", "./build.sh"),
			"/usr/bin/sh", "build.sh"));
	CHECK(is_called("/usr/bin/dash", "sh", ARGV("sh", "-c", "build.sh"),
			"/usr/bin/sh", ""));
	CHECK(is_called("/usr/bin/bash", "bash", ARGV("-bash"), "/usr/bin/bash",
			""));
	CHECK(is_called("/bin/busybox", "sh", ARGV("sh", "a.sh"), "/bin/sh",
			"a.sh"));
	CHECK(is_called("/usr/bin/shred", "shred", ARGV("shred", "a.sh"),
			"/usr/bin/shred", ""));
	return true;
}

#define JAVA "/usr/lib/jvm/bin/java", "java"

static bool is_java(const char *const *argv, const char *script)
{
	return is_called(JAVA, argv, "/usr/lib/jvm/bin/java", script);
}

TEST("java has its archive, or its class")
{
	CHECK(is_java(ARGV("java", "-Xmx1g", "-jar", "/srv/app.jar", "x"),
		      "-jar app.jar"));
	CHECK(is_java(ARGV("java", "-cp", "/srv/*", "org.example.Main", "-jar"),
		      "Main"));
	CHECK(is_java(ARGV("java", "--module-path", "x", "-m", "m/a.Main"),
		      "Main"));
	CHECK(is_java(ARGV("java", "--module-path=x", "Main"), "Main"));
	CHECK(is_java(ARGV("java", "Main.java"), "Main.java"));
	CHECK(is_java(ARGV("java", "@arguments", "Main"), ""));
	CHECK(is_java(ARGV("java", "-version"), ""));
	CHECK(is_java(ARGV("java", "-cp"), ""));
	return true;
}

/* A shell that waits for a line of @line, as the script @name of the directory */
static pid_t start_script(const char *name, int *line)
{
	int input[2], output[2];
	FILE *script;
	char ready;
	pid_t pid;

	script = fopen(in_directory(name), "w");
	if (!script || fputs("echo\nread line\n", script) < 0 ||
	    fclose(script) || pipe(input) || pipe(output))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", in_directory(name), NULL);
		_exit(1);
	}
	close(input[0]);
	close(output[1]);
	if (read(output[0], &ready, 1) != 1)
		pid = -1;
	close(output[0]);
	*line = input[1];
	return pid;
}

static void end_script(pid_t pid, int line, const char *name)
{
	close(line);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink(in_directory(name));
}

/* The processes of the directory as a cgroup are @one and @other, unless they are 0. */
static void write_cgroup(pid_t one, pid_t other)
{
	FILE *file = fopen(in_directory("cgroup.procs"), "w");

	if (file && one)
		fprintf(file, "%d\n", one);
	if (file && other)
		fprintf(file, "%d\n", other);
	if (file)
		fclose(file);
}

/* A recording of shells that interpret scripts, in the directory as a cgroup */
struct shells {
	struct growing growing;
	struct file_identity identity;
	char file[PATH_MAX];
	char cgroup[64];
	bool is_alone;
	pid_t a;
	pid_t b;
	int line_of_a;
	int line_of_b;
};

static void begin_shells(struct shells *shells)
{
	make_directory();
	*shells = (struct shells){ 0 };
	profil_growing_begin(&shells->growing);
	if (!realpath("/bin/sh", shells->file))
		abort();
	shells->identity = profil_file_identity(shells->file);
	snprintf(shells->cgroup, sizeof(shells->cgroup), "/../../..%s",
		 directory);
	shells->a = start_script("a.sh", &shells->line_of_a);
	shells->b = start_script("b.sh", &shells->line_of_b);
	write_cgroup(shells->a, 0);
}

static void end_shells(struct shells *shells)
{
	end_script(shells->a, shells->line_of_a, "a.sh");
	end_script(shells->b, shells->line_of_b, "b.sh");
	unlink(in_directory("cgroup.procs"));
	remove_directory();
	profil_growing_free(&shells->growing);
}

/* What a shell is called in the process @pid, 0 for one that has ended */
static const char *shell_in(struct shells *shells, pid_t pid)
{
	const struct executed executed = {
		.file = shells->file,
		.identity = &shells->identity,
		.cgroup = shells->cgroup,
		.thread = "sh",
		.pid = pid,
		.is_alone = shells->is_alone,
	};
	uint32_t index = profil_growing_program(&shells->growing, &executed);
	const struct profile_program *program =
		&shells->growing.profile.programs[index];

	return strrchr(program->path, '/') + 1;
}

static bool are_called(struct shells *shells, const char *one,
		       const char *other)
{
	const char *first = shell_in(shells, shells->a), *second;

	tap_note("first %s", first);
	CHECK(!strcmp(first, one));
	second = shell_in(shells, shells->b);
	tap_note("then %s", second);
	CHECK(!strcmp(second, other));
	CHECK(!strcmp(shell_in(shells, shells->a), other));
	return true;
}

TEST("a script is that of all processes of its name in a cgroup")
{
	struct shells shells;
	bool are;

	begin_shells(&shells);
	are = are_called(&shells, "sh a.sh", "sh");
	CHECK_EQUAL(1, shells.growing.profile.nr_programs > 1);
	for (uint32_t i = 0; i < shells.growing.profile.nr_programs; i++)
		are &= !strstr(shells.growing.profile.programs[i].path, "a.sh");
	end_shells(&shells);
	return are;
}

TEST("processes with two scripts in a cgroup have none")
{
	struct shells shells;
	bool are;

	begin_shells(&shells);
	write_cgroup(shells.a, shells.b);
	are = are_called(&shells, "sh", "sh");
	end_shells(&shells);
	return are;
}

TEST("without a cgroup, the script of a process alone is known")
{
	struct shells shells;
	bool are;

	begin_shells(&shells);
	unlink(in_directory("cgroup.procs"));
	shells.is_alone = true;
	are = are_called(&shells, "sh a.sh", "sh");
	end_shells(&shells);
	begin_shells(&shells);
	unlink(in_directory("cgroup.procs"));
	are &= are_called(&shells, "sh", "sh");
	end_shells(&shells);
	return are;
}

/* The driver's answers about the only text of a half, and the name of its file */
static struct profil_text text;
static struct profil_name file;
static char file_path[PATH_MAX];

int __wrap_ioctl(int fd, unsigned long command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (fd == -1 && command == PROFIL_TABLE_IOC_TEXT) {
		*(struct profil_text *)argument = text;
	} else if (fd == -1 && command == PROFIL_TABLE_IOC_NAME) {
		file.path = ((struct profil_name *)argument)->path;
		memcpy((char *)(uintptr_t)file.path, file_path, PATH_MAX);
		*(struct profil_name *)argument = file;
	} else {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

/*
 * A half with a sample of the shell @pid, one of @processes so far. @begin_ns: 0 for one
 * that has ended, whose number may be that of another process. Does it have a script?
 */
static bool has_script(const char *path, pid_t pid, uint64_t begin_ns,
		       uint64_t processes)
{
	static const struct profil_counter counter = { 1ULL << 32 | 16, 1 };
	const struct table table = { .fd = -1,
				     .counters = (void *)&counter,
				     .nr_counters = 1 };
	const struct profil_take take = {
		.texts = 1, .names = 1, .processes = processes, .running = 1
	};
	struct growing growing;
	struct stat status;
	bool has_it;

	if (stat(path, &status))
		abort();
	snprintf(file_path, sizeof(file_path), "%s", path);
	file = (struct profil_name){
		.kind = PROFIL_NAME_FILE,
		.device = status.st_dev,
		.inode = status.st_ino,
		.file_size = status.st_size,
		.mtime_ns = status.st_mtim.tv_sec * 1000000000ULL +
			    status.st_mtim.tv_nsec,
	};
	text = (struct profil_text){
		.program = 1, .file = 1, .pid = pid, .begin_ns = begin_ns
	};
	profil_growing_begin(&growing);
	profil_half_read(&table, &take, &growing);
	has_it = strstr(growing.profile.programs->path, "a.sh");
	profil_growing_free(&growing);
	return has_it;
}

TEST("the script of a half is that of its only process, while that is there")
{
	struct shells shells;
	bool are;

	begin_shells(&shells);
	are = has_script(shells.file, shells.a, 1, 1) &&
	      !has_script(shells.file, shells.a, 0, 1) &&
	      !has_script(shells.file, shells.a, 1, 2);
	end_shells(&shells);
	return are;
}

TEST("a process that has ended has its file, and the next one what it is called")
{
	struct shells shells;
	const char *first, *then;
	bool are;

	begin_shells(&shells);
	first = shell_in(&shells, 0);
	then = shell_in(&shells, shells.a);
	tap_note("first %s, then %s", first, then);
	are = !strcmp(then, "sh a.sh") && !strstr(first, "a.sh");
	end_shells(&shells);
	return are;
}

/* A child that reads the name of a process does not answer. */
static bool is_silent;

char *__wrap_profil_text_line(const char *path, char *line, int size)
{
	FILE *file = fopen(path, "re");

	while (is_silent)
		pause();
	*line = '\0';
	if (file && fgets(line, size, file))
		line[strcspn(line, "\n")] = '\0';
	if (file)
		fclose(file);
	return line;
}

TEST("a process that cannot be read in time has its file, and no other one is asked")
{
	struct shells shells;
	bool are;

	begin_shells(&shells);
	is_silent = true;
	are = !strchr(shell_in(&shells, shells.a), ' ');
	is_silent = false;
	are &= !strchr(shell_in(&shells, shells.b), ' ');
	end_shells(&shells);
	/* The child that did not answer is killed, and not waited for. */
	waitpid(-1, NULL, 0);
	return are;
}

TEST("a process that executes another file now is not asked")
{
	struct shells shells;
	bool are;

	begin_shells(&shells);
	shells.identity.size++;
	are = !strstr(shell_in(&shells, shells.a), "a.sh");
	end_shells(&shells);
	return are;
}

/* This process, as the driver has it in a recording of @table */
static const char *own_name(struct growing *growing, enum profile_table table,
			    const char *thread, uint32_t pid)
{
	struct file_identity identity = profil_file_identity("/proc/self/exe");
	struct executed executed = {
		.file = "/bin/profil",
		.identity = &identity,
		.cgroup = "",
		.pid = pid,
	};
	uint32_t index;

	snprintf(executed.thread, sizeof(executed.thread), "%s", thread);
	growing->profile.head.table = table;
	index = profil_growing_program(growing, &executed);
	return growing->profile.programs[index].path;
}

TEST("the recording profil is a program of the machine")
{
	struct growing growing;

	prctl(PR_SET_NAME, "recorder");
	profil_growing_begin(&growing);
	CHECK(!strcmp(own_name(&growing, TABLE_MACHINE, "profil", getpid()),
		      "/bin/profil itself"));
	CHECK(!strcmp(own_name(&growing, TABLE_MACHINE, "other", 0),
		      "/bin/profil"));
	CHECK(!strcmp(own_name(&growing, TABLE_MACHINE, "recorder", getpid()),
		      "/bin/profil itself"));
	profil_growing_free(&growing);
	profil_growing_begin(&growing);
	CHECK(!strcmp(own_name(&growing, TABLE_MACHINE, "recorder", 0),
		      "/bin/profil itself"));
	profil_growing_free(&growing);
	profil_growing_begin(&growing);
	CHECK(!strcmp(own_name(&growing, TABLE_MACHINE, "recorder", 1),
		      "/bin/profil"));
	profil_growing_free(&growing);
	profil_growing_begin(&growing);
	CHECK(!strcmp(own_name(&growing, TABLE_TREE, "recorder", getpid()),
		      "/bin/profil"));
	profil_growing_free(&growing);
	return true;
}
