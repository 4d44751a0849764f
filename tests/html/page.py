#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The page of report --html, as another parser of HTML reads it: the numbers of
the recording, text that stays text, nothing from elsewhere, a bounded size. The
result is in TAP."""
import base64
import hashlib
import html.parser
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

import recording

HERE = os.path.dirname(os.path.abspath(__file__))
VOID = {"meta", "link", "col", "input"}
results = []


def check(name, passed, details=""):
    results.append(bool(passed))
    if not passed:
        print(f"# {details}")
    print(f"{'ok' if passed else 'not ok'} {len(results)} - {name}", flush=True)


class Page(html.parser.HTMLParser):
    """Elements with their attributes and text, and the rows of tables"""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.elements = [], [], []
        self.rows, self.data = [], {}
        self.feed(text)
        self.close()
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        inner = self.open[-1] if self.open else ""
        self.data[inner] = self.data.get(inner, "") + data
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    def functions(self):
        """Fields of the rows of the table of functions, without its head"""
        return [row for row in self.rows if len(row) == 7 and
                row[0].endswith("%") and "rows" not in row[6]]


def page_of(path, program="page-sanitized", sources=()):
    run = subprocess.run([os.path.join(HERE, program), path, *sources],
                         check=False, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env={"LC_ALL": "C"})
    if run.returncode:
        sys.exit(run.stdout.decode(errors="replace"))
    return run.stdout.decode("utf-8")


def check_form(name, text):
    """What holds for every page"""
    page = Page(text)
    check(f"{name}: the elements are nested", not page.wrong, page.wrong)
    attributes = [key for _, attrs in page.elements for key in attrs]
    check(f"{name}: no attribute is a handler",
          not [key for key in attributes if key.startswith("on")], attributes)
    links = [value for _, attrs in page.elements for key, value in attrs.items()
             if key in ("href", "src", "action", "data", "poster", "srcset")]
    check(f"{name}: nothing is loaded",
          all(link == "data:," or link.startswith("#") for link in links), links)
    check(f"{name}: no style loads a file",
          not re.search(r"@import|url\(", page.data["style"]))
    check(f"{name}: one script, one style",
          len(page.all("script")) == len(page.all("style")) == 1)
    return page


def check_usual():
    source = os.path.join(HERE, "matrix.cc")
    known = recording.usual("usual.data", source)
    text = page_of("usual.data", sources=[HERE])
    page = check_form("a usual page", text)
    with open(os.path.join(HERE, "print.c.js"), "rb") as script:
        digest = hashlib.sha256(script.read()).digest()
    wanted = f"'sha256-{base64.b64encode(digest).decode()}'"
    check("the page permits its script by hash", wanted in text, wanted)
    rows = page.functions()
    counts = sorted(known.samples.values(), reverse=True)
    shown = [int(row[3]) for row in rows]
    check("the table has all samples", sum(shown) == known.total(), sum(shown))
    check("the table has each function", sorted(shown, reverse=True) == sorted(
        counts + [known.lost, known.outside], reverse=True))
    first = ["30.7\xa0%", "0.7", "1.358", "1358", "", "report",
             "app::Matrix<double>::mul(app::Matrix<double> const&) const"]
    check("the fields of a row", rows[0] == first, rows[0])
    write = [row for row in rows if row[6] == "__write"][0]
    check("the share of the kernel", write[3:6] == ["382", "97\xa0%", "libc.so.6"],
          write)
    check("the source is shown", "/* &quot;diagonal&quot; &lt;b&gt;only&lt;/b&gt;"
          " &amp; exact */" in text)
    plain = re.sub(r"<[^>]*>", "", text)
    check("a line has its share", re.search(
        r"90\.732.*s \+= at\(i, k\) \* o\.at\(k, j\);", plain))
    check("inlined code is named", re.search(
        r"61\.1 .*inlined app::Matrix&lt;double&gt;::at\(int, int\) const, "
        r"matrix\.cc:13", plain))
    check("a source that only the recording names is not read",
          "stl_algo.h (not read, as no program here with" in plain)
    titles = [int(hit) for hit in re.findall(r"<title>0x\w+: (\d+) sample", text)]
    check("the strips have the samples of all files",
          sum(titles) == known.total() - known.lost - known.outside, sum(titles))


def check_hostile():
    recording.hostile("hostile.data")
    text = page_of("hostile.data")
    page = check_form("hostile names", text)
    names = [row[6] for row in page.functions()]
    wanted = [name if len(name) <= 300 else name[:300] + "…"
              for name in recording.HOSTILE]
    changes = {"\u061c": r"\xd8\x9c", "\u202e": r"\xe2\x80\xae",
               "\u2028": r"\xe2\x80\xa8", "\t": r"\x09", "\x1b": r"\x1b", "\xe9": r"\xe9"}
    for old, new in changes.items():
        wanted = [name.replace(old, new) for name in wanted]
    check("hostile names are shown as they are", names == wanted, names)
    check("the title is the command", page.data["title"].startswith("./x <script>"))
    check("no control character, no mark of direction", not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]",
        text))


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
    text = page_of("invisible.data")
    shown = {char for char in text if unicodedata.category(char) in kinds}
    check("invisible characters are not printed", shown <= set("\n\t"),
          sorted(map(hex, map(ord, shown))))
    check("their bytes are", r"\xe2\x80\x8b" in text and r"\xef\xbb\xbf" in text)
    names = [row[6] for row in check_form("invisible", text).functions()]
    check("other characters are", [seen for seen in names
                                   if seen[:250] == name[:250]], names[:1])


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
        one.place(owner, 0x1010, function, 10, 0, [(function, name, 1)])
        one.place(owner, 0x1020, function, 10, 0, [(function, name, 4000000000)])
        one.place(owner, 0x1030, function, 10, 0, [(function, name, 4294967295)])
        one.write("one.data")
        text = page_of("one.data", sources=["."])
        check(f"source {name}", len(text) < 25000 and
              ("not found" in text or "not read" in text) == (name != "long.c"),
              len(text))


BUILD = "0123456789abcdef"


def program_of(source):
    """Compile a program from source; the address of its main"""
    subprocess.run(["gcc", "-g", f"-Wl,--build-id=0x{BUILD}", "-o", "program", source],
                   check=True)
    symbols = subprocess.run(["nm", "program"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return int(re.search(r"^(\w+) T main$", symbols, re.M).group(1), 16)


def page_with(source, address):
    """The page of a recording in which main of a program has this source"""
    one = recording.Recording(["./x"])
    owner = one.object(os.path.abspath("program"), 4096, build=BUILD)
    function = one.function(owner, address, 64, "main", source, 1)
    one.place(owner, address, function, 10, 0, [(function, source, 1)])
    one.write("one.data")
    return page_of("one.data")


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
    text = page_of("one.data", sources=["build"])
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
    text = page_of("one.data", sources=["build"])
    check("the user's directory may be one", "private text" in text)


def check_large():
    known = recording.large("large.data")
    text = page_of("large.data", "page")
    page = check_form("60,000 places", text)
    check("60,000 places: at most 4 MB", len(text) < 4 << 20, len(text))
    sums = [row for row in page.rows if len(row) == 7 and "rows" in row[6]]
    shown = sum(int(row[3]) for row in page.functions())
    check("60,000 places: the other rows are added up", len(sums) == 2 and
          shown + int(sums[0][3]) == int(sums[1][3]) == known.total(), sums)


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        check_usual()
        check_hostile()
        check_invisible()
        check_source_files()
        check_links()
        check_large()
        os.chdir("/")
    print(f"1..{len(results)}")
    sys.exit(not all(results))


main()
