"""The loopback server of the ingestion tests serves the search tests too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "ingest"))
