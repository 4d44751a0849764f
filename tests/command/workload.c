// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program to be run under `profil run`:
 *
 *	workload VERB [ARGUMENT]...
 *
 * NS is a number of nanoseconds of CPU time, by default spent in heavy(). The
 * file WORKLOAD_TIMES gets a line with the time of each call of spend().
 */
#include <dlfcn.h>
#include <sys/resource.h>

#include "../selftests/profil/common.h"
#include "process_state.h"
#include "work.h"

WORK_FUNCTION(heavy, "")
WORK_FUNCTION(light, "nop")

static int fail(const char *what)
{
	fprintf(stderr, "workload: %s\n", what);
	return 99;
}

/* File name, read at the start, since daemons clear their environment */
static char *times;

static void note_time(__u64 used)
{
	FILE *file = times ? fopen(times, "a") : NULL;

	if (!file)
		return;
	fprintf(file, "%llu\n", used);
	fclose(file);
}

/* Spend @ns of CPU time in @work, and note the time that it took. */
static __u64 spend(work_fn work, __u64 ns)
{
	__u64 used = work_for(work, ns);

	note_time(used);
	return used;
}

/*
 * Spend time in heavy(), in pieces: a host that stops the machine takes the ticks of one
 * of them.
 */
static void get_samples(void)
{
	for (int i = 0; i < 10; i++)
		spend(heavy, 20 * NSEC_PER_MSEC);
}

static __u64 ns_of(const char *text)
{
	return strtoull(text, NULL, 10);
}

/* workload exit STATUS, workload _exit STATUS, workload kill SIGNAL */
static int do_end(char **argv)
{
	int number = atoi(argv[0]);

	get_samples();
	if (!strcmp(argv[-1], "exit"))
		exit(number);
	if (!strcmp(argv[-1], "_exit"))
		_exit(number);
	return raise(number);
}

/* workload busy NS */
static int do_busy(char **argv)
{
	spend(heavy, ns_of(argv[0]));
	return 0;
}

/*
 * workload share NS: call heavy() and light() by turns of random lengths, which
 * cannot be in step with the tick, and print the nanoseconds of each.
 */
static int do_share(char **argv)
{
	__u64 end = thread_ns() + ns_of(argv[0]);
	__u64 in_heavy = 0, in_light = 0;

	while (thread_ns() < end) {
		in_heavy += spend(heavy, random() % (28 * NSEC_PER_MSEC));
		in_light += spend(light, random() % (12 * NSEC_PER_MSEC));
	}
	printf("%llu %llu\n", in_heavy, in_light);
	return 0;
}

static bool wait_for_all(void)
{
	bool good = true;
	int status;

	while (wait(&status) > 0)
		good &= WIFEXITED(status) && !WEXITSTATUS(status);
	return good && errno == ECHILD;
}

/* Function of the @i-th child or thread */
static work_fn function_of(int i)
{
	return i % 2 ? heavy : light;
}

/* workload fork NUMBER NS: NS in each child, in heavy() and light() by turns */
static int do_fork(char **argv)
{
	for (int i = 0; i < atoi(argv[0]); i++)
		if (!fork()) {
			spend(function_of(i), ns_of(argv[1]));
			_exit(0);
		}
	return wait_for_all() ? 0 : fail("a child failed");
}

/* workload exec PROGRAM ARGUMENT...: run PROGRAM in a child. */
static int do_exec(char **argv)
{
	if (!fork()) {
		execv(argv[0], argv);
		_exit(1);
	}
	return wait_for_all() ? 0 : fail("the program failed");
}

/*
 * workload chain NUMBER NS OTHER: spend NS, and execute OTHER to do the same and
 * execute this program, NUMBER programs in all.
 */
static int do_chain(char **argv)
{
	int number = atoi(argv[0]) - 1;
	char left[16];

	spend(heavy, ns_of(argv[1]));
	if (!number)
		return 0;
	snprintf(left, sizeof(left), "%d", number);
	execl(argv[2], argv[2], "chain", left, argv[1], argv[-2], NULL);
	return fail("the next program was not executed");
}

/* workload child PROGRAM ARGUMENT...: run PROGRAM, and note its CPU time. */
static int do_child(char **argv)
{
	struct rusage used;
	int ret = do_exec(argv);

	getrusage(RUSAGE_CHILDREN, &used);
	note_time((used.ru_utime.tv_sec + used.ru_stime.tv_sec) * NSEC_PER_SEC +
		  (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000);
	return ret;
}

/*
 * workload hold FILE: spend time while FILE exists, and until there are samples
 * after that.
 */
static int do_hold(char **argv)
{
	do
		get_samples();
	while (!access(argv[0], F_OK));
	get_samples();
	return 0;
}

/* workload again NUMBER PROGRAM ARGUMENT...: run PROGRAM in NUMBER children. */
static int do_again(char **argv)
{
	for (int i = 0; i < atoi(argv[0]); i++)
		if (do_exec(argv + 1))
			return 99;
	return 0;
}

struct piece {
	pthread_t thread;
	work_fn work;
	__u64 ns;
};

static void *spend_piece(void *data)
{
	struct piece *piece = data;

	spend(piece->work, piece->ns);
	return NULL;
}

/*
 * workload threads NUMBER NS: NS in each thread, in heavy() and light() by
 * turns
 */
static int do_threads(char **argv)
{
	struct piece pieces[16];
	int nr = atoi(argv[0]);

	for (int i = 0; i < nr; i++) {
		pieces[i] = (struct piece){ .work = function_of(i),
					    .ns = ns_of(argv[1]) };
		if (pthread_create(&pieces[i].thread, NULL, spend_piece,
				   &pieces[i]))
			return fail("no thread");
	}
	for (int i = 0; i < nr; i++)
		pthread_join(pieces[i].thread, NULL);
	return 0;
}

#ifndef STATIC

static int work_in(void *library, const char *function, __u64 ns)
{
	work_fn work;

	if (!library)
		return fail(dlerror());
	*(void **)&work = dlsym(library, function);
	if (!work)
		return fail(dlerror());
	spend(work, ns);
	return 0;
}

/*
 * workload turn ROUNDS LIBRARY FUNCTION NS LIBRARY FUNCTION NS: open the libraries in
 * turn, in each round at the address of the round before, and spend in each a random
 * time of NS in the mean, which cannot be in step with the tick.
 */
static int do_turn(char **argv)
{
	static void *address;

	for (int i = 0; i < atoi(argv[0]) * 2; i++) {
		char **mine = &argv[1 + i % 2 * 3];
		void *library = dlopen(mine[0], RTLD_NOW);
		__u64 ns = ns_of(mine[2]);
		int ret = work_in(library, mine[1], ns / 2 + random() % ns);

		if (ret)
			return ret;
		if (address && dlsym(library, mine[1]) != address)
			return fail("the libraries are at two addresses");
		address = dlsym(library, mine[1]);
		dlclose(library);
	}
	return 0;
}

#endif

/*
 * workload leave NS: a daemon, which leaves the session, the environment and all
 * descriptors; workload daemon NS: wait for it
 */
static int do_leave(char **argv)
{
	if (!fork()) {
		setsid();
		clearenv();
		close_range(0, ~0U, 0);
		_exit(do_busy(argv));
	}
	return 0;
}

static int do_daemon(char **argv)
{
	do_leave(argv);
	return wait_for_all() ? 0 : fail("the daemon failed");
}

/* workload state: print descriptors, signals, timers and threads. */
static int do_state(char **argv)
{
	static struct process_state state;

	(void)argv;
	if (!process_state_read(&state))
		return fail("no state");
	for (int signal = 1; signal < NSIG; signal++)
		if (state.handlers[signal] ||
		    sigismember(&state.blocked, signal))
			printf("signal %d %p %d\n", signal,
			       (void *)state.handlers[signal],
			       sigismember(&state.blocked, signal));
	for (int which = 0; which < 3; which++)
		printf("timer %ld\n",
		       (long)state.timers[which].it_interval.tv_usec);
	for (const char *at = state.threads; *at; at++)
		if (*at == '\n')
			puts("thread");
	fputs(state.descriptors, stdout);
	return 0;
}

/* Another process sends the signal: one of the command would be for profil alone. */
static void signal_parent(int signal)
{
	pid_t parent = getppid();

	if (!fork()) {
		kill(parent, signal);
		_exit(0);
	}
}

/*
 * workload interrupt: have SIGINT sent to the parent, and wait to be killed;
 * workload ignore: the same, with SIGINT ignored;
 * workload terminate: the same with SIGTERM
 */
static int wait_to_be_killed(char **argv)
{
	if (!strcmp(argv[-1], "ignore"))
		signal(SIGINT, SIG_IGN);
	get_samples();
	signal_parent(strcmp(argv[-1], "terminate") ? SIGINT : SIGTERM);
	sleep(600);
	return fail("the signal was not passed on");
}

static unsigned short counters[NR_SITES];

/* workload own: call profil(), and print whether there are samples. */
static int do_own(char **argv)
{
	(void)argv;
	if (profil(counters, sizeof(counters), (uintptr_t)profil_sites,
		   SITE_SCALE(2)))
		return fail("profil() failed");
	puts(spin_until(5, counters, 2, 3) ? "counted" : "idle");
	return 0;
}

/* workload generate NS: spend the time in generated code. */
static int do_generate(char **argv)
{
	static const unsigned char loop[] = { 0xff, 0xcf, 0x75, 0xfc, 0xc3 };
	void *code = mmap(NULL, page_size(), PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	work_fn work = (work_fn)(uintptr_t)code;

	if (code == MAP_FAILED)
		return fail("no memory");
	memcpy(code, loop, sizeof(loop));
	spend(work, ns_of(argv[0]));
	return 0;
}

/*
 * workload replace FILE: rename FILE to this program's file, after the recorder had time to
 * see the program, also on a busy host.
 */
static int do_replace(char **argv)
{
	const struct timespec second = { .tv_sec = 1 };
	char self[4096] = "";

	get_samples();
	nanosleep(&second, NULL);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    rename(argv[0], self))
		return fail("cannot replace the program");
	return 0;
}

/* workload write FILE: write more than a limit allows, to end by SIGXFSZ. */
static int do_write(char **argv)
{
	static char much[65536];
	int fd = creat(argv[0], 0600);

	for (int i = 0; fd >= 0 && i < 16; i++)
		if (write(fd, much, sizeof(much)) < 0)
			return fail("write() failed");
	return fail("no file size limit");
}

/* workload closed: exit with 0 if stdin and stderr are closed. */
static int do_closed(char **argv)
{
	(void)argv;
	return fcntl(0, F_GETFD) >= 0 || fcntl(2, F_GETFD) >= 0;
}

/* workload zeros NANOSECONDS: read zeros for this CPU time, most in the kernel. */
static int do_zeros(char **argv)
{
	static char zeros[1 << 20];
	__u64 end = thread_ns() + ns_of(argv[0]);
	int fd = open("/dev/zero", O_RDONLY);

	if (fd < 0)
		return fail("/dev/zero");
	while (thread_ns() < end)
		if (read(fd, zeros, sizeof(zeros)) < 0)
			return fail("read");
	return 0;
}

/* workload copy: copy stdin to stdout. */
static int do_copy(char **argv)
{
	int c;

	(void)argv;
	while ((c = getchar()) != EOF)
		putchar(c);
	return 0;
}

static const struct {
	const char *name;
	int nr_arguments;
	int (*run)(char **argv);
} verbs[] = {
	/* clang-format off */
	{ "exit", 1, do_end },
	{ "_exit", 1, do_end },
	{ "kill", 1, do_end },
	{ "busy", 1, do_busy },
	{ "share", 1, do_share },
	{ "fork", 2, do_fork },
	{ "exec", 1, do_exec },
	{ "hold", 1, do_hold },
	{ "again", 2, do_again },
	{ "chain", 3, do_chain },
	{ "child", 1, do_child },
	{ "threads", 2, do_threads },
#ifndef STATIC
	{ "turn", 7, do_turn },
#endif
	{ "daemon", 1, do_daemon },
	{ "leave", 1, do_leave },
	{ "state", 0, do_state },
	{ "interrupt", 0, wait_to_be_killed },
	{ "ignore", 0, wait_to_be_killed },
	{ "terminate", 0, wait_to_be_killed },
	{ "own", 0, do_own },
	{ "generate", 1, do_generate },
	{ "replace", 1, do_replace },
	{ "write", 1, do_write },
	{ "closed", 0, do_closed },
	{ "copy", 0, do_copy },
	{ "zeros", 1, do_zeros },
	/* clang-format on */
};

int main(int argc, char **argv)
{
	times = getenv("WORKLOAD_TIMES");
	if (times)
		times = strdup(times);
	for (size_t i = 0; argc > 1 && i < ARRAY_LENGTH(verbs); i++)
		if (!strcmp(argv[1], verbs[i].name) &&
		    argc - 2 >= verbs[i].nr_arguments)
			return verbs[i].run(argv + 2);
	return fail("unknown verb, or too few arguments");
}
