"""Settings of the manual."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Telescope control"
author = "The observatory"
release = "2.4"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.githubpages", "sphinx.ext.viewcode", "sphinx_sitemap"]
html_theme = "alabaster"
html_baseurl = "https://site.example/"
sitemap_url_scheme = "{link}"
sitemap_excludes = ["search.html", "genindex.html"]
html_extra_path = ["extra"]
html_show_copyright = False
exclude_patterns = ["_build", "drafts"]
