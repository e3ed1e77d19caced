"""Settings of the site."""

BLOG_AUTHOR = "Ida Holm"
BLOG_TITLE = "Allotment garden"
SITE_URL = "https://site.example/garden/"
BLOG_EMAIL = "ida@site.example"
BLOG_DESCRIPTION = "Vegetables, mostly."
DEFAULT_LANG = "en"
TRANSLATIONS = {"en": "", "da": "./da"}
TIMEZONE = "UTC"
THEME = "base"
POSTS = (("posts/*.md", "posts", "post.tmpl"),)
PAGES = (("pages/*.md", "", "page.tmpl"),)
COMPILERS = {"markdown": (".md",), "html": (".html",)}
REDIRECTIONS = [("old/potatoes.html", "/garden/posts/potatoes/")]
INDEX_DISPLAY_POST_COUNT = 2
ROBOTS_EXCLUSIONS = ["/garden/categories/*"]
USE_BUNDLES = False
GENERATE_RSS = GENERATE_ATOM = False
SHOW_SOURCELINK = False
COPY_SOURCES = False
CONTENT_FOOTER = ""
