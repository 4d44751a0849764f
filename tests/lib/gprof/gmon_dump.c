// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print a gmon.out as text, and fail if it does not follow the published
 * format:
 *
 *	gmon_dump GMON.OUT PROGRAM	with the symbols of PROGRAM
 *	gmon_dump rate			print the samples per second of the tick
 *
 *	format gnu|bsd
 *	rate SAMPLES_PER_SECOND
 *	records HISTOGRAMS
 *	samples ALL
 *	hist FUNCTION SAMPLES
 *	arc CALLER FUNCTION CALLS
 *
 * Built for 32 bits, the program reads the files of 32-bit programs, of any
 * processor.
 */
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../selftests/profil/common.h"

#define BIN 4

/* Bytes of an address in the file */
#define ADDRESS sizeof(void *)

struct bytes {
	unsigned char *data;
	size_t size;
	size_t at;
};

struct symbol {
	__u64 address;
	const char *name;
	__u64 samples;
};

static struct symbol *symbols;
static size_t nr_symbols;

static void give_up(const char *what)
{
	fprintf(stderr, "gmon_dump: %s\n", what);
	exit(EXIT_FAILURE);
}

static struct bytes load(const char *path)
{
	struct bytes bytes = { 0 };
	FILE *file = fopen(path, "r");
	long size;

	if (!file || fseek(file, 0, SEEK_END))
		give_up("a file cannot be read");
	size = ftell(file);
	if (size < 0)
		give_up("a file has no size");
	rewind(file);
	bytes.size = size;
	bytes.data = malloc(bytes.size + 1);
	if (!bytes.data || fread(bytes.data, 1, size, file) != bytes.size)
		give_up("a file cannot be read whole");
	fclose(file);
	return bytes;
}

static __u64 take(struct bytes *bytes, size_t size)
{
	__u64 value = 0;

	if (size > bytes->size - bytes->at)
		give_up("the file ends within a record");
	memcpy(&value, bytes->data + bytes->at, size);
	bytes->at += size;
	return value;
}

/*
 * Symbols
 */

static int by_address(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	return a->address < b->address ? -1 : a->address > b->address;
}

typedef ElfW(Ehdr) file_header;
typedef ElfW(Shdr) section_header;
typedef ElfW(Sym) file_symbol;

/* Bit 0 of a symbol of arm says that its code is Thumb's. */
static void read_symbols(const unsigned char *elf,
			 const section_header *section,
			 const section_header *all)
{
	const file_header *header = (const void *)elf;
	__u64 mask = header->e_machine == EM_ARM ? ~1ULL : ~0ULL;
	const file_symbol *list = (const void *)(elf + section->sh_offset);
	const char *names = (const char *)elf + all[section->sh_link].sh_offset;
	size_t nr = section->sh_size / sizeof(*list);

	symbols = calloc(nr + 1, sizeof(*symbols));
	if (!symbols)
		give_up("no memory");
	for (size_t i = 0; i < nr; i++)
		if (ELF64_ST_TYPE(list[i].st_info) == STT_FUNC &&
		    list[i].st_shndx != SHN_UNDEF)
			symbols[nr_symbols++] = (struct symbol){
				.address = list[i].st_value & mask,
				.name = names + list[i].st_name,
			};
	qsort(symbols, nr_symbols, sizeof(*symbols), by_address);
}

static void load_symbols(const char *path)
{
	const unsigned char *elf = load(path).data;
	const file_header *header = (const void *)elf;
	const section_header *sections = (const void *)(elf + header->e_shoff);

	for (int i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB)
			read_symbols(elf, &sections[i], sections);
	if (!nr_symbols)
		give_up("the program has no symbols");
}

static struct symbol *symbol_at(__u64 address)
{
	static struct symbol none = { .name = "?" };
	struct symbol *found = &none;

	for (size_t i = 0; i < nr_symbols; i++)
		if (symbols[i].address <= address)
			found = &symbols[i];
	return found;
}

/*
 * The file
 */

static __u64 rate, records, samples;

static void read_bins(struct bytes *bytes, __u64 low, __u64 high, __u64 bins)
{
	if (low >= high || high - low != bins * BIN)
		give_up("the bins do not fit the range");
	for (__u64 i = 0; i < bins; i++) {
		__u64 count = take(bytes, 2);

		samples += count;
		symbol_at(low + i * BIN)->samples += count;
	}
	records++;
}

static void take_rate(struct bytes *bytes)
{
	__u64 own = take(bytes, 4);

	if (!own || (rate && rate != own))
		give_up("there is no one rate");
	rate = own;
}

static void read_hist(struct bytes *bytes)
{
	static const char dimension[16] = "seconds\0\0\0\0\0\0\0\0s";
	__u64 low = take(bytes, ADDRESS), high = take(bytes, ADDRESS);
	__u64 bins = take(bytes, 4);

	take_rate(bytes);
	for (int i = 0; i < 16; i++)
		if ((char)take(bytes, 1) != dimension[i])
			give_up("the dimension is not seconds");
	read_bins(bytes, low, high, bins);
}

static void read_arc(struct bytes *bytes, size_t width)
{
	const char *from = symbol_at(take(bytes, ADDRESS))->name;
	const char *self = symbol_at(take(bytes, ADDRESS))->name;

	printf("arc %s %s %llu\n", from, self, take(bytes, width));
}

/* gprof -s does not clear the reserved part of the header. */
static void read_header(struct bytes *bytes, bool is_sum)
{
	__u64 version, spare;

	bytes->at = 4;
	version = take(bytes, 4);
	spare = take(bytes, 8);
	spare |= take(bytes, 4);
	if (version != 1 || (spare && !is_sum))
		give_up("the header is not GNU's");
}

static void read_gnu(struct bytes *bytes, bool is_sum)
{
	puts("format gnu");
	read_header(bytes, is_sum);
	while (bytes->at < bytes->size) {
		switch (take(bytes, 1)) {
		case 0:
			read_hist(bytes);
			break;
		case 1:
			read_arc(bytes, 4);
			break;
		default:
			give_up("there is a record of no known kind");
		}
	}
}

static void read_bsd(struct bytes *bytes)
{
	__u64 low = take(bytes, ADDRESS), high = take(bytes, ADDRESS);
	__u64 size = take(bytes, 4);

	puts("format bsd");
	if (take(bytes, 4) != 0x51879)
		give_up("the header is not 4.4BSD's");
	take_rate(bytes);
	if (take(bytes, 8) || take(bytes, 4))
		give_up("the spare bytes of the header are not zero");
	read_bins(bytes, low, high, (size - bytes->at) / 2);
	while (bytes->at < bytes->size)
		read_arc(bytes, ADDRESS);
}

static void print_histogram(void)
{
	printf("rate %llu\nrecords %llu\nsamples %llu\n", rate, records,
	       samples);
	for (size_t i = 0; i < nr_symbols; i++)
		if (symbols[i].samples)
			printf("hist %s %llu\n", symbols[i].name,
			       symbols[i].samples);
}

static int print_rate(void)
{
	int fd = device_open();

	printf("%llu\n", NSEC_PER_SEC / tick_ns(fd));
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	struct bytes bytes;

	if (argc == 2 && !strcmp(argv[1], "rate"))
		return print_rate();
	if (argc != 3)
		give_up("name gmon.out and the program");
	load_symbols(argv[2]);
	bytes = load(argv[1]);
	if (bytes.size >= 20 && !memcmp(bytes.data, "gmon", 4))
		read_gnu(&bytes, strstr(argv[1], ".sum"));
	else
		read_bsd(&bytes);
	print_histogram();
	return 0;
}
