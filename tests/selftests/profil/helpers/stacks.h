/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks: code whose callers are known, its rows, and what a table has counted.
 *
 * The code is on x86-64, and some of it on arm64. Each entry is an outermost function, for
 * which the rows have the end of the stack: what is above it does not matter.
 */
#ifndef PROFIL_TEST_STACKS_H
#define PROFIL_TEST_STACKS_H

#include "table.h"

#ifdef __x86_64__
#define HAVE_STACKS true
#else
#define HAVE_STACKS false
#endif

/* base_a(), base_b() and base_c() alone */
#ifdef __aarch64__
#define HAVE_CALLS true
#else
#define HAVE_CALLS HAVE_STACKS
#endif

/*
 * Call a function @depth times by itself, and spin @loops times in the last one. Each is a
 * base of its own, with frames of the same size, so that rsp is the same.
 */
void base_a(unsigned long depth, unsigned long loops);
void base_b(unsigned long depth, unsigned long loops);
void base_c(unsigned long depth, unsigned long loops);

/*
 * Spin at rsp @sp, two calls below a function with a frame pointer, below one of two
 * bases: stacks that differ in the word where rbp was saved, and in the loop alone.
 */
void hang_a(unsigned long unused, unsigned long loops, void *sp);
void hang_b(unsigned long unused, unsigned long loops, void *sp);

/* As base_a() on the stack whose end is @sp, whose rbx leads back to its base. */
void switch_to(unsigned long depth, unsigned long loops, void *sp);

/* A handler of signals that spins, and where it returns to: SA_RESTORER */
void spin_in_handler(int signal);
void restore_of_handler(void);

/* As base_a() without a rule for its base: it goes by rbp. */
void base_without_rule(unsigned long depth, unsigned long loops);

/* A base that calls @callee: base_without_rule(), or the function that bases call. */
void via(unsigned long depth, unsigned long loops, const void *callee);

/* Spin with these in rsp, rbp and rbx: there is no stack meanwhile. */
void spin_with(__u64 sp, unsigned long loops, __u64 bp, __u64 bx);
void spin_twin_with(__u64 sp, unsigned long loops, __u64 bp, __u64 bx);

/* Write 32-bit code that spins to @code, below 4 GiB; spin there. */
void narrow_code(unsigned char *code);
void spin_narrow(const void *code, unsigned long loops);

/* A label of the code */
#define STACKS_LABEL(name, label) extern const char name[] __asm__(label)
STACKS_LABEL(deep, "deep");
STACKS_LABEL(stacks_begin, "stacks_begin");
STACKS_LABEL(spin_with_loop, "spin_with_loop");
STACKS_LABEL(narrow_exit, "narrow_exit");

/* Functions of the code, by a PC of it */
enum stack_place {
	IN_BASE_A,
	IN_BASE_B,
	IN_BASE_C,
	IN_HANG_A,
	IN_HANG_B,
	IN_SWITCH,
	IN_DEEP, /* what bases call, and what it calls */
	IN_FRAMED, /* what hang_*() call */
	IN_SAVER, /* what that calls */
	IN_SPIN,
	IN_SPIN_TWIN, /* hang_b(), and spin_twin_with() */
	IN_HANDLER,
	IN_RESTORE,
	IN_WITHOUT_RULE,
	IN_VIA,
	IN_SPIN_WITH,
	ELSEWHERE,
};

#define STACK_DEPTH 127

/* A stack with samples: places from the base to the leaf */
struct stack {
	__u64 count;
	__u32 end; /* PROFIL_WALK_* */
	unsigned int nr;
	enum stack_place at[STACK_DEPTH + 1];
	__u64 keys[STACK_DEPTH + 1]; /* of these counters */
};

/* The first stack of the half that was taken last, from counter *@at on. */
bool stack_next(const struct table *table, size_t *at, struct stack *stack);

#define FOR_EACH_STACK(table, stack) \
	for (size_t at_ = 0; stack_next(table, &at_, stack); at_++)

/* Print it, as the letters of its places. */
void stack_print(const struct stack *stack);

/* The rows of the code, at most ROWS_MAX: their number */
#define ROWS_MAX 64
unsigned int stack_rows(struct profil_row rows[ROWS_MAX]);

/*
 * Load @rows for the file of the running program, once a sample of @table has made the
 * driver want them. 0 or a negative errno.
 */
int stack_load(const struct table *table, const struct profil_row *rows,
	       unsigned int nr);

/* The same in place of the rows that it has */
int stack_load_again(const struct table *table, const struct profil_row *rows,
		     unsigned int nr);

#endif /* PROFIL_TEST_STACKS_H */
