// SPDX-License-Identifier: GPL-2.0-only
//
// Trees, JSON, sorting, maps and expressions, as often as the argument says
'use strict';

function tree(depth)
{
	return depth ? { left: tree(depth - 1), right: tree(depth - 1), depth } : null;
}

function sum(node)
{
	return node ? sum(node.left) + sum(node.right) + node.depth : 0;
}

function records(nr)
{
	const all = [];

	for (let i = 0; i < nr; i++)
		all.push({ id: i, name: 'x' + i * 7, tags: ['a', 'b' + i] });
	return all;
}

function work()
{
	const text = JSON.stringify(records(300));
	const all = JSON.parse(text).sort((a, b) => a.name < b.name ? -1 : 1);
	const counts = new Map();

	for (const one of all)
		counts.set(one.name, (counts.get(one.name) || 0) + 1);
	return all.length + counts.size + text.match(/"b(\d+)"/g).length + sum(tree(10));
}

let total = 0;
for (let i = 0; i < +process.argv[2]; i++)
	total += work();
console.log(total);
