"""Every setting: its name, what it may be, its default and what it is for.

The documentation's table, `waypost init` and the checks all read this one list.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from waypost.config import checks
from waypost.config.generator_presets import PRESETS
from waypost.config.output_formats import FILE_FORMATS


@dataclass(frozen=True, slots=True)
class Setting:
    """One key: `check` turns a raw value into a checked one, or raises Wrong."""

    key: str
    check: Callable[[Any], Any]
    default: Any
    allowed: str
    meaning: str
    example: str


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "base_url",
        checks.base_url,
        None,
        "an absolute http or https URL without query or fragment",
        "The URL of the site's root folder.",
        '"https://www.example.org/"',
    ),
    Setting(
        "include",
        checks.patterns,
        [],
        "a list of patterns in gitignore syntax",
        "Only what one of these matches is listed; empty means everything.",
        '["docs/", "*.html"]',
    ),
    Setting(
        "exclude",
        checks.patterns,
        [],
        "a list of patterns in gitignore syntax",
        "What is never listed; `!pattern` lists what would be left out by default.",
        '["drafts/", "!.well-known/"]',
    ),
    Setting(
        "pages",
        checks.pages,
        ["html", "pdf"],
        'a list of html, pdf, markdown, or endings such as ".txt"',
        "Which files are pages. With markdown, `a.md` is listed as the `a.html` it is rendered to.",
        '["html", "pdf", ".txt"]',
    ),
    Setting(
        "index_files",
        checks.index_files,
        ["index.html", "index.htm", "index.md", "README.md"],
        "a list of file names",
        "Files whose URL is their folder's, the preferred first; empty keeps their names.",
        '["index.html"]',
    ),
    Setting("drop_html", checks.flag, False, "true or false", "List `/about.html` as `/about`.", "true"),
    Setting(
        "trailing_slash",
        checks.choice("auto", "always", "never"),
        "auto",
        "auto, always or never",
        "Whether URLs of folders and dropped `.html` end with `/`; auto: folders do, pages do not.",
        '"always"',
    ),
    Setting("skip_gitignored", checks.flag, False, "true or false", "Leave out what Git ignores.", "true"),
    Setting(
        "respect_robots",
        checks.flag,
        True,
        "true or false",
        "Leave out what robots.txt in the site's root disallows for `*`.",
        "false",
    ),
    Setting(
        "foreign_canonical",
        checks.choice("warn", "skip"),
        "warn",
        "warn or skip",
        "What becomes of a page whose rel=canonical lies outside base_url.",
        '"skip"',
    ),
    Setting(
        "lastmod",
        checks.choice("git", "content", "none"),
        "git",
        "git, content or none",
        "Where dates come from: commits, remembered content (the default with a `state`), or nowhere.",
        '"content"',
    ),
    Setting(
        "precision",
        checks.choice("second", "date"),
        "second",
        "second or date",
        "Dates in seconds (UTC), or the day alone.",
        '"date"',
    ),
    Setting(
        "page_dates",
        checks.flag,
        False,
        "true or false",
        "Believe the page's own date (article:modified_time, dateModified, front matter) first; with content, only at "
        "first sight.",
        "true",
    ),
    Setting(
        "preset",
        checks.choice(*PRESETS),
        None,
        ", ".join(PRESETS),
        "The generator whose sources date the built pages.",
        '"hugo"',
    ),
    Setting(
        "sources",
        lambda value: checks.each(value, checks.source),
        [],
        "tables with `page` and `files`",
        "Which tracked files a built page is made of; tried beside the preset.",
        '[{ page = "team/index.html", files = ["data/team/*.yml"] }]',
    ),
    Setting(
        "state",
        checks.text,
        None,
        "a path from this file's folder",
        "The file that remembers content and dates between runs.",
        '".waypost/state.jsonl"',
    ),
    Setting(
        "overrides",
        lambda value: checks.each(value, checks.override),
        [],
        "tables with `match` and `changefreq` or `priority`",
        "changefreq and priority by pattern, the last match of each wins; never invented.",
        '[{ match = ["/news/"], changefreq = "daily", priority = 0.8 }]',
    ),
    Setting(
        "groups",
        checks.groups,
        {},
        "a table of name = [patterns]",
        "Sets of pages with sitemaps of their own; the first that matches wins.",
        '{ blog = ["/blog/"], docs = ["/docs/"] }',
    ),
    Setting(
        "name",
        checks.output_name,
        "sitemap",
        "letters, digits, `.`, `_` and `-`",
        "What the outputs' names begin with.",
        '"map"',
    ),
    Setting(
        "formats",
        lambda value: checks.choices(*FILE_FORMATS)(value),
        ["xml"],
        "a list of xml, text and html",
        "What to write; html is for people, beside one of the others.",
        '["xml", "html"]',
    ),
    Setting(
        "stylesheet",
        checks.flag,
        False,
        "true or false",
        "Have browsers show the XML as a table, by a CSS file beside it.",
        "true",
    ),
    Setting(
        "alternates",
        checks.flag,
        False,
        "true or false",
        "List each page's versions in other languages (hreflang), made complete and reciprocal.",
        "true",
    ),
    Setting("images", checks.flag, False, "true or false", "List the images of each page.", "true"),
    Setting(
        "image_hosts",
        checks.hosts,
        [],
        "a list of host names; `.example.net` is all below it",
        "Hosts besides the site's own whose images are listed.",
        '["cdn.example.org"]',
    ),
    Setting(
        "videos",
        checks.flag,
        False,
        "true or false",
        "List the videos of each page that says all that their readers need.",
        "true",
    ),
    Setting(
        "news",
        checks.news,
        None,
        "a table with `name`, `language` and perhaps `pages`",
        "List what was published in the last two days in a news sitemap of its own.",
        '{ name = "The Example Times", language = "en", pages = ["/news/"] }',
    ),
    Setting("gzip", checks.flag, False, "true or false", "Compress the outputs (`sitemap.xml.gz`).", "true"),
    Setting(
        "limits",
        checks.choice("strict", "current"),
        "strict",
        "strict or current",
        "strict: 10 MB a file and 1,000 sitemaps an index; current: 50 MB and 50,000.",
        '"current"',
    ),
    Setting(
        "robots_sitemaps", checks.flag, False, "true or false", "Keep the `Sitemap:` lines of robots.txt right.", "true"
    ),
    Setting(
        "cache_control",
        checks.text,
        None,
        "a Cache-Control header's value",
        "How long readers may keep the outputs; for buckets alone.",
        '"public, max-age=300"',
    ),
    Setting(
        "templates",
        checks.text,
        None,
        "a folder, from this file's folder",
        "A folder of Jinja templates that override Waypost's own.",
        '"sitemap-templates"',
    ),
)
