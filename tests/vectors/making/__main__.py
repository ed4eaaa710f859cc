"""Write every vector file that derives from code."""

from __future__ import annotations

from tests.vectors.making import fresh_files

for path, data in fresh_files().items():
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
