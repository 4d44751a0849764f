// SPDX-License-Identifier: GPL-2.0-only
#include "accounts.h"

#include <string.h>

#include "common.h"
#include "memory.h"

static struct account accounts[NR_SESSIONS];

void accounts_reset(void)
{
	memset(accounts, 0, sizeof(accounts));
}

/* The counters of the regions, which do not overlap */
static __u64 sum_of(const struct account *account)
{
	__u32 i, width = account->start.width;
	__u64 sum = 0;

	for (i = 0; i < account->start.nr_regions; i++) {
		const struct profil_region *region = &account->regions[i];

		sum += counters_sum((void *)(uintptr_t)region->base, width,
				    region->size / width);
	}
	return sum;
}

static bool overlap(const struct profil_region *a,
		    const struct profil_region *b)
{
	return a->base < b->base + b->size && b->base < a->base + a->size;
}

/* Counters are compared where they lie alone, and in the arena's first blocks. */
static bool is_plain(const struct profil_region *region)
{
	return region->base >= COUNTERS && region->base % 8 == 0 &&
	       region->size <= COUNTERS_BLOCKS * BLOCK &&
	       region->base <= READONLY - region->size;
}

static bool regions_are_comparable(const struct request *request)
{
	__u32 i, j, nr = request->start.nr_regions;

	if (!nr || nr > REGIONS_MAX || request->start.regions != REGIONS ||
	    request->at != ARGUMENT || request->start.totals)
		return false;
	for (i = 0; i < nr; i++) {
		if (!is_plain(&request->regions[i]))
			return false;
		for (j = 0; j < i; j++)
			if (overlap(&request->regions[i], &request->regions[j]))
				return false;
	}
	return true;
}

struct account account_of(const struct request *request)
{
	__u32 width = request->start.width;
	struct account account = {
		.comparable = regions_are_comparable(request) &&
			      memory_reads(COUNTERS, COUNTERS_BLOCKS * BLOCK) &&
			      (width == 2 || width == 4 || width == 8),
		.start = request->start,
	};

	memcpy(account.regions, request->regions, sizeof(account.regions));
	if (account.comparable)
		account.before = sum_of(&account);
	return account;
}

static bool share_counters(const struct account *a, const struct account *b)
{
	__u32 i, j;

	for (i = 0; i < a->start.nr_regions; i++)
		for (j = 0; j < b->start.nr_regions; j++)
			if (overlap(&a->regions[i], &b->regions[j]))
				return true;
	return false;
}

void accounts_begin(unsigned int session, const struct account *account)
{
	bool comparable = account->comparable;
	unsigned int i;

	for (i = 0; i < NR_SESSIONS; i++) {
		if (i == session || !accounts[i].comparable ||
		    (account->comparable &&
		     !share_counters(account, &accounts[i])))
			continue;
		accounts[i].comparable = false;
		comparable = false;
	}
	accounts[session] = *account;
	accounts[session].comparable = comparable;
}

bool account_balances(unsigned int session, __u64 stored, __u64 *counted)
{
	const struct account *account = &accounts[session];

	if (!account->comparable)
		return true;
	*counted = sum_of(account) - account->before;
	return *counted == stored;
}
