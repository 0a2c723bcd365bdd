"""Facts that a caller gives to what makes a result with empty data."""

from __future__ import annotations

import pytest

from .conftest import Lint

HELPERS = """\
from more import told


def done(text):
    return ActionResult.success(data={}, summary=text)


def marked(text):
    said = f"OK: {text}"
    return ActionResult.success({}, said)


def counted(total, *, word="notes"):
    return ActionResult.success({}, "You have %s %s" % (total, word))


def passing(text):
    return done(text)


def listing(rows):
    return ActionResult.success({}, ", ".join(row.data["t"] for row in rows))


def flagged(text, data=None):
    if data:
        return ActionResult.success(data, text)
    return ActionResult.success({}, text)


def kept(text):
    return ActionResult.success({}, text)


def filled(text, data):
    result = kept(text)
    result.data["all"] = data
    return result


class Told:
    def done(self, text):
        return ActionResult.success({}, text)


class Base:
    def reply(self, text):
        return ActionResult.success({}, text)


class Handlers(Base):
    def tell(self, total):
        return self.reply(f"You have {total}")


"""
MORE = "from imperal_sdk import ActionResult\n\n\ndef told(text):\n"
MORE += "    return ActionResult.success(data={}, summary=text)\n"
START = """\
@chat.function("f", "Tells")
async def f(ctx, params):
    total = await ctx.store.count("notes")
    page = await ctx.store.query("notes")
"""
GIVEN = {
    "f-string": ('return done(f"You have {total}")', "total"),
    "keyword": ('return done(text=f"You have {total}")', "total"),
    "name": ('said = f"You have {total}"\n    return done(said)', "total"),
    "sum": ('return done("You have " + str(total))', "total"),
    "part": ("return counted(total)", "total"),
    "awaited part": ('return counted(await ctx.store.count("n"))', "await ctx.store.count('n')"),
    "text in a text": ('return marked(f"You have {total}")', "total"),
    "passed on": ('return passing(f"You have {total}")', "total"),
    "rows": ("return listing(page.data)", "page.data"),
    "joined": ('return done(", ".join(row.id for row in page.data))', "page.data"),
    "another file": ('return told(f"You have {total}")', "total"),
    "no data": ('return flagged(f"You have {total}")', "total"),
    "method": ('return Told().done(f"You have {total}")', "total"),
    "own text": ("completion = await ctx.ai.complete('x')\n    return done(completion.text)",
                 "completion.text"),
}  # fmt: skip
"""The end of a handler → the fact that the message names."""


@pytest.mark.parametrize("name", GIVEN)
def test_a_caller_gives_facts(lint: Lint, name: str) -> None:
    """The call that makes the result is marked, and the chain leads to what gives the text."""
    end, fact = GIVEN[name]
    (found,) = lint("FED404", f"{HELPERS}{START}    {end}\n", more__py=MORE)
    assert ("warning", True) == (found.severity, f"holds facts ({fact}):" in found.message)
    assert ["gives the text"] == [step.note for step in found.chain]
    assert ("more.py" if "told" in end else "main.py") == found.path.rpartition("/")[2]


def test_what_to_write(lint: Lint) -> None:
    """The function of the result is named, and what the caller can give it."""
    (found,) = lint("FED404", f"{HELPERS}{START}    {GIVEN['f-string'][0]}\n", more__py=MORE)
    assert found.message.endswith('Let done take them for data too: {"total": total}.')


@pytest.mark.parametrize(
    "end",
    [
        'return done("Saved")',
        'return done(f"Deleted {params.name}")',
        'return told(f"Deleted {params.name}")',
        'return marked("Saved")',
        "return counted(3)",
        "return counted(params.count, word=params.word)",
        "return listing(params.rows)",
        'return flagged(f"You have {total}", {"total": total})',
        'return filled(f"You have {total}", total)',
        'return Told().done("Saved")',
        "said = [f'You have {total}']\n    return ActionResult.success({'said': said}, said[0])",
        (
            "try:\n        await ctx.store.delete('n', 'x')\n    except ValueError as error:\n"
            "        return done(f'That failed: {error}')"
        ),
        "return done('Found' if total else 'Nothing found')",
        "response = await ctx.http.post('/x')\n    return done(response.json()['message'])",
    ],
)
def test_what_only_confirms(lint: Lint, end: str) -> None:
    """Fixed words, the user's own, errors, data that is given, and what a flag keeps away."""
    assert () == lint("FED404", f"{HELPERS}{START}    {end}\n", more__py=MORE)


def test_methods_of_a_class_above(lint: Lint) -> None:
    """What a method gives to one that its class inherits: facts only if its own caller has them."""
    text = HELPERS.replace("%", "%%") + START + "    return Handlers().%s\n"
    for call in ("tell(total)", "reply(f'You have {total}')"):
        (found,) = lint("FED404", text % call, more__py=MORE)
        assert "(total)" in found.message
    for call in ("tell(params.total)", "reply('Saved')"):
        assert () == lint("FED404", text % call, more__py=MORE)


OF_ITS_OWN = """
def ok(text, data=None, **more):
    return ActionResult.success(data={0}, summary=text, **more)


@chat.function("f", "Counts")
async def f(ctx, p):
    rows = (await ctx.store.query("notes")).data
    found = {{}}
    found["count"] = len(rows)
    return ok({1})
"""


@pytest.mark.parametrize("data", ["data or {}", "data if data is not None else {}", "data"])
@pytest.mark.parametrize(
    ("given", "is_empty"),
    [
        ('f"Found {len(rows)} notes"', True),
        ('f"Found {len(rows)} notes", {}', True),
        ('f"Found {len(rows)} notes", data=None', True),
        ('f"Found {len(rows)} notes", {"count": len(rows)}', False),
        ('f"Found {len(rows)} notes", found', False),
        ('f"Found {len(rows)} notes", p.data', False),
        ('"Found some notes"', False),
    ],
)
def test_a_caller_may_leave_data_empty(
    lint: Lint, data: str, given: str, *, is_empty: bool
) -> None:
    """A helper that takes data gets none from the caller that gives the text."""
    text = OF_ITS_OWN
    found = lint("FED404", text.format(data, given))
    assert ["warning"] * is_empty == [item.severity for item in found]
    assert is_empty == any("Give them to ok as data too" in item.message for item in found)
