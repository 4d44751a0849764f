// SPDX-License-Identifier: GPL-2.0-only
/*
 * Methods that count in a BPF program: the interrupted user PC, or the number that a
 * map of stacks gives to the user's stack, selects an element of an array. Without a module
 * no method is cheaper.
 */
#include "bench.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>

#define NR_COUNTERS (WORK_BYTES / 2)
#define NR_STACKS 16384
#define STACK_BYTES (127 * 8)
/* the offset of ip in x86-64's struct pt_regs, the context's first member */
#define REGS_IP 128
#define MAX_INSNS 64

static int event = -1, map = -1, stacks = -1, program = -1;
static __u32 nr_counters;
static struct bpf_insn insns[MAX_INSNS];
static unsigned int nr_insns;

static int bpf(int command, union bpf_attr *attr)
{
	int fd = (int)syscall(SYS_bpf, command, attr, sizeof(*attr));

	if (fd < 0 && command != BPF_MAP_LOOKUP_ELEM)
		die("There is no BPF: %s.", strerror(errno));
	return fd;
}

static void put(__u8 code, int to, int from, __s16 offset, __s32 value)
{
	insns[nr_insns++] = (struct bpf_insn){
		.code = code,
		.dst_reg = (__u8)(to & 0xf),
		.src_reg = (__u8)(from & 0xf),
		.off = offset,
		.imm = value,
	};
}

static void put_address(int to, int kind, __u64 value)
{
	put(BPF_LD | BPF_DW | BPF_IMM, to, kind, 0, (__s32)value);
	put(0, 0, 0, 0, (__s32)(value >> 32));
}

/* r6, a PC, becomes its counter. */
static void put_counter_of_pc(void)
{
	put_address(BPF_REG_7, 0, (uintptr_t)work_text);
	put(BPF_ALU64 | BPF_SUB | BPF_X, BPF_REG_6, BPF_REG_7, 0, 0);
	put(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_6, 0, 0, 1);
}

/*
 * Increment the counter in r6. Jumps to the end of the program use the distance from the
 * last instruction.
 */
static void put_counting(void)
{
	put(BPF_JMP | BPF_JGE | BPF_K, BPF_REG_6, 0, 9, (__s32)nr_counters);
	put(BPF_STX | BPF_MEM | BPF_W, BPF_REG_10, BPF_REG_6, -4, 0);
	put(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0);
	put(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4);
	put_address(BPF_REG_1, BPF_PSEUDO_MAP_FD, (__u64)map);
	put(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem);
	put(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0);
	put(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, 1);
	put(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0, BPF_ADD);
	put(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0);
	put(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void load_program(enum bpf_prog_type type)
{
	static const char license[] = "GPL";
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = type,
		.insns = (uintptr_t)insns,
		.insn_cnt = nr_insns,
		.license = (uintptr_t)license,
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};

	program = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (program < 0)
		die("The kernel refuses the BPF program (%s):\n%s",
		    strerror(errno), log);
}

static int new_map(enum bpf_map_type type, __u32 bytes, __u32 entries)
{
	union bpf_attr attr = {
		.map_type = type,
		.key_size = 4,
		.value_size = bytes,
		.max_entries = entries,
	};

	return bpf(BPF_MAP_CREATE, &attr);
}

static void begin(__u32 counters)
{
	nr_counters = counters;
	map = new_map(BPF_MAP_TYPE_ARRAY, 8, counters);
	nr_insns = 0;
}

static void attach(const struct method *method)
{
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, program) ||
	    ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		die("The BPF program cannot be attached for %s: %s.",
		    method->name, strerror(errno));
}

void bpf_clock_start(const struct method *method)
{
	begin(NR_COUNTERS);
	put(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_1, REGS_IP, 0);
	put_counter_of_pc();
	put_counting();
	load_program(BPF_PROG_TYPE_PERF_EVENT);
	event = clock_event(method->period_ns, 0);
	attach(method);
}

/*
 * A stack that has the place of another one replaces it: of some hundreds a few per cent do. One
 * without a number has the last counter.
 */
void bpf_stack_start(const struct method *method)
{
	begin(NR_STACKS + 1);
	stacks = new_map(BPF_MAP_TYPE_STACK_TRACE, STACK_BYTES, NR_STACKS);
	put_address(BPF_REG_2, BPF_PSEUDO_MAP_FD, (__u64)stacks);
	put(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0,
	    BPF_F_USER_STACK | BPF_F_REUSE_STACKID);
	put(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_stackid);
	put(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_0, 0, 0);
	put(BPF_JMP | BPF_JLT | BPF_K, BPF_REG_6, 0, 1, NR_STACKS);
	put(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_6, 0, 0, NR_STACKS);
	put_counting();
	load_program(BPF_PROG_TYPE_PERF_EVENT);
	event = clock_event(method->period_ns, 0);
	attach(method);
}

static __u32 type_of_kprobe(void)
{
	__u32 type = number_in("/sys/bus/event_source/devices/kprobe/type");

	if (!type)
		die("perf has no kprobes.");
	return type;
}

static int tick_event(void)
{
	static const char hooked[] = "update_process_times";
	struct perf_event_attr attr = {
		.type = type_of_kprobe(),
		.size = sizeof(attr),
		.kprobe_func = (uintptr_t)hooked,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("There is no kprobe on the tick: %s.", strerror(errno));
	return fd;
}

/* The program runs in each tick, and returns early for other processes. */
void bpf_tick_start(const struct method *method)
{
	begin(NR_COUNTERS);
	put(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_pid_tgid);
	put(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32);
	put(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 4 + 14, getpid());
	put(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_task_btf);
	put(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_0, 0, 0);
	put(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_task_pt_regs);
	put(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_0, REGS_IP, 0);
	put_counter_of_pc();
	put_counting();
	load_program(BPF_PROG_TYPE_KPROBE);
	event = tick_event();
	attach(method);
}

static __u64 count_of(__u32 key)
{
	__u64 value = 0;
	union bpf_attr attr = {
		.map_fd = (__u32)map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	bpf(BPF_MAP_LOOKUP_ELEM, &attr);
	return value;
}

__u64 bpf_stop(const struct method *method)
{
	__u64 sum = 0;

	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	for (__u32 key = 0; key < nr_counters; key++)
		sum += count_of(key);
	if (stacks >= 0 && count_of(NR_STACKS) > sum / 100)
		die("Samples of %s have no stack.", method->name);
	close(event);
	close(program);
	close(map);
	close(stacks);
	stacks = -1;
	sleep_ns(2 * NSEC_PER_SEC);
	return sum;
}
