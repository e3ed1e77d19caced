"""Whether a key alone makes its item a page, before anything is read."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.settings.output_names import output_names
from waypost.settings.schema import Site
from waypost.settings.values import CONTENT_TYPE

KeyCheck = Callable[[str], Reason | None]
KeyRule = Callable[[Site], KeyCheck]

_ERROR = r"(?:40[013457]|41[0-9]|42[0-9]|451|50[0-5]|4xx|5xx|50x)"
_HTML = r"\.(?:x?html?|xht|shtml|md|markdown)"
_PLACE = r"(?:(?:errors?|[a-z]{2}(?:[-_][a-z]{2,4})?)/)?"
_APP_SHELL = re.compile(
    rf"{_PLACE}200\.html"
    r"|(?:.*/)?(?:offline-plugin-app-shell-fallback/index|__spa-fallback|_shell|index\.csr)\.html"
    r"|(?:.*/)?\[{1,2}(?:\.\.\.)?[a-z_][\w-]*\]{1,2}(?:/index|/page)?\.html"
)
"""Those of Surge and SvelteKit, Gatsby, React Router, TanStack Start and Angular, and of routes with a parameter."""
_NOT_FOUND = r"(?:404|\+not-found|_not-found|_global-error)"
"""The last two are those of Next, whose `.meta` files say 404 and 500."""
_ERROR_PAGE = re.compile(rf"(?:(?:.*/)?{_NOT_FOUND}|{_PLACE}(?:{_ERROR}|error|{_ERROR}/index)){_HTML}")
"""`404.html` anywhere; other codes and `error.html` where servers look: the root, a language's folder, `errors/`."""
_MAX_KEYS = 100_000
"""The number of keys whose groups are remembered: records are asked for theirs again and again."""


def hidden(site: Site) -> KeyCheck:
    """Names that begin with a dot, by which servers and systems mean hidden files."""
    del site
    return lambda name: reasons.HIDDEN if name.startswith(".") else None


def dependency(site: Site) -> KeyCheck:
    """The folders of Node's and Bower's packages."""
    del site
    return lambda name: reasons.DEPENDENCY if name in ("node_modules", "bower_components") else None


def unpublished(site: Site) -> KeyCheck:
    """Names that begin with `_`, which generators such as Jekyll do not publish; only of sites that list Markdown."""
    if ".md" not in site.pages:
        return lambda name: None
    return lambda name: reasons.UNPUBLISHED if name.startswith("_") else None


def error_page(site: Site) -> KeyCheck:
    """The pages that servers show for errors."""
    del site
    return lambda key: reasons.ERROR_PAGE if _ERROR_PAGE.fullmatch(key.lower()) else None


def app_shell(site: Site) -> KeyCheck:
    """The pages that applications show for any URL, by the names that generators give them (see `_APP_SHELL`)."""
    del site
    return lambda key: reasons.APP_SHELL if _APP_SHELL.fullmatch(key.lower()) else None


def bundle(site: Site) -> KeyCheck:
    """The folder in which Bundler installs Ruby's packages."""
    del site
    return lambda key: reasons.DEPENDENCY if f"/{key}".find("/vendor/bundle/") >= 0 else None


def output(site: Site) -> KeyCheck:
    """The files that Waypost writes itself."""
    names = output_names(site)
    stems = names.stems

    def check(key: str) -> Reason | None:
        is_robots = site.robots_sitemaps and key == "robots.txt"
        return reasons.OUTPUT if is_robots or (key.startswith(stems) and names.is_configured(key)) else None

    return check


def file_type(site: Site) -> KeyCheck:
    """Files of other types than the setting `pages` names; what may be a page by its Content-Type is read first."""
    endings = tuple(site.pages - {CONTENT_TYPE})

    def check(key: str) -> Reason | None:
        is_page = key.lower().endswith(endings) or site.may_be_untyped_page(key)
        return reasons.NOT_A_PAGE if key == "robots.txt" or not is_page else None

    return check


def not_included(site: Site) -> KeyCheck:
    """Files that no pattern of the setting `include` matches, if it has any; the syntax is that of gitignore."""
    if not site.include:
        return lambda key: None
    return lambda key: None if site.include.decision(key) else reasons.NOT_INCLUDED


NAME_RULES: list[KeyRule] = [hidden, dependency, unpublished]
"""Asked for the name of a file and of each folder above it; `exclude = ["!name"]` takes them back."""
DEFAULT_RULES: list[KeyRule] = [error_page, app_shell, bundle]
"""Asked for the key of a file; `exclude = ["!key"]` takes them back."""
KEY_RULES: list[KeyRule] = [output, file_type, not_included]
"""Asked for the key of a file that nothing else leaves out; no setting takes them back."""


def first_reason(checks: Iterable[KeyCheck], key: str) -> Reason | None:
    """The first reason that a check gives for a key."""
    for check in checks:
        if reason := check(key):
            return reason
    return None


class Selection:
    """The rules of one site for keys.

    The patterns of `exclude` come first: they leave out, or take back (`!`) what the rules by default leave out.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._name_checks = [rule(site) for rule in NAME_RULES]
        self._default_checks = [rule(site) for rule in DEFAULT_RULES]
        self._key_checks = [rule(site) for rule in KEY_RULES]
        self._folder_reasons: dict[str, Reason | None] = {"": None}
        self._matching_group = lru_cache(_MAX_KEYS)(self._match_group)

    def exclusion_reason(self, key: str) -> Reason | None:
        """Why the key is no page, or None if it may be one."""
        return self._parents_reason(key) or self._own_reason(key) or first_reason(self._key_checks, key)

    def folder_exclusion_reason(self, key: str) -> Reason | None:
        """Why nothing below a folder (`key` ends with `/`) is a page, or None if something may be."""
        is_excluded = self._site.exclude.decision(key)
        if is_excluded is None:
            return first_reason(self._name_checks, key[:-1].rpartition("/")[2])
        return reasons.EXCLUDED if is_excluded else None

    def group(self, key: str) -> str:
        """The first group whose patterns match the key; `""` is the default group."""
        return self._matching_group(key) if self._site.groups else ""

    def changefreq_and_priority(self, key: str) -> tuple[str | None, str | None]:
        """The changefreq and priority that overrides give the key; the last match of each wins."""
        changefreq = priority = None
        for override in self._site.overrides:
            if override.match.decision(key):
                changefreq = override.changefreq or changefreq
                priority = override.priority or priority
        return changefreq, priority

    def _parents_reason(self, key: str) -> Reason | None:
        """The reason of a folder above: as in Git, nothing below it can be taken back."""
        known, unknown = self._folder_reasons, list[str]()
        folder = above = parent_folder(key)
        while above not in known:
            unknown.append(above)
            above = parent_folder(above)
        for each in reversed(unknown):
            known[each] = known[parent_folder(each)] or self.folder_exclusion_reason(each)
        return known[folder]

    def _own_reason(self, key: str) -> Reason | None:
        is_excluded = self._site.exclude.decision(key)
        if is_excluded is None:
            name = key.rpartition("/")[2]
            return first_reason(self._name_checks, name) or first_reason(self._default_checks, key)
        return reasons.EXCLUDED if is_excluded else None

    def _match_group(self, key: str) -> str:
        return next((name for name, match in self._site.groups if match.decision(key)), "")


def parent_folder(key: str) -> str:
    """The folder, with a slash at its end, that holds a key, which may be a folder itself; `""` is the root."""
    return key[: key.rfind("/", 0, -1) + 1]
