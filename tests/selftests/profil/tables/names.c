// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a counter is named by: file, offset, program, process and task, of code in files, in
 * memory and in a mapping of the kernel's.
 */
#include "absent_page.h"
#include "fault_order.h"
#include "one_table.h"

#include <elf.h>
#include <limits.h>

#define SITE 11

static bool is_kind(const struct table_row *row, const void *kind)
{
	return !row->kernel_pc && !row->kernel &&
	       row->file.kind == *(const __u32 *)kind &&
	       row->text.pid == (__u32)getpid();
}

static void expect_file(const struct profil_name *name, const struct stat *file)
{
	EXPECT_EQ(PROFIL_NAME_FILE, name->kind);
	EXPECT_EQ(file->st_ino, name->inode);
	EXPECT_EQ((__u64)file->st_size, name->file_size);
	EXPECT_EQ((__u64)file->st_mtim.tv_sec * NSEC_PER_SEC +
			  (__u64)file->st_mtim.tv_nsec,
		  name->mtime_ns);
	/* A file in memory has a device without a major number. */
	EXPECT_EQ(file->st_dev, name->device);
	EXPECT_EQ(0, name->reserved);
}

/*
 * Build ID of the ELF file that runs, as its notes have it. Its bytes are in @id.
 */
static __u32 own_build_id(unsigned char id[20])
{
	static unsigned char file[0x1000];
	const Elf64_Ehdr *head = (void *)file;
	const Elf64_Phdr *part = (void *)(file + sizeof(*head));
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), i;

	if (read(fd, file, sizeof(file)) != sizeof(file))
		return 0;
	close(fd);
	for (i = 0; i < head->e_phnum; i++) {
		const Elf64_Nhdr *note = (void *)(file + part[i].p_offset);

		if (part[i].p_type != PT_NOTE ||
		    note->n_type != NT_GNU_BUILD_ID || note->n_descsz > 20)
			continue;
		memcpy(id, (char *)(note + 1) + 4, note->n_descsz);
		return note->n_descsz;
	}
	return 0;
}

static void expect_own_build_id(const struct profil_name *name)
{
	unsigned char id[20] = "";
	__u32 bytes = own_build_id(id);

	EXPECT_EQ(bytes, name->build_id_size);
	EXPECT_EQ(0, memcmp(id, name->build_id, sizeof(id)));
}

static const char *own_path(void)
{
	static char path[256];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	return path;
}

/* Code of the program */
static bool has_name_of_process(const struct profil_text *text)
{
	char path[32], name[sizeof(text->thread) + 1] = "";

	snprintf(path, sizeof(path), "/proc/%d/comm", getpid());
	return !read_text(path, name, sizeof(name)) &&
	       !strncmp(text->thread, name, strcspn(name, "\n"));
}

TEST_F(one_table, site_of_the_program)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct place place =
		own_place((const char *)site(SITE) + SITE_LOOP, false);
	struct table_row row;

	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_at, &place),
			       spin(SITE, 5 * NSEC_PER_MSEC)));
	expect_file(&row.file, &place.file);
	expect_file(&row.program, &place.file);
	expect_own_build_id(&row.file);
	EXPECT_EQ(row.text.file, row.text.program);
	EXPECT_STREQ(own_path(), row.path);
	EXPECT_EQ(strlen(row.path) + 1, row.file.room);
	EXPECT_EQ(getpid(), row.text.pid);
	EXPECT_TRUE(has_name_of_process(&row.text));
	EXPECT_EQ(sizeof(row.text), row.text.size);
	EXPECT_EQ(sizeof(row.file), row.file.size);
}

/* A path that has less room is cut or refused, and nothing behind the room changes. */
TEST_F(one_table, path_stays_in_its_room)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct place place =
		own_place((const char *)site(SITE) + SITE_LOOP, false);
	struct profil_name name;
	struct table_row row;
	char path[256];

	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_at, &place),
			       spin(SITE, 5 * NSEC_PER_MSEC)));
	for (__u32 room = 0; room <= row.file.room + 1; room++) {
		memset(path, POISON, sizeof(path));
		EXPECT_EQ(room < row.file.room ? -ENAMETOOLONG : 0,
			  table_name(table, row.text.file, &name, path, room));
		EXPECT_TRUE(all_bytes(path + room, (signed char)POISON & 0xff,
				      sizeof(path) - room));
	}
	EXPECT_STREQ(row.path, path);
	EXPECT_EQ(-EFAULT,
		  table_name(table, row.text.file, &name, (char *)1, 256));
}

/*
 * A NAME whose path is on a page that does not come waits, and no other command of the
 * table does.
 */
struct asked {
	struct table table;
	__u32 text;
	__u32 name;
	char *path;
	volatile bool named;
	volatile bool taken;
};

static void *ask_name(void *argument)
{
	struct asked *asked = argument;
	struct profil_name name;

	EXPECT_OK(table_name(&asked->table, asked->name, &name, asked->path,
			     (__u32)page_size()));
	asked->named = true;
	return NULL;
}

static void *ask_others(void *argument)
{
	struct asked *asked = argument;
	struct table table = asked->table;
	struct profil_text text;

	EXPECT_OK(table_text(&table, asked->text, &text));
	EXPECT_OK(table_take(&table, 0));
	EXPECT_OK(table_take(&table, PROFIL_TAKE_LAST));
	asked->taken = true;
	return NULL;
}

static void check_waiting_name(struct asked *asked, int uffd)
{
	pthread_t threads[2];

	ASSERT_OK(pthread_create(&threads[0], NULL, ask_name, asked));
	ASSERT_TRUE(absent_page_awaited(uffd));
	ASSERT_OK(pthread_create(&threads[1], NULL, ask_others, asked));
	EXPECT_TRUE(WAIT_FOR(asked->taken));
	EXPECT_FALSE(asked->named);
	ASSERT_OK(absent_page_fill(uffd, asked->path));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	EXPECT_STREQ(own_path(), asked->path);
}

TEST_F(one_table, path_that_does_not_come_delays_no_other_command)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct place place =
		own_place((const char *)site(SITE) + SITE_LOOP, false);
	struct asked asked = { .path = new_pages(page_size()) };
	int uffd = absent_page_keep(asked.path);
	struct table_row row;

	if (uffd < 0)
		SKIP(return, "needs userfaultfd");
	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_at, &place),
			       spin(SITE, 5 * NSEC_PER_MSEC)));
	asked.table = *table;
	asked.text = row.text.id;
	asked.name = row.text.file;
	check_waiting_name(&asked, uffd);
	close(uffd);
}

/*
 * A handle of a file in memory begins with the generation of its inode, which is random.
 * False if the kernel has no handles.
 */
static bool generation_of(int fd, __u32 *generation)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + 16];
	} it = { .handle.handle_bytes = 16 };
	int mount;

	if (name_to_handle_at(fd, "", &it.handle, &mount, AT_EMPTY_PATH))
		return false;
	memcpy(generation, it.handle.f_handle, sizeof(*generation));
	return true;
}

/* The file stays a file of its own once it has no name. */
static void check_code_file(one_table_data *self, int fd, const char *path,
			    __u32 id_bytes)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct place place = { .offset = code_offset(SITE) };
	const char *code = code_map(fd, NULL);
	struct table_row row;

	ASSERT_NE(NULL, code);
	ASSERT_OK(fstat(fd, &place.file));
	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_at, &place),
			       spin_at(code + SITE * SITE_BYTES,
				       5 * NSEC_PER_MSEC)));
	expect_file(&row.file, &place.file);
	EXPECT_STREQ(path, row.path);
	EXPECT_EQ(id_bytes, row.file.build_id_size);
	EXPECT_STREQ(own_path(), (table_name(table, row.text.program, &row.file,
					     row.path, sizeof(row.path)),
				  row.path));
	munmap((void *)code, SITES_BYTES);
	close(fd);
}

TEST_F(one_table, mapped_file)
{
	struct folder folder = folder_new();
	char deleted[80];

	check_code_file(self, code_file(folder.program), folder.program, 0);
	snprintf(deleted, sizeof(deleted), "%s (deleted)", folder.program);
	int fd = code_file(folder.program);
	ASSERT_OK(unlink(folder.program));
	check_code_file(self, fd, deleted, 0);
	check_code_file(self, code_file(NULL), "/memfd:code (deleted)", 0);
	folder_end(&folder);
}

/* Two files of one number, size and time are not one. */
TEST_F(one_table, file_has_its_generation)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct place place = { .offset = code_offset(SITE) };
	int fd = code_file(NULL);
	const char *code = code_map(fd, NULL);
	struct table_row row;
	__u32 generation;

	if (!generation_of(fd, &generation)) {
		EXPECT_FALSE(errno == EBADF || errno == EOVERFLOW);
		SKIP(return, "the kernel has no handles of files");
	}
	ASSERT_OK(fstat(fd, &place.file));
	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_at, &place),
			       spin_at(code + SITE * SITE_BYTES,
				       5 * NSEC_PER_MSEC)));
	EXPECT_EQ(generation, row.file.generation);
	munmap((void *)code, SITES_BYTES);
	close(fd);
}

/* Directories in each other whose path is longer than PATH_MAX */
#define LEVELS (PATH_MAX / NAME_MAX + 1)

TEST_F(one_table, path_longer_than_any_has_no_name)
{
	struct folder folder = folder_new();
	int here = open(".", O_PATH | O_CLOEXEC);
	char name[NAME_MAX + 1] = "";

	memset(name, 'd', NAME_MAX);
	ASSERT_OK(chdir(folder.path));
	for (int i = 0; i < LEVELS; i++)
		ASSERT_TRUE(!mkdir(name, 0700) && !chdir(name));
	check_code_file(self, code_file("code"), "", 0);
	EXPECT_OK(unlink("code"));
	for (int i = 0; i < LEVELS; i++)
		EXPECT_TRUE(!chdir("..") && !rmdir(name));
	EXPECT_OK(fchdir(here));
	close(here);
	folder_end(&folder);
}

/* The first page of a file; damages to it, and as @error the bytes of its build ID */
struct elf {
	Elf64_Ehdr head;
	Elf64_Phdr part;
	Elf64_Nhdr note;
	char owner[4], id[4];
};

#define AT(member) FAULT_AT(struct elf, member)

static const struct fault damages[] = {
	{ "none", AT(id), .value = 1, .error = 4 },
	{ "class", AT(head.e_ident[EI_CLASS]), .value = ELFCLASSNUM },
	{ "headers outside", AT(head.e_phoff), .value = 4096 },
	{ "header ends outside", AT(head.e_phoff), .value = 4095 },
	{ "field ends outside", AT(head.e_phoff), .value = 4096 - 12 },
	{ "no header", AT(head.e_phnum), .value = 0 },
	{ "notes outside", AT(part.p_offset), .value = 4097 },
	{ "notes end outside", AT(part.p_filesz), .value = 4096 },
	{ "owner long", AT(note.n_namesz), .value = 5 },
	{ "other type", AT(note.n_type), .value = NT_GNU_ABI_TAG },
	{ "empty", AT(note.n_descsz), .value = 0 },
	{ "longer than an ID", AT(note.n_descsz), .value = 21 },
	{ "ends outside", AT(note.n_descsz), .value = 20 },
	{ "other owner", AT(owner), .value = 'N' },
};

TEST_F(one_table, damaged_file_has_no_build_id)
{
	for (size_t i = 0; i < ARRAY_LENGTH(damages); i++) {
		struct elf elf = { .head.e_ident = "\177ELF\2",
				   .owner = "GNU" };
		int fd = code_file(NULL);

		elf.head.e_phoff = offsetof(struct elf, part);
		elf.head.e_phnum = 1;
		elf.part.p_type = PT_NOTE;
		elf.part.p_offset = offsetof(struct elf, note);
		elf.part.p_filesz = sizeof(elf) - elf.part.p_offset;
		elf.note = (Elf64_Nhdr){ 4, 4, NT_GNU_BUILD_ID };
		fault_apply(&elf, &damages[i]);
		ASSERT_EQ(sizeof(elf), pwrite(fd, &elf, sizeof(elf), 0));
		TH_LOG("%s", damages[i].name);
		check_code_file(self, fd, "/memfd:code (deleted)",
				damages[i].error);
	}
}

/* A build ID behind a note whose owner and descriptor are padded */
TEST_F(one_table, build_id_is_found_behind_a_padded_note)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr part;
		Elf64_Nhdr first;
		char first_owner[8], five[8];
		Elf64_Nhdr note;
		char owner[4], id[7];
	} elf = {
		.head.e_ident = "\177ELF\2",
		.head.e_phnum = 1,
		.part.p_type = PT_NOTE,
		.first = { 6, 5, NT_GNU_ABI_TAG },
		.first_owner = "owner",
		.note = { 4, 7, NT_GNU_BUILD_ID },
		.owner = "GNU",
	};
	int fd = code_file(NULL);

	elf.head.e_phoff = (char *)&elf.part - (char *)&elf;
	elf.part.p_offset = (char *)&elf.first - (char *)&elf;
	elf.part.p_filesz = elf.id + sizeof(elf.id) - (char *)&elf.first;
	ASSERT_EQ(sizeof(elf), pwrite(fd, &elf, sizeof(elf), 0));
	check_code_file(self, fd, "/memfd:code (deleted)", sizeof(elf.id));
}

/* Empty notes, then one of a build ID: a file of a user may have any number of them. */
static void check_notes(one_table_data *self, unsigned int nr, bool is_found)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr part[2];
		Elf64_Nhdr notes[40];
	} elf = {
		.head.e_ident = "\177ELF\2",
		.head.e_phnum = 2,
	};
	const struct {
		Elf64_Nhdr note;
		char owner[4], id[8];
	} last = { { 4, 8, NT_GNU_BUILD_ID }, "GNU", "12345678" };
	int fd = code_file(NULL);

	elf.head.e_phoff = (char *)elf.part - (char *)&elf;
	for (int i = 0; i < 2; i++) {
		elf.part[i].p_type = PT_NOTE;
		elf.part[i].p_offset = (char *)elf.notes - (char *)&elf;
		elf.part[i].p_filesz = nr * sizeof(*elf.notes) + 1;
	}
	elf.part[1].p_filesz += sizeof(last);
	memcpy(&elf.notes[nr], &last, sizeof(last));
	ASSERT_EQ(sizeof(elf), pwrite(fd, &elf, sizeof(elf), 0));
	check_code_file(self, fd, "/memfd:code (deleted)", is_found ? 8 : 0);
}

TEST_F(one_table, few_notes_are_searched_for_a_build_id)
{
	check_notes(self, 1, true);
	check_notes(self, 15, true);
	check_notes(self, 16, false);
}

/* Code that is mapped across 4 GiB of a file: the sites below, and again beyond */
struct large_file {
	const char *code;
	struct place below;
	struct place beyond;
};

static void map_large_file(struct large_file *file)
{
	off_t start = (1LL << 32) - SITES_BYTES;
	int fd = memfd_create("code", MFD_CLOEXEC);

	ASSERT_LE(0, fd);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(SITES_BYTES, pwrite(fd, profil_sites, SITES_BYTES,
					      start + i * SITES_BYTES));
	file->code = mmap(NULL, 2 * SITES_BYTES, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE, fd, start);
	ASSERT_NE(MAP_FAILED, file->code);
	file->beyond.offset = SITE * SITE_BYTES + SITE_LOOP;
	ASSERT_OK(fstat(fd, &file->beyond.file));
	file->below = file->beyond;
	file->below.offset = (__u32)(file->beyond.offset - SITES_BYTES);
	close(fd);
}

/* Beyond in the first file only, which is sampled second: its ID is 2 or more. */
static void spin_in_files(const struct large_file files[2])
{
	size_t at = SITE * SITE_BYTES;

	spin_at(files[1].code + at, 10 * NSEC_PER_MSEC);
	spin_at(files[0].code + at, 10 * NSEC_PER_MSEC);
	spin_at(files[0].code + SITES_BYTES + at, 10 * NSEC_PER_MSEC);
}

/* Does the first file have an even ID in this half? No sample is of another text. */
static bool has_even_id(struct table *table, const struct large_file files[2])
{
	struct table_row row;
	bool even = false;

	take(table, 0);
	FOR_EACH_ROW(table, &row)
	{
		EXPECT_OK(row.error);
		EXPECT_FALSE(is_at(&row, &files[1].beyond));
		even |= is_at(&row, &files[0].below) && !(row.text.id & 1);
	}
	return even;
}

/*
 * The offset of a key has 32 bits: what is beyond 4 GiB does not change the ID of the
 * text, which a carry would make odd.
 */
TEST_F(one_table, mapping_across_4_gib_of_a_file_has_one_text)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct large_file files[2];

	for (int i = 0; i < 2; i++)
		map_large_file(&files[i]);
	for (int i = 0; i < 3; i++)
		EXPECT_TRUE(EVENTUALLY(has_even_id(table, files),
				       spin_in_files(files)));
	for (int i = 0; i < 2; i++)
		munmap((void *)files[i].code, 2 * SITES_BYTES);
}

/* A program that was executed: its copy has a file of its own. */
TEST_F(one_table, executed_program)
{
	struct table *table = begin(self, 0, FAST_NS);
	struct folder folder = folder_new();
	struct place place =
		own_place((const char *)site(SPIN_SITE) + SITE_LOOP, false);
	struct table_row row;
	pid_t child;

	ASSERT_OK(program_copy(folder.program));
	ASSERT_OK(stat(folder.program, &place.file));
	child = program_new(folder.program, "spin", 1000 * NSEC_PER_SEC);
	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_at, &place),
			       sleep_ns(5 * NSEC_PER_MSEC)));
	expect_file(&row.program, &place.file);
	expect_own_build_id(&row.program);
	EXPECT_EQ(row.text.file, row.text.program);
	EXPECT_STREQ(folder.program, row.path);
	EXPECT_EQ(child, row.text.pid);
	kill_child(child);
	EXPECT_NE(0, row.text.begin_ns);
	EXPECT_OK(table_text(table, row.text.id, &row.text));
	EXPECT_EQ(child, row.text.pid);
	EXPECT_EQ(0, row.text.begin_ns);
	folder_end(&folder);
}

/* Code without a file */
TEST_F(one_table, generated_code)
{
	static const __u32 kind = PROFIL_NAME_MEMORY;
	struct table *table = begin(self, 0, FAST_NS);
	size_t page = page_size();
	char *code = (char *)new_pages(page + SITES_BYTES) + page;
	struct table_row row;

	memcpy(code, profil_sites, SITES_BYTES);
	ASSERT_OK(mprotect(code - page, page + SITES_BYTES,
			   PROT_READ | PROT_EXEC));
	spin_at(code + SITE * SITE_BYTES, 50 * NSEC_PER_MSEC);
	ASSERT_OK(mprotect(code, SITES_BYTES,
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	spin_at(code + SITE * SITE_BYTES, 50 * NSEC_PER_MSEC);
	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_kind, &kind),
			       spin_at(code + SITE * SITE_BYTES,
				       5 * NSEC_PER_MSEC)));
	EXPECT_EQ(0, row.offset);
	EXPECT_EQ(0, row.file.device);
	EXPECT_EQ(0, row.file.inode);
	EXPECT_EQ(0, row.file.file_size);
	EXPECT_EQ(0, row.file.mtime_ns);
	EXPECT_EQ(0, row.file.build_id_size);
	EXPECT_STREQ(own_path(), (table_name(table, row.text.program, &row.file,
					     row.path, sizeof(row.path)),
				  row.path));
}

static void read_clocks(void)
{
	for (unsigned int i = 0; i < 20000; i++)
		wall_ns();
}

TEST_F(one_table, mapping_of_the_kernel)
{
	static const __u32 kind = PROFIL_NAME_SPECIAL;
	struct table *table = begin(self, 0, FAST_NS);
	struct table_row row;

	ASSERT_TRUE(EVENTUALLY(find_row(table, &row, is_kind, &kind),
			       read_clocks()));
	EXPECT_STREQ("[vdso]", row.path);
	EXPECT_EQ(0, row.file.inode);
}

/* Tasks */
static volatile bool over;

static void *spin_named(void *name)
{
	prctl(PR_SET_NAME, name);
	while (!over)
		spin(SITE, NSEC_PER_MSEC);
	return NULL;
}

static bool is_thread(const struct table_row *row, const void *name)
{
	return !row->kernel_pc && row->text.pid == (__u32)getpid() &&
	       !strncmp(row->text.thread, name, sizeof(row->text.thread));
}

TEST_F(one_table, task_has_its_name)
{
	static char name[16] = "fifteen letters", other[16] = "short", many[16];
	struct table *table = begin(self, PROFIL_TABLE_THREADS, FAST_NS);
	struct table_row row;
	pthread_t threads[2];

	ASSERT_OK(pthread_create(&threads[0], NULL, spin_named, name));
	ASSERT_OK(pthread_create(&threads[1], NULL, spin_named, other));
	EXPECT_TRUE(EVENTUALLY(find_row(table, &row, is_thread, name),
			       sleep_ns(5 * NSEC_PER_MSEC)));
	EXPECT_TRUE(EVENTUALLY(find_row(table, &row, is_thread, other),
			       sleep_ns(5 * NSEC_PER_MSEC)));
	for (int i = 0; i < 600; i++) {
		snprintf(many, sizeof(many), i % 2 ? "%015d" : "%d", i);
		prctl(PR_SET_NAME, many);
		spin(SITE, 4 * FAST_NS);
	}
	take(table, 0);
	over = true;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

TEST_HARNESS_MAIN
