"""Records what the real Jekyll writes for the sites in fixtures/jekyll: needs `jekyll` and the plugins of the sites.

On Debian: apt-get install jekyll ruby-jekyll-{sitemap,feed,paginate,redirect-from,readme-index,optional-front-matter}.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from jekyll_builds import FIXTURES, SITES, real_build


def main() -> None:
    """Build each site and write its expected.json."""
    for site in SITES:
        with tempfile.TemporaryDirectory() as folder:
            rows = [json.dumps(row, ensure_ascii=False) for row in real_build(site, Path(folder))]
        text = "[\n" + ",\n".join(rows) + "\n]\n"
        (FIXTURES / "jekyll" / site / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
