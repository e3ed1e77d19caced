"""The settings under which two checkouts are compared: the text of a waypost.toml for each."""

BASE_URL = "https://www.example.org/"
DAY = 86_400

METADATA = """
alternates = true
images = true
image_hosts = ["cdn.example.net"]
videos = true
news = { name = "The Tea & Bread Times", language = "en", pages = ["/en/", "/de/"] }
formats = ["xml", "html"]
stylesheet = true
page_dates = true
"""
"""All that is read of a page."""

MANY_GROUPS = (
    'formats = ["xml", "text"]\ngzip = true\nrobots_sitemaps = true\n[groups]\n'
    + "".join(f'part-{n} = ["article-{n:05}.html"]\n' for n in range(997))
    + 'docs = ["/docs/"]\nnames = ["/names/"]\nhome = ["/index.html"]\n'
)
"""More sitemaps than an index may list, as many as there are articles in a language."""

TREES = {
    "default": "",
    "text, html, stylesheet": 'formats = ["xml", "text", "html"]\nstylesheet = true\n',
    "text alone, robots.txt": 'formats = ["text"]\nrobots_sitemaps = true\n',
    "gzip, groups, robots.txt": """
gzip = true
formats = ["xml", "text"]
robots_sitemaps = true
groups = { first = ["/[a-h]*"], deep = ["/*/*/*/"] }
""",
    "metadata": METADATA,
    "other URLs, names and limits": """
name = "map"
limits = "current"
drop_html = true
trailing_slash = "always"
index_files = []
pages = ["html", "pdf", ".txt", ".svg"]
exclude = ["*index*", "!.nojekyll"]
respect_robots = false
foreign_canonical = "skip"
overrides = [
    { match = ["*"], changefreq = "monthly" },
    { match = ["/[a-m]*"], changefreq = "daily", priority = 0.75 },
]
""",
}
"""Over each tree, one after another in the same output folder, so that each replaces the files of the one before."""

LARGE = {
    "default": "",
    "groups, text, robots.txt": """
formats = ["xml", "text"]
robots_sitemaps = true
groups = { wiki = ["/wiki/"], library = ["/library/"] }
""",
    "gzip, current limits": """
gzip = true
limits = "current"
precision = "date"
stylesheet = true
drop_html = true
cache_control = "public, max-age=300"
overrides = [{ match = ["/wiki/"], changefreq = "weekly", priority = 0.8 }]
""",
}
"""Over many pages. A bucket's state keeps what it read: all of these read the same of a page."""
