# SPDX-License-Identifier: GPL-2.0-only
"""Parses modules of Python's own library, and writes and reads them as JSON."""

import ast
import io
import json
import re
import sys
import tokenize


def depth(node):
    return 1 + max(map(depth, ast.iter_child_nodes(node)), default=0)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()[:16000]


def work(text):
    try:
        total = depth(ast.parse(text))
    except SyntaxError:
        total = 0
    words = [line.split() for line in text.splitlines()]
    total += len(json.loads(json.dumps(words, indent=1)))
    try:
        for token in tokenize.generate_tokens(io.StringIO(text[:4000]).readline):
            total += token.type
    except (tokenize.TokenError, IndentationError):
        pass
    return total + len(re.findall(r'\b(\w+)\s*=\s*(?:\w+|"[^"]*")', text))


print(sum(work(read(path)) for path in sys.argv[1:]))
