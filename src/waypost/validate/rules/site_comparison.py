"""Rules for a sitemap compared with the site whose pages it lists."""

from waypost.validate.rules.rule import ERROR, GOOGLE, NOTE, WARNING, Rule

SITE_RULES = (
    Rule(
        "listed-missing",
        ERROR,
        "the site has no such page",
        "remove the URL, or publish the page",
        GOOGLE,
        "a loc whose file is not there",
    ),
    Rule(
        "listed-noindex",
        ERROR,
        "the page says {detail}",
        "remove the URL, or allow the page to be indexed",
        GOOGLE,
        '<meta name="robots" content="noindex">',
    ),
    Rule(
        "listed-redirect",
        ERROR,
        "the page redirects to {detail}",
        "list the page that it redirects to",
        GOOGLE,
        '<meta http-equiv="refresh" content="0; url=…">',
    ),
    Rule(
        "listed-not-canonical",
        WARNING,
        "the page's canonical link is {detail}",
        "list the canonical page",
        GOOGLE,
        '<link rel="canonical" href="…">',
    ),
    Rule(
        "listed-disallowed",
        ERROR,
        "robots.txt disallows the page for all crawlers",
        "remove the URL, or allow the page",
        "RFC 9309",
        "Disallow: /private/",
    ),
    Rule(
        "sitemap-disallowed",
        ERROR,
        "robots.txt keeps crawlers from the sitemap itself",
        "allow its URL in robots.txt",
        "RFC 9309; Google, Sitemaps report",
        "Disallow: /*.xml$",
    ),
    Rule(
        "listed-variant",
        WARNING,
        "the site serves that page at another URL, {detail}",
        "list that URL, or set drop_html, trailing_slash or index_files to match what the server does",
        GOOGLE,
        "/about where the page is /about.html",
    ),
    Rule(
        "listed-left-out",
        NOTE,
        "the site's settings exclude the page: {detail}",
        "remove the URL, or change the settings",
        "waypost.toml",
        "a loc that `exclude` matches",
    ),
    Rule(
        "unlisted",
        WARNING,
        "none of the checked sitemaps lists this page",
        "list it, or mark it noindex",
        GOOGLE,
        "a page that no sitemap lists",
    ),
)
