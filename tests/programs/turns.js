// SPDX-License-Identifier: GPL-2.0-only
//
// A program of Node.js that profil is attached to; run describes its arguments.
'use strict';

const fs = require('fs');

function first(rounds)
{
	let sum = 0;

	for (let i = 0; i < rounds; i++)
		sum = (sum * 31 + i) | 0;
	return sum;
}

function second(rounds)
{
	let sum = 1;

	for (let i = 0; i < rounds; i++)
		sum = (sum ^ i) + (i % 7) | 0;
	return sum;
}

// CPU time of the process, in nanoseconds
function now()
{
	const usage = process.cpuUsage();

	return (usage.user + usage.system) * 1000;
}

// Call a function for some CPU time, and return the CPU time.
function work(fn, nanoseconds)
{
	const begin = now();

	while (now() - begin < nanoseconds)
		fn(1000000);
	return now() - begin;
}

function byTurns(turns, nanoseconds)
{
	const used = [0, 0];

	for (let i = 0; i < turns; i++) {
		used[0] += work(first, nanoseconds[0] / turns);
		used[1] += work(second, nanoseconds[1] / turns);
	}
	return used;
}

// The functions are compiled before the program is ready.
byTurns(4, [1e8, 1e8]);
console.log('ready');
fs.readSync(0, Buffer.alloc(1));
console.log('used', ...byTurns(10, process.argv.slice(2)));
fs.readSync(0, Buffer.alloc(1));
