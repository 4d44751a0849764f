// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a counter is named by: file, offset, program, process and task, of code in files, in
 * memory and in a mapping of the kernel's.
 */
#include "one_table.h"

#include <elf.h>

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
	EXPECT_TRUE(all_bytes(row.text.thread, 0, sizeof(row.text.thread)));
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
}

/* The file stays a file of its own once it has no name. */
static void check_code_file(one_table_data *self, int fd, const char *path)
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
	EXPECT_EQ(0, row.file.build_id_size);
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

	check_code_file(self, code_file(folder.program), folder.program);
	snprintf(deleted, sizeof(deleted), "%s (deleted)", folder.program);
	int fd = code_file(folder.program);
	ASSERT_OK(unlink(folder.program));
	check_code_file(self, fd, deleted);
	check_code_file(self, code_file(NULL), "/memfd:code (deleted)");
	folder_end(&folder);
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
	char *code = new_pages(SITES_BYTES);
	struct table_row row;

	memcpy(code, profil_sites, SITES_BYTES);
	ASSERT_OK(mprotect(code, SITES_BYTES, PROT_READ | PROT_EXEC));
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
	static char name[16] = "fifteen letters", other[16] = "short";
	struct table *table = begin(self, PROFIL_TABLE_THREADS, FAST_NS);
	struct table_row row;
	pthread_t threads[2];

	ASSERT_OK(pthread_create(&threads[0], NULL, spin_named, name));
	ASSERT_OK(pthread_create(&threads[1], NULL, spin_named, other));
	EXPECT_TRUE(EVENTUALLY(find_row(table, &row, is_thread, name),
			       sleep_ns(5 * NSEC_PER_MSEC)));
	EXPECT_TRUE(EVENTUALLY(find_row(table, &row, is_thread, other),
			       sleep_ns(5 * NSEC_PER_MSEC)));
	over = true;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

TEST_HARNESS_MAIN
