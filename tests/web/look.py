"""Plays through the live view as a person with a browser would, and looks at it on a phone and on a desk, by day and by night.

    tests/web/look.py ENGINE [FOLDER]

A game is played with the mouse and with keys against the engine; a virtual board is chosen, unplugged and plugged in
again while the engine searches. Nothing may be said on the console and no other host may be asked for anything. The
pictures go into FOLDER, if one is named. Two pages that are broken on purpose must be found out, or the look is worth
nothing.
"""

import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlparse

from browser import Browser, Page

WIDTHS = [360, 800, 1440]

# Seconds for a board to come or go: on a busy machine a virtual board answers late, and is given up for a while.
PATIENCE = 240

MEASURE = """(() => {
  const box = e => e.getBoundingClientRect(), style = e => getComputedStyle(e), shown = e => e.offsetParent !== null;
  const ground = e => { for (; e; e = e.parentElement) { const c = style(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  const texts = [...document.querySelectorAll("h1, h2, p, dt, dd, th, td, li, label, button, summary, output")].filter(e => shown(e) && e.textContent.trim() && !e.disabled);
  return {
    scroll: document.documentElement.scrollWidth,
    board: (b => [b.left, b.right, b.width, b.height])(box(document.querySelector("#board svg"))),
    panels: [...document.querySelectorAll(".panel")].filter(shown).map(e => [box(e).left, box(e).right]),
    small: [...document.querySelectorAll("button, input:not([type=checkbox]), select")].filter(shown).filter(e => box(e).height < 29).map(e => e.textContent || e.id),
    pale: texts.map(e => [style(e).color, ground(e), e.textContent.trim().slice(0, 30), e.id]),
    spill: texts.filter(e => e.closest("#bar") === null && box(e).right > innerWidth + 1).map(e => e.textContent.slice(0, 30)),
    ground: style(document.body).backgroundColor,
  };
})()"""


def luminance(colour):
    red, green, blue = (float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3])
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def layout(page, width, dark):
    """What is wrong with the page at this width."""
    seen, out = page.run(MEASURE), []
    left, right, wide, high = seen["board"]
    if seen["scroll"] > width:
        out.append(f"the page is {seen['scroll']} px wide")
    if not (left >= 0 and right <= width and wide > 280 and abs(wide - high) < 2):
        out.append(f"the board is at {seen['board']}")
    if any(left < 0 or right > width for left, right in seen["panels"]):
        out.append(f"panels at {seen['panels']}")
    if seen["small"]:
        out.append(f"too small for a finger: {seen['small']}")
    if seen["spill"]:
        out.append(f"text beyond the edge: {seen['spill']}")
    pale = [(text, name) for ink, ground, text, name in seen["pale"] if contrast(ink, ground) < 4.5 and name != "bar-score"]
    if pale:
        out.append(f"hard to read: {pale}")
    if (luminance(seen["ground"]) < 0.2) != dark:
        out.append(f"the ground is {seen['ground']}")
    return [f"{width} px, {'dark' if dark else 'light'}: {what}" for what in out]


class View:
    """The live view in a page, with hands."""

    def __init__(self, page):
        self.page = page

    def state(self):
        return self.page.run("fetch('/state').then(answer => answer.json())")

    def ply(self, ply, what):
        self.page.wait(f"document.querySelectorAll('#moves button').length === {ply}", what)

    def middle(self, square):
        script = f"(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('rect[data-square={square}]').getBoundingClientRect())"
        return self.page.run(script)

    def drag(self, start, end):
        page, (x, y), (to_x, to_y) = self.page, self.middle(start), self.middle(end)
        page.mouse("mouseMoved", x, y)
        page.mouse("mousePressed", x, y)
        for part in (0.3, 0.7, 1.0):
            page.mouse("mouseMoved", x + (to_x - x) * part, y + (to_y - y) * part)
        page.mouse("mouseReleased", to_x, to_y)

    def press(self, selector):
        self.page.run(f"document.querySelector({selector!r}).click()")

    def load(self, text):
        self.page.run(f"document.getElementById('text').value = {text!r}")
        self.press("#load button")

    def use(self, name):
        self.page.run(f"document.getElementById('accelerator').value = {name!r}")
        self.press("#choose button")


def play(view):
    """A game of some moves: dragged, clicked, typed, and by keys alone."""
    page = view.page
    view.drag("e2", "e4")
    view.ply(2, "an answer to a move that was dragged")
    legal = view.state()["game"]["legal"]
    start, end = next((start, ends[0]) for start, ends in legal.items() if start not in ("e4", "e2"))
    for square in (start, end):
        page.click(*view.middle(square))
    view.ply(4, "an answer to a move that was clicked")
    legal = view.state()["game"]["legal"]
    start = next(iter(legal))
    end = legal[start][-1][:2]
    page.run("document.querySelector('#board svg').focus()")
    page.key("ArrowUp")  # the cursor comes, on e2
    at = "e2"
    for goal in (start, end):
        for low, high, there, here in (("ArrowLeft", "ArrowRight", goal[0], at[0]), ("ArrowDown", "ArrowUp", goal[1], at[1])):
            steps = ord(there) - ord(here)
            for _ in range(abs(steps)):
                page.key(high if steps > 0 else low)
        page.key("Enter")
        at = goal
    view.ply(6, "an answer to a move by keys")
    legal = view.state()["game"]["legal"]
    start = next(iter(legal))
    page.run("document.activeElement.blur()")
    page.key("/")
    page.wait("document.activeElement.id === 'move'", "the field for moves has the keys")
    for letter in start + legal[start][0]:
        page.key(letter)
    page.key("Enter")
    view.ply(8, "an answer to a move that was typed")
    # What is not legal stays where it was, and is told.
    before = view.state()["game"]["fen"]
    view.drag("a1", "h8")
    page.run("document.getElementById('move').value = 'Ke9'; document.querySelector('#enter button').click()")
    page.wait("document.getElementById('status').textContent.includes('not a legal move')", "a complaint")
    assert view.state()["game"]["fen"] == before
    page.run("document.activeElement.blur()")
    for key, ply in (("ArrowLeft", 7), ("Home", 0), ("End", 8)):
        page.key(key)
        page.wait(f"[...document.querySelectorAll('#moves button')].findIndex(b => b.ariaCurrent === 'true') === {ply - 1}", f"{key} shows ply {ply}")


def promote_and_mate(view):
    page = view.page
    view.press("[data-mode=rest]")
    view.load("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    page.wait("document.querySelectorAll('.man').length === 3", "three men")
    view.drag("a7", "a8")
    page.wait("!document.getElementById('promotion').hidden", "the choice of a piece")
    page.key("n")
    page.wait("document.querySelector('#moves button')?.textContent === 'a8=N'", "a knight")
    view.load("1. f3 e5 2. g4 Qh4#")
    page.wait("document.getElementById('status').textContent.includes('checkmate; Black wins')", "a mate")
    page.wait("document.querySelector('.checked') !== null", "a mark on the king")


def boards(view, engine, folder):
    """A virtual board is chosen, works, is unplugged, and works again."""
    page, link = view.page, str(folder / "board")

    def plug():
        board = subprocess.Popen([engine, "sim", "board", "--chip", "model", "--link", link], stdout=subprocess.PIPE, text=True)
        board.stdout.readline()
        return board

    board = plug()
    try:
        view.load("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
        view.press("#beside")
        view.press("#eager")
        view.use(f"serial:{link}")
        view.press("[data-mode=analyse]")
        page.wait("document.querySelector('#boards .on')", "a board in use", PATIENCE)
        page.wait("document.querySelector('#cells .lit')", "threads at work", PATIENCE)
        page.wait("[...document.querySelectorAll('#work dd')][0]?.textContent > '0'", "jobs")
        page.wait("!document.getElementById('compare').hidden", "the software beside it")
        page.wait("document.querySelectorAll('.arrow').length > 0", "arrows")
        board.kill()
        board.wait()
        page.wait("document.querySelector('#boards .off')", "word of the board that is gone", PATIENCE)
        depth = "Number(document.getElementById('depth').textContent.match(/\\d+/)?.[0] ?? 0)"
        page.wait(f"{depth} > 3", "a search without it")
        os.path.lexists(link) and os.unlink(link)
        board = plug()
        page.wait("document.querySelector('#boards .on')", "the board again", PATIENCE)
    finally:
        board.kill()
        board.wait()
    view.press("[data-mode=rest]")
    view.use("")
    page.wait("document.getElementById('boards').textContent.startsWith('software alone')", "software alone")


def other_hosts(page, url):
    return [asked for asked in page.asked if urlparse(asked).netloc != urlparse(url).netloc and not asked.startswith("data:")]


def look(browser, url, engine, folder, pictures):
    page = Page(browser)
    page.screen(1440, 1000)
    page.load(url)
    page.wait("document.querySelectorAll('.man').length === 32", "the men")
    paint = page.run("performance.getEntriesByType('paint').map(e => e.startTime).at(-1) ?? 0")
    view = View(page)
    play(view)
    promote_and_mate(view)
    boards(view, engine, folder)

    # A reload, and another tab, show the same game.
    other = Page(browser)
    for tab in (page, other):
        tab.load(url)
        tab.wait("document.querySelector('.man') && document.getElementById('state').textContent !== 'connecting'", "the game after a reload")
    assert page.run("document.querySelectorAll('.man').length") == other.run("document.querySelectorAll('.man').length")

    view.load("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *")
    view.press("[data-mode=analyse]")
    page.wait("document.querySelectorAll('.arrow').length > 0", "arrows")
    bad = []
    for dark in (False, True):
        for width in WIDTHS:
            page.screen(width, 900, dark, phone=width < 500)
            time.sleep(0.6)
            bad += layout(page, width, dark)
            if pictures:
                page.picture(pictures / f"{width}-{'dark' if dark else 'light'}.png")
    view.press("[data-mode=rest]")
    for tab in (page, other):
        bad += [f"the console says: {text}" for text in tab.console] + [f"another host was asked: {asked}" for asked in other_hosts(tab, url)]
    if bad:
        sys.exit("\n".join(bad))

    # Pages that are broken on purpose must be found out.
    page.run("document.querySelector('main').insertAdjacentHTML('beforebegin', '<div id=wide>wide</div>'); document.getElementById('wide').style.width = '3000px'")
    if not any("px wide" in what for what in layout(page, WIDTHS[-1], True)):
        sys.exit("a page that is too wide was not found out")
    page.run("setTimeout(() => undefined.wrong)")
    time.sleep(0.3)
    # The page's own rules would stop a request of the page; going there is one.
    page.load("http://127.0.0.2:9/")
    time.sleep(0.3)
    page.run("1")
    if not page.console or not other_hosts(page, url):
        sys.exit(f"an error on the console, or a request to another host, was not found out: {page.console} {page.asked[-3:]}")
    return paint


def first_words(engine, terminal):
    """What the engine says first without arguments, in a terminal or on a pipe, after it was told `uci`."""
    if terminal:
        outside, inside = pty.openpty()
        process = subprocess.Popen([engine], stdin=inside, stdout=inside, stderr=inside)
    else:
        process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        outside = process.stdout.fileno()
        process.stdin.write(b"uci\n")
        process.stdin.flush()
    try:
        return os.read(outside, 200).decode()
    finally:
        process.kill()
        process.wait()


def main():
    engine = str(pathlib.Path(sys.argv[1]).resolve())
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if "the live view is at http://127.0.0.1:" not in first_words(engine, True):
        sys.exit("without arguments in a terminal the live view does not open")
    if not first_words(engine, False).startswith("id name Bluebelle"):
        sys.exit("without arguments on a pipe the engine does not speak UCI")
    server = subprocess.Popen([engine, "web", "--port", "0", "--time", "0.1", "--hash", "4"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    url = re.search(r"http://\S+", server.stdout.readline()).group()
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            paint = look(browser, url, engine, pathlib.Path(folder), pictures)
        if server.poll() is not None:
            sys.exit("the live view has ended")
    finally:
        browser.close()
        server.kill()
    print(f"the live view plays: moves by mouse and keys, a board unplugged and back, {len(WIDTHS)} widths, light and dark, "
          f"painted {paint:.0f} ms after it was asked for, no console errors, no other host; broken pages were found out")


main()
