"""Reads the files with which a site's folder gives its server rules: redirects, and answers for any URL."""

import re
from collections.abc import Callable, Iterable

RULE_FILES = ("_redirects", ".htaccess", "200.html", "staticwebapp.config.json", "vercel.json", "netlify.toml")
"""Netlify's and Cloudflare's redirects, Apache's rules, the page that Surge serves for any URL, and others' rules."""
_PLACEHOLDER = re.compile(r"\\\*|:[A-Za-z]\w*")
_APACHE_RULE = re.compile(r"^\s*(?:Rewrite(?:Rule|Map)|RedirectMatch|FallbackResource|AliasMatch)\b", re.I | re.M)
_APACHE_REDIRECT = re.compile(
    r"^\s*(?:Redirect(?:Permanent|Temp)?|Alias)\s+(?:\d{3}\s+|permanent\s+|temp\s+|seeother\s+)?\"?(/[^\s\"]*)",
    re.IGNORECASE | re.MULTILINE,
)

ServerRules = Callable[[str], bool]
"""Whether a rule may answer at a path below the site's root, which is not encoded."""


def server_rules(find: Callable[[str], bytes | None], site_path: str) -> ServerRules:
    """The rules in the files of a folder, which `find` reads; `site_path` is the path of the site's root.

    Where a file may have rules that only its server understands, any path may be answered.
    """
    texts = {name: text.decode("utf-8", "replace") for name in RULE_FILES if (text := find(name)) is not None}
    apache = texts.get(".htaccess", "")
    if texts.keys() - {"_redirects", ".htaccess"} or _APACHE_RULE.search(apache):
        return lambda path: True
    patterns = [
        *_netlify(texts.get("_redirects", "")),
        *(f"{re.escape(path)}.*" for path in _APACHE_REDIRECT.findall(apache)),
    ]
    if not patterns:
        return lambda path: False
    rule = re.compile("|".join(patterns))
    return lambda path: rule.fullmatch(site_path + path) is not None


def _netlify(text: str) -> Iterable[str]:
    """The patterns of the paths that `_redirects` names (one rule a line: from, to, status)."""
    for line in text.splitlines():
        path = line.split("#")[0].strip().partition(" ")[0].split("?")[0]
        if path.startswith("/"):
            yield _PLACEHOLDER.sub(lambda match: ".*" if match[0] == r"\*" else "[^/]+", re.escape(path)) + "/?"
