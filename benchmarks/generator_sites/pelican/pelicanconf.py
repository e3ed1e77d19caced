"""Settings of the site."""

AUTHOR = "Ada Brook"
SITENAME = "River diary"
SITEURL = "https://site.example"
RELATIVE_URLS = False
PATH = "content"
PLUGINS = ["sitemap"]
THEME = "theme"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
DEFAULT_PAGINATION = 2
DEFAULT_DATE_FORMAT = "%Y-%m-%d"
STATIC_PATHS = ["extra"]
EXTRA_PATH_METADATA = {"extra/robots.txt": {"path": "robots.txt"}}
ARTICLE_URL = "{date:%Y}/{slug}/"
ARTICLE_SAVE_AS = "{date:%Y}/{slug}/index.html"
PAGE_URL = "{slug}.html"
PAGE_SAVE_AS = "{slug}.html"
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
SITEMAP = {"format": "xml", "exclude": ["^tag/"]}
