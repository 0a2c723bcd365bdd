"""Texts that are numbers of payment cards or bank accounts, by look and check digits."""

from __future__ import annotations

import re

# As in sensitive.py, the patterns are texts.
_CARD = r"(?<![\w.+#/-])\d(?:[ -]?\d){13,15}(?![\w/-]|\.\d)"
_ISSUERS = (
    (16, r"4|5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|220[0-4]"),
    (16, r"6011|64[4-9]|65|62|352[89]|35[3-8]"),
    (15, r"3[47]"),
    (14, r"3(?:0[0-5]|[689])"),
)
"""Digits in a card's number, and with which it begins (ISO/IEC 7812, the ranges in use)."""
_GROUPS = {16: (4, 4, 4, 4), 15: (4, 6, 5), 14: (4, 6, 4)}
_CARD_KEY = (
    r"(?i)(?:^|_)(?:(?:credit_?|debit_?|bank_?|payment_?)?card|cc|pan)(?:_?(?:no|nr|num|number))?$"
)
_CARD_WORD = (
    r"(?i)\b(?:card|visa|mastercard|amex|american express|discover|jcb|diners|unionpay)"
    r"(?: (?:card|number|no\.?|nr\.?))*[ :=#]{0,3}$"
)
_OTHER_KEY = (
    r"(?i)(?:^|_)(?:order|invoice|ticket|tracking|shipment|parcel|serial|ref|reference|receipt|"
    r"transaction|txn|message|event|request|trace|session|user|chat|channel|id|ids|uid|gid|sku|"
    r"isbn|imei|ean|gtin|phone|tel|mobile|fax|ts|time|timestamp|date|version|hash|code)"
    r"(?:_?(?:no|nr|num|number|id))?$"
)
_OTHER_WORD = (
    r"(?i)\b(?:order|invoice|ticket|tracking|shipment|parcel|serial|ref|reference|receipt|id|no|"
    r"nr|number|transaction|phone|tel|call|mobile|fax|imei|isbn|version|code)[.: #=]{0,3}$"
)
_NOT_REAL = r"(?i)example|sample|dummy|demo|test|fake|placeholder|mock|sandbox"
_PUBLISHED = """
4012888888881881 4532015112830366 4539148803436467 4556737586899855 4263982640269299
4917484589897107 4007702835532454 4485275742308327 5105105105105100 5200828282828210
5425233430109903 5555555555554444 5454545454545454 5425230000004415 2223003122003222
378282246310005 371449635398431 378734493671000 374245455400126 3530111333300000
3566002020360505 30569309025904 38520000023237 36227206271667 6011111111111117
6011000990139424 6011601160116611
DE89370400440532013000 DE75512108001245126199 DE12500105170648489890 DE02500105170137075030
GB29NWBK60161331926819 GB33BUKB20201555555555 GB94BARC10201530093459 NL91ABNA0417164300
FR1420041010050500013M02606 ES9121000418450200051332 CH9300762011623852957
AT611904300234573201 BE68539007547034 BE71096123456769 DK5000400440116243 NO9386011117947
PL61109010140000071219812874 CZ6508000000192000145399 HU42117730161111101800000000
LU280019400644750000 SK3112000000198742637541 SI56263300012039086
"""
_FOR_TESTS = frozenset(_PUBLISHED.split())
"""What providers and the registry of account numbers publish for tests and as examples."""
_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
    "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28,
    "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24,
    "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24,
    "XK": 20,
}  # fmt: skip
"""Country → characters in an account's number (the registry of ISO 13616)."""
_ACCOUNT = r"(?<![\w/-])([A-Z]{2})\d{2}(?= ?[A-Z0-9])"
_ACCOUNT_WORD = r"(?i)\b(?:iban|account)(?: (?:no|nr|number))[.: =#]{0,3}$"
_BEFORE = 40
_DIGITS = r"\d\d"


def payment_number_in(key: str, text: str) -> str:
    """Return in words what number of a card or an account a text holds; empty if none.

    Check digits alone prove nothing: each tenth number of an order has the right one. So a card's
    number counts only if it is written in its groups, or if the key or the word before it says
    what it is; beside a key such as ``order_id`` or ``phone`` nothing counts.

    Args:
        key: under which the text stands.
        text: what is looked through.
    """
    if not re.search(_DIGITS, text) or re.search(_NOT_REAL, key) or re.search(_NOT_REAL, text):
        return ""
    is_other = bool(re.search(_OTHER_KEY, key))
    if any(_is_card(key, text, found, is_other=is_other) for found in re.finditer(_CARD, text)):
        return "the number of a payment card"
    if any(_is_account(text, found, is_other=is_other) for found in re.finditer(_ACCOUNT, text)):
        return "the number of a bank account"
    return ""


def _is_card(key: str, text: str, found: re.Match[str], *, is_other: bool) -> bool:
    digits = re.sub(r"\D", "", found[0])
    known = any(len(digits) == size and re.match(begin, digits) for size, begin in _ISSUERS)
    if not known or not _has_right_sum(digits) or _is_made_up(digits):
        return False
    if re.search(_CARD_KEY, key) or re.search(_CARD_WORD, _before(text, found)):
        return True
    if is_other or re.search(_OTHER_WORD, _before(text, found)):
        return False
    return tuple(map(len, re.split(r"[ -]", found[0]))) == _GROUPS[len(digits)]


def _before(text: str, found: re.Match[str]) -> str:
    return text[max(found.start() - _BEFORE, 0) : found.start()]


def _is_made_up(digits: str) -> bool:
    """Tell whether a number is one that providers publish for tests, or looks like one."""
    return digits in _FOR_TESTS or "0000" in digits or len(set(digits)) < 5 or "12345" in digits


def _has_right_sum(digits: str) -> bool:
    """Tell whether the last digit is the one that Luhn's formula asks for."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0


def _is_account(text: str, found: re.Match[str], *, is_other: bool) -> bool:
    length = _LENGTHS.get(found[1])
    if length is None or is_other or _says_other(_before(text, found)):
        return False
    rest = re.compile(rf"(?: ?[A-Z0-9]){{{length - 4}}}(?!\w|-\w)").match(text, found.end())
    raw = found[0] + (rest[0] if rest else "")
    number = raw.replace(" ", "")
    grouped = " ".join(number[at : at + 4] for at in range(0, len(number), 4))
    if rest is None or raw not in {number, grouped}:
        return False
    made_up = number in _FOR_TESTS or "12345" in number or "00000000" in number
    return not made_up and _remainder(number) == 1


def _says_other(before: str) -> bool:
    return bool(re.search(_OTHER_WORD, before)) and not re.search(_ACCOUNT_WORD, before)


def _remainder(number: str) -> int:
    """Return what ISO 7064 wants to be 1: the first four at the end, letters as numbers, mod 97."""
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97
