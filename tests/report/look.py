"""Looks at a page of ours, a report or a study, as a person with a browser would: in a headless Chromium, on a phone and on a desk, by day and by night.

The page is put into frames of both widths by a page of ours, which measures it and writes down what it finds; Chromium prints that.
Two pages that are broken on purpose must be found out, or the look is worth nothing.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

WIDTHS = [360, 1200]

# How many plots, lines in them and headings a page has, and how many rows and words at least.
PAGES = {
    "report": {"plots": 3, "lines": 4, "headings": 7, "rows": 30, "words": 10},
    "study": {"plots": 3, "lines": 7, "headings": 6, "rows": 10, "words": 5},
}

PROBE = """<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><body><script>
const page = PAGE, widths = WIDTHS, found = [];
let left = widths.length;
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style = `width:${width}px;height:900px;border:0`;
  frame.onload = () => {
    const seen = frame.contentDocument, box = e => e.getBoundingClientRect(), style = e => frame.contentWindow.getComputedStyle(e);
    found.push({
      width, scroll: seen.documentElement.scrollWidth,
      plots: [...seen.querySelectorAll("svg")].map(e => [box(e).left, box(e).width, box(e).height]),
      labels: [...seen.querySelectorAll("svg")].map(plot => [...plot.querySelectorAll("text")].every(e =>
        box(e).left >= box(plot).left - 1 && box(e).right <= box(plot).right + 1)),
      lines: [...seen.querySelectorAll("polyline")].map(e => style(e).stroke),
      headings: [...seen.querySelectorAll("h1, h2")].map(e => e.textContent),
      letters: Math.min(...[...seen.querySelectorAll("svg text")].map(e => e.getBBox().height * box(e.ownerSVGElement).width / e.ownerSVGElement.viewBox.baseVal.width)),
      boxes: [...seen.querySelectorAll("table")].map(e => [box(e.parentElement).left, box(e.parentElement).right, style(e.parentElement).overflowX]),
      words: seen.querySelectorAll("dl dt").length,
      rows: seen.querySelectorAll("tbody tr").length,
      ground: style(seen.body).backgroundColor, ink: style(seen.body).color,
      dark: frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches,
    });
    if (--left === 0) { const out = document.createElement("pre"); out.id = "found"; out.textContent = JSON.stringify(found); document.body.append(out); }
  };
  frame.srcdoc = page;
  document.body.append(frame);
}
</script>"""


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    sys.exit("no Chromium: install it (Debian: apt install chromium)")


def look(folder, page, dark):
    """What the probe finds, and what the console says."""
    probe = folder / "probe.html"
    # A script inside a string must not end the script around it.
    text = json.dumps(page).replace("</", "<\\/")
    probe.write_text(PROBE.replace("PAGE", text, 1).replace("WIDTHS", json.dumps(WIDTHS), 1))
    command = [chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--window-size=1300,1000",
               "--blink-settings=preferredColorScheme=" + ("0" if dark else "1"), f"--user-data-dir={folder / 'profile'}",
               "--virtual-time-budget=5000", "--dump-dom", probe.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    if not match:
        sys.exit(f"Chromium showed nothing:\n{done.stderr[-2000:]}")
    return json.loads(html.unescape(match.group(1))), console


def luminance(colour):
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def complaints(folder, page, dark, expected):
    found, console = look(folder, page, dark)
    out = [f"the console says: {line}" for line in console]
    if sorted(seen["width"] for seen in found) != WIDTHS:
        out.append("not all widths were looked at")
    for seen in found:
        width = seen["width"]

        def expect(holds, what):
            if not holds:
                out.append(f"{width} px, {'dark' if dark else 'light'}: {what}")

        expect(seen["scroll"] <= width, f"the page is {seen['scroll']} px wide")
        expect(len(seen["plots"]) == expected["plots"], f"{len(seen['plots'])} plots")
        expect(all(left >= 0 and wide > 250 and left + wide <= width and high > 100 for left, wide, high in seen["plots"]), f"plots at {seen['plots']}")
        expect(all(seen["labels"]), "a label lies outside its plot")
        expect(seen["letters"] >= 10, f"letters of {seen['letters']} px in a plot")
        expect(all(left >= 0 and right <= width and over == "auto" for left, right, over in seen["boxes"]), f"tables in boxes at {seen['boxes']}")
        expect(len(seen["lines"]) == expected["lines"], f"{len(seen['lines'])} lines in the plots")
        expect(len(seen["headings"]) == expected["headings"], f"headings {seen['headings']}")
        expect(seen["rows"] >= expected["rows"], f"{seen['rows']} rows in the tables")
        expect(seen["words"] >= expected["words"], f"{seen['words']} words explained")
        expect(seen["dark"] == dark, "the colour scheme is not what was asked for")
        expect((luminance(seen["ground"]) < 0.2) == dark, f"the ground is {seen['ground']}")
        expect(contrast(seen["ground"], seen["ink"]) >= 7, f"{seen['ink']} on {seen['ground']} is hard to read")
        expect(all(contrast(seen["ground"], line) >= 3 for line in seen["lines"]), "a line is hard to see")
    return out


def main():
    folder = pathlib.Path(sys.argv[1])
    name = sys.argv[2]
    expected = PAGES[name]
    page = (folder / f"{name}.html").read_text()
    for dark in (False, True):
        bad = complaints(folder, page, dark, expected)
        if bad:
            sys.exit("\n".join(bad))
    for broken, sign in ((page.replace("<main>", '<main><div style="width:2000px">wide</div>'), "px wide"),
                         (page.replace("</main>", "</main><script>undefined.wrong</script>"), "the console says")):
        if not any(sign in complaint for complaint in complaints(folder, broken, False, expected)):
            sys.exit(f"a page that is broken on purpose passed: no complaint about '{sign}'")
    print(f"the {name} is readable: 2 widths, light and dark, no console errors; 2 broken ones were found out")


main()
