// SPDX-License-Identifier: GPL-2.0-only
/*
 * known_stacks KIND SECONDS [LIBRARY LIBRARY]: make stacks that are known, of a kind, for SECONDS
 * of CPU time. callers.sh has what they are. In all of them leaf() has the time.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define FUNCTION extern "C" __attribute__((noinline, noclone))
/* The call before is not the last instruction. */
#define KEEP_FRAME __asm__ volatile("" ::: "memory")

#define LOOPS 4000

FUNCTION void leaf(void)
{
	for (unsigned int i = 0; i < LOOPS; i++)
		KEEP_FRAME;
}

/* Three bases in turn, one, three and six times; all below has the same PCs and rsp. */

FUNCTION void aba(void)
{
	leaf();
	KEEP_FRAME;
}

#define BASE(name)           \
	FUNCTION void name() \
	{                    \
		aba();       \
		KEEP_FRAME;  \
	}

BASE(base_one)
BASE(base_three)
BASE(base_six)

FUNCTION void turn_of_aba(unsigned int turn)
{
	static void (*const bases[])(void) = {
		base_six, base_three, base_six, base_one,   base_six,
		base_six, base_three, base_six, base_three, base_six,
	};

	bases[turn % 10]();
	KEEP_FRAME;
}

/* A frame of variable size; its place hangs on rbp. */

FUNCTION void sized(size_t bytes)
{
	volatile char *room = static_cast<char *>(alloca(bytes));

	room[0] = 1;
	aba();
	room[bytes - 1] = 1;
}

FUNCTION void turn_of_alloca(unsigned int turn)
{
	sized(16 + turn % 7 * 48);
	KEEP_FRAME;
}

FUNCTION void recur(unsigned int depth)
{
	if (depth)
		recur(depth - 1);
	else
		leaf();
	KEEP_FRAME;
}

FUNCTION void turn_of_recursion(unsigned int turn)
{
	recur(turn * 7 % 60);
	KEEP_FRAME;
}

/* Three coroutines on stacks of their own, or one after the other on the same stack */

#define STACK_BYTES 0x10000

static ucontext_t scheduler, contexts[3];
static char context_stacks[3][STACK_BYTES];

#define BODY(name)                                                     \
	FUNCTION void name()                                           \
	{                                                              \
		for (unsigned int i = 0;; i++) {                       \
			recur(i % 4);                                  \
			swapcontext(&contexts[name##_nr], &scheduler); \
		}                                                      \
	}
enum { body_a_nr, body_b_nr, body_c_nr };
BODY(body_a)
BODY(body_b)
BODY(body_c)

static void make_context(unsigned int nr, unsigned int stack)
{
	static void (*const bodies[])(void) = { body_a, body_b, body_c };

	getcontext(&contexts[nr]);
	contexts[nr].uc_stack.ss_sp = context_stacks[stack];
	contexts[nr].uc_stack.ss_size = STACK_BYTES;
	makecontext(&contexts[nr], bodies[nr], 0);
}

FUNCTION void turn_of_coroutines(unsigned int turn)
{
	for (unsigned int nr = 0; nr < 3 && !turn; nr++)
		make_context(nr, nr);
	swapcontext(&scheduler, &contexts[turn % 3]);
}

FUNCTION void turn_of_one_stack(unsigned int turn)
{
	make_context(turn % 3, 0);
	swapcontext(&scheduler, &contexts[turn % 3]);
}

static jmp_buf caught;

FUNCTION void jump(void)
{
	leaf();
	longjmp(caught, 1);
}

FUNCTION void jumper(unsigned int depth)
{
	static void (*volatile end)(void) = jump;

	if (depth)
		jumper(depth - 1);
	else
		end();
	KEEP_FRAME;
}

FUNCTION void turn_of_longjmp(unsigned int turn)
{
	if (!setjmp(caught))
		jumper(turn * 3 % 20);
}

struct destroyed {
	~destroyed()
	{
		leaf();
	}
};

FUNCTION void thrower(unsigned int depth)
{
	destroyed last;

	if (!depth)
		throw 1;
	thrower(depth - 1);
	KEEP_FRAME;
}

FUNCTION void turn_of_exceptions(unsigned int turn)
{
	try {
		thrower(turn * 5 % 12);
	} catch (int) {
		leaf();
	}
}

FUNCTION void on_signal(int signal)
{
	(void)signal;
	recur(2);
	KEEP_FRAME;
}

static void handle(bool on_own_stack)
{
	struct sigaction act = {};
	struct itimerval each = { { 0, 4000 }, { 0, 4000 } };
	stack_t stack = {};

	stack.ss_sp = context_stacks[0];
	stack.ss_size = STACK_BYTES;
	sigaltstack(&stack, NULL);
	act.sa_handler = on_signal;
	act.sa_flags = SA_RESTART | (on_own_stack ? SA_ONSTACK : 0);
	sigaction(SIGVTALRM, &act, NULL);
	setitimer(ITIMER_VIRTUAL, &each, NULL);
}

FUNCTION void turn_of_signals(unsigned int turn)
{
	if (turn % 1000 == 0)
		handle(turn / 1000 % 2);
	recur(turn % 6);
	KEEP_FRAME;
}

FUNCTION void *in_thread(void *turns)
{
	for (uintptr_t turn = 0; turn < reinterpret_cast<uintptr_t>(turns);
	     turn++)
		recur(turn % 20);
	return NULL;
}

FUNCTION void turn_of_threads(unsigned int turn)
{
	pthread_t threads[4];

	for (auto &thread : threads)
		pthread_create(&thread, NULL, in_thread,
			       reinterpret_cast<void *>(100 + turn % 50));
	for (auto thread : threads)
		pthread_join(thread, NULL);
}

static char **libraries;

/* Two libraries in turn at one address */
FUNCTION void turn_of_libraries(unsigned int turn)
{
	bool is_second = turn % 2;
	void *library = dlopen(libraries[is_second], RTLD_NOW);
	void *work = library ? dlsym(library, is_second ? "work_of_two" :
							  "work_of_one") :
			       NULL;

	if (!work)
		_exit(3);
	for (int i = 0; i < 100; i++)
		reinterpret_cast<void (*)(unsigned long)>(work)(LOOPS);
	dlclose(library);
}

/* Code of two kinds in turn in one place: with a frame pointer, and without */
FUNCTION void turn_of_generated_code(unsigned int turn)
{
	static const unsigned char with[] = { 0x55, 0x48, 0x89, 0xe5,
					      0xff, 0xd7, 0x5d, 0xc3 };
	static const unsigned char without[] = { 0x48, 0x83, 0xec, 0x08,
						 0xff, 0xd7, 0x48, 0x83,
						 0xc4, 0x08, 0xc3 };
	static char *code;

	if (turn % 100 == 0) {
		if (code)
			munmap(code, 4096);
		code = static_cast<char *>(
			mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	}
	if (turn % 2)
		memcpy(code, with, sizeof(with));
	else
		memcpy(code, without, sizeof(without));
	reinterpret_cast<void (*)(void (*)(void))>(code)(aba);
	KEEP_FRAME;
}

FUNCTION void turn_of_calls(unsigned int turn)
{
	static int pipes[2];
	static char bytes[4096];

	if (!turn && pipe(pipes))
		_exit(3);
	if (write(pipes[1], bytes, sizeof(bytes)) < 0 ||
	    read(pipes[0], bytes, sizeof(bytes)) < 0)
		_exit(3);
	leaf();
	KEEP_FRAME;
}

static const struct {
	const char *name;
	void (*turn)(unsigned int turn);
} kinds[] = {
	{ "aba", turn_of_aba },
	{ "alloca", turn_of_alloca },
	{ "recursion", turn_of_recursion },
	{ "coroutines", turn_of_coroutines },
	{ "one_stack", turn_of_one_stack },
	{ "longjmp", turn_of_longjmp },
	{ "exceptions", turn_of_exceptions },
	{ "signals", turn_of_signals },
	{ "threads", turn_of_threads },
	{ "libraries", turn_of_libraries },
	{ "generated_code", turn_of_generated_code },
	{ "calls", turn_of_calls },
};

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return static_cast<double>(used.tv_sec) +
	       static_cast<double>(used.tv_nsec) / 1e9;
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 0;

	libraries = argv + 3;
	for (const auto &kind : kinds) {
		if (argc < 3 || strcmp(argv[1], kind.name) ||
		    (kind.turn == turn_of_libraries && argc < 5))
			continue;
		for (unsigned int turn = 0;
		     turn % 64 || cpu_seconds() < seconds; turn++)
			kind.turn(turn);
		return 0;
	}
	return 2;
}
