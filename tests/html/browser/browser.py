#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a person sees of the page of report --html in Chromium: rows, strips and
source lines with their numbers, sorting, filtering, light and dark, wide and narrow,
without JavaScript, on paper; no error, and no request but for the page. Screenshots go to $SCREENSHOTS. The result is in TAP."""
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
        check_plain(browser)
    finally:
        browser.close()


tap.run(tests)
