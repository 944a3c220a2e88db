"""What a hypothesis of a run cites, and the manifest that says what was found out about it.

Reads the hypothesis and the manifest that is there; writes ``citations/H-XXXX.json`` whole. The caller of
the writing holds the run's lock. No network. No clock.
"""

from __future__ import annotations

from novelty_kit.errors import DocumentError
from novelty_kit.review.contents import find_manifest
from novelty_kit.review.extract import Extraction, items_of_record
from novelty_kit.review.folder import Folder
from novelty_kit.review.manifest import (
    Citation,
    Manifest,
    keep_decided,
    manifest_bytes,
    read_manifest,
)
from novelty_kit.review.store import file_of
from novelty_kit.review.whereabouts import hypothesis_places, read_hypothesis

__all__ = ["cited_by", "readable_manifest", "store_manifest"]


def cited_by(run: Folder, hypothesis_id: str) -> Extraction:
    """What a hypothesis cites, by its evidence and in its text."""
    place = hypothesis_places(run).get(hypothesis_id, ("hypotheses",))[0]
    return items_of_record(read_hypothesis(run, place, hypothesis_id))


def readable_manifest(run: Folder, hypothesis_id: str) -> Manifest | None:
    """A hypothesis's manifest, or None where there is none.

    Raises
    ------
    DocumentError
        There is one that cannot be read.
    """
    found = find_manifest(run, hypothesis_id)
    if found.fault is not None:
        raise DocumentError(found.fault, remedy="Put it away; nothing was overwritten")
    return found.manifest


def store_manifest(
    run: Folder,
    hypothesis_id: str,
    citations: tuple[Citation, ...],
    *,
    verified_at: str,
    verifier: str,
) -> Manifest:
    """Write a hypothesis's manifest and give what it holds now; an outage takes no decision back.

    Raises
    ------
    DocumentError
        There is a manifest that cannot be read; it is left alone.
    OutputError
        The run cannot be written; nothing was lost.
    """
    earlier = readable_manifest(run, hypothesis_id)
    raw = manifest_bytes(
        hypothesis_id,
        file_of(hypothesis_id),
        keep_decided(earlier, citations),
        verified_at=verified_at,
        verifier=verifier,
    )
    with run.sub("citations", create=True) as folder:
        folder.replace(file_of(hypothesis_id), raw)
    return read_manifest(raw, f"citations/{file_of(hypothesis_id)}")
