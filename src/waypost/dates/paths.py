"""Says what paths tell: whether a page and a file belong together, versions, languages and lists."""

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

_INDEX_NAMES = ("index", "_index", "readme", "_home", "home", "+page")
_ROOTS = frozenset(["app", "content", "routes", "doc", "docs", "pages", "site", "source", "src", "website"])
"""The folders that hold the sources of a whole site."""
_ORDER = re.compile(r"^(?:\d{4}([-_.])\d{1,2}\1\d{1,2}[-_.])?(?:\d{1,4}[-_. ]+(?!\d))?(?=.)")
"""A date, and a number, with which the names of files begin."""
_ENDING = re.compile(r"(?<=.)\.(?:[a-z0-9]{1,8}|11ty\.js)$", re.IGNORECASE)
_INNER_ENDING = re.compile(r"(?<=.)\.(?:html?|md|markdown|textile|rst|adoc)$", re.IGNORECASE)
"""The ending of a page or a text before that of a template, as in `a.html.md.erb`."""
_SEPARATORS = re.compile(r"(?<!\d)[\W_]+|[\W_]+(?!\d)")
"""What generators drop or replace in a name; what is between two digits tells versions apart."""
_BETWEEN_DIGITS = re.compile(r"[\W_]+")
_UNRELEASED = re.compile(r"[\d\W_]*(?:next|unreleased|nightly|dev)")
UNRELEASED_VERSION = (-1,)
_VERSION = re.compile(
    r"(?:(?:[a-z]+[-_])?version[-_]?v?|v|[a-z]+-)?\d{1,4}(?:\.(?:\d{1,4}|x))+|v(?:ersion[-_]v?)?\d{1,20}",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_](?:[a-z]{4}|[a-z]{2}|\d{3}))?", re.IGNORECASE)
_LISTS = re.compile(
    r"(?:^|/)(?:tags?|tagged|categor(?:y|ies)|kategorie[n]?|topics?|labels?|authors?|archives?|series|taxonom(?:y|ies))"
    r"(?:/|\.html?$|-[^/]*\.html?$)"
    r"|(?:^|/)(?:page|p)/?-?\d{1,6}(?:/index)?\.html?$|(?:^|/)page/\d{1,6}/"
    r"|(?:^|/)(?:index|posts?|blog|news)-?\d{1,6}\.html?$"
    r"|(?:^|/)(?:19|20)\d\d(?:/\d{1,2}){0,2}/(?:index\.html?)$",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:^|/)(?:genindex|search|py-modindex|http-routingtable|modindex)(?:/index)?\.html?$", re.IGNORECASE
)
_MIN_PAGES = 2
"""So many pages of a folder must have their files in another one.

1: `test_one_page_or_pages_of_another_folder_tell_nothing`; 4: `test_a_page_has_its_file_where_other_pages_have_theirs`.
"""
_MOST_FOLDERS = 50
"""How many pairs of folders are tried for a page, those of most pages first: time would grow with their product.

1: `test_the_folder_of_most_pages_comes_first`. No test has so many.
"""
_OF_PROJECT = re.compile(r"readme\.\w+", re.IGNORECASE)
"""The file in a repository's root that tells of the project: its path alone says nothing of the site's home page."""
_Segments = tuple[str, ...]


@lru_cache(131_072)
def segments(path: str) -> _Segments:
    """The folders and the name of a page or of a file, without `index`, in a form in which both are comparable.

    Dates and numbers that only order files are left out.
    """
    *folders, name = path.split("/")
    stem = _ENDING.sub("", name)
    while (inner := _INNER_ENDING.sub("", stem)) != stem:
        stem = inner
    if stem.partition(".")[0].lower() not in _INDEX_NAMES:
        folders.append(stem)
    plain = (_BETWEEN_DIGITS.sub("-", _SEPARATORS.sub("", _ORDER.sub("", each).casefold())) for each in folders)
    return tuple(filter(None, plain))


def common_end(page: _Segments, file: _Segments) -> int:
    """How many segments at their ends are equal."""
    shorter = min(len(page), len(file))
    return next((n for n in range(shorter) if page[-1 - n] != file[-1 - n]), shorter)


def nearness(page_key: str, file_path: str) -> tuple[int, int]:
    """How near the path of a page is to a file's path: equal segments at the end, then any equal segments."""
    page, file = segments(page_key), segments(file_path)
    return common_end(page, file), len(set(page).intersection(file))


def agree(page_key: str, file_path: str) -> bool:
    """Whether the last segments of a page and of a file are equal; a home page agrees with an index near the root."""
    page, file = segments(page_key), segments(file_path)
    return common_end(page, file) > 0 if page else _ROOTS.issuperset(file)


def last_segment(path: str) -> str:
    """The last segment of a page or a file; empty for a home page."""
    return next(iter(segments(path)[-1:]), "")


def names_whole(page_key: str, file_path: str) -> bool:
    """Whether a file has the last segments of a page, and all others, such as a language, in its folders.

    The whole path of a home page is named by an index near the root.
    """
    page, file = segments(page_key), segments(file_path)
    common = common_end(page, file)
    return common > 0 and set(file).issuperset(page) if page else _ROOTS.issuperset(file)


def last_two(path: str) -> str:
    """The last two parts of a path, by which files are found: many have the same name."""
    return "/".join(path.rsplit("/", 2)[-2:])


@lru_cache(65_536)
def version(path: str) -> tuple[int, ...]:
    """The version of a product that a folder of a path names, such as `3.2` or `version-2.x`; empty if none does.

    Of several that which says most, such as `3.2` in `v3/3.2`; one not released yet is `UNRELEASED_VERSION`.
    """
    folders = path.split("/")[:-1]
    named = (folder for folder in folders if _VERSION.fullmatch(folder))
    found = max((tuple(map(int, re.findall(r"\d+", folder))) for folder in named), key=len, default=())
    is_unreleased = len(found) <= 1 and any(map(_UNRELEASED.fullmatch, folders))
    return UNRELEASED_VERSION if is_unreleased else found


def language(path: str, languages: Collection[str]) -> str:
    """The first of these languages that a path names, in a folder or before the ending of the file; `""` if none."""
    *folders, name = path.casefold().split("/")
    words = [*folders, *name.split(".")[1:-1]]
    return next((plain for word in words if (plain := _language(word)) in languages), "")


def without_language(path: str, languages: Collection[str]) -> str:
    """The path without a language before the ending of the file, as `tools.md` for `tools.fr.md`."""
    folder, name = posixpath.split(path)
    stem, *words = name.split(".")
    kept = [word for word in words[:-1] if _language(word.casefold()) not in languages]
    return posixpath.join(folder, ".".join([stem, *kept, *words[-1:]]))


def _language(word: str) -> str:
    """A language without script and region, of a folder such as `de`, `pt-BR` or `content.de`."""
    last = word.rpartition(".")[2]
    return re.split("[-_]", last)[0] if _LANGUAGE.fullmatch(last) else ""


def is_list(key: str) -> bool:
    """Whether a page is, by its path, a taxonomy, a pagination, an archive or an index that generators make."""
    return bool(_LISTS.search(key) or _OTHERS.search(key))


class SourceFolders:
    """The folders of a site's pages and of their files, learned from the pages whose files are known by other evidence.

    Of most generators all pages have their files in one folder, such as `docs`; of some each language has one.
    """

    def __init__(self, known: Iterable[tuple[str, str]], files: Iterable[str], languages: Collection[str]) -> None:
        counts = Counter(_folders(segments(key), _folder_segments(file, languages)) for key, file in known)
        most = sorted(counts, key=lambda each: (-counts[each], each))[:_MOST_FOLDERS]
        self._folders = [each for each in most if counts[each] >= _MIN_PAGES]
        self._files: dict[_Segments, list[str]] = defaultdict(list)
        for file in (each for each in files if not _OF_PROJECT.fullmatch(each)):
            self._files[_folder_segments(file, languages)].append(file)

    def files(self, key: str) -> Iterator[Sequence[str]]:
        """The files with the path of a page, by the folder in which they are: that of most other pages first."""
        page = segments(key)
        for of_pages, of_files in self._folders:
            count = len(of_pages)
            if _without_digits(page[:count]) == of_pages and (path := of_files + page[count:]) in self._files:
                yield self._files[path]


def _folder_segments(file: str, languages: Collection[str]) -> _Segments:
    """The path of a file, whatever the language that its name ends with."""
    return segments(without_language(file, languages))


def _folders(page: _Segments, file: _Segments) -> tuple[_Segments, _Segments]:
    """The folders of a page and of its file, without what is equal at the ends of both paths."""
    common = common_end(page, file)
    return _without_digits(page[: len(page) - common]), file[: len(file) - common]


def _without_digits(folders: _Segments) -> _Segments:
    """The same for all dates, such as `2026/01`."""
    return tuple("#" if folder.isdigit() else folder for folder in folders)
