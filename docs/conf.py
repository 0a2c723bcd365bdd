"""How the site is built, in the root of a clone: `sphinx-build -W -c docs . build/site`.

The source is the repository and not `docs/` alone, so that links between its pages, and to those in
the root, are the same on the site as where one reads the files. Nothing is fetched when a page is
read: search, styles and fonts lie beside it.
"""

from __future__ import annotations

from importlib.metadata import version as version_of

from sphinx.application import Sphinx

from fedcheck.lint import rule, view

# Elsewhere these are known only to type checkers.
rule.FileView, rule.ProjectView = view.FileView, view.ProjectView

project = "fedcheck"
copyright = "The fedcheck contributors, Apache License 2.0"  # noqa: A001  Sphinx calls it so
version = release = version_of("fedcheck")

root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "examples/**/README.md"]
exclude_patterns = [".*", "build", "dist", "**/node_modules"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]

myst_heading_anchors = 4  # links to headings, as GitHub makes them
myst_links_external_new_tab = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
default_role = "code"  # docstrings write names as Markdown does
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"fedcheck {release}"
html_static_path = ["_site"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "front.html"}
templates_path = ["_site"]
html_copy_source = False
copybutton_exclude = ".linenos, .gp, .go"


def setup(app: Sphinx) -> None:
    """Let the page of all rules lead to each of them, which its generator leaves to links."""
    app.connect("source-read", _list_rules)


def _list_rules(_app: Sphinx, page: str, text: list[str]) -> None:
    if page == "docs/rules/README":
        text[0] += "\n```{toctree}\n:hidden:\n:glob:\n\nFED*\n```\n"
