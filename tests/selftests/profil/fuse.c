// SPDX-License-Identifier: GPL-2.0-only
#include "fuse.h"

#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/uio.h>

#define MAX_WRITE 65536

/* Nodes. The numbers start at FUSE_ROOT_ID. */
enum node { ROOT = FUSE_ROOT_ID, GOOD, STUCK, LATE, HELD, DELIVER };

/* The server delivers LATE when this file is opened. */
#define DELIVER_NAME "deliver"

static const char *const names[] = { [GOOD] = FUSE_GOOD,
				     [STUCK] = FUSE_STUCK,
				     [LATE] = FUSE_LATE,
				     [HELD] = FUSE_HELD,
				     [DELIVER] = DELIVER_NAME };

#define NR_NODES (DELIVER + 1)

/* A request of the kernel: the header, then the data of the opcode. */
struct request {
	struct fuse_in_header header;
	char body[MAX_WRITE + 4096];
};

static struct request request;
/* The read of LATE that waits */
static struct request late;
static bool delivering;
static char contents[NR_NODES][FUSE_FILE_BYTES];

static void reply(int device, int error, const void *data, size_t size)
{
	struct fuse_out_header out = {
		.len = (__u32)(sizeof(out) + size),
		.error = -error,
		.unique = request.header.unique,
	};
	struct iovec parts[] = {
		{ &out, sizeof(out) },
		{ (void *)data, size },
	};

	/* ENOENT: the requester has been killed. */
	if (writev(device, parts, size ? 2 : 1) < 0 && errno != ENOENT)
		_exit(1);
}

static struct fuse_attr attributes_of(__u64 node)
{
	if (node == ROOT)
		return (struct fuse_attr){
			.ino = node,
			.mode = S_IFDIR | 0777,
			.nlink = 2,
		};
	return (struct fuse_attr){
		.ino = node,
		.size = FUSE_FILE_BYTES,
		.blocks = FUSE_FILE_BYTES / 512,
		.mode = S_IFREG | 0666,
		.nlink = 1,
		.blksize = 4096,
	};
}

/*
 * The kernel requests each page separately. It waits for an asynchronous read in a way
 * that a fatal signal ends.
 */
static void answer_init(int device)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = (__u32)sysconf(_SC_PAGESIZE),
		.flags = FUSE_ASYNC_READ,
		.max_write = MAX_WRITE,
		.max_background = 64,
		.congestion_threshold = 64,
	};

	reply(device, 0, &out, sizeof(out));
}

static void answer_lookup(int device)
{
	struct fuse_entry_out out = { .entry_valid = 3600, .attr_valid = 3600 };

	for (__u64 node = GOOD; node < NR_NODES; node++) {
		if (strcmp(request.body, names[node]))
			continue;
		out.nodeid = node;
		out.attr = attributes_of(node);
		reply(device, 0, &out, sizeof(out));
		return;
	}
	reply(device, ENOENT, NULL, 0);
}

static void answer_attributes(int device)
{
	struct fuse_attr_out out = { .attr_valid = 3600 };

	out.attr = attributes_of(request.header.nodeid);
	reply(device, 0, &out, sizeof(out));
}

/* The part of @size bytes at @offset that is in the file. */
static size_t clip(__u64 offset, size_t size)
{
	if (offset >= FUSE_FILE_BYTES)
		return 0;
	return size < FUSE_FILE_BYTES - offset ? size :
						 FUSE_FILE_BYTES - offset;
}

static bool is_withheld(__u64 node, __u64 offset)
{
	return offset >= FUSE_STUCK_FROM &&
	       (node == STUCK || (node == LATE && !delivering));
}

static void answer_read(int device)
{
	const struct fuse_read_in *in = (const void *)request.body;

	if (is_withheld(request.header.nodeid, in->offset))
		late = request;
	else
		reply(device, 0, contents[request.header.nodeid] + in->offset,
		      clip(in->offset, in->size));
}

static void answer_open(int device)
{
	struct fuse_open_out out = { 0 };

	reply(device, 0, &out, sizeof(out));
	if (request.header.nodeid != DELIVER)
		return;
	delivering = true;
	if (late.header.nodeid != LATE)
		return;
	request = late;
	answer_read(device);
}

static void answer_write(int device)
{
	const struct fuse_write_in *in = (const void *)request.body;
	struct fuse_write_out out = {
		.size = (__u32)clip(in->offset, in->size),
	};

	memcpy(contents[request.header.nodeid] + in->offset, in + 1, out.size);
	reply(device, 0, &out, sizeof(out));
}

static void answer(int device)
{
	switch (request.header.opcode) {
	case FUSE_INIT:
		answer_init(device);
		break;
	case FUSE_LOOKUP:
		answer_lookup(device);
		break;
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		answer_attributes(device);
		break;
	case FUSE_OPEN:
	case FUSE_OPENDIR:
		answer_open(device);
		break;
	case FUSE_READ:
		answer_read(device);
		break;
	case FUSE_WRITE:
		answer_write(device);
		break;
	case FUSE_FLUSH:
		if (request.header.nodeid == HELD)
			break;
		reply(device, 0, NULL, 0);
		break;
	case FUSE_FSYNC:
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
		reply(device, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break; /* FORGET and the like have no reply */
	default:
		reply(device, EOPNOTSUPP, NULL, 0);
	}
}

/* Serve requests until the file system is unmounted or the test ends. */
static void serve(int device)
{
	for (;;) {
		ssize_t got = read(device, &request, sizeof(request));

		if (got < 0 &&
		    (errno == EINTR || errno == EAGAIN || errno == ENOENT))
			continue;
		if (got < (ssize_t)sizeof(request.header))
			_exit(0);
		answer(device);
	}
}

static int mount_device(int device, const char *directory)
{
	char options[128];

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 device);
	return mount("test", directory, "fuse", MS_NOSUID | MS_NODEV, options) ?
		       -errno :
		       0;
}

/*
 * The server ends with the test, also if the test is killed. It closes inherited
 * descriptors, which would keep the module and the mount if it outlived the test: a
 * parent that has become an ordinary user sends no PR_SET_PDEATHSIG.
 */
static pid_t fork_server(int device)
{
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		syscall(SYS_close_range, 3, device - 1, 0);
		syscall(SYS_close_range, device + 1, ~0U, 0);
		serve(device);
	}
	return child;
}

int fuse_mount(struct fuse *fuse, const char *directory)
{
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC), err;

	if (device < 0)
		return -errno;
	err = mount_device(device, directory);
	if (!err) {
		fuse->directory = directory;
		fuse->server = fork_server(device);
		if (fuse->server < 0) {
			err = -errno;
			umount2(directory, MNT_DETACH);
		}
	}
	close(device);
	return err;
}

int fuse_open(const struct fuse *fuse, const char *name, int flags)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", fuse->directory, name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int make_private_directory(const char *path)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    (mkdir(path, 0755) && errno != EEXIST))
		return -errno;
	return 0;
}

int fuse_open_private(struct fuse *fuse, const char *directory,
		      const char *name)
{
	int error = make_private_directory(directory);

	error = error ?: fuse_mount(fuse, directory);
	return error ?: fuse_open(fuse, name, O_RDWR);
}

int fuse_deliver(const struct fuse *fuse)
{
	int fd = fuse_open(fuse, DELIVER_NAME, O_RDONLY);

	return fd < 0 ? fd : close(fd);
}

bool fuse_delays(pid_t pid, pid_t tid)
{
	return stays_in_state(pid, tid, 'D');
}

static void *use_until_over(void *argument)
{
	struct waiter *waiter = argument;

	waiter->tid = (pid_t)syscall(SYS_gettid);
	while (!waiter->over)
		waiter->use(NSEC_PER_MSEC);
	return NULL;
}

bool waiter_begin(struct waiter *waiter, void (*use)(__u64 ns))
{
	*waiter = (struct waiter){ .use = use };
	if (pthread_create(&waiter->thread, NULL, use_until_over, waiter))
		return false;
	return WAIT_FOR(waiter->tid && fuse_delays(getpid(), waiter->tid));
}

void fuse_unmount(struct fuse *fuse)
{
	kill_child(fuse->server);
	umount2(fuse->directory, MNT_DETACH);
}
