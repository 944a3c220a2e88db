"""True quotes with layout noise, and near-misses that say something else, made from any texts by a seed."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

__all__ = ["NEAR_MISSES", "NOISES", "Sample", "make_samples"]


@dataclass(frozen=True)
class Sample:
    """A text, a quote, and the kind of change made to either."""

    kind: str
    text: str
    quote: str


Maker = Callable[[random.Random, str, str, Sequence[str]], tuple[str, str] | None]
_LIGATURES = (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"))
_ELLIPSES = ("…", "...", "[...]", "[…]", " . . . ", "(…)")
_MARKS = (('"', '"'), ("“", "”"), ("„", "“"), ("‘", "’"), ("'", "'"), ("« ", " »"), ("「", "」"))


def _window(rng: random.Random, text: str) -> str:
    """A run of 9 to 30 words, cut at spaces; one in three is a whole sentence."""
    if rng.random() < 1 / 3:
        sentences = [s for s in re.split(r"(?<=[.!?])\s+", text) if len(s.split()) >= 9]
        if sentences:
            return rng.choice(sentences)
    places = [match.start() for match in re.finditer(r"(?<=\s)\S", text)] or [0]
    start = rng.choice(places[: max(len(places) - 9, 1)])
    n = rng.randint(9, 30)
    match = re.compile(rf"\S+(?:\s+\S+){{0,{n - 1}}}").match(text, start)
    assert match is not None
    return match.group()


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def _occurs(quote: str, text: str) -> bool:
    return f" {' '.join(_tokens(quote))} " in f" {' '.join(_tokens(text))} "


def _count(quote: str, text: str) -> int:
    return f" {' '.join(_tokens(text))} ".count(f" {' '.join(_tokens(quote))} ")


def _words(quote: str) -> list[str]:
    return re.split(r"(\s+)", quote)


# --- true quotes ------------------------------------------------------------------------------------------


def _spaces(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str]:
    return text, re.sub(
        r"\s+", lambda _m: rng.choice([" ", "\n", "  ", "\u00a0", "\u2009", "\r\n", "\t"]), quote
    )


def _ligatures(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    changed = quote
    for plain, ligature in _LIGATURES:
        changed = changed.replace(plain, ligature)
    if changed == quote:
        return None
    return (text, changed) if rng.random() < 0.5 else (text.replace(quote, changed), quote)


def _hyphenate(rng: random.Random, quote: str, ends: Sequence[str]) -> str | None:
    places = [m.start() + rng.randint(3, len(m.group()) - 3) for m in re.finditer(r"[A-Za-z]{7,}", quote)]
    if not places:
        return None
    place = rng.choice(places)
    return quote[:place] + rng.choice(ends) + quote[place:]


def _hyphenation(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    changed = _hyphenate(rng, quote, ["-\n", "\u2010\n", "-\n  ", "\u00ad", "\u00ad\n", "- \n", "-\r\n"])
    if changed is None:
        return None
    changed = changed.replace("\u00ad\n", "\u00ad")
    return (text, changed) if rng.random() < 0.4 else (text.replace(quote, changed), quote)


def _quotes(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    words = list(re.finditer(r"(?<=\s)[A-Za-z]{4,}(?=\s)", quote))
    if not words:
        return None
    word = rng.choice(words)
    one, other = rng.sample(_MARKS, 2)

    def marked(marks: tuple[str, str]) -> str:
        return quote[: word.start()] + marks[0] + word.group() + marks[1] + quote[word.end() :]

    return text.replace(quote, marked(one)), marked(other)


def _dashes(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    if "-" not in quote:
        return None
    return text, quote.replace("-", rng.choice("\u2010\u2011\u2012\u2013\u2212"))


def _em_dashes(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    gaps = list(re.finditer(r"(?<=[A-Za-z]) (?=[A-Za-z])", quote))
    if not gaps:
        return None
    gap = rng.choice(gaps)
    one, other = rng.sample(["—", " — ", " – ", "--", "---", " -- "], 2)
    return (
        text.replace(quote, quote[: gap.start()] + one + quote[gap.end() :]),
        quote[: gap.start()] + other + quote[gap.end() :],
    )


def _ellipsis(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    words = quote.split(" ")
    if len(words) < 9:
        return None
    first = rng.randint(3, len(words) - 5)
    last = rng.randint(first + 1, len(words) - 4)
    return text, " ".join([*words[:first], rng.choice(_ELLIPSES), *words[last:]])


def _case(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str]:
    return text, rng.choice([quote.upper(), quote[0].swapcase() + quote[1:], quote.title()])


def _hidden(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str]:
    place = rng.randrange(1, len(quote))
    return text, quote[:place] + rng.choice("\u200b\u200d\u2060\ufeff\u00ad") + quote[place:]


def _forms(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in quote)
    apart = unicodedata.normalize("NFD", quote)
    return text, wide if apart == quote or rng.random() < 0.5 else apart


def _page(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str]:
    """The whole text set in narrow lines with words broken at their ends."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if len(line) + len(word) > 46 and line:
            if re.fullmatch(r"[a-z]{8,}", word) and rng.random() < 0.7:
                cut = rng.randint(3, len(word) - 3)
                lines.append(f"{line} {word[:cut]}-")
                line = word[cut:]
                continue
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line]), quote


def _around(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str]:
    opening, closing = rng.choice(_MARKS)
    return text, f" {opening}{quote}{closing} "


def _mixed(rng: random.Random, text: str, quote: str, texts: Sequence[str]) -> tuple[str, str]:
    for maker in rng.sample([_spaces, _case, _hidden, _around, _ligatures], 3):
        made = maker(rng, text, quote, texts)
        if made is not None:
            text, quote = made
    return text, quote


NOISES: dict[str, Maker] = {
    "none": lambda _r, text, quote, _t: (text, quote),
    "spaces": _spaces,
    "ligatures": _ligatures,
    "hyphenation": _hyphenation,
    "quotation marks": _quotes,
    "dashes": _dashes,
    "em dashes": _em_dashes,
    "ellipsis": _ellipsis,
    "case": _case,
    "hidden characters": _hidden,
    "Unicode forms": _forms,
    "set in lines": _page,
    "marks around": _around,
    "several at once": _mixed,
}


# --- near-misses ------------------------------------------------------------------------------------------


def _changed(text: str, quote: str) -> tuple[str, str] | None:
    return None if _occurs(quote, text) else (text, quote)


def _digit(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    digits = [m.start() for m in re.finditer(r"\d", quote)]
    if not digits:
        return None
    place = rng.choice(digits)
    other = rng.choice([d for d in "0123456789" if d != quote[place]])
    how = rng.choice([other, other, quote[place] + other, "", "²"])
    return _changed(text, quote[:place] + how + quote[place + 1 :])


def _point(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    points = [m.start() for m in re.finditer(r"(?<=\d)[.,\-–:](?=\d)", quote)]
    if not points:
        return None
    place = rng.choice(points)
    mark = rng.choice([m for m in (".", ",", "", "-", " ") if m != quote[place].replace("–", "-")])
    return text, quote[:place] + mark + quote[place + 1 :]


def _sign(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    pairs = {"<": ">", ">": "<", "=": "<", "±": "+", "%": "", "≤": "≥", "+": "-"}
    signs = [i for i, c in enumerate(quote) if c in pairs and i]
    if not signs:
        return None
    place = rng.choice(signs)
    return text, quote[:place] + pairs[quote[place]] + quote[place + 1 :]


def _negation(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    parts = _words(quote)
    negated = [
        i for i, word in enumerate(parts) if re.fullmatch(r"not|no|never|without|nor|neither|cannot", word)
    ]
    # Left out at the end it leaves a true quote behind.
    negated = [i for i in negated if i < len(parts) - 1]
    if negated and rng.random() < 0.7:
        place = rng.choice(negated)
        return text, "".join(parts[:place] + parts[place + 2 :])
    place = rng.randrange(0, len(parts), 2)
    return _changed(text, "".join([*parts[:place], rng.choice(["not", "no", "never"]), " ", *parts[place:]]))


def _prefix(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    """A negating prefix taken off or put on, with or without its hyphen."""
    words = list(re.finditer(r"\b[a-z]{5,}", quote))
    if not words:
        return None
    word = rng.choice(words)
    prefix = rng.choice(["un", "in", "non", "non-", "im", "dis", "anti-"])
    off = re.match(r"(?:un|in|non-?|dis)(?=[a-z]{4})", word.group())
    new = word.group()[off.end() :] if off else prefix + word.group()
    return _changed(text, quote[: word.start()] + new + quote[word.end() :])


def _one_word(rng: random.Random, text: str, quote: str, texts: Sequence[str]) -> tuple[str, str] | None:
    parts = _words(quote)
    place = rng.randrange(0, len(parts), 2)
    pool = _words(rng.choice(texts) if rng.random() < 0.5 else text)
    word = rng.choice(pool[::2])
    how = rng.choice(["swap", "drop", "add", "letter"])
    if how == "swap":
        parts[place] = word
    elif how == "drop":
        del parts[place : place + 2]
    elif how == "add":
        parts.insert(place, word + " ")
    else:
        letters = [m.start() for m in re.finditer("[a-z]", parts[place])]
        if not letters:
            return None
        at = rng.choice(letters)
        parts[place] = parts[place][:at] + rng.choice("aeioustn") + parts[place][at + 1 :]
    return _changed(text, "".join(parts))


def _order(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    parts = _words(quote)
    place = rng.randrange(0, len(parts) - 2, 2)
    parts[place], parts[place + 2] = parts[place + 2], parts[place]
    return _changed(text, "".join(parts))


def _wrong_ligature(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    swaps = (("fi", "ﬂ"), ("fl", "ﬁ"), ("ff", "ﬁ"), ("ffi", "ﬄ"), ("fi", "ﬃ"))
    found = [(plain, wrong) for plain, wrong in swaps if plain in quote]
    if not found:
        return None
    plain, wrong = rng.choice(found)
    return _changed(text, quote.replace(plain, wrong, 1))


def _wrong_hyphen(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    """A compound closed up or split, two words joined, or a letter lost at a line end."""
    compounds = [m.start() for m in re.finditer(r"(?<=[A-Za-z])-(?=[A-Za-z])", quote)]
    if compounds and rng.random() < 0.5:
        place = rng.choice(compounds)
        return text, quote[:place] + rng.choice(["", " "]) + quote[place + 1 :]
    spaces = [m.start() for m in re.finditer(r"(?<=[a-z]) (?=[a-z])", quote)]
    if spaces and rng.random() < 0.5:
        place = rng.choice(spaces)
        return text, quote[:place] + rng.choice(["", "-", "-\n", "\u00ad"]) + quote[place + 1 :]
    broken = _hyphenate(rng, quote, ["-\n"])
    if broken is None:
        return None
    place = broken.index("-\n")
    return _changed(text, broken[: place - 1] + broken[place:])


def _wrong_marks(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    """Quotation marks added where the text has none, or an apostrophe that makes another word."""
    words = list(re.finditer(r"(?<=\s)[a-z]{3,}(?=\s)", quote))
    if not words:
        return None
    word = rng.choice(words)
    new = rng.choice([f"“{word.group()}”", f"'{word.group()}'", f"{word.group()}'s", word.group() + "n't"])
    return text, quote[: word.start()] + new + quote[word.end() :]


def _wrong_dash(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    """A minus before a number, or a range where the text has a list."""
    numbers = list(re.finditer(r"(?<=\s)\d+", quote))
    if not numbers:
        return None
    place = rng.choice(numbers).start()
    return text, quote[:place] + rng.choice(["-", "−", "–"]) + quote[place:]


def _wrong_ellipsis(
    rng: random.Random, text: str, quote: str, texts: Sequence[str]
) -> tuple[str, str] | None:
    """Words left out unmarked, parts out of order or from another text, words strung together."""
    words = quote.split()
    if len(words) < 9:
        return None
    first, last = 4, len(words) - 4
    how = rng.choice(["unmarked", "swapped", "foreign", "far", "scraps"])
    if how == "unmarked":
        return _changed(text, " ".join(words[:first] + words[last:]))
    if how == "swapped":
        tail, head = " ".join(words[last:]), " ".join(words[:first])
        if _count(tail, text) > 1 or _count(head, text) > 1:
            return None
        return text, f"{tail} … {head}"
    if how == "foreign":
        other = " ".join(_window(rng, rng.choice(texts)).split()[:6])
        return None if _occurs(other, text) else (text, f"{' '.join(words[:first])} … {other}")
    if how == "far":
        head, tail = " ".join(words[:first]), " ".join(words[last:])
        filler = "lorem ipsum dolor sit amet " * 300
        middle = text.index(quote) + len(head)
        return text[:middle] + " " + filler + text[middle:], f"{head} … {tail}"
    return text, " … ".join(words[::3])


def _cut(rng: random.Random, text: str, quote: str, _: Sequence[str]) -> tuple[str, str] | None:
    """A quote that begins behind the negation, the sign, the digits or the prefix that governs it."""
    patterns = (
        r"\b(?:not|no|never|cannot|fails? to|unable to) (?=\w)",
        r"\bnon-(?=\w)",
        r"\d\.(?=\d)",
        r"\b(?:un|im|in)(?=[a-z]{5})",
    )
    found = [m for pattern in patterns for m in re.finditer(pattern, text)]
    found = [m for m in found if len(text[m.end() :].split()) >= 9]
    if not found:
        return None
    rest = text[rng.choice(found).end() :]
    made = " ".join(rest.split()[: rng.randint(9, 14)])
    return None if _count(made, text) > 1 else (text, made)


NEAR_MISSES: dict[str, Maker] = {
    "one digit": _digit,
    "one point or range": _point,
    "one sign": _sign,
    "one negation": _negation,
    "one negating prefix": _prefix,
    "one word": _one_word,
    "word order": _order,
    "a wrong ligature": _wrong_ligature,
    "a wrong hyphen": _wrong_hyphen,
    "wrong quotation marks": _wrong_marks,
    "a wrong dash": _wrong_dash,
    "a wrong ellipsis": _wrong_ellipsis,
    "cut behind what governs it": _cut,
}


def make_samples(
    texts: Sequence[str], makers: dict[str, Maker], n: int, seed: int, noise: bool = False
) -> Iterator[Sample]:
    """`n` samples, the kinds in turn; with `noise` half of the near-misses also bear layout noise."""
    rng = random.Random(seed)
    kinds = list(makers)
    made = tries = 0
    while made < n:
        tries += 1
        if tries > 200 * n:
            raise ValueError(f"only {made} of {n} samples could be made from these texts")
        kind = kinds[made % len(kinds)]
        text = re.sub(r"\s+", " ", rng.choice(texts)).strip()
        quote = _window(rng, text)
        if text.count(quote) != 1:
            continue
        sample = makers[kind](rng, text, quote, texts)
        if sample is None:
            continue
        if noise and rng.random() < 0.5:
            sample = _spaces(rng, *sample, texts)
        made += 1
        yield Sample(kind, *sample)
