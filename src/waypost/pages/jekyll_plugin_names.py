"""Names of Jekyll's plugins, by what they mean for the URLs of a site."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PAGINATE, REDIRECT_FROM = "jekyll-paginate", "jekyll-redirect-from"
README_INDEX, OPTIONAL_FRONT_MATTER = "jekyll-readme-index", "jekyll-optional-front-matter"
GITHUB_PAGES = "github-pages"
"""The gem that gives a site the plugins and the fixed settings of GitHub Pages."""

IMPLEMENTED = frozenset({PAGINATE, REDIRECT_FROM, README_INDEX, OPTIONAL_FRONT_MATTER})
ON_GITHUB_PAGES = frozenset({PAGINATE, README_INDEX, OPTIONAL_FRONT_MATTER})
"""The implemented plugins that GitHub Pages always runs."""
ALLOWED_BY_GITHUB_PAGES = IMPLEMENTED | _names(
    """
    jekyll-avatar jekyll-coffeescript jekyll-commonmark-ghpages jekyll-default-layout jekyll-feed jekyll-gist
    jekyll-github-metadata jekyll-include-cache jekyll-mentions jekyll-octicons jekyll-relative-links
    jekyll-remote-theme jekyll-seo-tag jekyll-sitemap jekyll-titles-from-headings jemoji
    """
)
"""GitHub Pages ignores all others."""

WITHOUT_PAGES = _names(
    """
    github-pages jekyll-admin jekyll-algolia jekyll-assets jekyll-autolinks jekyll-avatar jekyll-cloudinary
    jekyll-coffeescript jekyll-commonmark jekyll-commonmark-ghpages jekyll-compose jekyll-compress-images
    jekyll-data jekyll-default-layout jekyll-diagrams jekyll-email-protect jekyll-environment-variables jekyll-feed
    jekyll-figure jekyll-gist jekyll-git-authors jekyll-github-metadata jekyll-graphviz jekyll-image-size
    jekyll-include-cache jekyll-inline-svg jekyll-katex jekyll-last-modified-at jekyll-livereload
    jekyll-loading-lazy jekyll-mentions jekyll-mermaid jekyll-minifier jekyll-octicons jekyll-postcss
    jekyll-postcss-v2 jekyll-relative-links jekyll-remote-theme jekyll-sass-converter jekyll-seo-tag jekyll-sitemap
    jekyll-spaceship jekyll-swiss jekyll-target-blank jekyll-theme-architect jekyll-theme-cayman jekyll-theme-dinky
    jekyll-theme-hacker jekyll-theme-leap-day jekyll-theme-merlot jekyll-theme-midnight jekyll-theme-minimal
    jekyll-theme-modernist jekyll-theme-primer jekyll-theme-slate jekyll-theme-tactile jekyll-theme-time-machine
    jekyll-tidy jekyll-time-to-read jekyll-timeago jekyll-titles-from-headings jekyll-toc jekyll-twitter-plugin
    jekyll-watch jekyll-webp jekyll-youtube jekyll_picture_tag jemoji just-the-docs kramdown-math-katex
    kramdown-parser-gfm minima minimal-mistakes-jekyll rouge tzinfo-data webrick
    """
)
"""Plugins and themes that change no URL of a page; feeds and sitemaps are not pages."""
PAGE_MAKERS = _names(
    """
    amp-jekyll jekyll-amp jekyll-archives jekyll-archives-v2 jekyll-asciidoc jekyll-auto-authors
    jekyll-category-pages jekyll-collection-pages jekyll-datapage-generator jekyll-haml jekyll-language-plugin
    jekyll-multiple-languages jekyll-multiple-languages-plugin jekyll-notion jekyll-org jekyll-paginate-content
    jekyll-paginate-v2 jekyll-pandoc jekyll-polyglot jekyll-pug jekyll-rst jekyll-scholar jekyll-slim jekyll-tagging
    jekyll-textile-converter
    """
)
"""Plugins that make pages, render other types of files into pages, or change permalinks."""
