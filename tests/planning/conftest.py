"""Random logs and the plain second engine live with the verdict's tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "verdict"))
