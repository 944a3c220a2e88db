"""Ways to change a real title: into another spelling of it, or into a title that is not it any more."""

from __future__ import annotations

import html
import random
import re
import unicodedata
from collections.abc import Callable


def words_changed(
    change: Callable[[list[str], random.Random], list[str]],
) -> Callable[[str, random.Random], str]:
    return lambda title, rng: " ".join(change(title.split(), rng))


def wrapped(words: list[str], rng: random.Random) -> list[str]:
    at = rng.randrange(len(words))
    form = rng.choice(
        ["<i>{}</i>", "<jats:italic>{}</jats:italic>", "<scp>{}</scp>", "\\emph{{{}}}", "{{{}}}"]
    )
    return [*words[:at], form.format(words[at]), *words[at + 1 :]]


def other_signs(title: str, _: random.Random) -> str:
    return title.replace("'", "’").replace(' "', " “").replace('"', "”").replace("-", "\u2010")


VARIANTS: dict[str, Callable[[str, random.Random], str]] = {
    "markup": words_changed(wrapped),
    "capitals": lambda title, _: title.upper(),
    "small letters": lambda title, _: title.lower(),
    "full stop": lambda title, _: title + ".",
    "quotes and dashes": other_signs,
    "escaped": lambda title, _: html.escape(title),
    "escaped twice": lambda title, _: html.escape(html.escape(title)),
    "decomposed": lambda title, _: unicodedata.normalize("NFD", title),
    "wide letters": lambda title, _: "".join(
        chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in title
    ),
    "ligatures": lambda title, _: title.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ"),
    "other blanks": lambda title, rng: re.sub(
        " ", lambda _: rng.choice(["\u00a0", "  ", "\n", "\\n "]), title
    ),
    "punctuation dropped": lambda title, _: re.sub(r"(?<!\d)[,.:;!?](?!\d)", " ", title),
}


def letter_changed(title: str, rng: random.Random) -> str:
    at = rng.choice([match.start() for match in re.finditer("[A-Za-z]", title)])
    return title[:at] + ("z" if title[at] in "qQ" else "q") + title[at + 1 :]


def negation_in(words: list[str], rng: random.Random) -> list[str]:
    at = rng.randrange(len(words) + 1)
    return [*words[:at], rng.choice(["not", "no", "without", "does not", "never"]), *words[at:]]


def number_changed(title: str, rng: random.Random) -> str:
    digits = [match.start() for match in re.finditer("[0-9]", title)]
    at = rng.choice(digits)
    return title[:at] + rng.choice([d for d in "123456789" if d != title[at]]) + title[at + 1 :]


def number_in(words: list[str], rng: random.Random) -> list[str]:
    at = rng.randrange(len(words) + 1)
    return [*words[:at], rng.choice(["2", "II", "two", "120", "v3"]), *words[at:]]


def word_replaced(words: list[str], rng: random.Random) -> list[str]:
    long = [at for at, word in enumerate(words) if len(word) > 5 and word.isalpha()]
    at = rng.choice(long)
    return [*words[:at], rng.choice(["ponatinib", "bosutinib", "zebrafish"]), *words[at + 1 :]]


ALTERATIONS: dict[str, tuple[str, Callable[[str, random.Random], str]]] = {
    # Which titles can be altered so (a pattern), and how.
    "negation inserted": ("", words_changed(negation_in)),
    "negation removed": (
        r"\b(not|no|without) ",
        lambda title, _: re.sub(r"\b(not|no|without) ", "", title, count=1),
    ),
    "number changed": ("[0-9]", number_changed),
    "number inserted": ("", words_changed(number_in)),
    "word replaced": (r"(?<!\S)[A-Za-z]{6,}(?!\S)", words_changed(word_replaced)),
    "letter changed": ("[A-Za-z]", letter_changed),
}
