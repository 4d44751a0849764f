# SPDX-License-Identifier: GPL-2.0-only
"""A profil.data with known numbers of samples, and what the page has to show"""
import os
import random

HOSTILE = ["<script>document.title='broken'</script>", "\"' onmouseover=alert(1) x='",
           "</title></style></script><h1>", "caf\xe9", "evil\u202etxt.exe",
           "evil\u061c123", "tab\there\x1b[31m", "a&amp;b &lt;", "<!-- -->",
           "\u2028{}`${1}", "]]>", "long " + "x" * 2000]


def encoded(name):
    """Field of a name; bytes of Latin-1 stay as they are."""
    if name.isascii() and name.isprintable() and "%" not in name:
        return name
    data = name.encode("latin-1") if name == "caf\xe9" else name.encode()
    return "".join(f"%{byte:02x}" if byte < 32 or byte in (37, 127)
                   else chr(byte) for byte in data)


class Recording:
    """Lines of the file, and samples by function"""

    def __init__(self, command, period=1000000):
        self.lines = []
        self.command = command
        self.period = period
        self.files = {}
        self.functions = []
        self.places = []
        self.samples = {}
        self.sizes = []
        self.callers, self.stacks, self.lines_of_stacks = [], {}, []
        self.lost = self.outside = self.kernel = 0

    def object(self, path, size, base=0x1000, build="0a1b", kind="file"):
        self.lines.append(f"object\t{kind}\t{encoded(path)}\t{build}\tread\t1\t1\t")
        self.lines.append(f"segment\t{len(self.sizes)}\t{base:#x}\t{base:#x}\t{size}")
        self.sizes.append(size)
        return len(self.sizes) - 1

    def source(self, path):
        return self.files.setdefault(path, len(self.files))

    def function(self, owner, address, size, name, file=None, line=0,
                 is_inlined=False):
        file = "-" if file is None else self.source(file)
        flags = "i" if is_inlined else "-"
        self.functions.append(
            f"function\t{owner}\t{address:#x}\t{size}\t{flags}\t"
            f"{encoded(name)}\t\t{file}\t{line}")
        return len(self.functions) - 1

    def place(self, owner, address, function, user, kernel=0, frames=()):
        """frames: (function, path, line), innermost first"""
        text = "".join(f"\t{f}:{self.source(path)}:{line}:1:0"
                       for f, path, line in frames)
        self.places.append((owner, address,
                            f"place\t{owner}\t0\t{address:#x}\t{address:#x}\t"
                            f"{function}\t{user}\t{kernel}{text}"))
        self.samples[function] = self.samples.get(function, 0) + user + kernel
        self.kernel += kernel

    def caller(self, owner, address, function):
        """A place without samples; its number is behind those of all places."""
        self.callers.append(f"caller\t{owner}\t0\t{address:#x}\t{address:#x}\t"
                            f"{function}\t0\t0")
        return -len(self.callers)

    def stack(self, places, user=0, kernel=0):
        """Samples in the last of places, the outermost first: indices of self.places,
        or results of caller()"""
        for i in range(len(places)):
            path = tuple(places[:i + 1])
            if path not in self.stacks:
                self.stacks[path] = len(self.lines_of_stacks)
                self.lines_of_stacks.append([self.stacks.get(path[:-1], "-"), path[-1],
                                             0, 0])
        line = self.lines_of_stacks[self.stacks[tuple(places)]]
        line[2] += user
        line[3] += kernel

    def stack_lines(self, order):
        """order: the places as in the file"""
        numbers = {place: i for i, place in enumerate(order)}
        for parent, place, user, kernel in self.lines_of_stacks:
            number = numbers[place] if place >= 0 else len(order) - 1 - place
            yield f"stack\t{parent}\t{number}\t{user}\t{kernel}"

    def total(self):
        return sum(self.samples.values()) + self.lost + self.outside

    def write(self, path, programs=("/usr/bin/report",)):
        total = self.total()
        order = sorted(range(len(self.places)), key=lambda i: self.places[i])
        cpu = total * self.period
        lines = ["profil.data\t1",
                 "command\t" + "\t".join(encoded(word) for word in self.command),
                 "host\tguest\tx86_64\t6.12.9+bpo-cloud-amd64",
                 f"time\t1795276920000000000\t{cpu * 21 // 20}\t{cpu}\t"
                 f"{self.kernel * self.period}",
                 f"clock\t{self.period}\t0", "end\t1\t0\t0\t0",
                 f"totals\t{total}\t{total - self.lost - self.outside}\t"
                 f"{self.outside}\t{self.lost}\t0\t{self.kernel}\t1\t1\t0",
                 "processes\t3\t1\t0\t0\t0\t0\t0\t1",
                 *(f"program\t{encoded(name)}" for name in programs), *self.lines,
                 *(f"source\t{encoded(name)}" for name in self.files),
                 *self.functions, *(self.places[i][2] for i in order), *self.callers,
                 *self.stack_lines(order)]
        lines.append(f"eof\t{len(lines)}")
        with open(path, "wb") as out:
            out.write(("\n".join(lines) + "\n").encode("latin-1"))


def usual(path, source):
    """A program of a few hundred functions with the source of one"""
    chance = random.Random(4)
    recording = Recording(["./report", "--month", "10"])
    program = recording.object("/usr/bin/report", 0x4a000)
    library = recording.object("/usr/lib/x86_64-linux-gnu/libc.so.6", 0x155000,
                               0x26000)
    other = recording.object("/usr/lib/libfoo.so.2", 0x9000)
    mul = recording.function(
        program, 0x2140, 600, "app::Matrix<double>::mul(app::Matrix<double>&, app::Matrix<double>&)",
        source, 20)
    at = recording.function(program, 0, 0, "app::Matrix<double>::at(int, int)",
                            source, 16, True)
    for i, (line, user, inlined) in enumerate([
            (22, 2, 0), (23, 9, 0), (26, 94, 0), (27, 190, 1), (27, 640, 1),
            (27, 402, 0), (28, 21, 1)]):
        frames = [(mul, source, line)]
        if inlined:
            frames.insert(0, (at, source, 18))
        recording.place(program, 0x2180 + 12 * i, mul, user, 0, frames)
    main = recording.function(program, 0x2500, 90, "main", source, 58)
    recording.place(program, 0x2510, main, 61, 0, [(main, source, 70)])
    recording.place(program, 0x2520, main, 22, 0, [(at, source, 18), (main, source, 71)])
    sort = recording.function(
        program, 0x8200, 900, "void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int> >, long, __gnu_cxx::__ops::_Iter_less_iter>",
        "/build/gcc/include/bits/stl_algo.h", 1918)
    for i in range(9):
        recording.place(program, 0x8210 + 31 * i, sort, 40 + 9 * i, 0,
                        [(sort, "/build/gcc/include/bits/stl_algo.h", 1922 + 2 * i)])
    write = recording.function(library, 0xf7a40, 160, "__write")
    recording.place(library, 0xf7a60, write, 12, 370)
    for i, name in enumerate(["_int_malloc", "_int_free", "__memmove_avx_unaligned_erms",
                              "__strlen_avx2", "__printf_fp_l", "vfprintf"]):
        function = recording.function(library, 0x97000 + 0x11000 * i, 0x800, name)
        for place in range(6):
            recording.place(library, 0x97000 + 0x11000 * i + 64 * place, function,
                            chance.randrange(1, 60 - 8 * i))
    nameless = recording.function(other, 0x4a20, 300, "libfoo.so.2+0x4a20")
    recording.place(other, 0x4a90, nameless, 159)
    for i in range(180):
        function = recording.function(program, 0xa000 + 0x400 * i, 0x400,
                                      f"app::step_{i}(int)")
        recording.place(program, 0xa000 + 0x400 * i + 16 * (i % 7), function,
                        1 + int(60 * chance.random() ** 9))
    recording.lost = 8
    recording.outside = 3
    recording.write(path, ("/usr/bin/report", "/bin/sh"))
    return recording


def hostile(path):
    """Names that a page must not take for anything but text"""
    recording = Recording(["./x", *HOSTILE[:4]])
    owner = recording.object("/bin/" + HOSTILE[0], 0x10000)
    for i, name in enumerate(HOSTILE):
        function = recording.function(owner, 0x1000 + 256 * i, 256, name,
                                      "/nowhere/" + name, 1)
        recording.place(owner, 0x1010 + 256 * i, function, 100 - i, 1,
                        [(function, "/nowhere/" + name, 7)])
    recording.write(path, ["/bin/" + name for name in HOSTILE])
    return recording


KINDS = [("file", "/opt/app"), ("file", "/usr/lib/libc.so.6"), ("file", "/opt/libtool.so"),
         ("jit", "/opt/node")]


def random_stack(chance, functions):
    """Functions, the outermost first, and samples in user and in kernel mode"""
    calls = [min(chance.randrange(functions), chance.randrange(functions))
             for _ in range(chance.randrange(12))] + [chance.randrange(functions)]
    return calls, 1 + int(90 * chance.random() ** 4), chance.randrange(3)


def calls(path, nr=400, functions=40, names=(), factor=lambda calls: 1):
    """Random stacks of functions of each kind, with recursion; these stacks, of pairs of
    an object and a name, the outermost first, with their samples, and those of the kernel.
    factor: of the samples of a stack, by the numbers of its functions"""
    chance = random.Random(7)
    recording = Recording(["./app"])
    owners = [recording.object(file, 0x1000000, kind=kind) for kind, file in KINDS]
    stacks = [random_stack(chance, functions) for _ in range(nr)]
    stacks = [(calls_of, user * factor(calls_of), kernel)
              for calls_of, user, kernel in stacks]
    texts, callers, lasts = [], [], {}
    mine = [[0, 0] for _ in range(functions)]
    for calls_of, user, kernel in stacks:
        mine[calls_of[-1]][0] += user
        mine[calls_of[-1]][1] += kernel
    for i in range(functions):
        name = names[i] if i < len(names) else f"function_{i}"
        texts.append((os.path.basename(KINDS[i % 4][1]), name))
        function = recording.function(owners[i % 4], 0x1000 + 64 * i, 64, name)
        callers.append(recording.caller(owners[i % 4], 0x1020 + 64 * i, function))
        user, kernel = mine[i]
        if user + kernel:
            lasts[i] = len(recording.places)
            recording.place(owners[i % 4], 0x1000 + 64 * i, function, user, kernel)
    for calls_of, user, kernel in stacks:
        recording.stack([*(callers[i] for i in calls_of[:-1]), lasts[calls_of[-1]]],
                        user, kernel)
    recording.lost = 4
    recording.write(path, ("/opt/app",))
    return recording, [([texts[i] for i in calls], user + kernel, kernel)
                       for calls, user, kernel in stacks]


def large(path, places=60000):
    """As many places as a recording of a large program has"""
    recording = Recording(["chromium"])
    owners = [recording.object(f"/opt/lib{i}.so", 0x8000000) for i in range(20)]
    for i in range(places):
        owner = owners[i % 20]
        address = 0x1000 + (i // 20) * 0xa000
        name = f"namespace_{i}::Class<{i}>::function(std::vector<int, long>)"
        function = recording.function(owner, address, 256, name, f"/src/{i}.cc", 3)
        recording.place(owner, address + 8, function, 1 + 5000 // (i + 1), 0,
                        [(function, f"/src/{i}.cc", 9)])
    recording.write(path)
    return recording
