// SPDX-License-Identifier: GPL-2.0-only
/* Functions of the kernel in place of the code that has entered it */
#include "profile/head.h"
#include "profile/kernel.h"

/* Leave out the samples in kernel mode. The samples in user mode */
static uint64_t leave_kernel(struct profile *profile)
{
	uint64_t user = 0;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		profile->stacks[i].kernel = 0;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_sample sample = profile->samples[i];

		sample.kernel = 0;
		user += sample.user;
		if (sample.user)
			profile->samples[nr++] = sample;
	}
	profile->nr_samples = nr;
	return user;
}

/* Index of the function @name of the kernel, whose address is its number in @found */
static uint32_t kernel_function(struct profile *profile, uint32_t object,
				const char *name, struct index_map *found)
{
	struct index_key key = { { (uintptr_t)name } };
	struct profile_function function = {
		.object = object,
		.symbol = name,
		.name = name,
		.address = found->nr,
		.file = "",
	};
	uint32_t index =
		profil_index_map_add(found, key, profile->nr_functions);

	if (index == profile->nr_functions)
		profil_profile_add_function(profile, &function);
	return index;
}

/* A function of the kernel was called by the stack that entered the kernel. */
static void add_stack(struct profile *profile, uint32_t entered,
		      const struct profile_sample *sample)
{
	struct profile_stack stack = {
		.parent = entered,
		.place = sample->place,
		.program = sample->program,
		.kernel = sample->kernel,
	};

	if (entered != PROFILE_NONE)
		profil_profile_add_stack(profile, &stack);
}

/* Add the functions of the kernel: samples */
static uint64_t add_kernel(struct profile *profile)
{
	static const char name[] = PROFILE_KERNEL;
	const struct profile_object object = { .path = name };
	const struct profile_program program = { name, name, name };
	struct profile_place place = { 0 };
	struct profile_sample sample = { 0 };
	struct index_map found = { 0 };
	uint64_t samples = 0;

	place.object = profil_profile_add_object(profile, &object);
	for (uint32_t i = 0; i < profile->nr_kernel; i++) {
		const struct profile_kernel *kernel = &profile->kernel[i];

		place.function = kernel_function(profile, place.object,
						 kernel->name, &found);
		place.address = profile->functions[place.function].address;
		place.offset = place.address;
		sample.place = profil_profile_add_place(profile, &place);
		sample.program = kernel->program;
		if (sample.program == PROFILE_NONE)
			sample.program =
				profil_profile_add_program(profile, &program);
		sample.kernel = kernel->samples;
		samples += sample.kernel;
		profil_profile_add_sample(profile, &sample);
		add_stack(profile, kernel->stack, &sample);
	}
	profil_index_map_free(&found);
	return samples;
}

bool profil_profile_lacks_kernel(const struct profile *profile)
{
	return profile->lacks_kernel ||
	       (!profile->nr_kernel && profile->head.kernel_samples);
}

/* CPU time of the machine is that of its samples. */
static void set_times(struct profile_head *head)
{
	if (head->table != TABLE_MACHINE)
		return;
	head->cpu_ns = head->samples * head->period_ns;
	head->kernel_ns = head->kernel_samples * head->period_ns;
}

bool profil_profile_enter_kernel(struct profile *profile)
{
	struct profile_head *head = &profile->head;
	struct profil_take *taken = &head->taken;
	uint64_t away = profil_taken_sum(taken, TAKEN_AWAY) + taken->denied;
	uint64_t busy = taken->ticks > away ? taken->ticks - away : 0;
	uint64_t user, kernel;

	if (profil_profile_lacks_kernel(profile))
		return false;
	user = leave_kernel(profile);
	kernel = add_kernel(profile);
	head->hits = user + kernel;
	head->samples = head->hits + head->outside;
	/* A sample in kernel mode has a function, even if it has no program. */
	head->lost = busy > head->samples ? busy - head->samples : 0;
	head->samples += head->lost;
	head->kernel_samples = kernel;
	set_times(head);
	profil_taken_clear(taken, TAKEN_KERNEL);
	profile->nr_kernel = 0;
	profil_index_map_free(&profile->kernel_index);
	return true;
}
