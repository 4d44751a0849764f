// SPDX-License-Identifier: GPL-2.0-only
/* A program of which the fuzzers get the gmon.out and the ELF files */
#include <stdlib.h>

struct node {
	struct node *next;
	unsigned int value;
};

static inline unsigned int mix(unsigned int value)
{
	return value * 2654435761u ^ value >> 7;
}

static struct node *push(struct node *head, unsigned int value)
{
	struct node *node = malloc(sizeof(*node));

	if (!node)
		abort();
	node->next = head;
	node->value = mix(value);
	return node;
}

static unsigned int sum(const struct node *node)
{
	unsigned int total = 0;

	for (; node; node = node->next)
		total += mix(node->value);
	return total;
}

int main(void)
{
	struct node *head = NULL;
	unsigned int total = 0;

	for (unsigned int i = 0; i < 3000; i++) {
		head = push(head, i);
		total += sum(head);
	}
	return total == 1;
}
