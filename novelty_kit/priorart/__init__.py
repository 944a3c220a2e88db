"""Prior art: which claims of newness collide with what can be found, by a proven quote; what was searched.

The way through the room::

    extract.py     an artifact's sentences           -> claim list (claims.py, edits.py)
    search.py      claims, sources (index.py first)  -> search log (searchlog.py) and text store (store.py)
    adjudicate.py  a person's verdicts and quotes    -> verdict list (verdicts.py)
    record.py      all of these                      -> record and findings (folder.py: from one folder)
    notebook.py    a case or a finished record       -> what 60-prior-art shows (finished.py, page.py)

A quote is proven in proof.py, by way of quote.py (is it there?), edges.py (is it cut fairly?), gaps.py and
normal.py (what may layout change?) and substance.py (does it say anything?). What a record must disclose is
in coverage.py. The room reads files and an iterable of papers; it never opens the graph or the network
itself, never edits the artifact, and never says whether the work is new.
"""

from __future__ import annotations

from novelty_kit.priorart.claims import Claim, ClaimList, read_claims, write_claims
from novelty_kit.priorart.extract import extract_claims
from novelty_kit.priorart.folder import open_case, record_of
from novelty_kit.priorart.record import Evidence, Record, build_record
from novelty_kit.priorart.render import summary
from novelty_kit.priorart.searchlog import SearchLog, read_search_log
from novelty_kit.priorart.store import TextStore
from novelty_kit.priorart.verdicts import Verdict, read_verdicts

__all__ = [
    "Claim",
    "ClaimList",
    "Evidence",
    "Record",
    "SearchLog",
    "TextStore",
    "Verdict",
    "build_record",
    "extract_claims",
    "open_case",
    "read_claims",
    "read_search_log",
    "read_verdicts",
    "record_of",
    "summary",
    "write_claims",
]
