"""The one way to say that an id or a key occurs twice: a finding for each repeat, naming the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from novelty_kit.passport.finding import Finding, found, pointer_of, shown
from novelty_kit.passport.index import Row

__all__ = ["repeated_keys", "repeats"]


def repeats(
    tag: str, rows: Iterable[Row], key: str, scope: str, *, skip_empty: bool = False
) -> Iterator[Finding]:
    """One finding for each row whose id an earlier row has; ids that are no texts are passed over."""
    first: dict[str, Row] = {}
    for row in rows:
        value = row.text(key)
        if value is None or (skip_empty and not value):
            continue
        if value in first:
            yield found(
                tag,
                row.at(key),
                f"{key} {shown(value)} is that of {pointer_of(first[value].path)} too",
                f"a {key} that occurs once {scope}",
            )
        else:
            first[value] = row


def repeated_keys(tag: str, rows: Iterable[Row], keys: tuple[str, ...]) -> Iterator[Finding]:
    """One finding for each row that equals an earlier one in all `keys`; what is no text is empty."""
    first: dict[tuple[str, ...], Row] = {}
    for row in rows:
        value = tuple(row.text(key) or "" for key in keys)
        if value in first:
            yield found(
                tag,
                row.path,
                f"says the same as {pointer_of(first[value].path)}",
                f"no two rows alike in {', '.join(keys)}",
            )
        else:
            first[value] = row
