#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a person sees of the pages of report and diff --html in Chromium: rows, strips and
source lines with their numbers, sorting, filtering, light and dark, wide and narrow,
without JavaScript, on paper; no error, and no request but for the page. Screenshots go to $SCREENSHOTS. The result is in TAP."""
import json
import os
import re
import subprocess
import time

import devtools
import recording
import tap
from tap import check

HERE = os.path.dirname(os.path.abspath(__file__))
SHOTS = os.environ.get("SCREENSHOTS")
FUNCTIONS = "[...document.getElementById('functions').tBodies[0].rows]"


def column(browser, number):
    return browser.value(f"{FUNCTIONS}.map(row => row.cells[{number}].textContent)")


def click(browser, expression):
    """Click the middle of an element."""
    x, y = browser.value(
        f"{{ const e = {expression}; e.scrollIntoView({{ block: 'center' }});"
        "const b = e.getBoundingClientRect();"
        "[b.x + b.width / 2, b.y + b.height / 2] }")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                     button="left", clickCount=1)


def becomes(browser, expression, expected):
    """Wait a minute at most: the browser reports a new address some time later."""
    until = time.monotonic() + 60
    while browser.value(expression) != expected and time.monotonic() < until:
        time.sleep(0.05)
    return browser.value(expression) == expected


def head(number):
    return f"document.querySelectorAll('#functions th')[{number}]"


def page_of(name):
    path = os.path.abspath(f"{name}.html")
    with open(path, "wb") as out:
        subprocess.run([os.path.join(HERE, "profil"), "report", "--html", "-i",
                        f"{name}.data", "--source", HERE], stdout=out, check=True)
    return f"file://{path}"


def shoot(browser, name):
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
        browser.screenshot(os.path.join(SHOTS, f"{name}.png"))


def check_quiet(browser, name, url):
    check(f"{name}: no message in the console", not browser.errors(),
          browser.errors())
    asked = browser.requests()
    check(f"{name}: no request but for the page", asked and
          set(asked) <= {url, "data:,"}, asked)


def check_rows(browser, known):
    heads = browser.value("[...document.querySelectorAll('#functions th button')]"
                          ".map(button => button.textContent)")
    check("each column has its head", heads == [
        "self", "±", "seconds", "samples", "kernel", "object", "function"], heads)
    expected = sorted([*known.samples.values(), known.lost, known.outside],
                      reverse=True)
    check("the first 40 rows are visible", len(column(browser, 3)) == 40 and
          browser.value("document.getElementById('shown').textContent") ==
          f"40 of {len(expected)} rows")
    click(browser, "document.getElementById('more')")
    samples = [int(text) for text in column(browser, 3)]
    check("a click shows the others: each has the samples of its function",
          samples == expected, samples)
    rows = browser.value(f"{FUNCTIONS}.map(row => [...row.cells].map("
                         "cell => cell.textContent))")
    check("the fields of a row", rows[0] == [
        "30.7\xa0%", "0.7", "1.358", "1358", "", "report",
        "app::Matrix<double>::mul(app::Matrix<double>&, app::Matrix<double>&)"], rows[0])
    write = [row for row in rows if row[6] == "__write"][0]
    check("the share of the kernel", write[3:6] == ["382", "97\xa0%", "libc.so.6"],
          write)


def check_head(browser):
    text = browser.value("document.querySelector('header').innerText")
    check("the head has the command, its times and the samples", re.fullmatch(
        r"profil\s+\./report --month 10\s+exit status 0 · 2026-11-21 16:02 UTC · guest · "
        r"Linux 6\.12\.9\+bpo-cloud-amd64 x86_64\s+CPU time\s+4\.42 s\s+in the kernel\s+"
        r"0\.37 s, 8\.4\s%\s+wall-clock time\s+4\.64 s\s+samples\s+4423 one each 1 ms\s+"
        r"lost\s+8 0\.2\s%\s+outside of all code\s+3 0\.1\s%\s*", text), text)


def check_strips(browser, known):
    titles = browser.value("[...document.querySelectorAll('.strip i')]"
                           ".map(part => part.title)")
    samples = [int(re.match(r"0x[0-9a-f]+: (\d+) samples?, \S", title).group(1))
               for title in titles]
    check("the strips have the samples of all files",
          sum(samples) == known.total() - known.lost - known.outside, titles[:5])
    names = browser.value("document.querySelectorAll('.names')[1].innerText")
    check("names below a strip", "__write" in names and "_int_malloc" in names, names)


def check_sort(browser, known):
    click(browser, head(6))
    names = column(browser, 6)
    check("a click sorts by function", names == sorted(names) and
          browser.value(f"{head(6)}.getAttribute('aria-sort')") == "ascending",
          names[:5])
    click(browser, head(6))
    check("a second click reverses the order",
          column(browser, 6) == sorted(names, reverse=True))
    browser.value(f"{head(3)}.firstChild.focus()")
    browser.press("Enter", "\r")
    samples = [int(text) for text in column(browser, 3)]
    check("the key Enter sorts by samples", samples == sorted(samples, reverse=True)
          and sum(samples) == known.total(), samples[:5])
    check("one column is marked", browser.value(
        "document.querySelectorAll('#functions [aria-sort]').length") == 1)


def check_filter(browser, known):
    browser.value("document.body.focus()")
    browser.press("/", "/")
    browser.type("libc _INT_")
    names = column(browser, 6)
    check("the key / and words filter", sorted(names) == ["_int_free", "_int_malloc"],
          names)
    browser.press("Escape")
    check("the key Escape ends the filter",
          len(column(browser, 6)) == len(known.samples) + 2)
    click(browser, "document.querySelectorAll('.strip')[1]"
                   ".querySelector('[title*=__write]')")
    names = column(browser, 6)
    check("a click on the strip finds the function", names == ["__write"], names)
    browser.press("Escape")


def check_source(browser):
    last = "[...document.querySelectorAll('details')].pop()"
    check("the source of the last function is closed",
          browser.value(f"{last}.open") is False)
    click(browser, "[...document.querySelectorAll('#functions a')].pop()")
    check("a link in the table opens it",
          becomes(browser, f"{last}.open", True))
    lines = browser.value(f"{last}.innerText")
    check("it has the source", '/* "local" <b>only</b> & exact */' in lines, lines)
    lines = browser.value("document.querySelector('details').innerText")
    check("a line has its share", re.search(
        r"90\.7\s+27\s+sum \+= at\(i, k\) \* other\.at\(k, j\);", lines), lines)
    check("inlined code is named", re.search(
        r"61\.1\s+↳ inlined app::Matrix<double>::at\(int, int\), templates\.cc:18",
        lines), lines)
    lines = browser.value("document.querySelectorAll('details')[1].innerText")
    check("a source that is not read has a reason",
          "stl_algo.h (not read, as no program here with" in lines, lines)


def tree_rows(browser):
    """Level, state, share, self, object and function of each row of the tree"""
    return browser.value(
        "[...document.querySelectorAll('#tree tbody tr')].map(row => [row.ariaLevel,"
        "row.ariaExpanded, ...[0, 2, 3, 4].map(i => row.cells[i].textContent)])")


def chosen(browser):
    return browser.value("document.getElementById('chosen').textContent")


def focus(browser, expression):
    browser.value(f"{expression}.focus()")


GRAPH = "document.getElementById('graph')"
ROW = "document.activeElement"


def of_owner(name):
    return " ".join(name)


class Sums:
    """What each view has to show, by the stacks alone"""

    def __init__(self, known, stacks):
        self.all = known.total()
        self.stacks = [([of_owner(name) for name in path], samples)
                       for path, samples, _ in stacks]

    def share(self, samples):
        return f"{100 * samples / self.all:.1f}\xa0%"

    def by(self, key):
        """Shares of samples by the result of key, without those for None, sorted"""
        sums = {}
        for path, samples in self.stacks:
            if key(path) is not None:
                sums[key(path)] = sums.get(key(path), 0) + samples
        return sorted(((name, self.share(samples)) for name, samples in sums.items()))


def children(rows, first=0):
    """Names and shares of the rows below row first"""
    level = int(rows[first][0])
    found = []
    for row in rows[first + 1:]:
        if int(row[0]) <= level:
            break
        if int(row[0]) == level + 1:
            found.append((f"{row[4]} {row[5]}", row[2]))
    return found


def all_below(browser, first):
    """The same of all, also those that are hidden at first; row first is open"""
    while browser.value("{ const more = [...document.querySelectorAll('#tree tbody tr')]"
                        ".find(row => / more$/.test(row.textContent)); more?.click();"
                        "Boolean(more) }"):
        pass
    return children(tree_rows(browser), first)


def check_views(browser, sums):
    view = "document.querySelectorAll('#views button')"
    names = all_below(browser, 1)
    check("calls: the outermost functions", sorted(names) == sums.by(
        lambda path: path[0]), names)
    click(browser, f"{view}[1]")
    names = [pair for pair in all_below(browser, 0) if "lost" not in pair[0]]
    check("callers: the innermost functions", sorted(names) == sums.by(
        lambda path: path[-1]), names)
    shoot(browser, "stacks-callers")
    click(browser, "[...document.querySelectorAll('#functions tbody tr')].find(row => "
                   "row.cells[7].textContent.endsWith('function_4')).querySelector('button')")
    check("a button in the table of functions leads to one", chosen(browser).startswith(
        "function_4") and browser.value(f"{view}[2].ariaPressed") == "true",
        chosen(browser))
    check("the graph has the focus", browser.value(f"document.activeElement === {GRAPH}"))
    all_below(browser, 0)
    rows = tree_rows(browser)
    second = [i for i, row in enumerate(rows) if row[0] == "1"][1]
    one = "app function_4"
    check("one function: its callers", sorted(children(rows)) == sums.by(
        lambda path: (["x app", *path][path.index(one)] if path.index(one) else " app")
        if one in path else None), children(rows))
    calls = [pair for pair in children(rows, second) if pair[0] != " [kernel]"]
    check("and its calls", sorted(calls) == sums.by(
        lambda path: path[path.index(one) + 1]
        if one in path and path.index(one) + 1 < len(path) else None), calls)
    total = sums.by(lambda path: one if one in path else None)[0][1]
    check("its share is that of the table", rows[0][2] == total == browser.value(
        "[...document.querySelectorAll('#functions tbody tr')].find(row => "
        "row.cells[7].textContent.endsWith('function_4')).cells[2].textContent"),
        (total, rows[0]))
    shoot(browser, "stacks-one")


def check_search(browser, sums):
    focus(browser, "document.getElementById('search')")
    browser.type("libc 1")
    samples = sum(samples for path, samples in sums.stacks if any(
        re.match("libc.*1", name) for name in path))
    found = browser.value("document.getElementById('found').textContent")
    matching = {name for path, _ in sums.stacks for name in path
                if re.match("libc.*1", name)}
    check("the search has its share", found.startswith(
        f"{len(matching)} functions, {sums.share(samples)} ± "), found)
    rows = browser.value("[...document.querySelectorAll('#tree .match')]"
                         ".map(row => row.textContent)")
    check("the tree has the matches", rows and all(re.search("libc| more$", row)
                                                   for row in rows), rows)
    shoot(browser, "stacks-search")
    browser.value("{ const e = document.getElementById('search'); e.value = '';"
                  "e.dispatchEvent(new Event('input')) }")


def check_keys(browser):
    focus(browser, GRAPH)
    names = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        browser.press(key)
        names.append(chosen(browser))
    rows = tree_rows(browser)
    check("arrow keys walk in the graph, and Enter zooms", len(set(names)) == 3 and
          rows[0][0] == "1" and names[3].startswith(rows[0][5]), (names, rows[0]))
    check("the details have shares with errors, and the kind of code", re.match(
        r"\S+?\d+\.\d\xa0% ± \d\.\d, \d\.\d{3} s · .*(own|system|generated)", names[3]),
        names[3])
    shoot(browser, "stacks-zoomed")
    browser.press("Escape")
    check("Escape goes back", tree_rows(browser)[0][5] == "all samples")
    browser.press("Enter", shift=True)
    check("Shift and Enter show one function", tree_rows(browser)[0][5].endswith(
        " and its callers"))
    browser.press("Escape")
    focus(browser, "document.querySelector('#tree [tabindex=\"0\"]')")
    browser.press("Home")
    for key in ("ArrowDown", "ArrowDown"):
        browser.press(key)
    before = browser.value(f"[{ROW}.ariaLevel, {ROW}.ariaExpanded, {ROW}.ariaPosInSet]")
    browser.press("ArrowRight")
    after = browser.value(f"[{ROW}.ariaLevel, {ROW}.ariaExpanded, {ROW}.ariaPosInSet]")
    browser.press("ArrowRight")
    inside = browser.value(f"{ROW}.ariaLevel")
    check("arrow keys walk in the tree, and open it", (before, after, inside) == (
        ["3", "false", "1"], ["3", "true", "1"], "4"), (before, after, inside))
    shoot(browser, "stacks-tree")
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    check("and close it", browser.value(f"[{ROW}.ariaLevel, {ROW}.ariaExpanded]") ==
          ["3", "false"])
    name = browser.value(f"{ROW}.cells[4].textContent")
    browser.press("Enter")
    check("Enter zooms to a row, which keeps the focus", browser.value(
        f"[{ROW}.ariaLevel, {ROW}.cells[4].textContent]") == ["1", name])
    browser.press("Escape")
    check("one row of the tree is in the order of the keyboard", browser.value(
        "document.querySelectorAll('#tree [tabindex=\"0\"]').length") == 1)


def check_pointer(browser):
    box = "document.getElementById('graph').getBoundingClientRect()"
    browser.value(f"{GRAPH}.scrollIntoView({{ block: 'center' }})")
    x, y = browser.value(f"[{box}.x, {box}.y]")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + 20, y=y + 45)
    name = chosen(browser)
    check("the pointer shows a box", name.startswith(tree_rows(browser)[2][5]), name)
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x + 20, y=y + 45,
                     button="left", clickCount=1)
    rows = tree_rows(browser)
    check("a click zooms", rows[0][0] == "1" and name.startswith(rows[0][5]), rows[0])
    click(browser, "document.getElementById('back')")
    check("a button goes back", tree_rows(browser)[0][5] == "all samples")


def contrast(one, other):
    """Of two colours of a style, as WCAG defines it"""
    def luminance(colour):
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        return sum(weight * (part / 12.92 if part <= 0.04045 else
                             ((part + 0.055) / 1.055) ** 2.4)
                   for weight, part in zip((0.2126, 0.7152, 0.0722), parts))
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def blended(ground, text):
    """A line of the pattern of a box"""
    parts = [(int(ground[i:i + 2], 16), int(text[i:i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(0.8 * one + 0.2 * other):02x}" for one, other in parts)


def check_boxes(browser):
    for scheme in ("light", "dark"):
        browser.look(1280, 900, scheme)
        names = ("own", "system", "kernel", "generated", "none", "hover", "text", "quiet")
        *grounds, hover, text, quiet = [full(colour.strip()) for colour in browser.value(
            f"[{','.join(repr(name) for name in names)}].map(name => getComputedStyle("
            "document.documentElement).getPropertyValue('--' + name))")]
        ratios = [contrast(text, ground) for ground in grounds] + [
            contrast(text, blended(ground, text)) for ground in grounds[1:4]] + [
            contrast(quiet, hover)]
        check(f"{scheme}: text in boxes has the contrast of WCAG AA",
              min(ratios) >= 4.5, ratios)
        shoot(browser, f"stacks-{scheme}")
        drawn = browser.value(f"{GRAPH}.toDataURL().length")
        check(f"{scheme}: the graph is drawn", drawn > 10000, drawn)
    browser.look(400, 900)
    wide = browser.value("document.documentElement.scrollWidth")
    check("call stacks: 400 pixels are wide enough", wide <= 400, wide)
    shoot(browser, "stacks-narrow")
    browser.look(1280, 900)


def full(colour):
    """#abc as #aabbcc"""
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


def check_calls(browser):
    known, stacks = recording.calls("calls.data")
    url = page_of("calls")
    browser.look(1280, 900)
    browser.open(url)
    sums = Sums(known, stacks)
    check_views(browser, sums)
    browser.open(url)
    check_search(browser, sums)
    check_keys(browser)
    check_pointer(browser)
    check_boxes(browser)
    check_quiet(browser, "call stacks", url)


def compare(*options):
    """What profil diff prints of two recordings before a change, and two after it"""
    for name, nr in (("before1", 400), ("before2", 390), ("after1", 380), ("after2", 400)):
        recording.calls(f"{name}.data", nr, factor=lambda calls, name=name:
                        (3 if 4 in calls else 0 if 7 in calls else 1) if "after" in name else 1)
    return subprocess.run(
        [os.path.join(HERE, "profil"), "diff", *options, "before1.data,before2.data",
         "after1.data,after2.data"], stdout=subprocess.PIPE, check=True).stdout


def compared_numbers(row):
    """Change, error, before and after, as the tree has them"""
    return [row[f"total_{name}"] for name in ("change", "error", "before", "after")]


def check_compared(browser):
    """Numbers of each function are those of profil diff, which adds them up in C."""
    with open("diff.html", "wb") as out:
        out.write(compare("--html", "--limit", "0"))
    rows = json.loads(compare("--json", "--limit", "0"))["rows"]
    url = "file://" + os.path.abspath("diff.html")
    browser.look(1280, 900)
    browser.open(url)
    found, wanted = [], []
    for row in rows:
        if row["object"] == "":
            continue
        browser.value("[...document.querySelectorAll('#functions tbody tr')].find(line => "
                      f"line.lastChild.textContent === '⇅' + {json.dumps(row['function'])} && "
                      f"line.cells[6].textContent === {json.dumps(row['object'])})"
                      ".querySelector('button').click()")
        found.append(browser.value("[0, 1, 2, 3].map(i => document.querySelector("
                                   "'#tree tbody tr').cells[i].textContent)"))
        wanted.append(compared_numbers(row))
    differ = [(one, other) for one, other in zip(found, wanted)
              if any(abs(float(text) - number) > 0.00051 for text, number in zip(one, other))]
    check("a comparison: totals of functions, with signs", not differ and len(found) > 30 and
          all(row[0][0] in "+-" for row in found), differ or found)
    numbers = r"[+-]\d+\.\d{3} ± \d\.\d{3} s: \d+\.\d{3} before, \d+\.\d{3} after · "
    check("the details say it in words", re.match(
        rf"\S+{numbers}(in itself {numbers})?(more|less|change within 2.58 errors) · \S+$",
        chosen(browser)), chosen(browser))
    browser.open(url)
    legend = browser.value("document.getElementById('kinds').textContent")
    check("the legend has the kinds of changes", legend ==
          "more less change within 2.58 errors · widths are means of both sides", legend)
    grey = browser.value("[...document.querySelectorAll('#tree tbody tr')].map(row => "
                         "[row.className, row.cells[0].textContent, row.cells[1].textContent])")
    check("a change within 2.58 errors is grey", {name for name, *_ in grey} == {"", "few"} and
          all((name == "few") == (abs(float(change)) <= 2.58 * float(error))
              for name, change, error in grey), grey)
    focus(browser, GRAPH)
    for key in ("ArrowDown", "Enter"):
        browser.press(key)
    check("a comparison: Enter zooms", tree_rows(browser)[0][4] != "all samples",
          tree_rows(browser)[0])
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 400)):
        browser.look(width, 900, scheme)
        browser.open(url)
        wide = browser.value("document.documentElement.scrollWidth")
        check(f"a comparison: {width} pixels are wide enough", wide <= width, wide)
        shoot(browser, f"diff-{scheme}-{width}")
    check("a narrow tree has the change", browser.value(
        "document.querySelector('#tree td.change').offsetWidth") > 30)
    check_quiet(browser, "a comparison", url)


def check_hostile_calls(browser):
    recording.calls("evil.data", names=recording.HOSTILE)
    url = page_of("evil")
    browser.open(url)
    check("hostile names in stacks are text", browser.value(
        "document.scripts.length === 2 && document.title.startsWith('./app')"))
    browser.value("document.querySelectorAll('#views button')[1].click()")
    rows = {row[5] for row in tree_rows(browser)}
    check("hostile names: rows of the tree", rows & set(recording.HOSTILE), rows)
    shoot(browser, "stacks-hostile")
    check_quiet(browser, "hostile names in stacks", url)


def check_many_calls(browser):
    """400,000 nodes in the recording, 250,000 at most in the page"""
    recording.calls("many.data", 65000, 3000)
    url = page_of("many")
    browser.open(url)
    begun, painted = browser.value(
        "[performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart,"
        "performance.getEntriesByType('paint')[0]?.startTime]")
    print(f"# the script has ended after {begun} ms, the first picture is there after {painted} ms")
    check("250,000 nodes: the page says what is joined", browser.value(
        "/^\\d+ samples in parts of the tree with fewer than \\d+ are joined/.test("
        "document.getElementById('joined').textContent)"))
    focus(browser, GRAPH)
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        browser.press(key)
    check("250,000 nodes: zoom", tree_rows(browser)[0][0] == "1")
    shoot(browser, "stacks-many")
    check_quiet(browser, "250,000 nodes", url)


def brightness(browser):
    """Of the ground and of the text, from 0 to 255"""
    return [sum(map(int, color.removeprefix("rgb(").rstrip(")").split(","))) / 3
            for color in browser.value(
                "[getComputedStyle(document.documentElement).backgroundColor,"
                "getComputedStyle(document.body).color]")]


def check_looks(browser):
    for scheme in ("light", "dark"):
        browser.look(1280, 900, scheme)
        ground, text = brightness(browser)
        check(f"{scheme}: the ground and the text", (ground > 230 and text < 60)
              if scheme == "light" else (ground < 40 and text > 200), (ground, text))
        shoot(browser, f"page-{scheme}")
    for width in (1280, 400):
        browser.look(width, 900)
        wide = browser.value("document.documentElement.scrollWidth")
        check(f"{width} pixels are wide enough", wide <= width, wide)
    shoot(browser, "page-narrow")
    check("a narrow table has names and shares", browser.value(
        f"[0, 5, 6].every(i => {FUNCTIONS}[0].cells[i].offsetWidth > 50)"))
    browser.look(1280, 900)
    paper = browser.call("Page.printToPDF", printBackground=True)["data"]
    check("the page can be printed", len(paper) > 20000, len(paper))


def check_usual(browser):
    known = recording.usual("usual.data", os.path.join(HERE, "templates.cc"))
    url = page_of("usual")
    browser.look(1280, 900)
    browser.open(url)
    check_head(browser)
    check_rows(browser, known)
    check_strips(browser, known)
    check_sort(browser, known)
    check_filter(browser, known)
    check_source(browser)
    check_quiet(browser, "a usual page", url)
    browser.open(url)
    check_looks(browser)
    check_quiet(browser, "its looks", url)


def check_hostile(browser):
    recording.hostile("hostile.data")
    url = page_of("hostile")
    browser.open(url)
    check("hostile names: data and one script", browser.value(
        "document.scripts.length") == 2)
    check("hostile names: none is markup", browser.value(
        "!document.querySelector('#page script, #page h1 ~ h1, #page [onmouseover]')"))
    check("hostile names: the title", browser.value("document.title").startswith(
        "./x <script>document.title='broken'</script>"))
    names = column(browser, 6)
    check("hostile names: a row each", len(names) == len(recording.HOSTILE) and
          set(names) >= set(recording.HOSTILE[:3]), names)
    shoot(browser, "hostile")
    check_quiet(browser, "hostile names", url)


def check_large(browser):
    known = recording.large("large.data")
    url = page_of("large")
    browser.open(url)
    browser.value("document.getElementById('filter').focus()")
    browser.type("1999")
    check("60,000 places: a filter finds rows",
          column(browser, 6) == [f"namespace_1999::Class<1999>::function("
                                 "std::vector<int, long>)"], column(browser, 6))
    total = browser.value("document.querySelector('tfoot tr:last-child')"
                          ".cells[3].textContent")
    check("60,000 places: the sum", int(total) == known.total(), total)
    check_quiet(browser, "60,000 places", url)


def check_plain(browser):
    """Without JavaScript; the DevTools still evaluate expressions."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page_of("usual"))
    text = browser.value("document.body.innerText").strip()
    check("without JavaScript the page says so, and no more", text ==
          "A script in this page shows the profile: allow JavaScript for it.", text)


def tests():
    browser = devtools.Browser()
    try:
        check_usual(browser)
        check_hostile(browser)
        check_large(browser)
        check_calls(browser)
        check_hostile_calls(browser)
        check_many_calls(browser)
        check_compared(browser)
        check_plain(browser)
    finally:
        browser.close()


tap.run(tests)
