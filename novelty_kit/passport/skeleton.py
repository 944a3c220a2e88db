"""A commented passport to start from: every array, empty, with what its entries hold.

The comments come from the schemas, so that they cannot drift from what is checked. Nothing is filled in:
what an author did is for the author to write. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from novelty_kit.passport.lock import LOCK_BLOCKS, LOCK_KEYS
from novelty_kit.passport.schema import load_schema, resolve_reference

__all__ = ["skeleton"]

# The arrays that an author starts with; the audit writes the others.
_ARRAYS: Final = (
    ("experiment_provenance", "experiment_provenance"),
    ("claim_intent_manifests", "claim_intent_manifest"),
    ("experiment_alignment_results", "experiment_alignment_result"),
    ("claim_audit_results", "claim_audit_result"),
)


def skeleton() -> str:
    """The text of a YAML passport without content; the check finds nothing in it.

    Below each array stand the keys of an entry as comments that are YAML themselves once the first ``# `` of
    their lines is taken away.
    """
    lines = [
        "# A passport: what was planned and what ran, and which claim of the paper leans on it.",
        "# Check it with: novelty passport check FILE",
        "# Hold it against the gate with: novelty passport gate FILE",
        "",
        "# The intake declaration is written once, by the scholar: novelty passport intake FILE",
        "",
    ]
    for array, schema in _ARRAYS:
        document = load_schema(schema)
        lines += [f"# {document['title']}. Replace [] by entries with these keys:", f"{array}: []"]
        lines += [f"# {line}" for line in _item(document, document, "  ")]
        lines.append("")
    keys = (f"{key} ({', '.join(LOCK_BLOCKS[key])})" if key in LOCK_BLOCKS else key for key in LOCK_KEYS)
    lines.append(f"# The suite's own lock, or null. Its keys are {', '.join(keys)}.")
    lines += ["repro_lock: null", ""]
    return "\n".join(lines)


def _item(schema: Mapping[str, Any], root: Mapping[str, Any], indent: str) -> Iterator[str]:
    """The keys of one member of an array, the first with the dash."""
    for number, line in enumerate(_keys(schema, root, indent + "  ")):
        yield indent + "- " + line[len(indent) + 2 :] if number == 0 else line


def _keys(schema: Mapping[str, Any], root: Mapping[str, Any], indent: str) -> Iterator[str]:
    required = schema.get("required", ())
    for key, value in schema["properties"].items():
        shape = resolve_reference(value["$ref"], root)[0] if "$ref" in value else value
        words = ["required." if key in required else "optional.", shape.get("description", "")]
        if choices := shape.get("enum"):
            words.append(
                "One of " + ", ".join("null" if choice is None else choice for choice in choices) + "."
            )
        if "const" in shape:
            words.append(f'Always "{shape["const"]}".')
        yield f"{indent}{key}:  # " + " ".join(word for word in words if word)
        if "properties" in shape:
            yield from _keys(shape, root, indent + "  ")
        elif "properties" in shape.get("items", ()):
            yield from _item(shape["items"], root, indent + "  ")
