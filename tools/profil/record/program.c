// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of a recording, by what people call them
 *
 * The driver has the file of a program and names of threads, and one process of many in
 * which both were sampled. What processes of one file, one name and one cgroup have in
 * common is sure, and a script only where all of them have it.
 *
 * The command line of a process is in its memory, which may be a file of a server that
 * does not answer, as may be the directory of its file. A child reads them, and is not
 * waited for.
 */
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "process/called.h"
#include "record/program.h"
#include "util/text.h"

/* Bytes of a command line that are read, and words of it */
#define COMMAND_BYTES 4096
#define COMMAND_WORDS 64

/* Milliseconds for an answer */
#define ANSWER_MS 2000

/**
 * enum started_state - what is known of a program
 * @STARTED_UNREAD: no process could be read
 * @STARTED_READ: a process was read, and others may differ
 * @STARTED_FIXED: what it is called does not change any more
 */
enum started_state { STARTED_UNREAD, STARTED_READ, STARTED_FIXED };

/*
 * A program of the profile, the process that was read last, and the path of the program
 * without a script, a string of the profile
 */
struct started {
	uint32_t program;
	uint32_t pid;
	enum started_state state;
	const char *plain;
};

/* All of them. @silent: the last child, while it has not answered; 0: there is none */
struct started_programs {
	struct started *array;
	uint32_t nr;
	struct index_map indices;
	pid_t silent;
};

/* The name and the command line of a process */
struct command {
	char comm[PROFILE_COMM];
	char text[COMMAND_BYTES + 1];
	char *argv[COMMAND_WORDS + 1];
};

static void read_command(struct command *command, pid_t pid)
{
	FILE *file = fopen(profil_process_path(pid, "cmdline").text, "re");
	size_t size = 0, nr = 0;

	profil_text_line(profil_process_path(pid, "comm").text, command->comm,
			 sizeof(command->comm));
	if (file) {
		size = fread(command->text, 1, COMMAND_BYTES, file);
		fclose(file);
	}
	command->text[size] = '\0';
	for (char *word = command->text;
	     word < command->text + size && nr < COMMAND_WORDS;
	     word += strlen(word) + 1)
		command->argv[nr++] = word;
	command->argv[nr] = NULL;
}

/* The process executes the program, still. */
static bool is_running(const struct executed *executed)
{
	struct process_path path = profil_process_path(executed->pid, "exe");
	struct file_identity now = { 0 };

	if (executed->pid)
		now = profil_file_identity(path.text);
	return now.size && now.size == executed->identity->size &&
	       now.mtime_ns == executed->identity->mtime_ns;
}

/* Processes in the cgroup that have the name of @command have its script, too. */
static bool is_common(const struct executed *executed,
		      const struct command *command, const char *script)
{
	char *path = profil_format("/sys/fs/cgroup%s/cgroup.procs",
				   executed->cgroup);
	FILE *file = *executed->cgroup ? fopen(path, "re") : NULL;
	bool are_equal = file;
	struct command other;
	int pid;

	while (are_equal && fscanf(file, "%d", &pid) == 1) {
		struct called called = {
			.file = executed->file,
			.comm = other.comm,
			.argv = other.argv,
		};

		read_command(&other, pid);
		if (strcmp(other.comm, command->comm) || !*other.argv)
			continue;
		profil_called_find(&called);
		are_equal = called.script && !strcmp(called.script, script);
		profil_called_free(&called);
	}
	if (file)
		fclose(file);
	free(path);
	return are_equal;
}

/* A script that the kernel has executed has given the process its name. */
static bool is_sure(const struct executed *executed,
		    const struct command *command, const char *script)
{
	return executed->is_alone ||
	       !strncmp(script, command->comm, sizeof(executed->thread) - 1) ||
	       is_common(executed, command, script);
}

/**
 * struct answer - what a program is called
 * @path: as of struct called
 * @script: its script, if that is sure, or ""
 * @comm: name of the process, or of the thread
 * @has_comm: @path has this name
 * @state: what is known of the program then
 */
struct answer {
	char path[PATH_MAX];
	char script[NAME_MAX];
	char comm[PROFILE_COMM];
	bool has_comm;
	enum started_state state;
};

static void set_script(struct answer *answer, const struct executed *executed,
		       const struct command *command,
		       const struct called *called)
{
	bool fits = called->script && strlen(called->script) < NAME_MAX;

	if (fits && is_sure(executed, command, called->script))
		snprintf(answer->script, NAME_MAX, "%s", called->script);
	else if (called->script)
		answer->state = STARTED_FIXED;
}

static void describe(struct answer *answer, const struct executed *executed)
{
	struct command command = { 0 };
	struct called called = {
		.file = executed->file,
		.comm = command.comm,
		.argv = command.argv,
	};

	*answer = (struct answer){ 0 };
	snprintf(command.comm, sizeof(command.comm), "%.*s", PROFILE_COMM - 1,
		 executed->thread);
	if (is_running(executed)) {
		read_command(&command, executed->pid);
		answer->state = STARTED_READ;
	}
	profil_called_find(&called);
	set_script(answer, executed, &command, &called);
	snprintf(answer->path, sizeof(answer->path), "%s", called.path);
	snprintf(answer->comm, sizeof(answer->comm), "%s", command.comm);
	answer->has_comm = profil_called_has_comm(&called);
	if (answer->state == STARTED_READ &&
	    !profil_called_may_have_script(&called))
		answer->state = STARTED_FIXED;
	profil_called_free(&called);
}

static bool read_answer(int fd, struct answer *answer)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	size_t size = 0;
	ssize_t got = 1;

	while (got > 0 && size < sizeof(*answer) &&
	       poll(&poller, 1, ANSWER_MS) > 0) {
		got = read(fd, (char *)answer + size, sizeof(*answer) - size);
		size += got > 0 ? got : 0;
	}
	return size == sizeof(*answer);
}

static void __attribute__((noreturn))
answer_in_child(const struct executed *executed, int fd)
{
	struct answer answer;

	describe(&answer, executed);
	(void)!write(fd, &answer, sizeof(answer));
	_exit(0);
}

static bool ask(struct started_programs *programs,
		const struct executed *executed, struct answer *answer)
{
	bool is_answered;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = fork();
	if (!pid)
		answer_in_child(executed, ends[1]);
	close(ends[1]);
	is_answered = pid > 0 && read_answer(ends[0], answer);
	close(ends[0]);
	if (pid < 0)
		return false;
	if (is_answered) {
		waitpid(pid, NULL, 0);
		return true;
	}
	kill(pid, SIGKILL);
	programs->silent = pid;
	return false;
}

/* A program that has the name of its file, and interprets no scripts, is clear. */
static void find_answer(struct started_programs *programs,
			const struct executed *executed, struct answer *answer)
{
	struct called called = {
		.file = executed->file,
		.comm = executed->thread,
		.path = (char *)executed->file,
	};
	bool has_comm = profil_called_has_comm(&called);
	bool is_clear = has_comm && !profil_called_may_have_script(&called);

	if (!is_clear && !programs->silent && ask(programs, executed, answer))
		return;
	*answer = (struct answer){ .has_comm = has_comm };
	answer->state = is_clear ? STARTED_FIXED : STARTED_UNREAD;
	snprintf(answer->path, sizeof(answer->path), "%s", executed->file);
	memcpy(answer->comm, executed->thread, sizeof(answer->comm) - 1);
}

/* The recording of the machine has profil in it, and its child that looks up names. */
static bool is_itself(const struct growing *growing,
		      const struct executed *executed)
{
	uint32_t own_pid = getpid(), parent;
	char comm[PROFILE_COMM] = "";
	struct file_identity own;

	if (growing->profile.head.table != TABLE_MACHINE)
		return false;
	own = profil_file_identity("/proc/self/exe");
	if (own.size != executed->identity->size ||
	    own.mtime_ns != executed->identity->mtime_ns)
		return false;
	/* Before it took its name, it had that of the process in front of it. */
	if (executed->pid == own_pid || executed->pid == (uint32_t)getppid())
		return true;
	prctl(PR_GET_NAME, comm);
	if (strncmp(comm, executed->thread, sizeof(comm)))
		return false;
	parent = profil_process_status(executed->pid, "PPid:", 10);
	return parent == own_pid ||
	       !profil_process_status(executed->pid, "Pid:", 10);
}

/* Index of the program @path in the profile */
static uint32_t add_program(struct growing *growing,
			    const struct executed *executed, const char *path,
			    const char *comm)
{
	struct profile_program program = {
		.path = path,
		.cgroup = executed->cgroup,
		.thread = comm,
	};

	if (growing->has_threads)
		program.thread = executed->thread;
	if (strcmp(path, executed->file))
		program.file = executed->file;
	return profil_profile_add_program(&growing->profile, &program);
}

/* Its program, and what is known of it */
static struct started read_process(struct growing *growing,
				   const struct executed *executed)
{
	struct started started = { .pid = executed->pid };
	struct answer answer;
	char *path = NULL;

	find_answer(growing->programs, executed, &answer);
	started.state = answer.state;
	if (*answer.script)
		path = profil_format("%s %s", answer.path, answer.script);
	started.plain = profil_profile_string(&growing->profile, answer.path);
	started.program = add_program(growing, executed, path ?: answer.path,
				      answer.has_comm ? "" : answer.comm);
	free(path);
	return started;
}

static struct started start(struct growing *growing,
			    const struct executed *executed)
{
	struct started started = {
		.state = STARTED_FIXED,
		.plain = profil_profile_string(&growing->profile,
					       executed->file),
	};
	char *path;
	int length;

	if (!is_itself(growing, executed))
		return read_process(growing, executed);
	length = (int)(profil_text_base(executed->file) - executed->file);
	path = profil_format("%.*s" PROFILE_ITSELF, length, executed->file);
	started.program = add_program(growing, executed, path, "");
	free(path);
	return started;
}

/*
 * Another process is there. One that is called otherwise shows that the samples so far
 * may be of both.
 */
static void restart(struct growing *growing, struct started *started,
		    const struct executed *executed)
{
	struct profile *profile = &growing->profile;
	struct started other = start(growing, executed);

	if (other.state == STARTED_UNREAD)
		return;
	started->pid = other.pid;
	if (other.program == started->program)
		return;
	if (started->state == STARTED_READ) {
		profil_profile_rename_program(profile, started->program,
					      other.plain);
		other.program = started->program;
		other.state = STARTED_FIXED;
	}
	*started = other;
}

static struct index_key program_key(struct growing *growing,
				    const struct executed *executed)
{
	struct profile *profile = &growing->profile;

	return (struct index_key){ {
		(uintptr_t)profil_profile_string(profile, executed->file),
		(uintptr_t)profil_profile_string(profile, executed->cgroup),
		profil_hash(HASH_EMPTY, executed->thread,
			    strnlen(executed->thread, sizeof(executed->thread))),
	} };
}

uint32_t profil_growing_program(struct growing *growing,
				const struct executed *executed)
{
	struct index_key key = program_key(growing, executed);
	struct started_programs *programs;
	struct started *started;
	uint32_t index;

	if (!growing->programs)
		growing->programs = profil_zeros(1, sizeof(*programs));
	programs = growing->programs;
	index = profil_index_map_find(&programs->indices, key);
	if (index == INDEX_NONE) {
		index = programs->nr;
		ARRAY_ADD(programs->array, programs->nr,
			  start(growing, executed));
		profil_index_map_set(&programs->indices, key, index);
	}
	started = &programs->array[index];
	if (started->state != STARTED_FIXED && executed->pid &&
	    executed->pid != started->pid)
		restart(growing, started, executed);
	return started->program;
}

void profil_started_free(struct started_programs *programs)
{
	if (!programs)
		return;
	if (programs->silent)
		waitpid(programs->silent, NULL, WNOHANG);
	free(programs->array);
	profil_index_map_free(&programs->indices);
	free(programs);
}
