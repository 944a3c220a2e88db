"""YAML read from parse events: safe, bounded, with the line of every value.

Plain data only: a tag that names anything but a YAML core type is refused, and so are keys that are given
twice or are no texts, several documents, and aliases that swell. Moments stay texts as they are written.
Nothing recurses, so no nesting exhausts the stack. Opens nothing. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from novelty_kit.errors import DocumentError
from novelty_kit.passport.finding import Path, shown
from novelty_kit.passport.json_source import MAX_DEPTH
from novelty_kit.passport.yaml_scalar import CORE, scalar_value

if TYPE_CHECKING:
    import yaml

__all__ = ["MAX_EXPANDED", "YamlLines", "parse_yaml"]

# Values that a document may stand for once its aliases are written out.
MAX_EXPANDED: Final = 2_000_000


@dataclass
class YamlLines:
    """Lines of a parsed document: for each container, by identity, the line of each key or place."""

    root: Any
    first: int
    of: dict[int, dict[str | int, int]]

    def lines(self, paths: Iterable[Path]) -> dict[Path, int]:
        """The line of each path that is in the document."""
        found: dict[Path, int] = {}
        for path in paths:
            value, line = self.root, self.first
            for part in path:
                known = self.of.get(id(value), {})
                if part not in known:
                    break
                line = known[part]
                value = value[part]
            else:
                found[path] = line
        return found


@dataclass
class _Open:
    """A container under construction."""

    value: dict[str, Any] | list[Any]
    line: int
    anchor: str | None
    lines: dict[str | int, int] = field(default_factory=dict)
    key: str | None = None
    size: int = 1
    depth: int = 1
    merged: list[tuple[Any, int]] = field(default_factory=list)


def parse_yaml(text: str, path: str) -> tuple[Any, YamlLines]:
    """The value that a YAML text holds, and its lines.

    Raises
    ------
    DocumentError
        With line and column: no YAML, a tag, a key given twice or of another type than text, an alias
        into itself, more than :data:`MAX_EXPANDED` values, a nesting or a number without measure.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = " ".join(part for part in (error.context, error.problem) if part)
        tab = "\\t" in words or (mark is not None and text[mark.index : mark.index + 1] == "\t")
        raise DocumentError(
            f"not YAML: {words}",
            path=path,
            line=mark.line + 1 if mark else None,
            column=_byte_column(text, mark.line, mark.column) if mark else None,
            remedy="YAML is indented with spaces, never with tabs"
            if tab
            else "Quote texts that hold : # [ ] { } & *",
        ) from None
    except yaml.reader.ReaderError as error:
        raise DocumentError(
            f"not YAML: character {shown(str(error.character))} is not allowed: {error.reason}",
            path=path,
            remedy="Remove the control character",
        ) from None
    return builder.result()


def _byte_column(text: str, line: int, column: int) -> int:
    lines = text.split("\n", line + 1)
    return len(lines[line][:column].encode("utf-8", "surrogatepass")) + 1 if line < len(lines) else column + 1


class _Builder:
    """Builds plain values from parse events, with a stack of its own."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.lines: dict[int, dict[str | int, int]] = {}
        self.keep: list[Any] = []
        self.total = 0
        self.n_documents = 0
        self.root: Any = None
        self.first = 1

    def error(self, what: str, event: Any, remedy: str) -> DocumentError:
        mark = event.start_mark
        return DocumentError(what, path=self.path, line=mark.line + 1, column=mark.column + 1, remedy=remedy)

    def take(self, event: yaml.Event) -> None:
        """Take the next event; stream and document ends carry nothing."""
        name = type(event).__name__
        if name == "ScalarEvent":
            self.scalar(event)
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            self.open(event, name == "MappingStartEvent")
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self.close(event)
        elif name == "AliasEvent":
            self.alias(event)
        elif name == "DocumentStartEvent":
            self.n_documents += 1
            if self.n_documents > 1:
                raise self.error("a second document starts here", event, "One file holds one passport")

    def open(self, event: Any, is_mapping: bool) -> None:
        wanted = "map" if is_mapping else "seq"
        if event.tag not in (None, "!", CORE + wanted):
            raise self.error(f"tag {shown(event.tag)} is refused", event, "A passport holds plain data only")
        self.deepen(len(self.stack) + 1, event)
        if self.stack and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is None:
            raise self.error("a key is a list or a mapping", event, "Keys are texts")
        self.count(1, event)
        if event.anchor:
            self.anchors.pop(event.anchor, None)
        self.stack.append(_Open({} if is_mapping else [], event.start_mark.line + 1, event.anchor))

    def close(self, event: Any) -> None:
        done = self.stack.pop()
        if isinstance(done.value, dict):
            for source, line in done.merged:
                for key, member in source.items():
                    if key not in done.value:
                        done.value[key] = member
                        done.lines[key] = line
        self.lines[id(done.value)] = done.lines
        self.keep.append(done.value)
        if done.anchor:
            self.anchors[done.anchor] = (done.value, done.size, done.depth)
        self.put(done.value, done.line, done.size, done.depth, event)

    def scalar(self, event: Any) -> None:
        self.count(1, event)
        top = self.stack[-1] if self.stack else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            self.take_key(event, top)
            return
        value = self.plain(event)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1, 0)
        self.put(value, event.start_mark.line + 1, 1, 0, event)

    def take_key(self, event: Any, top: _Open) -> None:
        line = event.start_mark.line + 1
        if event.implicit[0] and event.value == "<<":
            if top.merged:
                raise self.error("<< is given twice", event, "Merge a list of mappings instead")
            top.key = "<<"
            return
        key = self.plain(event)
        if not isinstance(key, str):
            raise self.error(f"key {shown(event.value)} is no text", event, "Write it in quotes")
        if key in top.lines:
            raise self.error(
                f"key {shown(key)} is given twice, first on line {top.lines[key]}",
                event,
                "Keep one of the two",
            )
        if event.anchor:
            self.anchors[event.anchor] = (key, 1, 0)
        top.key = key
        top.lines[key] = line

    def alias(self, event: Any) -> None:
        if self.stack and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is None:
            raise self.error("a key is an alias", event, "Write the key out")
        if event.anchor not in self.anchors:
            raise self.error(
                f"alias *{event.anchor} stands for nothing that is complete before it",
                event,
                "Write the value out",
            )
        value, size, depth = self.anchors[event.anchor]
        self.count(size, event)
        self.deepen(len(self.stack) + depth, event)
        self.put(value, event.start_mark.line + 1, size, depth, event)

    def deepen(self, depth: int, event: Any) -> None:
        if depth > MAX_DEPTH:
            raise self.error(
                f"nested deeper than {MAX_DEPTH} levels", event, "A passport needs fewer than ten"
            )

    def put(self, value: Any, line: int, size: int, depth: int, event: Any) -> None:
        if not self.stack:
            self.root, self.first = value, line
            return
        top = self.stack[-1]
        top.size += size
        top.depth = max(top.depth, depth + 1)
        if isinstance(top.value, list):
            top.lines[len(top.value)] = line
            top.value.append(value)
        elif top.key == "<<" and "<<" not in top.lines:
            sources = value if isinstance(value, list) else [value]
            if not all(isinstance(source, dict) for source in sources):
                raise self.error("<< merges something that is no mapping", event, "Name an anchored mapping")
            top.merged += [(source, line) for source in sources]
            top.key = None
        else:
            top.value[top.key or ""] = value
            top.key = None

    def count(self, size: int, event: Any) -> None:
        self.total += size
        if self.total > MAX_EXPANDED:
            raise self.error(
                f"the document stands for more than {MAX_EXPANDED:,} values",
                event,
                "Use fewer aliases, or JSON",
            )

    def plain(self, event: Any) -> Any:
        """A scalar as null, boolean, number or text; moments and everything else stay text."""
        try:
            return scalar_value(event.tag, event.implicit[0], event.value)
        except ValueError as error:
            raise self.error(str(error), event, "Plain data only: quote it, or leave it out") from None

    def result(self) -> tuple[Any, YamlLines]:
        if self.n_documents == 0:
            raise DocumentError(
                "the file is empty", path=self.path, remedy="Start one with: novelty passport init"
            )
        return self.root, YamlLines(self.root, self.first, self.lines)
