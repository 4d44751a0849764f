-- SPDX-License-Identifier: GPL-2.0-only
-- programs.lua SEED SCALE: text, search, trees, numbers, calls and templates
local seed, scale = tonumber(arg[1]), tonumber(arg[2])
local state = seed
local function random(n)
	state = (state * 1103515245 + 12345) & 0x7fffffff
	return (state >> 8) % n + 1
end
local function checksum(text)
	local sum = 0
	for i = 1, #text do sum = (sum * 31 + text:byte(i)) & 0xffffffff end
	return sum
end
-- words
local syllables = { "ba", "ko", "ri", "tu", "len", "mos", "qua", "shi" }
local function words(n)
	local list = {}
	for i = 1, n do
		local parts = {}
		for j = 1, random(4) do parts[j] = syllables[random(#syllables)] end
		list[i] = table.concat(parts)
	end
	return list
end
local function count_words(n)
	local text = table.concat(words(n), " ")
	local counts, keys = {}, {}
	for word in text:gmatch("%a+") do
		if not counts[word] then keys[#keys + 1] = word end
		counts[word] = (counts[word] or 0) + 1
	end
	table.sort(keys, function(a, b)
		if counts[a] ~= counts[b] then return counts[a] > counts[b] end
		return a < b
	end)
	local out = {}
	for i = 1, math.min(#keys, 100) do out[i] = keys[i] .. "=" .. counts[keys[i]] end
	return checksum(table.concat(out, ","))
end
-- n queens
local function queens(n)
	local found = 0
	local cols, d1, d2 = {}, {}, {}
	local function place(row)
		if row > n then found = found + 1 return end
		for c = 1, n do
			if not cols[c] and not d1[row + c] and not d2[row - c + n] then
				cols[c], d1[row + c], d2[row - c + n] = true, true, true
				place(row + 1)
				cols[c], d1[row + c], d2[row - c + n] = false, false, false
			end
		end
	end
	place(1)
	return found
end
-- trees with objects
local Tree = {}
Tree.__index = Tree
function Tree.new(key) return setmetatable({ key = key }, Tree) end
function Tree:insert(key)
	local node = self
	while true do
		if key < node.key then
			if not node.left then node.left = Tree.new(key) return end
			node = node.left
		else
			if not node.right then node.right = Tree.new(key) return end
			node = node.right
		end
	end
end
function Tree:sum(depth)
	local sum = self.key * depth
	if self.left then sum = sum + self.left:sum(depth + 1) end
	if self.right then sum = sum + self.right:sum(depth + 1) end
	return sum
end
local function trees(n)
	local root = Tree.new(500000)
	for i = 1, n do root:insert(random(1000000)) end
	return root:sum(1)
end
-- matrices
local function matrices(n)
	local a, b = {}, {}
	for i = 1, n do
		a[i], b[i] = {}, {}
		for j = 1, n do a[i][j], b[i][j] = random(100) / 7, random(100) / 3 end
	end
	local trace = 0.0
	for i = 1, n do
		local row = a[i]
		for j = 1, n do
			local s = 0.0
			for k = 1, n do s = s + row[k] * b[k][j] end
			if i == j then trace = trace + s end
		end
	end
	return string.format("%.6f", trace)
end
-- an interpreter of a stack machine
local function machine(n)
	local code, stack = {}, {}
	for i = 1, 200 do code[i] = random(5) end
	local ops = {
		function(sp) stack[sp + 1] = sp * 3 return sp + 1 end,
		function(sp) if sp > 1 then stack[sp - 1] = (stack[sp] + stack[sp - 1]) % 10007 return sp - 1 end return sp end,
		function(sp) if sp > 1 then stack[sp], stack[sp - 1] = stack[sp - 1], stack[sp] end return sp end,
		function(sp) if sp > 0 then stack[sp] = stack[sp] ~ 85 end return sp end,
		function(sp) if sp > 0 then stack[sp + 1] = stack[sp] return sp + 1 end return sp end,
	}
	local sum = 0
	for round = 1, n do
		local sp = 0
		for i = 1, #code do sp = ops[code[i]](sp) end
		if sp > 0 then sum = (sum + stack[sp]) % 1000003 end
	end
	return sum
end
-- templates
local function template(n)
	local out = {}
	for i = 1, n do
		local values = { name = syllables[random(8)], n = random(1000), list = random(5) }
		local text = ("Dear $name, order $n has $list parts (%d)"):format(i)
		out[#out + 1] = text:gsub("%$(%w+)", values)
		if #out == 100 then out = { checksum(table.concat(out, "\n")) .. "" } end
	end
	return checksum(table.concat(out))
end
for round = 1, scale do
	print(round, count_words(12000 + random(3000)), queens(7 + random(2)), trees(8000 + random(2000)),
		matrices(50 + random(20)), machine(400 + random(200)), template(3000 + random(1000)))
end
