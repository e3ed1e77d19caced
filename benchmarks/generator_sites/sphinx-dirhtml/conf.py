"""Settings of the manual, which is published under its language and version."""

project = "Weather station"
author = "The station's makers"
version = release = "stable"
language = "en"
extensions = ["sphinx_sitemap"]
html_theme = "alabaster"
html_baseurl = "https://site.example/en/stable/"
sitemap_url_scheme = "{link}"
html_show_copyright = False
