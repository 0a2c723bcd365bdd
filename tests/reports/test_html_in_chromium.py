"""The HTML report in a real browser: it asks for nothing, runs nothing, and can be read."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.html.history_page import history_page
from fedcheck.reports.html.report import html_report
from fedcheck.reports.record.history import history
from fedcheck.reports.record.sample import sample_clause, sample_record

from .chromium import Browser
from .whole import HOSTILE, whole_lint, whole_record


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a report in which nothing is hostile."""
    return _written(tmp_path_factory.mktemp("calm"), "")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a report in which every text is hostile."""
    return _written(tmp_path_factory.mktemp("hostile"), HOSTILE)


def _written(folder: Path, text: str) -> Path:
    page = html_report(whole_record(text), since=whole_record(), lint=whole_lint(text))
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["calm", "hostile"])
def test_page_is_silent_and_asks_for_nothing(
    browser: Browser, text: str, request: pytest.FixtureRequest
) -> None:
    """No message on the console, no breach of the policy, no request, no dialog."""
    browser.open(request.getfixturevalue(text))

    assert ([], [], []) == (browser.messages, browser.requests, browser.dialogs)


def test_history_is_silent_and_fits_a_narrow_screen(browser: Browser, tmp_path: Path) -> None:
    """Like the report, with hostile names."""
    path = tmp_path / "history.html"
    told = history([whole_record(HOSTILE), whole_record()])
    path.write_text(history_page(told), encoding="utf-8")
    browser.open(path)
    browser.resize(360, 800)
    width = browser.evaluate("document.documentElement.scrollWidth")
    browser.resize(1280, 900)

    assert ([], [], []) == (browser.messages, browser.requests, browser.dialogs)
    assert 360 == width


def test_policy_forbids_what_somebody_might_slip_in(browser: Browser, calm: Path) -> None:
    """The control of the test above: a picture, a script and a style are all refused."""
    browser.open(calm)
    browser.evaluate("""new Promise(done => {
        const add = (tag, fields) => document.body.append(
            Object.assign(document.createElement(tag), fields));
        add('img', {src: 'http://127.0.0.1:9/x.png'});
        add('script', {textContent: 'window.ran = true'});
        add('style', {textContent: 'body { color: red }'});
        setTimeout(done, 200);
    })""")

    refused = [line for line in browser.messages if "Content Security Policy" in line]
    assert 3 == len(refused)
    assert None is browser.evaluate("window.ran")


def test_hostile_text_makes_no_element(browser: Browser, calm: Path, hostile: Path) -> None:
    """The same elements as in a calm report, no handler, no link but to http and the page."""
    shapes = []
    for path in (calm, hostile):
        browser.open(path)
        shapes.append(
            browser.evaluate("""[...new Set([...document.querySelectorAll('*')].map(
            e => e.localName + ' ' + e.getAttributeNames().sort().join(' ')))].sort()""")
        )
    links = browser.evaluate("[...new Set([...document.links].map(a => a.protocol))]")

    assert shapes[0] == shapes[1]
    assert ["file:"] == links
    assert ["script "] == [shape for shape in shapes[1] if " on" in shape or "script" in shape]
    assert 1 == browser.evaluate("document.scripts.length")


def test_hostile_text_shows_no_strange_character(browser: Browser, hostile: Path) -> None:
    """Overrides, escapes and half characters are written out."""
    browser.open(hostile)
    text: str = browser.evaluate("document.documentElement.outerHTML")

    assert [] == [c for c in "\x00\x07\x1b\r\u202e\u2066\ud800" if c in text]
    assert "\\u202egnp" in text


def test_every_link_inside_leads_somewhere(browser: Browser, hostile: Path) -> None:
    """And no id is given twice."""
    browser.open(hostile)
    dangling, twice = browser.evaluate("""(() => {
        const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        const targets = [...document.querySelectorAll('a[href^="#"]')].map(a => a.hash.slice(1));
        return [targets.filter(t => !document.getElementById(decodeURIComponent(t))),
                ids.filter((id, n) => ids.indexOf(id) !== n)];
    })()""")

    assert ([], []) == (dangling, twice)


def test_page_can_be_read_by_a_screen_reader(browser: Browser, calm: Path) -> None:
    """One title, no level of headings left out, named pictures, named regions, table heads."""
    browser.open(calm)
    levels: list[int] = browser.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.localName[1])"
    )
    headings = levels[levels.index(1) :]  # the title of the contents stands before the first
    leaps = [pair for pair in itertools.pairwise(headings) if pair[1] - pair[0] > 1]
    unnamed = browser.evaluate("""document.querySelectorAll(
        'svg:not([role=img][aria-label]), [role=region]:not([aria-label]), th:not([scope]), '
        + 'table:not(:has(th)), section:not([aria-labelledby])').length""")

    assert (1, [], 0) == (headings.count(1), leaps, unnamed)
    assert "en" == browser.evaluate("document.documentElement.lang")


def test_page_can_be_used_with_keys_alone(browser: Browser, calm: Path) -> None:
    """The first stop leads past the contents, and Enter folds a block open."""
    browser.open(calm)
    _press(browser, "Tab", 9)
    assert "#content" == browser.evaluate("document.activeElement.getAttribute('href')")

    browser.evaluate("document.querySelector('details:not([open]) > summary').focus()")
    closed = browser.evaluate("document.querySelectorAll('details:not([open])').length")
    _press(browser, "Enter", 13)
    assert closed - 1 == browser.evaluate("document.querySelectorAll('details:not([open])').length")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(browser: Browser, calm: Path, scheme: str) -> None:
    """Every text has at least the contrast that WCAG 2 AA demands, 4.5 to 1."""
    browser.open(calm, prefers_color_scheme=scheme)

    assert [] == browser.evaluate(_WEAK_TEXTS)
    page = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (scheme == "light") == (page == "rgb(255, 255, 255)")


def test_page_fits_a_narrow_screen(browser: Browser, calm: Path) -> None:
    """Wide tables scroll inside themselves."""
    browser.open(calm)
    browser.resize(360, 800)
    width = browser.evaluate("document.documentElement.scrollWidth")
    browser.resize(1280, 900)

    assert 360 == width


def test_the_slowest_results_can_come_first(browser: Browser, tmp_path: Path) -> None:
    """Without a script: what is seen is sorted anew when the reader asks for it."""
    times = {"I-FAST": 0.25, "I-SLOW": 9.0, "I-MIDDLE": 2.0}
    clauses = [
        replace(sample_clause(Verdict.PASS, clause=f"{x}/y", invariant=x), seconds=seconds)
        for x, seconds in times.items()
    ]
    path = tmp_path / "report.html"
    path.write_text(html_report(sample_record(clauses)), encoding="utf-8")
    browser.open(path)
    seen = """[...document.querySelectorAll('.group')].sort((a, b) =>
        a.getBoundingClientRect().top - b.getBoundingClientRect().top).map(
        e => e.querySelector('h3').textContent)"""
    before = browser.evaluate(seen)
    browser.evaluate("document.querySelector('#order-time').click()")

    assert [*times] == before
    assert ["I-SLOW", "I-MIDDLE", "I-FAST"] == browser.evaluate(seen)


@pytest.fixture(scope="module")
def channels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a report on two channels, each with what failed and what passed."""
    clauses = [
        sample_clause(
            verdict, clause=f"{name}/{verdict.value}", invariant=name, capabilities=(has,)
        )
        for name, has in (("I-CACHE-AGE", "cache"), ("I-SKEL", "skeleton"))
        for verdict in (Verdict.PASS, Verdict.FAIL)
    ]
    path = tmp_path_factory.mktemp("channels") / "report.html"
    path.write_text(html_report(sample_record(clauses)), encoding="utf-8")
    return path


_SHOWN = """[...document.querySelectorAll('.clause')].filter(e => e.checkVisibility()).map(
    e => e.dataset.clause)"""


def test_one_channel_can_be_shown_alone(browser: Browser, channels: Path) -> None:
    """Without a script, and together with a verdict."""
    browser.open(channels)
    every = browser.evaluate(_SHOWN)
    browser.evaluate("document.querySelector('#channel-cache').click()")
    cache = browser.evaluate(_SHOWN)
    browser.evaluate("document.querySelector('#show-red').click()")

    assert 4 == len(every)
    assert ["I-CACHE-AGE/pass", "I-CACHE-AGE/fail"] == cache
    assert ["I-CACHE-AGE/fail"] == browser.evaluate(_SHOWN)


def test_clauses_can_be_found_by_words(browser: Browser, channels: Path) -> None:
    """In their ids and in what is told of them; how many were found is told as well."""
    browser.open(channels)
    typed = """text => new Promise(done => {
        const box = document.querySelector('#filter-text');
        box.value = text;
        box.dispatchEvent(new Event('input'));
        const told = document.querySelector('#filter-told');
        const wait = () => told.textContent === before ? setTimeout(wait, 20) : done();
        const before = told.textContent;
        wait();
    })"""
    browser.evaluate(f"({typed})('skel VERDICT pass')")
    found = browser.evaluate(_SHOWN), browser.evaluate("document.querySelector('output').value")
    browser.evaluate(f"({typed})('')")

    assert (["I-SKEL/pass"], "1 of 4 clauses") == found
    assert 4 == len(browser.evaluate(_SHOWN))
    assert ([], [], []) == (browser.messages, browser.requests, browser.dialogs)


def test_bars_stand_under_their_names_on_a_phone(browser: Browser, channels: Path) -> None:
    """The bar has the width of the page there, and what it tells stays beside its name."""
    browser.open(channels)
    browser.resize(360, 800)
    name, bar, told, page = browser.evaluate("""['th', 'svg', '.told'].map(
        name => document.querySelector(`table.bars ${name}`).getBoundingClientRect()).map(
            e => ({top: e.top, bottom: e.bottom, width: e.width})).concat(
                [{width: document.querySelector('main').clientWidth}])""")
    browser.resize(1280, 900)

    assert name["bottom"] <= bar["top"]
    assert told["bottom"] <= bar["top"]
    assert 0.9 * page["width"] < bar["width"]


def test_print_shows_everything_and_cuts_no_row(browser: Browser, calm: Path) -> None:
    """Folded blocks are open on paper, rows stay whole, heads are repeated, dark is light."""
    browser.open(calm, prefers_color_scheme="dark")
    browser.emulate("print", prefers_color_scheme="dark")
    hidden = browser.evaluate("""[...document.querySelectorAll('details > :not(summary)')].filter(
        e => !e.checkVisibility()).length""")
    rules = browser.evaluate("""[['tr', 'breakInside'], ['thead', 'display'],
        ['h2', 'breakAfter'], ['body', 'backgroundColor'], ['nav', 'display']].map(
            ([tag, name]) => getComputedStyle(document.querySelector(tag))[name])""")
    browser.emulate()

    assert 0 == hidden
    assert ["avoid", "table-header-group", "avoid", "rgb(255, 255, 255)", "none"] == rules


def _press(browser: Browser, key: str, code: int) -> None:
    text: dict[str, Any] = {"text": "\r"} if key == "Enter" else {}
    pressed: dict[str, Any] = {"key": key, "code": key, "windowsVirtualKeyCode": code}
    browser.call("Input.dispatchKeyEvent", type="keyDown", **pressed, **text)
    browser.call("Input.dispatchKeyEvent", type="keyUp", **pressed)


_WEAK_TEXTS = """(() => {
    const parsed = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => {
        const [r, g, b] = colour.slice(0, 3).map(v => v / 255).map(
            v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = element => {
        for (let e = element; e; e = e.parentElement) {
            const colour = parsed(getComputedStyle(e).backgroundColor);
            if (colour.length === 3 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
    };
    const weak = new Set();
    for (const e of document.querySelectorAll('body *:not(svg *)')) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
        const pair = [light(parsed(getComputedStyle(e).color)), light(behind(e))];
        const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        if (ratio < 4.5) weak.add(`${e.localName}.${e.className} ${ratio.toFixed(1)}`);
    }
    return [...weak];
})()"""
