// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/jhash.h>
#include <linux/pid.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "half.h"
#include "names.h"

static_assert(sizeof(struct name_key) == 40);
static_assert(sizeof(struct text_key) == 12 + TASK_COMM_LEN);

void profil_names_init(struct half *half)
{
	half->seed = get_random_u32();
	xa_init_flags(&half->names, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	xa_init_flags(&half->texts, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
}

void profil_names_clear(struct half *half)
{
	struct name *name;
	struct text *text;
	unsigned long id;

	xa_for_each(&half->names, id, name) {
		kfree(name);
		cond_resched();
	}
	xa_for_each(&half->texts, id, text) {
		put_pid(text->process);
		kfree(text);
		cond_resched();
	}
	xa_destroy(&half->names);
	xa_destroy(&half->texts);
	memset(half->name_hash, 0, sizeof(half->name_hash));
	memset(half->text_hash, 0, sizeof(half->text_hash));
	half->bytes = 0;
	half->names_full = false;
}

/* Users choose sizes and times of files: the seed keeps them from long chains. */
static struct hlist_head *bucket(const struct half *half,
				 struct hlist_head *heads, const void *key,
				 size_t size)
{
	return &heads[jhash(key, size, half->seed) & ((1 << NAME_BITS) - 1)];
}

/* Give @entry, of @bytes, the next ID of @ids. */
static int add(struct half *half, struct xarray *ids, void *entry, size_t bytes,
	       u32 *id)
{
	int err;

	if (half->bytes + bytes > half_max_bytes(half)) {
		half->names_full = true;
		return -ENOSPC;
	}
	/* IDs fit in the 29 bits of a key, and are less than PROFIL_TEXT_KERNEL. */
	err = xa_alloc(ids, id, entry, XA_LIMIT(1, PROFIL_TEXT_KERNEL - 1),
		       NAME_GFP);
	if (err)
		return -ENOMEM;
	WRITE_ONCE(half->bytes, half->bytes + bytes);
	if (half_is_half_full(half))
		irq_work_queue(&half->wake);
	return 0;
}

int profil_name_id(struct half *half, const struct name_key *key,
		   struct name **fresh, u32 *id)
{
	struct hlist_head *head =
		bucket(half, half->name_hash, key, sizeof(*key));
	struct name *name;
	int err;

	*id = 0;
	hlist_for_each_entry(name, head, node) {
		if (!memcmp(&name->key, key, sizeof(*key))) {
			*id = name->id;
			return 0;
		}
	}
	if (!fresh)
		return 0;
	name = *fresh;
	if (!name)
		return -ENOMEM;
	err = add(half, &half->names, name,
		  struct_size(name, path, name->path_size), &name->id);
	if (err)
		return err;
	hlist_add_head(&name->node, head);
	*fresh = NULL;
	*id = name->id;
	return 0;
}

static struct text *find_text(const struct hlist_head *head,
			      const struct text_key *key)
{
	struct text *text;

	hlist_for_each_entry(text, head, node)
		if (!memcmp(&text->key, key, sizeof(*key)))
			return text;
	return NULL;
}

int profil_text_id(struct half *half, const struct text_key *key, u32 *id)
{
	struct hlist_head *head =
		bucket(half, half->text_hash, key, sizeof(*key));
	struct text *text = find_text(head, key);
	int err;

	*id = text ? text->id : 0;
	if (text)
		return 0;
	text = kmalloc(sizeof(*text), NAME_GFP);
	if (!text)
		return -ENOMEM;
	text->key = *key;
	err = add(half, &half->texts, text, sizeof(*text), &text->id);
	if (err) {
		kfree(text);
		return err;
	}
	text->process = get_pid(task_tgid(current));
	hlist_add_head(&text->node, head);
	*id = text->id;
	return 0;
}
