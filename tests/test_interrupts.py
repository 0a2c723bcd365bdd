"""Ctrl-C is remembered where Python would drop it."""

from __future__ import annotations

import signal

import pytest

from fedcheck.conformance.adapters.fatal import die
from fedcheck.conformance.driving.interrupts import raise_if_pressed, recognised, remembered


class _Finaliser:
    """Presses Ctrl-C where Python prints the exception and goes on."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_lost_in_a_finaliser_comes_through_later(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It is raised at the next scenario; nothing is printed."""
    with remembered():
        _Finaliser()
        with pytest.raises(KeyboardInterrupt):
            raise_if_pressed()
    assert "" == capfd.readouterr().err


def test_an_interrupt_is_still_raised_at_once() -> None:
    """The usual way stays as it is."""
    with remembered(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def _fail(*, pressed: bool) -> None:
    """Fail as a library does, after Ctrl-C or without it."""
    if pressed:
        _Finaliser()
    raise AssertionError


@pytest.mark.parametrize(
    ("pressed", "expected"), [(True, KeyboardInterrupt), (False, AssertionError)]
)
def test_an_interrupt_that_a_library_mistook_is_recognised(
    pressed: bool, expected: type[BaseException]
) -> None:
    """Interrupted in its middle, a library may fail in its own way; else it is an error."""
    with remembered(), pytest.raises(expected), recognised():
        _fail(pressed=pressed)


def test_nothing_is_left_behind() -> None:
    """After the block Python's own handler is back and nothing is remembered."""
    with remembered():
        _Finaliser()
    raise_if_pressed()

    assert signal.default_int_handler is signal.getsignal(signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)])
def test_the_end_of_a_job_or_of_a_terminal_is_taken_for_ctrl_c(number: signal.Signals) -> None:
    """So that what is known is written; afterwards the signal means what it did before."""
    before = signal.getsignal(number)
    with remembered(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)

    assert before is signal.getsignal(number)


def test_the_handler_of_an_adapter_is_taken_over() -> None:
    """One that was opened before the run must not end us: the run closes what it has opened."""
    previous = signal.signal(signal.SIGTERM, die)
    try:
        with remembered(), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        assert die is signal.getsignal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, previous)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no such signal")
def test_what_is_ignored_stays_ignored() -> None:
    """As nohup has it."""
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with remembered():
            signal.raise_signal(signal.SIGHUP)
        assert signal.SIG_IGN is signal.getsignal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, previous)


def test_the_handler_of_a_caller_is_respected() -> None:
    """A program that embeds the suite keeps its own handling."""
    heard: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    try:
        with remembered():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, previous)
    assert [signal.SIGINT] == heard
