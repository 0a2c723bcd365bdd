"""What keeps the answers of the model's functions."""

from __future__ import annotations

import gc
import weakref

import pytest

from fedcheck.lint.inference.syntax.memo import remembered, remembered_in_circles


class Tree:
    """What questions are about."""


def test_an_answer_is_searched_for_once():
    """The same arguments are not asked about twice, others are."""
    asked: list[tuple[int, bool]] = []

    @remembered
    def count(_: Tree, number: int, *, twice: bool = False) -> int:
        asked.append((number, twice))
        return number * (1 + twice)

    tree = Tree()
    found = [count(tree, 1), count(tree, 1), count(tree, 1, twice=True), count(tree, 2)]
    assert [1, 1, 2, 2] == found
    assert [(1, False), (1, True), (2, False)] == asked


def test_answers_about_another_subject_are_others():
    """Two trees do not share an answer."""
    number = remembered(id)
    first, second = Tree(), Tree()
    assert [id(first), id(second)] == [number(first), number(second)]


def test_a_question_inside_its_own_search_gets_the_answer_for_meanwhile():
    """A circle ends; the answer that is kept is the one of the whole search."""

    @remembered_in_circles(meanwhile=())
    def reached(tree: Tree, name: str) -> tuple[str, ...]:
        return (name, *reached(tree, "ab".replace(name, "")))

    tree = Tree()
    assert ("a", "b") == reached(tree, "a")
    assert ("a", "b") == reached(tree, "a")


def test_answers_go_with_their_subject():
    """An editor lints for hours: what it has closed is not kept."""

    @remembered
    def answer(_: Tree, part: Tree) -> Tree:
        return part

    subject, part = Tree(), Tree()
    gone = weakref.ref(answer(subject, part))
    del subject, part
    gc.collect()
    assert gone() is None


def test_a_search_that_fails_leaves_no_answer():
    """What was said meanwhile is forgotten, and the next one searches again."""
    fails = [True]

    @remembered_in_circles(meanwhile="meanwhile")
    def answer(_: Tree) -> str:
        if fails.pop():
            raise RecursionError
        return "found"

    tree = Tree()
    with pytest.raises(RecursionError):
        answer(tree)
    fails.append(False)
    assert "found" == answer(tree)
