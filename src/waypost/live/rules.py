"""The findings of `waypost check-live` by their codes, in the order in which the documentation lists them."""

from collections.abc import Mapping
from types import MappingProxyType

from waypost.validate.rules.rule import ERROR, LASTMOD, NOTE, WARNING, Rule

_HTTP_STATUS = "Google, How HTTP status codes affect Google's crawlers"
_REDIRECTS = "Google, Redirects and Google Search"
_ROBOTS_TAG = "Google, Robots meta tag and X-Robots-Tag"
_CANONICAL = "Google, How to specify a canonical URL"

LIVE_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.code: rule
        for rule in (
            Rule(
                "live-missing",
                ERROR,
                "the server answers {status}",
                "remove the URL, or publish the page",
                _HTTP_STATUS,
                "404 Not Found",
                title="Listed URLs at which there is no page",
            ),
            Rule(
                "live-refused",
                WARNING,
                "the server answers {status}",
                "check whether search engines may read the page: the server may refuse only programs it does not know",
                _HTTP_STATUS,
                "403 Forbidden",
                title="Listed URLs that the server refuses",
            ),
            Rule(
                "live-server-error",
                ERROR,
                "the server answers {status}",
                "correct what fails on the server; search engines drop pages that keep failing",
                _HTTP_STATUS,
                "500 Internal Server Error",
                title="Listed URLs at which the server fails",
            ),
            Rule(
                "live-odd-status",
                WARNING,
                "the server answers {status}, which comes with no page",
                "answer 200 with the page, or remove the URL",
                _HTTP_STATUS,
                "204 No Content",
                title="Listed URLs that answer without a page",
            ),
            Rule(
                "live-unreachable",
                ERROR,
                "there is no answer: {why}",
                "correct the server or the URL",
                _HTTP_STATUS,
                "a connection that is reset",
                title="Listed URLs without an answer",
            ),
            Rule(
                "live-redirect",
                ERROR,
                "redirects ({statuses}) to {to}",
                "list the page that the URL redirects to",
                _REDIRECTS,
                "301 Moved Permanently",
                title="Listed URLs that redirect",
            ),
            Rule(
                "live-refresh",
                ERROR,
                "a refresh in {where} sends visitors to {to}",
                "list the page that it leads to",
                _REDIRECTS,
                '<meta http-equiv="refresh" content="0; url=/b">',
                title="Listed pages that send visitors elsewhere",
            ),
            Rule(
                "live-redirect-broken",
                ERROR,
                "redirects ({statuses}) to {to}, which has no page: {why}",
                "correct the redirect, or remove the URL",
                _REDIRECTS,
                "301 to a page that answers 404",
                title="Listed URLs that redirect to nothing",
            ),
            Rule(
                "live-redirect-unverified",
                ERROR,
                "redirects ({statuses}) to {to}, which was not asked: {why}",
                "open that URL; if it has a page, list it",
                _REDIRECTS,
                "301 to a host whose robots.txt cannot be read",
                title="Listed URLs that redirect to what was not asked",
            ),
            Rule(
                "live-redirect-loop",
                ERROR,
                "redirects more than {most} times, or in a circle, at last to {to}",
                "correct the redirects",
                _REDIRECTS,
                "/a redirects to /b, and /b to /a",
                title="Listed URLs that redirect in a circle",
            ),
            Rule(
                "live-noindex",
                ERROR,
                "{where} says {word}",
                "remove the URL, or allow the page to be indexed",
                _ROBOTS_TAG,
                "X-Robots-Tag: noindex",
                title="Listed pages that must not be indexed",
            ),
            Rule(
                "live-disallowed",
                ERROR,
                "robots.txt keeps {engines} from the page",
                "remove the URL, or allow the page",
                "RFC 9309",
                "Disallow: /private/",
                title="Listed pages that robots.txt disallows for search engines",
            ),
            Rule(
                "live-sitemap-disallowed",
                ERROR,
                "robots.txt disallows the sitemap itself for Google",
                "allow its URL in robots.txt",
                "RFC 9309",
                "Disallow: /*.xml$",
                title="Sitemaps that robots.txt disallows",
            ),
            Rule(
                "live-not-canonical",
                WARNING,
                "the canonical URL in {where} is {to}",
                "list the canonical page",
                _CANONICAL,
                'Link: <https://…>; rel="canonical"',
                title="Listed pages that name another URL as canonical",
            ),
            Rule(
                "live-soft-404",
                WARNING,
                "the page says the same as that of a URL that does not exist, {made_up}",
                "publish the page, or remove the URL, and answer 404 for what does not exist",
                _HTTP_STATUS,
                "200 with a page that says not found",
                title="Listed pages that look like missing ones",
            ),
            Rule(
                "live-no-404",
                WARNING,
                "the server answers 200 for this URL, which was made up: its status does not show that a page exists",
                "answer 404 for what does not exist; --read-pages compares the pages with this one",
                _HTTP_STATUS,
                "200 for /no-such-page",
                title="A server that has a page for any URL",
            ),
            Rule(
                "live-content-type",
                WARNING,
                "the content type is {content_type}",
                "send text/html, or browsers do not show the page",
                "RFC 9110, 8.3",
                "application/octet-stream for /about.html",
                title="Listed pages that browsers do not show",
            ),
            Rule(
                "live-incomplete",
                ERROR,
                "the page cannot be read to its end: {why}",
                "correct the headers Content-Length and Content-Encoding",
                "RFC 9110, 8.4 and 8.6",
                "a Content-Length that is larger than the page",
                title="Listed pages that are cut off",
            ),
            Rule(
                "live-lastmod",
                WARNING,
                "lastmod is {lastmod}, but by the server the page was last modified on {modified}",
                "correct lastmod, or the server's Last-Modified: with an older one, crawlers keep the old page",
                LASTMOD,
                "lastmod 2026-04-12, Last-Modified: Sun, 01 Mar 2026 10:00:00 GMT",
                title="Dates that are later than the page's",
            ),
            Rule(
                "live-head-differs",
                NOTE,
                "the server answers HEAD with {head}, but GET with {status}",
                "let the server answer HEAD as GET",
                "RFC 9110, 9.3.2",
                "404 for HEAD, 200 for GET",
                title="Answers to HEAD that differ from those to GET",
            ),
        )
    }
)
