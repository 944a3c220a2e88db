"""Stand-in for ``novelty_kit.keys`` until that room has landed; understands the common forms only."""

import re
from urllib.parse import unquote


def normalise(text: str, scheme: str | None = None) -> str:
    t = text.strip()
    low = t.lower()
    for prefix in ("https://doi.org/", "http://dx.doi.org/", "doi:"):
        if low.startswith(prefix):
            scheme, t = "doi", unquote(t[len(prefix) :]).strip()
    for prefix in ("https://arxiv.org/abs/", "arxiv:"):
        if low.startswith(prefix):
            scheme, t = "arxiv", t[len(prefix) :]
    for prefix in ("https://openalex.org/", "openalex:"):
        if low.startswith(prefix):
            scheme, t = "openalex", t[len(prefix) :]
    for prefix in ("https://pubmed.ncbi.nlm.nih.gov/", "pmid:"):
        if low.startswith(prefix):
            scheme, t = "pmid", t[len(prefix) :].strip().strip("/")
    if low.startswith("s2:"):
        scheme, t = "s2", t[3:]
    if re.fullmatch(r"10\.48550/arxiv\.\d{4}\.\d{4,5}", t.lower()):
        return "arxiv:" + t[15:]
    if scheme in (None, "doi") and re.fullmatch(r"10\.\d{4,}/\S+", t):
        return "doi:" + t.lower()
    if scheme in (None, "arxiv") and (m := re.fullmatch(r"(\d{4}\.\d{4,5}|[a-z-]+/\d{7})(v\d+)?", t)):
        return "arxiv:" + m[1]
    if scheme in (None, "openalex") and re.fullmatch(r"[wW]\d+", t):
        return "openalex:" + t.upper()
    if scheme == "pmid" and re.fullmatch(r"\d+", t):
        return "pmid:" + t.lstrip("0")
    if scheme in (None, "s2") and re.fullmatch(r"[0-9a-fA-F]{40}", t):
        return "s2:" + t.lower()
    if scheme in (None, "s2") and re.fullmatch(r"(?i)corpusid:\d+", t):
        return "s2:CorpusId:" + t.split(":")[1]
    raise ValueError(f"not an id: {text!r} (scheme {scheme})")
