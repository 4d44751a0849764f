// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#include <setjmp.h>

static __thread sigjmp_buf missing;
static __thread volatile bool guarded;

static void handle(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (guarded)
		siglongjmp(missing, 1);
	board_fail(PROCESSES, "process %d: signal %d at %p, unexpected",
		   getpid(), signal, info->si_addr);
	_exit(1);
}

void guard_begin(void)
{
	struct sigaction action = {
		.sa_sigaction = handle,
		.sa_flags = SA_SIGINFO | SA_NODEFER,
	};

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

bool guard_fill(void *at, int value, size_t bytes)
{
	if (sigsetjmp(missing, 0)) {
		guarded = false;
		return false;
	}
	guarded = true;
	memset(at, value, bytes);
	guarded = false;
	return true;
}

/* The first word of a page that is not @word, or NULL */
static const void *other_word(const volatile __u64 *at, size_t bytes,
			      __u64 word)
{
	for (size_t i = 0; i < bytes / sizeof(*at); i++)
		if (at[i] != word)
			return (const void *)(at + i);
	return NULL;
}

static const void *odd_word(const void *page, size_t bytes, bool zeros)
{
	__u64 word = *(const volatile __u64 *)page;

	if (word != POISON_U64 && (word || !zeros))
		return page;
	return other_word(page, bytes, word);
}

/* The kernel may take a page after MADV_FREE between two words: read again. */
static const void *touched_in_page(const void *page, size_t bytes, bool zeros)
{
	const void *found = odd_word(page, bytes, zeros);

	return found && zeros ? odd_word(page, bytes, zeros) : found;
}

static enum canary check_pages(const char *at, size_t bytes, bool zeros,
			       const void **found)
{
	size_t page = page_size(), done = 0;

	while (done < bytes) {
		size_t left = page - ((size_t)(at + done) & (page - 1));

		if (left > bytes - done)
			left = bytes - done;
		*found = touched_in_page(at + done, left, zeros);
		if (*found)
			return TOUCHED;
		done += left;
	}
	return UNTOUCHED;
}

enum canary guard_check(const void *at, size_t bytes, bool zeros,
			const void **found)
{
	enum canary seen;

	if (sigsetjmp(missing, 0)) {
		guarded = false;
		return MISSING;
	}
	guarded = true;
	seen = check_pages(at, bytes, zeros, found);
	guarded = false;
	board->checked_bytes += bytes;
	return seen;
}
