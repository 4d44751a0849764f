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

#include "../../selftests/profil/common.h"
#include "profile_file.h"

#define BIN 4

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

static const unsigned char *map(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat status;
	void *mapped;

	if (fd < 0 || fstat(fd, &status))
		give_up("the program cannot be read");
	mapped = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapped == MAP_FAILED)
		give_up("the program cannot be mapped");
	return mapped;
}

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
	const unsigned char *elf = map(path);
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

static struct profile_file file;

static __u64 add_samples(void)
{
	const struct hist *hist = file.hists;
	__u64 samples = 0;

	for (unsigned int i = 0; i < file.nr_hists; i++, hist++) {
		if (hist->low >= hist->high ||
		    hist->high - hist->low != (__u64)hist->nr_bins * BIN)
			give_up("the bins do not fit the range");
		if (!hist->rate || hist->rate != file.hists[0].rate)
			give_up("there is no one rate");
		for (__u64 j = 0; j < hist->nr_bins; j++) {
			if (!hist->bins[j])
				continue;
			samples += hist->bins[j];
			symbol_at(hist->low + j * BIN)->samples +=
				hist->bins[j];
		}
	}
	return samples;
}

static void print_file(void)
{
	__u64 samples = add_samples();

	printf("format %s\nrate %u\nrecords %u\nsamples %llu\n",
	       file.is_bsd ? "bsd" : "gnu", file.hists[0].rate, file.nr_hists,
	       samples);
	for (size_t i = 0; i < nr_symbols; i++)
		if (symbols[i].samples)
			printf("hist %s %llu\n", symbols[i].name,
			       symbols[i].samples);
	for (size_t i = 0; i < file.nr_calls; i++)
		printf("arc %s %s %llu\n", symbol_at(file.calls[i].from)->name,
		       symbol_at(file.calls[i].self)->name,
		       (unsigned long long)file.calls[i].count);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "rate"))
		return printf("%llu\n", NSEC_PER_SEC / tick_ns(device_open())) <
		       0;
	if (argc != 3)
		give_up("name gmon.out and the program");
	load_symbols(argv[2]);
	if (!gmon_out_read(argv[1], &file))
		give_up("the file does not follow the format");
	print_file();
	return 0;
}
