#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The file that report --html and diff --html write: one script, its policy, data that stays data,
nothing from elsewhere, a bounded size, and no source file that the user did not name.
What a person sees of it is in browser/. The result is in TAP."""
import base64
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys
import unicodedata

import recording
import tap
from tap import check

HERE = os.path.dirname(os.path.abspath(__file__))
CHANGES = {"\u061c": r"\xd8\x9c", "\u202e": r"\xe2\x80\xae",
           "\u2028": r"\xe2\x80\xa8", "\t": r"\x09", "\x1b": r"\x1b", "\xe9": r"\xe9"}
VOID = {"meta", "link", "input"}


class Page(html.parser.HTMLParser):
    """Elements with their attributes and text, and the data"""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.elements, self.texts = [], [], [], {}
        self.text = text
        self.feed(text)
        self.close()
        self.wrong += self.open
        try:
            self.data = json.loads(self.texts["data"])
        except ValueError as error:
            self.wrong.append(str(error))
            self.data = {"functions": {"rows": []}}
        self.rows = self.data["functions"]["rows"]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("id", tag)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        key = self.open[-1][1] if self.open else ""
        self.texts[key] = self.texts.get(key, "") + data

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    def lines(self):
        """Lines of all sources, without those for code without a line"""
        return [line for source in self.data["sources"] for file in source["files"]
                for line in file["lines"][1:]]


def page_of(path, program="profil-sanitized", sources=()):
    return page_by(program, "report", "--html", "-i", path,
                   *(f"--source={name}" for name in sources))


def page_by(program, *words):
    run = subprocess.run([os.path.join(HERE, program), *words],
                         check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         env={"LC_ALL": "C", "ASAN_OPTIONS": "detect_leaks=0"})
    if run.returncode:
        sys.exit(run.stderr.decode(errors="replace"))
    return Page(run.stdout.decode("utf-8"))


def check_form(name, page):
    """What holds for every page"""
    check(f"{name}: the elements are nested", not page.wrong, page.wrong)
    attributes = [key for _, attrs in page.elements for key in attrs]
    check(f"{name}: no attribute is a handler",
          not [key for key in attributes if key.startswith("on")], attributes)
    links = [value for _, attrs in page.elements for key, value in attrs.items()
             if key in ("href", "src", "action", "data", "poster", "srcset")]
    check(f"{name}: nothing is loaded", links == ["data:,"], links)
    check(f"{name}: no style loads a file",
          not re.search(r"@import|url\(", page.texts["style"]))
    check(f"{name}: data, one script, one style",
          [script.get("type") for script in page.all("script")] ==
          ["application/json", "module"] and len(page.all("style")) == 1)


def check_usual():
    recording.usual("usual.data", os.path.join(HERE, "templates.cc"))
    page = page_of("usual.data", sources=[HERE])
    check_form("a usual page", page)
    digest = hashlib.sha256(page.texts["script"].encode()).digest()
    wanted = f"'sha256-{base64.b64encode(digest).decode()}'"
    check("the page permits its script by hash", wanted in page.text, wanted)
    size = len(page.text.encode()) - len(page.texts["data"].encode())
    check("the template has 40 KB at most", size <= 40 << 10, size)
    check("without JavaScript it says so in a sentence",
          re.fullmatch(r"[^.]* JavaScript [^.]*\.", page.texts["noscript"]))
    parts = [part for strip in page.data["strips"] for part in strip["parts"]]
    check("each part has a function with most of its samples",
          all(0 < part[2] <= part[1] for part in parts), parts)
    check("a file that only the recording names is not read",
          '"note": "not read, as no program here with' in page.text)


def check_hostile():
    recording.hostile("hostile.data")
    page = page_of("hostile.data")
    check_form("hostile names", page)
    names = [row[-1] for row in page.rows][:-1]
    wanted = [name if len(name) <= 300 else name[:300] + "…"
              for name in recording.HOSTILE]
    for old, new in CHANGES.items():
        wanted = [name.replace(old, new) for name in wanted]
    check("hostile names are in the data as they are", names == wanted, names)
    check("no control character, no mark of direction", not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]",
        page.text))


def check_invisible():
    """No character that is invisible, or changes others, is printed as it is."""
    kinds = ("Cc", "Cf", "Zl", "Zp")
    wanted = [chr(code) for code in range(1, 0x110000)
              if unicodedata.category(chr(code)) in kinds and code not in (10, 13)]
    visible = [chr(code) for code in range(0x20, 0x30000, 7)
               if unicodedata.category(chr(code))[0] in "LNPS" and
               code not in (0x115f, 0x1160, 0x3164, 0xffa0)]
    known = recording.Recording(["./x"])
    owner = known.object("/bin/x", 0x100000)
    for i in range(0, len(wanted), 50):
        name = f"name{i}" + "".join(wanted[i:i + 50])
        function = known.function(owner, 0x1000 + 64 * i, 64, name)
        known.place(owner, 0x1000 + 64 * i, function, 10)
    name = "seen" + "".join(visible[::40])
    known.place(owner, 0x90000, known.function(owner, 0x90000, 64, name), 1000)
    known.write("invisible.data")
    page = page_of("invisible.data")
    shown = {char for char in page.text if unicodedata.category(char) in kinds}
    check("invisible characters are not printed", shown <= set("\n\t"),
          sorted(map(hex, map(ord, shown))))
    names = [row[-1] for row in page.rows]
    check("their bytes are", all(any(byte in name for name in names)
                                 for byte in (r"\xe2\x80\x8b", r"\xef\xbb\xbf")))
    check("other characters are", names[0][:250] == name[:250], names[0])


def check_long_names():
    """Functions whose names differ beyond what is printed have short names that differ."""
    known = recording.Recording(["./x"])
    owner = known.object("/bin/x", 0x100000)
    lexer = f"space::lexer<space::json<{', '.join(['std::map<int, long>'] * 40)}>>"
    names = [f"{lexer}::scan_string()", f"{lexer}::get()", "main"]
    for i, name in enumerate(names):
        function = known.function(owner, 0x1000 + 64 * i, 64, name)
        known.place(owner, 0x1000 + 64 * i, function, 30 - i)
    known.write("long.data")
    page = page_of("long.data")
    check("long names are shortened, and differ", page.data["names"] == [
        "space::lexer<…>::scan_string", "space::lexer<…>::get", "main"],
        page.data["names"])


def paths_of(stacks, run=0):
    """Samples of each path of names with their objects, and those in kernel mode"""
    names = [" ".join([stacks["objects"][name[1]] if name[1] >= 0 else "", name[-1]])
             for name in stacks["names"]]
    paths, samples = [], {}
    for i, (name, caller) in enumerate(zip(stacks["nodes"], stacks["callers"])):
        paths.append((*(paths[i - caller] if caller else ()), names[name].strip()))
        samples[paths[i]] = samples.get(paths[i], 0) + stacks["self"][run][i]
    kernel, at = {}, 0
    for step, number in zip(stacks["kernel"][::2], stacks["kernel"][1::2]):
        at += step
        kernel[paths[min(at, len(paths) - 1)]] = number
    return {path: number for path, number in samples.items() if number}, kernel


def shown(text):
    """A name as the page has it: without characters that are invisible, and 300 at most"""
    for old, new in CHANGES.items():
        text = text.replace(old, new)
    return text if len(text) <= 300 else text[:300] + "…"


def check_calls():
    """The stacks in the page are those of the recording, whatever the names are."""
    names = [*recording.HOSTILE, "y" * 65536, "y" * 65536 + "z"]
    known, stacks = recording.calls("calls.data", names=names)
    page = page_of("calls.data")
    check_form("call stacks", page)
    wanted, kernels = {("[lost]",): known.lost}, {}
    for path, samples, kernel in stacks:
        path = ("app", *(f"{owner} {shown(name)}" for owner, name in path))
        wanted[path] = wanted.get(path, 0) + samples
        kernels[path] = kernels.get(path, 0) + kernel
    samples, kernel = paths_of(page.data["stacks"])
    check("each stack has its samples", samples == wanted,
          set(samples.items()) ^ set(wanted.items()))
    check("and those in kernel mode", kernel == {
        path: number for path, number in kernels.items() if number})
    check("nothing is joined", page.data["stacks"]["joined"] == 0)
    kinds = {(page.data["stacks"]["objects"][name[1]] if name[1] >= 0 else "", name[0])
             for name in page.data["stacks"]["names"]}
    check("the kinds of code", kinds == {
        ("", 4), ("app", 0), ("libc.so.6", 1), ("libtool.so", 0), ("node", 3)}, kinds)
    check("names of boxes are short", all(len(name[2]) <= 80
                                          for name in page.data["stacks"]["names"]))
    heads = [head for head, _ in page.data["functions"]["columns"]]
    check("the table has totals", "total" in heads, heads)


def check_many_calls():
    """Of 400,000 nodes those with few samples are joined, and the page says so."""
    known, stacks = recording.calls("many.data", 65000, 3000)
    page = page_of("many.data", "profil")
    data = page.data["stacks"]
    samples, _ = paths_of(data)
    nodes = {tuple(path[:i + 1]) for path, _, _ in stacks for i in range(len(path))}
    check("the recording has more nodes than a page", len(nodes) > 260000, len(nodes))
    check("the page has 250,000 at most, and many", 100000 < len(data["nodes"]) <= 250000,
          len(data["nodes"]))
    check("none of the samples is missing", sum(samples.values()) == known.total() ==
          page.data["samples"], (sum(samples.values()), known.total()))
    joined = sum(number for path, number in samples.items()
                 if path[-1] == f"[below {data['least']} samples]")
    check("the joined ones are counted", joined == data["joined"] > 0,
          (joined, data["joined"]))
    check("those without a caller, too, as the lost samples",
          samples.get((f"[below {data['least']} samples]",)) == known.lost, data["least"])
    check("the page has 4 MB at most", len(page.text) < 4 << 20, len(page.text))


def check_compared():
    """A comparison has each path once, with the samples of each recording."""
    files, wanted = [], []
    for name, factor in (("a1", 1), ("a2", 2), ("b1", 0)):
        known, stacks = recording.calls(
            f"{name}.data", names=recording.HOSTILE,
            factor=lambda calls, factor=factor: factor if 4 in calls else 1)
        samples = {("[lost]",): known.lost}
        for path, own, _ in stacks:
            path = tuple(f"{owner} {shown(name)}" for owner, name in path)
            samples[path] = samples.get(path, 0) + own
        files.append(f"{name}.data")
        wanted.append({path: own for path, own in samples.items() if own})
    page = page_by("profil-sanitized", "diff", "--html", ",".join(files[:2]), files[2])
    check_form("a comparison", page)
    runs = [paths_of(page.data["stacks"], run)[0] for run in range(3)]
    check("each stack has its samples in each recording", runs == wanted,
          [set(one.items()) ^ set(other.items()) for one, other in zip(runs, wanted)])
    compared = page.data["compared"]
    check("the sides of the recordings", compared["runs"] == [
        [0, 1000], [0, 1000], [1, 1000]] and compared["whole"] == [2000, 1000], compared)
    check("kinds of changes are in place of those of code", [kind[:1] for kind in page.data[
        "kinds"]] == [["more"], ["less"], [], [], ["change within 2.58 errors"]])
    flat = page_by("profil", "diff", "--html", "usual.data", "a1.data").data
    check("without callers a comparison has the table alone",
          "stacks" not in flat and flat["functions"]["rows"], flat.keys())


def check_source_files():
    """Files that are no source, and lines that are long"""
    os.mkfifo("pipe.c")
    with open("long.c", "w", encoding="ascii") as out:
        out.write("\t" * 100000 + "x" * 1000000 + "\nint x;\n")
    with open("binary.c", "wb") as out:
        out.write(b"a\0b\n" * 100)
    for name in ("pipe.c", "/dev/zero", "/proc/self/environ", ".", "binary.c",
                 "long.c"):
        one = recording.Recording(["./x"])
        owner = one.object("/bin/x", 4096)
        function = one.function(owner, 0x1000, 64, "f", name, 1)
        for address, line in ((0x1010, 1), (0x1020, 4000000000), (0x1030, 4294967295)):
            one.place(owner, address, function, 10, 0, [(function, name, line)])
        one.write("one.data")
        page = page_of("one.data", sources=["."])
        hot = [line[0] for line in page.lines() if line[1]]
        check(f"source {name}", len(page.text) < 45000 and
              hot == [1, 4000000000, 4294967295] and
              ("not found" in page.text or "not read" in page.text) ==
              (name != "long.c"), (len(page.text), hot))


BUILD = "0123456789abcdef"


def program_of(source):
    """Compile a program from source; the address of its main"""
    subprocess.run(["gcc", "-g", f"-Wl,--build-id=0x{BUILD}", "-o", "program", source],
                   check=True)
    symbols = subprocess.run(["nm", "program"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return int(re.search(r"^(\w+) T main$", symbols, re.M).group(1), 16)


def page_with(source, address):
    """Text of the page of a recording in which main of a program has this source"""
    one = recording.Recording(["./x"])
    owner = one.object(os.path.abspath("program"), 4096, build=BUILD)
    function = one.function(owner, address, 64, "main", source, 1)
    one.place(owner, address, function, 10, 0, [(function, source, 1)])
    one.write("one.data")
    return page_of("one.data").text


def check_links():
    """A source file that has become a link, in a directory of another user"""
    os.makedirs("build")
    os.makedirs("private")
    source = os.path.abspath("build/linked.c")
    with open(source, "w", encoding="ascii") as out:
        out.write("int main(void) { return 0; }\n")
    main_of_program = program_of(source)
    os.unlink(source)
    with open("private/linked.c", "w", encoding="ascii") as out:
        out.write("private text\n")
    os.symlink("../private/linked.c", source)
    text = page_with(source, main_of_program)
    check("a link of the caller is followed", "private text" in text)
    if os.geteuid():
        print("# only root can make links of another user")
        return
    os.chown(source, 65534, 65534, follow_symlinks=False)
    text = page_with(source, main_of_program)
    check("a link of another user is not followed", "private text" not in text)
    text = page_of("one.data", sources=["build"]).text
    check("nor is it below the user's directory", "private text" not in text)
    os.chown("private/linked.c", 65534, 65534)
    text = page_with(source, main_of_program)
    check("a link of the owner of the file is followed", "private text" in text)
    os.chown("private/linked.c", 0, 0)
    os.unlink(source)
    os.rmdir("build")
    os.symlink("private", "build")
    os.chown("build", 65534, 65534, follow_symlinks=False)
    text = page_with(source, main_of_program)
    check("a directory that is another user's link is not followed",
          "private text" not in text)
    text = page_of("one.data", sources=["build"]).text
    check("the user's directory may be one", "private text" in text)


def check_large():
    known = recording.large("large.data")
    page = page_of("large.data", "profil")
    check_form("60,000 places", page)
    heads = [head for head, _ in page.data["functions"]["columns"]]
    *rows, others, every = [(int(row[1 + heads.index("samples")]), row[-1])
                            for row in page.rows]
    check("60,000 places: at most 2 MB", len(page.text) < 2 << 20, len(page.text))
    check("60,000 places: 2000 rows, and the others are added up",
          len(rows) == 2000 and others[1] == "58000 more rows" and
          every[1] == "60000 rows in all" and
          sum(samples for samples, _ in rows) + others[0] ==
          page.data["samples"] == known.total() == every[0], others)


def tests():
    check_usual()
    check_hostile()
    check_invisible()
    check_long_names()
    check_calls()
    check_many_calls()
    check_compared()
    check_source_files()
    check_links()
    check_large()


tap.run(tests)
