"""A cancel that is swallowed away from the call of ctx.progress."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.rule import PREAMBLE
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

STEP = "\nimport asyncio\n\n\nasync def step(ctx):\n    await ctx.progress(10)\n\n\n"
HANDLER = "@ext.tool('t')\nasync def t(ctx):\n"
CATCH = "    except Exception as e:\n        return ActionResult.error(str(e))\n"


def _whole(text: str) -> str:
    """Return a text with the head that the fixture gives only to those that import nothing."""
    return PREAMBLE + text if "from imperal_sdk" in text else text


@pytest.mark.parametrize(
    "text",
    [
        STEP + HANDLER + "    try:\n        await step(ctx)\n" + CATCH,
        STEP
        + "async def outer(ctx):\n    return await asyncio.wait_for(step(ctx), 5)\n\n\n"
        + HANDLER
        + "    try:\n        await outer(ctx)\n"
        + CATCH,
        STEP
        + HANDLER
        + "    try:\n        await asyncio.gather(*[step(ctx) for _ in range(3)])\n"
        + CATCH,
        STEP + HANDLER + "    await asyncio.gather(step(ctx), return_exceptions=True)\n",
        STEP
        + HANDLER
        + "    tasks = [step(ctx) for _ in range(3)]\n"
        + "    await asyncio.gather(*tasks, return_exceptions=True)\n",
        STEP
        + "import contextlib\n\n\n"
        + HANDLER
        + "    with contextlib.suppress(Exception):\n        await step(ctx)\n",
        "\nfrom imperal_sdk.chat import TaskCancelled\n\n\nasync def step(ctx):\n    try:\n"
        "        await ctx.progress(10)\n    except TaskCancelled:\n        raise\n\n\n"
        + HANDLER
        + "    try:\n        await step(ctx)\n"
        + CATCH,
        "\ndef step(ctx):\n    return ctx.progress(10)\n\n\n"
        + HANDLER
        + "    try:\n        await step(ctx)\n"
        + CATCH,
        "\nasync def steps(ctx):\n    for i in range(3):\n        await ctx.progress(i)\n"
        "        yield i\n\n\n"
        + HANDLER
        + "    try:\n        async for _ in steps(ctx):\n            pass\n"
        + CATCH,
        "\nclass Job:\n    def __init__(self, ctx):\n        self.ctx = ctx\n\n"
        "    async def tell(self):\n        await self.ctx.progress(5)\n\n"
        "    async def run(self):\n        try:\n            await self.tell()\n"
        "        except (ValueError, Exception):\n            return None\n\n\n"
        + HANDLER
        + "    await Job(ctx).run()\n",
    ],
)
def test_a_cancel_that_is_swallowed_by_a_caller_is_found(lint: Lint, text: str) -> None:
    """Behind await, gather, a generator, and a function that lets it through."""
    found = lint("FED507", _whole(text))
    assert [("warning", True)] == [
        (it.severity, "ctx.progress, which" in it.message) for it in found
    ]


@pytest.mark.parametrize(
    "text",
    [
        STEP
        + HANDLER
        + "    try:\n        await step(ctx)\n    except ValueError:\n        pass\n",
        STEP
        + "from imperal_sdk.chat import TaskCancelled\n\n\n"
        + HANDLER
        + "    try:\n        await step(ctx)\n    except TaskCancelled:\n        raise\n"
        + CATCH,
        STEP
        + HANDLER
        + "    try:\n        await step(ctx)\n    except Exception as e:\n        print(e)\n"
        "        raise\n",
        STEP + HANDLER + "    try:\n        await step(ctx)\n    except Exception as e:\n"
        "        raise RuntimeError('x') from e\n",
        STEP
        + HANDLER
        + "    done = await asyncio.gather(step(ctx), return_exceptions=True)\n"
        + "    for each in done:\n        if isinstance(each, Exception):\n"
        "            raise each\n",
        STEP + HANDLER + "    await asyncio.gather(step(ctx), step(ctx))\n",
        STEP
        + HANDLER
        + "    asyncio.gather(step, return_exceptions=True)\n    try:\n        task = step(ctx)\n"
        "    except Exception:\n        return None\n    await task\n",
        "\nasync def step(ctx):\n    await ctx.notify('x')\n\n\n"
        + HANDLER
        + "    await ctx.progress(1)\n    try:\n        await step(ctx)\n"
        + CATCH,
        "\nfrom imperal_sdk.chat import TaskCancelled\n\n\nasync def step(ctx):\n    try:\n"
        "        await ctx.progress(10)\n    except TaskCancelled:\n        return None\n\n\n"
        + HANDLER
        + "    try:\n        await step(ctx)\n"
        + CATCH,
    ],
)
def test_a_cancel_that_comes_out_is_left_alone(lint: Lint, text: str) -> None:
    """Other exceptions, handlers that raise, results that are read, and calls not awaited there."""
    assert () == lint("FED507", _whole(text))


def test_the_handler_is_marked_and_mended_in_its_own_file(lint: Lint) -> None:
    """The mark is on what the handler catches, the chain names the call, and there is a fix."""
    text = STEP + HANDLER + "    try:\n        await step(ctx)\n" + CATCH
    found = lint("FED507", _whole(text))
    assert [(True, ["calls step"])] == [
        (it.fix is not None, [step.note for step in it.chain]) for it in found
    ]


def test_a_handler_of_another_file_is_named(lint: Lint) -> None:
    """The mark is then on the call of ctx.progress, for the other file may not name it."""
    found = lint(
        "FED507",
        "\nfrom steps import step\n\n\n" + HANDLER + "    try:\n        await step(ctx)\n" + CATCH,
        steps__py="async def step(ctx):\n    await ctx.progress(10)\n",
    )
    assert [("steps.py", True)] == [
        (it.path.rpartition("/")[2], "of main.py catches Exception" in it.message) for it in found
    ]


@pytest.mark.parametrize(
    ("tried", "leaves", "safety"),
    [
        ("await ctx.progress(n)", "return None", "unsafe"),
        ("await ctx.progress(n)\n            await ctx.progress(9)", "return None", "unsafe"),
        ("await ctx.progress(n)", "pass", "safe"),
        ("await ctx.progress(n)", "continue", "safe"),
        ("await ctx.progress(n)\n            await ctx.notify('x')", "break", "safe"),
        ("await step(ctx)", "break", "safe"),
    ],
)
def test_a_handler_that_may_be_for_the_cancel_is_mended_on_demand(
    lint: Lint, tried: str, leaves: str, safety: str
) -> None:
    """Where only ctx.progress is awaited, and it leaves, an author may mean that as the end."""
    (found,) = lint("FED507", _in_loop(tried, leaves))
    assert found.fix is not None
    assert safety == found.fix.safety


@pytest.mark.parametrize(
    "tried",
    [
        "await ctx.progress(n)",
        "done = min(n, 9)\n            await ctx.progress(done)",
        "await ctx.progress(n)\n            await ctx.progress(9)",
    ],
)
def test_a_cancel_that_ends_the_loop_is_not_lost(lint: Lint, tried: str) -> None:
    """Where nothing else can raise, ``break`` is what the author does with a cancel."""
    assert () == lint("FED507", _in_loop(tried, "break"))
    assert () == lint("FED507", _in_loop(tried, "print(n)\n            break"))
    assert 1 == len(lint("FED507", _in_loop(tried, "pass")))


def _in_loop(tried: str, leaves: str) -> str:
    return (
        f"{PREAMBLE}{STEP}{HANDLER}    for n in range(9):\n        try:\n            {tried}\n"
        f"        except Exception:\n            {leaves}\n"
    )


EACH = (
    "from imperal_sdk.chat import TaskCancelled\n\n\nasync def each(rows, report):\n"
    "    for row in rows:\n        try:\n            await report(1)\n{}"
    "        except Exception:\n            pass\n"
)
GIVEN = (
    f"{PREAMBLE}from work import each\n\n\nasync def plain(n):\n    return n\n\n\n"
    '@ext.tool("t")\nasync def t(ctx):\n'
    "    async def tell(n):\n        await ctx.progress(n)\n\n    await each([1], {})\n"
)


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("tell", 0),
        ("ctx.progress", 1),
        ("report=ctx.progress", 1),
        ("ctx.log", 0),
        ("plain", 0),
        ("lambda n: plain(n)", 0),
    ],
)
def test_a_report_that_is_given(lint: Lint, report: str, expected: int) -> None:
    """What it awaits under the name of a parameter raises there, if that is the method itself."""
    text = GIVEN.format(report)
    assert expected == len(lint("FED507", text, work__py=EACH.format("")))
    passing = EACH.format("        except TaskCancelled:\n            raise\n")
    assert () == lint("FED507", text, work__py=passing)


@pytest.mark.parametrize(
    ("kept", "later", "expected"),
    [
        ("failed = e", "if failed:\n        raise failed", 0),
        ("failed = e", "if failed:\n        raise failed from None", 0),
        ("failed = e", "return failed", 1),
        ("failed = str(e)", "raise failed", 1),
        ("other = e", "raise failed", 1),
    ],
)
def test_a_cancel_that_is_raised_later(lint: Lint, kept: str, later: str, expected: int) -> None:
    """What a handler keeps and the function raises behind it is not lost; in a loop it is late."""
    text = "\n@ext.tool('t')\nasync def t(ctx):\n    failed = None\n"
    tried = "try:\n{0}    await ctx.progress(1)\n{0}except Exception as e:\n{0}    {1}\n"
    plain = "    " + tried.format("    ", kept)
    looped = "    for _ in range(3):\n        " + tried.format("        ", kept)
    assert expected == len(lint("FED507", f"{text}{plain}    {later}\n"))
    assert 1 == len(lint("FED507", f"{text}{looped}    {later}\n"))


AWAITED = """
async def safe(coro, reply=None):
    try:
        return await coro
    CAUGHT


async def step(ctx):
    await ctx.progress(10)


"""
LOST = "except Exception:\n        return reply"
RAISED = "except ValueError:\n        return reply"
KEPT = "except TaskCancelled:\n        raise\n    except Exception:\n        return reply"


@pytest.mark.parametrize("given", ["ctx.progress(10)", "step(ctx), None"])
def test_a_helper_that_awaits_what_it_gets(lint: Lint, given: str) -> None:
    """It swallows the cancel of a coroutine that others made."""
    main = f"{AWAITED}{HANDLER}    await safe({given})\n"
    first = main.replace("CAUGHT", LOST)
    (found,) = lint("FED507", first)
    assert "catches Exception, so the cancel is lost" in found.message
    assert lint("FED507", main.replace("CAUGHT", RAISED)) == ()
    assert lint("FED507", main.replace("CAUGHT", KEPT)) == ()
    assert lint("FED507", first.replace("await safe", "safe")) == ()


def test_a_helper_that_awaits_something_else(lint: Lint) -> None:
    """What is only kept is not awaited there."""
    head = AWAITED.replace("CAUGHT", LOST).replace("await coro", "await reply or coro")
    assert lint("FED507", f"{head}{HANDLER}    await (await safe(ctx.progress(10)))\n") == ()
