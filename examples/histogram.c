// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that profiles itself, as in the old manuals
 *
 * The program passes profil() a buffer for the histogram of its own code, works
 * for three seconds of CPU time, and draws the buffer: a line for each 16 bytes of
 * code with samples. The same program can be counted by the C library or by the
 * kernel:
 *
 *	./histogram				the C library
 *	LD_PRELOAD=libprofil.so.1 ./histogram	the kernel, as after cc -lprofil
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Linker symbols: first address of the program, and the end of its code */
extern char __executable_start[], etext[];

#define SECONDS 3
#define STEP 16 /* bytes of code per counter, and per line of the picture */
#define SCALE (65536 * sizeof(*counters) / STEP)
#define BAR "############################################"
#define WIDTH ((int)strlen(BAR))

/* Each function begins a line of the picture. */
#define WORK __attribute__((noinline, aligned(STEP))) static void

#define LIMIT 100000
#define SIDE 32
#define LENGTH 5000

static unsigned short *counters;
static char composite[LIMIT];
static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static unsigned int numbers[LENGTH];

WORK sieve(void)
{
	memset(composite, 0, sizeof(composite));
	for (int i = 2; i * i < LIMIT; i++)
		for (int j = i * i; !composite[i] && j < LIMIT; j += i)
			composite[j] = 1;
}

WORK multiply(void)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			for (int k = 0; k < SIDE; k++)
				product[i][j] += left[i][k] * right[k][j];
}

WORK shuffle(void)
{
	static unsigned int random = 1;

	for (int i = 0; i < LENGTH; i++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		numbers[i] = random;
	}
}

WORK sort(void)
{
	for (int gap = LENGTH / 2; gap; gap /= 2)
		for (int i = gap; i < LENGTH; i++) {
			unsigned int number = numbers[i];
			int j = i;

			for (; j >= gap && numbers[j - gap] > number; j -= gap)
				numbers[j] = numbers[j - gap];
			numbers[j] = number;
		}
}

static const struct {
	const char *name;
	void (*run)(void);
} work[] = {
	{ "sieve", sieve },
	{ "multiply", multiply },
	{ "shuffle", shuffle },
	{ "sort", sort },
};

#define NR_WORK (sizeof(work) / sizeof(*work))

static size_t line_of(const void *address)
{
	return ((char *)address - __executable_start) / STEP;
}

/* The work that @line belongs to: what begins last at it or before */
static const char *name_of(size_t line)
{
	const char *name = "";
	size_t begin = 0;

	for (size_t i = 0; i < NR_WORK; i++) {
		size_t its = line_of(work[i].run);

		if (its <= line && its > begin) {
			begin = its;
			name = work[i].name;
		}
	}
	return name;
}

static void draw(size_t lines)
{
	unsigned int total = 0, most = 1;

	for (size_t line = 0; line < lines; line++) {
		total += counters[line];
		most = counters[line] > most ? counters[line] : most;
	}
	for (size_t line = 0; line < lines; line++) {
		if (!counters[line])
			continue;
		printf("%p %-8s %5u %.*s\n", __executable_start + line * STEP,
		       name_of(line), counters[line],
		       counters[line] * WIDTH / most, BAR);
	}
	printf("%u samples in %d s of CPU time\n", total, SECONDS);
}

int main(void)
{
	size_t lines = line_of(etext) + 1;
	size_t size = lines * sizeof(*counters);

	counters = calloc(1, size);
	if (!counters ||
	    profil(counters, size, (size_t)__executable_start, SCALE))
		err(1, "profil");
	for (size_t i = 0; clock() < SECONDS * CLOCKS_PER_SEC; i++)
		work[i % NR_WORK].run();
	profil(counters, 0, 0, 0);

	draw(lines);
	return 0;
}
