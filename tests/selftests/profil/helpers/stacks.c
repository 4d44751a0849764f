// SPDX-License-Identifier: GPL-2.0-only
#include "stacks.h"

#include "program.h"

#define RULE(kind, n) (PROFIL_RULE_##kind | (__u16)(n))

#define ROW(label, rule, bp, bx, place)                   \
	{                                                 \
		STACKS_LABEL(at_##label, #label);         \
		add_row(at_##label, rule, bp, bx, place); \
	}

static struct profil_row all_rows[ROWS_MAX];
static enum stack_place places[ROWS_MAX];
static unsigned int nr_rows;

static void add_row(const char *label, __u16 rule, __s8 bp, __s8 bx,
		    enum stack_place place)
{
	all_rows[nr_rows] = (struct profil_row){
		.offset = (__u32)offset_of(label),
		.rule = rule,
		.bp = bp,
		.bx = bx,
	};
	places[nr_rows++] = place;
}

/*
 * Each mark is a row, in the table below: a label, whose rule holds from there on. Bases
 * have frames of the same size.
 */
#ifdef __x86_64__

#define BASE(name)                       \
	".globl " #name "\n" #name ":\n" \
	"	sub $24, %rsp\n"               \
	"	call deep\n"                   \
	"	add $24, %rsp\n"               \
	"	ret\n"

#define HANG(name, bytes, spin)              \
	".globl " #name "\n" #name ":\n"     \
	"	lea " #spin "(%rip), %rcx\n" \
	"	sub $" #bytes ", %rsp\n"     \
	"	call framed\n"                     \
	"	add $" #bytes ", %rsp\n"     \
	"	ret\n"

#define SPIN_WITH(name)                               \
	".globl " #name "\n" #name ":\n"              \
	"	push %rbx\n"                                \
	"	push %rbp\n"                                \
	"	mov %rsp, stack_before(%rip)\n"             \
	"	mov %rdi, %rsp\n"                           \
	"	mov %rdx, %rbp\n"                           \
	"	mov %rcx, %rbx\n"                           \
	".globl " #name "_loop\n" #name "_loop:\n"    \
	"	dec %rsi\n"                                 \
	"	jnz " #name "_loop\n" #name "_end:\n" \
	"	mov stack_before(%rip), %rsp\n"             \
	"	pop %rbp\n"                                 \
	"	pop %rbx\n"                                 \
	"	ret\n"

/* clang-format off */
__asm__(".pushsection .text\n"
	".balign 64\n"
	".globl stacks_begin\n"
	"stacks_begin:\n"
	BASE(base_a)
	BASE(base_b)
	BASE(base_c)
	HANG(hang_a, 24, spin_loop)
	HANG(hang_b, 88, spin_twin)
	".globl switch_to\n"
	"switch_to:\n"
	"	push %rbx\n"
	"	mov %rsp, %rbx\n"
	"	mov %rdx, %rsp\n"
	"	call on_other\n"
	"	mov %rbx, %rsp\n"
	"	pop %rbx\n"
	"	ret\n"
	/* rbx is kept for its base, as a compiler does for a realigned stack. */
	"on_other:\n"
	"	push %rbx\n"
	"on_other_saved:\n"
	"	mov %rsp, %rbx\n"
	"on_other_by_rbx:\n"
	"	sub $64, %rsp\n"
	"	call deep\n"
	"	mov %rbx, %rsp\n"
	"on_other_pop:\n"
	"	pop %rbx\n"
	"on_other_end:\n"
	"	ret\n"
	".globl deep\n"
	"deep:\n"
	"	push %rbx\n"
	"deep_saved:\n"
	"	mov %rdi, %rbx\n"
	"	test %rdi, %rdi\n"
	"	jz 1f\n"
	"	dec %rdi\n"
	"	call deep\n"
	"	jmp 2f\n"
	"1:	call spin_loop\n"
	"2:	pop %rbx\n"
	"deep_end:\n"
	"	ret\n"
	"framed:\n"
	"	push %rbp\n"
	"framed_saved:\n"
	"	mov %rsp, %rbp\n"
	"framed_by_rbp:\n"
	"	mov %rdx, %rsp\n"
	"	call saver\n"
	"	mov %rbp, %rsp\n"
	"	pop %rbp\n"
	"framed_end:\n"
	"	ret\n"
	"saver:\n"
	"	push %rbp\n"
	"saver_saved:\n"
	"	xor %ebp, %ebp\n"
	"	call *%rcx\n"
	"	pop %rbp\n"
	"saver_end:\n"
	"	ret\n"
	"spin_loop:\n"
	"1:	dec %rsi\n"
	"	jnz 1b\n"
	"	ret\n"
	"spin_twin:\n"
	"1:	dec %rsi\n"
	"	jnz 1b\n"
	"	ret\n"
	".globl spin_in_handler\n"
	"spin_in_handler:\n"
	"	mov $400000, %esi\n"
	"	call spin_loop\n"
	"	ret\n"
	/* The address behind the call of a handler is that of the next function. */
	"restore_row:\n"
	"	nop\n"
	".globl restore_of_handler\n"
	"restore_of_handler:\n"
	"	mov $15, %eax\n"
	"	syscall\n"
	".globl base_without_rule\n"
	"base_without_rule:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call deep\n"
	"	pop %rbp\n"
	"	ret\n"
	/* As a base, which calls what is given */
	".globl via\n"
	"via:\n"
	"	sub $24, %rsp\n"
	"	call *%rdx\n"
	"	add $24, %rsp\n"
	"	ret\n"
	SPIN_WITH(spin_with)
	SPIN_WITH(spin_twin_with)
	/* To the segment of 32-bit code, without a stack meanwhile */
	".globl spin_narrow\n"
	"spin_narrow:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"	mov %rsp, stack_before(%rip)\n"
	"	mov %rsi, %rcx\n"
	"	movl %edi, narrow_entry(%rip)\n"
	"	movl $0x23, narrow_entry + 4(%rip)\n"
	"	ljmp *narrow_entry(%rip)\n"
	".globl narrow_exit\n"
	"narrow_exit:\n"
	"	mov stack_before(%rip), %rsp\n"
	"	pop %rbp\n"
	"	pop %rbx\n"
	"	ret\n"
	"stacks_end:\n"
	".popsection\n"
	".local stack_before\n"
	".comm stack_before, 8, 8\n"
	".local narrow_entry\n"
	".comm narrow_entry, 8, 8\n");
/* clang-format on */

/* dec ecx; jnz to it; ljmp 0x33:narrow_exit */
void narrow_code(unsigned char *code)
{
	static const unsigned char bytes[] = { 0x49, 0x75, 0xfd, 0xea };
	__u32 to[2] = { (__u32)(uintptr_t)narrow_exit, 0x33 };

	memcpy(code, bytes, sizeof(bytes));
	memcpy(code + sizeof(bytes), to, 6);
}

static void add_rows(void)
{
	ROW(base_a, RULE(END, 0), 0, 0, IN_BASE_A)
	ROW(base_b, RULE(END, 0), 0, 0, IN_BASE_B)
	ROW(base_c, RULE(END, 0), 0, 0, IN_BASE_C)
	ROW(hang_a, RULE(END, 0), 0, 0, IN_HANG_A)
	ROW(hang_b, RULE(END, 0), 0, 0, IN_HANG_B)
	ROW(switch_to, RULE(END, 0), 0, 0, IN_SWITCH)
	ROW(on_other, RULE(SP, 8), 0, 0, IN_SWITCH)
	ROW(on_other_saved, RULE(SP, 16), 0, -2, IN_SWITCH)
	ROW(on_other_by_rbx, RULE(BX, 16), 0, -2, IN_SWITCH)
	ROW(on_other_pop, RULE(SP, 16), 0, -2, IN_SWITCH)
	ROW(on_other_end, RULE(SP, 8), 0, 0, IN_SWITCH)
	ROW(deep, RULE(SP, 8), 0, 0, IN_DEEP)
	ROW(deep_saved, RULE(SP, 16), 0, -2, IN_DEEP)
	ROW(deep_end, RULE(SP, 8), 0, 0, IN_DEEP)
	ROW(framed, RULE(SP, 8), 0, 0, IN_FRAMED)
	ROW(framed_saved, RULE(SP, 16), -2, 0, IN_FRAMED)
	ROW(framed_by_rbp, RULE(BP, 16), -2, 0, IN_FRAMED)
	ROW(framed_end, RULE(SP, 8), 0, 0, IN_FRAMED)
	ROW(saver, RULE(SP, 8), 0, 0, IN_SAVER)
	ROW(saver_saved, RULE(SP, 16), -2, 0, IN_SAVER)
	ROW(saver_end, RULE(SP, 8), 0, 0, IN_SAVER)
	ROW(spin_loop, RULE(SP, 8), 0, 0, IN_SPIN)
	ROW(spin_twin, RULE(SP, 8), 0, 0, IN_SPIN_TWIN)
	ROW(spin_in_handler, RULE(SP, 8), 0, 0, IN_HANDLER)
	ROW(restore_row, RULE(SIGNAL, 0), 0, 0, IN_RESTORE)
	ROW(base_without_rule, PROFIL_RULE_BY_RBP, 0, 0, IN_WITHOUT_RULE)
	ROW(via, RULE(END, 0), 0, 0, IN_VIA)
	ROW(spin_with, RULE(NONE, 0), 0, 0, ELSEWHERE)
	ROW(spin_with_loop, RULE(SP, 8), 0, 0, IN_SPIN_WITH)
	ROW(spin_with_end, RULE(NONE, 0), 0, 0, ELSEWHERE)
	ROW(spin_twin_with_loop, RULE(SP, 8), 0, 0, IN_SPIN_TWIN)
	ROW(spin_twin_with_end, RULE(NONE, 0), 0, 0, ELSEWHERE)
	ROW(stacks_end, RULE(NONE, 0), 0, 0, ELSEWHERE)
}

#elif defined(__aarch64__)

/* Addresses of local labels are those of their section, in a program that is not PIC. */
#define MARK(name) ".globl " #name "\n" #name ":\n"

/* As on x86-64, with frame records: x29 points to the caller's, and to where it returns */
#define BASE(name)                     \
	MARK(name)                     \
	"	stp x29, x30, [sp, #-32]!\n" \
	"	mov x29, sp\n"               \
	"	bl deep\n"                   \
	"	ldp x29, x30, [sp], #32\n"   \
	"	ret\n"

/* clang-format off */
__asm__(".pushsection .text\n"
	".balign 64\n"
	MARK(stacks_begin)
	BASE(base_a)
	BASE(base_b)
	BASE(base_c)
	MARK(deep)
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x29, sp\n"
	MARK(deep_record)
	"	cbz x0, 1f\n"
	"	sub x0, x0, #1\n"
	"	bl deep\n"
	"	b 2f\n"
	"1:	bl spin_loop\n"
	"2:	ldp x29, x30, [sp], #16\n"
	MARK(deep_end)
	"	ret\n"
	MARK(spin_loop)
	"1:	subs x1, x1, #1\n"
	"	b.ne 1b\n"
	"	ret\n"
	MARK(stacks_end)
	".popsection\n");
/* clang-format on */

static void add_rows(void)
{
	ROW(base_a, RULE(END, 0), 0, 0, IN_BASE_A)
	ROW(base_b, RULE(END, 0), 0, 0, IN_BASE_B)
	ROW(base_c, RULE(END, 0), 0, 0, IN_BASE_C)
	ROW(deep, RULE(LR, 0), 0, 0, IN_DEEP)
	ROW(deep_record, RULE(RECORD, 0), -2, 0, IN_DEEP)
	ROW(deep_end, RULE(LR, 0), 0, 0, IN_DEEP)
	ROW(spin_loop, RULE(LR, 0), 0, 0, IN_SPIN)
	ROW(stacks_end, RULE(NONE, 0), 0, 0, ELSEWHERE)
}

#else

static void add_rows(void)
{
}

#endif

static void make_rows(void)
{
	if (!nr_rows)
		add_rows();
}

unsigned int stack_rows(struct profil_row rows[ROWS_MAX])
{
	make_rows();
	memcpy(rows, all_rows, nr_rows * sizeof(*rows));
	return nr_rows;
}

/* The code is in one file of the tree, and in one place there. */
static enum stack_place place_of(__u64 key)
{
	enum stack_place place = ELSEWHERE;

	make_rows();
	for (unsigned int i = 0; i < nr_rows; i++)
		if (all_rows[i].offset <= PROFIL_KEY_OFFSET(key))
			place = places[i];
	return place;
}

static void fill_stack(const struct profil_counter *half, size_t nr, __u32 node,
		       struct stack *stack)
{
	__u32 up, of = node;

	/* A node that is its own parent, by a defect, ends here, too. */
	for (up = node; up < nr && stack->nr <= STACK_DEPTH;
	     up = PROFIL_NODE_PARENT(half[up].key))
		stack->nr++;
	stack->end = up - PROFIL_NODE_ROOT;
	for (unsigned int i = stack->nr; i && i <= STACK_DEPTH; i--) {
		__u64 key = half[PROFIL_NODE_PC(half[of].key)].key;

		stack->at[i - 1] = place_of(key);
		stack->keys[i - 1] = key;
		of = PROFIL_NODE_PARENT(half[of].key);
	}
}

bool stack_next(const struct table *table, size_t *at, struct stack *stack)
{
	const struct profil_counter *half = table_half(table);

	while (*at < table->nr &&
	       (PROFIL_KEY_KIND(half[*at].key) != PROFIL_KIND_NODE ||
		!half[*at].count))
		++*at;
	if (*at == table->nr)
		return false;
	memset(stack, 0, sizeof(*stack));
	stack->count = half[*at].count;
	fill_stack(half, table->nr, (__u32)*at, stack);
	return true;
}

void stack_print(const struct stack *stack)
{
	static const char letters[] = "abcABSdfsLtHRwvW.";

	printf("# %llu samples, end %u:", stack->count, stack->end);
	for (unsigned int i = 0; i < stack->nr && i < STACK_DEPTH; i++)
		printf(" %c", letters[stack->at[i]]);
	printf("\n");
}

static bool wants_own_file(const struct table *table,
			   struct profil_wanted *wanted)
{
	struct stat own;

	memset(wanted, 0, sizeof(*wanted));
	wanted->size = sizeof(*wanted);
	if (call(table->fd, PROFIL_TABLE_IOC_WANTED, wanted) ||
	    stat("/proc/self/exe", &own))
		return false;
	return wanted->kind == PROFIL_NAME_FILE && wanted->inode == own.st_ino;
}

int stack_load_again(const struct table *table, const struct profil_row *rows,
		     unsigned int nr)
{
	struct profil_rows load = {
		.size = sizeof(load),
		.kind = PROFIL_ROWS_BY_FD,
		.nr_rows = nr,
		.rows = (uintptr_t)rows,
	};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), result;

	load.inode = (__u64)fd;
	result = call(table->fd, PROFIL_TABLE_IOC_ROWS, &load);
	close(fd);
	return result;
}

int stack_load(const struct table *table, const struct profil_row *rows,
	       unsigned int nr)
{
	struct profil_wanted wanted;

	if (!WAIT_FOR(wants_own_file(table, &wanted)))
		return -ETIMEDOUT;
	return stack_load_again(table, rows, nr);
}
