"""Recognises pages that list other pages: they are made of many files, so no file dates them."""

import re

_LISTS = re.compile(
    r"(?:^|/)(?:tags?|tagged|categor(?:y|ies)|kategorie[n]?|topics?|labels?|authors?|archives?|series|taxonom(?:y|ies))"
    r"(?:/|\.html?$|-[^/]*\.html?$)"
    r"|(?:^|/)(?:page|p)/?-?\d{1,6}(?:/index)?\.html?$|(?:^|/)page/\d{1,6}/"
    r"|(?:^|/)(?:index|posts?|blog|news)-?\d{1,6}\.html?$"
    r"|(?:^|/)\d{4}(?:/\d{1,2}){0,2}/(?:index\.html?)$",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:^|/)(?:genindex|search|py-modindex|http-routingtable|modindex)(?:/index)?\.html?$", re.IGNORECASE
)


def is_list(key: str) -> bool:
    """Whether the path of a page is that of a taxonomy, a pagination, an archive or an index that generators make."""
    return bool(_LISTS.search(key) or _OTHERS.search(key))
