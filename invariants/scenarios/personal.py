"""Personal data that the suite plants: addresses and numbers that belong to nobody."""

from __future__ import annotations

EMAILS = ("zora.quill@example.com", "t.vance_84@mail.example.org", "Ines.HOLM@Example.NET")
PHONES = ("+1-415-555-0137", "+14155550199", "+44 20 7946 0958")

RARER_EMAILS = (
    "orlan+weekly@fenwick.example",
    "milo.brisk@ab.example.co",
    "KESTREL@TARNHOLD.EXAMPLE",
    "pavo_88412@x1.museum",
    "rune-holt%desk@deep.sub.glen.example.org",
    "d'aubin@quarrel.example",
)
"""Tags, short and long domains, capitals, digits, marks between letters."""

RARER_PHONES = (
    "+1 (415) 555-0142",
    "+1.415.555.0163",
    "+33 1 70 18 99 27",
    "+81-3-5555-0184",
    "+49 (30) 23125 171",
)
"""Numbers with the code of a country, written in other ways."""

FOREIGN_EMAILS = ("ilse.brandt+news@почта.example", "łukasz@żółw.example", "用户名@例子.example")
"""Addresses in other scripts than ASCII."""

CANARIES = {
    **dict.fromkeys((*EMAILS, *RARER_EMAILS), "e-mail"),
    **dict.fromkeys((*PHONES, *RARER_PHONES), "phone"),
}
"""What must be masked, with its shape; none is part of another."""
