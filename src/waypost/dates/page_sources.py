"""Decides by the evidence which tracked files a built page is made of."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from waypost.dates import paths, source_text
from waypost.dates.file_parts import ALL_DOCSTRINGS, OF_DOCSTRINGS, OF_NAMES, Part
from waypost.dates.page_parts import NO_PARTS, PageParts
from waypost.dates.paths import SourceFolders
from waypost.dates.text_matches import TextMatch

Evidence = Literal["generator", "copy", "generator-date", "text", "edit-link", "path"]
NoSource = Literal["list-page", "ambiguous", "no-evidence", "weak-evidence"]

_HELD, _COVERED, _COVERED_ELSEWHERE = 0.5, 0.2, 0.4
"""A page is made of a file if it has this share of the file's text, and the file this share of the page's own text.

A file of which the path does not agree with the page's needs more: it may be included in a page of another file.

These values and those below were measured together only, on 150 sites (`benchmarks/results/real_sites.md`). Of each it
is said which test of `test_page_sources.py` fails where.

`_HELD`: 0.25 `test_too_little_of_the_text_of_a_file_with_another_path_is_no_evidence`, 0.75
`test_a_file_whose_path_the_page_has_needs_less_text`. `_COVERED`: 0.1
`test_a_file_to_which_a_page_links_for_editing_needs_less_text`, 0.4 as 0.75 before. `_COVERED_ELSEWHERE`: 0.2 as 0.25
before, 0.8 `test_a_file_with_another_path_needs_much_of_the_page`.
"""
_ALIKE = 0.9
"""Texts of which one is on the page to this share of the other are alike: other evidence decides between them.

0.7: `test_a_translation_that_keeps_much_of_the_text_is_not_made_of_the_other_language_s_file`; 0.99:
`test_a_page_that_is_a_copy_of_another_page_has_its_file`.
"""
_NAMED = 0.25
"""A file that the whole path of a page names needs less: the rest of the page may come from files that it includes.

0.125: `test_a_file_to_which_a_page_links_for_editing_needs_less_text`; 0.5:
`test_a_file_whose_path_the_page_has_needs_less_text`.
"""
_MOST_COVERED = 1.02
"""The most that two files which are parts of a page can have of it; two that have more have the same text.

0.9: `test_a_page_may_be_nothing_but_its_file_and_one_that_it_includes`; 1.2, or without it:
`test_a_text_and_a_data_file_of_one_name_that_each_have_a_part_of_a_page_make_it_together`. No test tells it from 1.
"""
_NAMED_SEGMENTS = 2
"""A list whose last two names are a file's, such as `archive/2020-report`, has that file as its own.

1 and 3: `test_a_list_page_with_a_file_of_its_own_path_is_made_of_it`.
"""
_MIN_LISTED = 2
"""A page that has most of so many files, which other pages are made of, is a list of these pages.

1 and 4: `test_a_page_that_has_most_of_two_other_pages_files_is_a_list_of_them`.
"""
_LEAST_SHARE, _LEAST_BESIDE_CODE = 0.05, 0.6
"""Sources that explain less than this share of a page's own text do not date it; where code is lacking, the second.

Of 3,775 dated pages of 69 sites the first takes 10 right dates and a wrong one, and 24 of lists and generated pages;
0.1 would take 15, 1 and 28, and 0.02 8, 1 and 22. 0.04 and 0.06:
`test_sources_that_explain_too_little_of_a_page_do_not_date_it`. The second: 0.35 and 0.75
`test_a_text_around_code_that_is_not_found_dates_a_page_of_which_it_is_most`.
"""
_SHOWN = 3
"""How many other files are named in an explanation."""
_MOST_INCLUDING = 3
"""A file that more pages include, such as a notice, is of the site's frame, and dates none of them.

1 and 6: `test_a_file_that_many_pages_include_is_of_the_frame_and_dates_none`.
"""
_INCLUDED, _MIN_SHINGLES = 0.9, 4
"""A further file is included in a page if the page has so much of its text, and the text has so many shingles.

`_INCLUDED`: 0.45
`test_a_data_file_that_makes_much_of_a_page_belongs_to_it_though_the_page_does_not_show_all_of_it`, 1
`test_a_page_may_be_nothing_but_its_file_and_one_that_it_includes`. `_MIN_SHINGLES`: 2
`test_a_part_or_a_few_words_of_a_file_are_not_included`, 8 `test_a_page_is_made_of_the_files_that_it_includes_too`.
"""


class PageEvidence(Struct, frozen=True, gc=False):
    """What is known of one page: its matches, best first, its language, files that it links to, and dates it gives.

    `version` is the one that the page itself says it is of. `dated` are the files that a commit changed at the very
    second that the generator has as the page's date. `is_list` says that it consists of the names of other pages.
    `named` are the files that the generator itself says the page is made of.
    """

    key: str
    matches: tuple[TextMatch, ...] = ()
    language: str = ""
    linked: tuple[str, ...] = ()
    dated: frozenset[str] = frozenset()
    is_list: bool = False
    version: tuple[int, ...] = ()
    named: tuple[str, ...] = ()


class PageSources(Struct, frozen=True, gc=False):
    """The files that a page is made of, by what evidence, and how strong that is; or why none is known.

    `considered` has the other files that were compared with the page, and what each has of it. `parts` are the parts
    of other files that these name, and that the page shows.
    """

    files: tuple[str, ...] = ()
    evidence: Evidence | None = None
    strength: str = ""
    reason: NoSource | None = None
    considered: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def all_files(self) -> tuple[str, ...]:
        """The files that the page is made of, also those of which it shows parts."""
        return tuple(dict.fromkeys((*self.files, *(part.path for part in self.parts))))


_Shown = TypeVar("_Shown", str, Part)
_Holder = tuple[int, tuple[int, int], float]
"""How much of a file a page has, how near its path is to the file's, and how much of the page the file has."""
_NO_HOLDER: _Holder = (0, (0, 0), 0.0)


def find_sources(
    pages: Sequence[PageEvidence],
    files: Sequence[str],
    languages: Collection[str],
    project: str = "",
    parts: PageParts = NO_PARTS,
) -> dict[str, PageSources]:
    """The sources of each page, by key; `files` are those of which the path alone may name one as a page's source.

    `languages` are those in which the site has pages. `project` is the folder, with a slash at its end, of which a
    generator made the site; a page may show other files. `parts` tells how much of a page its sources explain.
    """
    return _SourceSearch(pages, files, languages, project, parts).all()


class _SourceSearch:
    """One search over all pages of a site, since a file belongs to the page that has most of it."""

    def __init__(
        self,
        pages: Sequence[PageEvidence],
        files: Sequence[str],
        languages: Collection[str],
        project: str,
        parts: PageParts,
    ) -> None:
        self._pages, self._named_files, self._parts = pages, files, parts
        self._languages, self._project = languages, project
        matched = {match.path for page in pages for match in page.matches}
        self._translated = {paths.language(path, languages) for path in matched} - {""}
        self._versions = set(map(paths.version, matched))
        self._newest = max(self._versions, default=())
        self._holders = self._all_holders()

    def all(self) -> dict[str, PageSources]:
        """The sources of each page, by key."""
        all_main = self._all_main()
        main = {page.key: self._by_docstrings(page, all_main[page.key]) for page in self._pages}
        owned = {file for found in main.values() for file in found.files}
        named = {page.key: self._parts.of(page.key, main[page.key].files) for page in self._pages}
        others = {key: owned | {part.path for part in parts} for key, parts in named.items()}
        whole = {page.key: self._whole(page, main[page.key], others[page.key]) for page in self._pages}
        held = {page.key: [match.path for match in page.matches if _is_held(match)] for page in self._pages}
        own = self._without_frame(held, {key: [match.path for match in found] for key, found in whole.items()})
        parts, found = self._without_frame(named, named), {}
        for page in self._pages:
            included = [match for match in whole[page.key] if match.path in own[page.key]]
            naming = _naming(main[page.key].files, parts[page.key])
            sources = replace(main[page.key], parts=(*main[page.key].parts, *parts[page.key], *naming))
            sources = self._by_docstrings(page, _with_included(page, sources, included))
            found[page.key] = _with_considered(page, sources)
        return found

    def _without_frame(
        self, shown: Mapping[str, Iterable[_Shown]], wanted: Mapping[str, Iterable[_Shown]]
    ) -> dict[str, tuple[_Shown, ...]]:
        """What is wanted of each page without what more than a few pages of its version and language show."""
        editions = {page.key: (page.version or paths.version(page.key), self._language(page)) for page in self._pages}
        counts = Counter((each, editions[key]) for key, found in shown.items() for each in found)
        return {
            key: tuple(each for each in found if counts[each, editions[key]] <= _MOST_INCLUDING)
            for key, found in wanted.items()
        }

    def _all_main(self) -> dict[str, PageSources]:
        """The sources without included files; of pages without other evidence by their paths, as of the other pages."""
        found = {page.key: self._main(page) for page in self._pages}
        files = {key: sources.files[0] for key, sources in found.items() if sources.files}
        pages = Counter(files.values())
        known = ((key, file) for key, file in files.items() if pages[file] == 1)
        folders = SourceFolders(known, self._named_files, self._languages)
        by_path = [(page, self._by_path(page, folders)) for page in self._pages if not found[page.key].files]
        return found | {page.key: sources for page, sources in by_path if sources and self._explains(page, sources)}

    def _by_docstrings(self, page: PageEvidence, found: PageSources) -> PageSources:
        """The sources of a page without modules of which it shows only what they say of themselves: their parts.

        These are the ones that a text names, which is then a source, or else all docstrings of a module.
        """
        modules = [file for file in found.files if source_text.is_module(file)]
        modules = [file for file in modules if not self._parts.shows_code(page.key, file)]
        if not modules or found.evidence == "generator":
            return found
        texts = [file for file in found.files if file not in modules]
        texts = texts or [file for file in (*page.linked, *self._texts_like(page.key)) if self._may_be_of(page, file)]
        naming = {module: [text for text in texts if self._parts.documentation([text], module)] for module in modules}
        files = dict.fromkeys((*(file for file in found.files if file not in modules), *chain(*naming.values())))
        shown = {part.path for part in found.parts}
        others = [module for module, text in naming.items() if not text and module not in shown]
        parts = (*found.parts, *(self._shown_of(page, module) for module in others))
        return replace(found, files=tuple(files), parts=tuple(dict.fromkeys(parts)))

    def _shown_of(self, page: PageEvidence, module: str) -> Part:
        """The docstrings of a module that a page shows: those of the object for which it is named, or else all."""
        found = self._object_of(page, [module])
        return found[0] if found and found[0].path == module else Part(module, ALL_DOCSTRINGS)

    def _object_of(self, page: PageEvidence, modules: Sequence[str]) -> tuple[Part, float] | None:
        """The object for which a page is named, and the share of the page that its docstrings have, if that is much."""
        found = self._parts.documented(page.key, modules)
        return found if found and found[1] >= _COVERED_ELSEWHERE else None

    def _texts_like(self, key: str) -> Sequence[str]:
        """The texts whose last name is a page's."""
        return [file for file in self._texts_by_name.get(paths.last_segment(key), ()) if paths.agree(key, file)]

    @cached_property
    def _texts_by_name(self) -> Mapping[str, Sequence[str]]:
        found = defaultdict[str, list[str]](list)
        for file in filter(source_text.is_markup, self._named_files):
            found[paths.last_segment(file)].append(file)
        return found

    def _explains(self, page: PageEvidence, found: PageSources) -> bool:
        """Whether the sources of a page, with the parts that they name, explain enough of its text to date it."""
        if not found.files:
            return True
        if self._lists_others(page, found):
            return False
        least = _LEAST_BESIDE_CODE if self._parts.lacks_code(found.files) else _LEAST_SHARE
        covered = max((match.covered for match in page.matches if match.path in found.files), default=0.0)
        return covered >= least or self._parts.share(page.key, found.files) >= least

    def _lists_others(self, page: PageEvidence, found: PageSources) -> bool:
        """Whether a page has nothing of its own text from its sources, which have no text but a title and the like."""
        return self._parts.lacks_text(found.files) and not self._parts.explained(page.key, found.files)

    def _all_holders(self) -> dict[str, _Holder]:
        """The page that has most of each file, by path, of all that are no lists and may be made of it."""
        found: dict[str, _Holder] = {}
        for page in self._pages:
            for match in () if paths.is_list(page.key) else page.matches:
                if self._may_be_of(page, match.path):
                    holder = (match.common, paths.nearness(page.key, match.path), match.covered)
                    found[match.path] = max(holder, found.get(match.path, _NO_HOLDER))
        return found

    def _main(self, page: PageEvidence) -> PageSources:
        if page.named:
            return PageSources(page.named, "generator", "the generator names it")
        possible = [match for match in page.matches if self._may_be_source(page, match)]
        if paths.is_list(page.key):
            possible = [match for match in possible if self._is_own_of_list(page.key, match)]
            return self._by_text(page, possible) or PageSources(reason="list-page")
        if found := self._by_generator_date(page, possible):
            return PageSources(reason="list-page") if self._lists_others(page, found) else found
        by_text = self._by_text(page, possible)
        if by_text and self._explains(page, by_text):
            return by_text
        others = [match for match in possible if by_text and match.path not in by_text.files]
        named = [self._by_object(page), self._by_link(page, possible), self._by_text(page, others)]
        candidates = list(filter(None, named))
        strong = (found for found in candidates if self._explains(page, found))
        reason = "weak-evidence" if by_text or candidates else self._no_source(page, possible)
        return next(strong, PageSources(reason=reason))

    def _no_source(self, page: PageEvidence, possible: Sequence[TextMatch]) -> NoSource:
        """Why a page has no source: one that has the names, or most of the files, of several others is their list."""
        held = [match for match in possible if _is_held(match)]
        if page.is_list or sum(not self._belongs_to(page.key, match) for match in held) >= _MIN_LISTED:
            return "list-page"
        return "ambiguous" if possible and possible[0].held >= _HELD else "no-evidence"

    def _may_be_source(self, page: PageEvidence, match: TextMatch) -> bool:
        """Whether a file is in the page's language; of a file that names none, a translation has not nearly all."""
        of_page = paths.language(page.key, self._languages)
        is_translated = of_page in self._translated and not paths.language(match.path, self._languages)
        return self._may_be_of(page, match.path) and (match.held >= _ALIKE or not is_translated)

    def _may_be_of(self, page: PageEvidence, file: str) -> bool:
        """Whether file and page do not name different languages or versions."""
        named = {paths.language(file, self._languages), self._language(page)} - {""}
        return paths.version(file) in self._versions_of(page) and len(named) <= 1

    def _versions_of(self, page: PageEvidence) -> Collection[tuple[int, ...]]:
        """The versions of files that a page may be made of: its own, if it says one that files have.

        Else a page is of the version in its path, or of the newest, and its files may be of none.
        """
        if page.version and page.version in self._versions:
            return (page.version,)
        return (), page.version or paths.version(page.key) or self._newest

    def _language(self, page: PageEvidence) -> str:
        return paths.language(page.key, self._languages) or page.language

    def _by_generator_date(self, page: PageEvidence, possible: Sequence[TextMatch]) -> PageSources | None:
        """The candidate that a commit changed at the time that the generator gives the page."""
        candidates = {match.path for match in possible if match.held >= _NAMED and self._belongs_to(page.key, match)}
        candidates |= {*page.linked, *(file for file in page.dated if paths.agree(page.key, file))}
        dated = sorted(file for file in candidates & page.dated if self._may_be_of(page, file))
        return PageSources(tuple(dated), "generator-date", "to the second") if len(dated) == 1 else None

    def _by_text(self, page: PageEvidence, possible: Sequence[TextMatch]) -> PageSources | None:
        own = [match for match in possible if self._belongs_to(page.key, match) and not _is_loader(match.path)]
        strong = _strong(page, own) or [match for match in possible if self._says_address_of(page, match)]
        best = self._best(page, strong) if strong else None
        if best is None:
            return None
        if best.covered < _COVERED:  # and all that it has, another file may have, too
            best = next(
                (match for match in own if _is_strong(match) and not _are_parts(best.covered, match.covered)), best
            )
        files = [best.path, *(match.path for match in strong if _is_text_beside(match, best))]
        files += [match.path for match in possible if self._has_fields_of(page, match.path)]
        linked = self._linked(page)
        if linked and self._is_around(page.key, linked, best.path):
            files.append(linked)
        return PageSources(tuple(dict.fromkeys(files)), "text", best.strength)

    def _says_address_of(self, page: PageEvidence, match: TextMatch) -> bool:
        """Whether a file is strong evidence because its front matter has the page's address."""
        return _is_held(match) and _is_much(match) and self._parts.says_address(page.key, match.path)

    def _is_around(self, key: str, linked: str, included: str) -> bool:
        """Whether a page is made of the file to which it links, and of another one that this includes."""
        is_named = paths.agree(key, linked) and not paths.agree(key, included)
        return is_named or any(part.path == included for part in self._parts.of(key, [linked]))

    def _has_fields_of(self, page: PageEvidence, file: str) -> bool:
        """Whether a page shows what the front matter of the file with its path says, as by a template for one page."""
        is_named = source_text.is_markup(file) and paths.names_whole(page.key, file)
        return is_named and self._parts.share_of_fields(page.key, file) >= _COVERED

    def _belongs_to(self, key: str, match: TextMatch) -> bool:
        """Whether no other page has more of the file, or as much and a path that is nearer to the file's.

        Where no path is near, the page that has least besides the file is its own. A page that has nothing else, such
        as a copy of another page, is made of the file, too.
        """
        if match.held >= _ALIKE and match.covered >= _ALIKE:
            return True
        most, nearest, covered = self._holders.get(match.path, _NO_HOLDER)
        if match.common < most:
            return False
        return match.covered >= covered if nearest == (0, 0) else paths.nearness(key, match.path) >= nearest

    def _is_own_of_list(self, key: str, match: TextMatch) -> bool:
        """Whether a file is a list's own: by the path, or as nearly all of its text, and no other page's."""
        is_of_no_other = match.common > self._holders.get(match.path, _NO_HOLDER)[0]
        is_named = paths.names_whole(key, match.path) or paths.nearness(key, match.path)[0] >= _NAMED_SEGMENTS
        return is_named or (is_of_no_other and match.covered >= _ALIKE)

    def _best(self, page: PageEvidence, strong: Sequence[TextMatch]) -> TextMatch | None:
        """The file that has most of the page; of those alike the one in the project, or that a link or path names."""
        first = strong[0]
        alike = [match for match in strong if match.common >= _ALIKE * first.common and not _is_beside(first, match)]
        alike = [match for match in alike if match.path.startswith(self._project)] or alike
        if len(alike) == 1:
            return alike[0]
        linked = [match for match in alike if match.path in page.linked]
        if len(linked) == 1:
            return linked[0]
        nearness = [(paths.nearness(page.key, match.path), match) for match in alike]
        nearest = max(each for each, _ in nearness)
        found = [match for each, match in nearness if each == nearest]
        return found[0] if len(found) == 1 else None

    def _by_object(self, page: PageEvidence) -> PageSources | None:
        """The docstrings of the object for which the page is named, if they are much of it."""
        if found := self._object_of(page, page.linked):
            return PageSources((), "text", f"{found[1]:.0%} of the page's own", parts=(found[0],))
        return None

    def _by_link(self, page: PageEvidence, possible: Sequence[TextMatch]) -> PageSources | None:
        """The file to which the page links for editing, if its path names all of the page's, or no text contradicts.

        One with another path needs much of the page's text; that other versions have the same says nothing.
        """
        linked = self._linked(page)
        if linked is None:
            return None
        if paths.agree(page.key, linked):
            is_silent = all(match.held < _NAMED or match.common < _MIN_SHINGLES for match in possible)
            is_source = is_silent or paths.names_whole(page.key, linked)
        else:
            is_much = self._parts.covered(page.key, Part(linked)) >= _COVERED_ELSEWHERE
            is_source = is_much and source_text.is_markup(linked)
        return PageSources((linked,), "edit-link", "a link to the file") if is_source else None

    def _linked(self, page: PageEvidence) -> str | None:
        """The only file in the page's language to which it links for editing."""
        linked = [file for file in page.linked if self._may_be_of(page, file)]
        return linked[0] if len(linked) == 1 else None

    def _by_path(self, page: PageEvidence, folders: SourceFolders) -> PageSources | None:
        """The only file that lies where those of most other pages lie; a list by its path has none."""
        all_named = () if paths.is_list(page.key) else folders.files(page.key)
        named = ([file for file in files if self._may_be_of(page, file)] for files in all_named)
        found = next(filter(None, named), [])
        own = self._language(page)
        found = [file for file in found if paths.language(file, self._languages) == own] or found
        return PageSources(tuple(found), "path", "where the files of other pages lie") if len(found) == 1 else None

    def _whole(self, page: PageEvidence, found: PageSources, others: Collection[str]) -> Sequence[TextMatch]:
        """The files besides its sources and these others of which all text is on the page."""
        return [
            match
            for match in (page.matches if found.files else ())
            if match.path not in {*found.files, *others}
            and not _is_program(match.path)
            and self._may_be_of(page, match.path)
            and _is_on_page(match)
        ]


def _naming(files: Sequence[str], parts: Sequence[Part]) -> Iterator[Part]:
    """Where the sources of a page name its parts: it changes, too, when they begin or cease to include one."""
    included = (part for part in parts if not part.region.startswith(OF_DOCSTRINGS))
    names = dict.fromkeys(posixpath.basename(part.path) for part in included)
    yield from (Part(file, f"{OF_NAMES}{name}") for file in files if source_text.is_markup(file) for name in names)


def _with_included(page: PageEvidence, found: PageSources, whole: Sequence[TextMatch]) -> PageSources:
    """The sources with the files whose text the page includes: each changes the page.

    A file whose text a source has, too, such as a description in the configuration, is not included.
    """
    main = max((match.covered for match in page.matches if match.path in found.files), default=1.0)
    included = [match.path for match in whole if _are_parts(main, match.covered)]
    return replace(found, files=(*found.files, *included))


def _with_considered(page: PageEvidence, found: PageSources) -> PageSources:
    """The sources with the files that were not chosen."""
    others = [match for match in page.matches if match.path not in found.all_files][:_SHOWN]
    linked = [f"{file} (linked)" for file in page.linked if file not in found.all_files]
    return replace(found, considered=(*(f"{match.path} ({match.strength})" for match in others), *linked[:_SHOWN]))


def _strong(page: PageEvidence, own: Sequence[TextMatch]) -> list[TextMatch]:
    """The files that are strong evidence, of the first kind of which there are any."""
    return (
        [match for match in own if _is_named(page.key, match) or _is_linked(page, match)]
        or [match for match in own if _is_near(page.key, match)]
        or [match for match in own if _is_strong(match)]
    )


def _is_loader(path: str) -> bool:
    """Whether a file only loads the data of a page that another file makes, as `+page.js` does in SvelteKit."""
    name = path.rpartition("/")[2]
    return name.startswith("+") and not name.endswith(".svelte")


def _is_program(path: str) -> bool:
    """Whether a file is a program, of which a page may show the same code, but which it has only if a source names it.

    Of nuxt-auth's and histoire's pages the dates were those of demonstrations that a page's listings are a copy of.
    """
    return source_text.is_code(path) and not (_is_loader(path) or source_text.is_component(path))


def _is_linked(page: PageEvidence, match: TextMatch) -> bool:
    """Whether a page links to a file for editing, and has a part of it."""
    return match.path in page.linked and match.held >= _NAMED and match.covered >= _COVERED


def _is_named(key: str, match: TextMatch) -> bool:
    """Whether the whole path of a page names a file; of data, such as a manifest, much must be on the page, too."""
    is_much = match.covered >= _COVERED or source_text.is_page_source(match.path)
    return is_much and match.held >= _NAMED and paths.names_whole(key, match.path)


def _is_near(key: str, match: TextMatch) -> bool:
    """Whether a file is strong evidence because its path agrees with the page's."""
    return _is_held(match) and _is_much(match) and paths.agree(key, match.path)


def _is_much(match: TextMatch) -> bool:
    """Whether a page has nearly all of a file, or the file much of the page."""
    return match.held >= _INCLUDED or match.covered >= _COVERED


def _is_strong(match: TextMatch) -> bool:
    """Whether a file is strong evidence by its text alone."""
    is_enough = match.common >= _MIN_SHINGLES or match.held >= _INCLUDED
    is_source = source_text.is_page_source(match.path)
    return is_source and is_enough and match.held >= _HELD and match.covered >= _COVERED_ELSEWHERE


def _are_parts(one: float, other: float) -> bool:
    """Whether what two files cover are different parts of a page: more than all of it is a text that both have."""
    return one + other <= _MOST_COVERED


def _is_beside(one: TextMatch, other: TextMatch) -> bool:
    """Whether a page is made of a text and of a data file, each a part."""
    is_one_text = source_text.is_page_source(one.path) != source_text.is_page_source(other.path)
    return is_one_text and _are_parts(one.covered, other.covered)


def _is_text_beside(match: TextMatch, best: TextMatch) -> bool:
    """Whether a page shows a text, however short, with the data that make most of it."""
    return source_text.is_page_source(match.path) and match.held >= _HELD and _is_beside(best, match)


def _is_held(match: TextMatch) -> bool:
    """Whether a page has at least half of a file's text."""
    return match.held >= _HELD and match.common >= _MIN_SHINGLES


def _is_on_page(match: TextMatch) -> bool:
    """Whether a page has a file's text, or much of a file and the file much of the page, as of a data file."""
    is_data = not source_text.is_page_source(match.path)
    return _is_held(match) and (match.held >= _INCLUDED or (is_data and match.covered >= _COVERED))
