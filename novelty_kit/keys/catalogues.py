"""Ids that a catalogue gives out: OpenAlex works, PubMed records, Semantic Scholar papers.

None of them can be derived from another id, so none is ever completed or guessed. No network. No clock.
"""

from __future__ import annotations

import re
from typing import Final

from novelty_kit.keys.text import refuse

OPENALEX_NORMAL: Final = "W[1-9][0-9]*"
OPENALEX_ADDRESS: Final = r"(?:api\.|explore\.)?openalex\.org/(?:works/)?"
PMID_NORMAL: Final = "[1-9][0-9]*"
PMID_ADDRESS: Final = r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/"
S2_NORMAL: Final = "(?:[0-9a-f]{40}|CorpusId:[1-9][0-9]*)"
S2_ADDRESS: Final = (
    r"(?:api\.)?semanticscholar\.org/(?:(?:graph/)?(?:v1/)?(?:paper|reader)/(?:[^/?#]*/(?=[^/?#]))?)?"
)

_WORK = re.compile(OPENALEX_NORMAL, re.ASCII | re.IGNORECASE)
_OTHER_ENTITY = re.compile("(?:[a-z]+/)?[A-VX-Za-vx-z][0-9]+")
_SHA = re.compile("[0-9A-Fa-f]{40}")
_CORPUS_ID = re.compile("corpusid:([1-9][0-9]*)", re.ASCII | re.IGNORECASE)


def read_openalex(body: str, text: str) -> str:
    """Give the work's id; `text` is what an error quotes."""
    if _WORK.fullmatch(body):
        return body.upper()
    if _OTHER_ENTITY.fullmatch(body):
        refuse(text, "is an OpenAlex entity of another kind than a work", "openalex")
    refuse(text, "is no OpenAlex work", "openalex")


def read_pmid(body: str, text: str) -> str:
    """Give the number without leading zeros; `text` is what an error quotes."""
    if not (body.isascii() and body.isdigit()):
        refuse(text, "is no PubMed number", "pmid")
    number = body.lstrip("0")
    if not number:
        refuse(text, "is zero, and PubMed counts from 1", "pmid")
    return number


def read_s2(body: str, text: str) -> str:
    """Give the hash in lower case, or ``CorpusId:`` and the number; `text` is what an error quotes."""
    if _SHA.fullmatch(body):
        return body.lower()
    corpus_id = _CORPUS_ID.fullmatch(body)
    if corpus_id:
        return f"CorpusId:{corpus_id[1]}"
    refuse(text, "is no Semantic Scholar paper", "s2")
