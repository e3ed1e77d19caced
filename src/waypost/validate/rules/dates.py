"""Rules for lastmod."""

from waypost.validate.rules.rule import INDEX, LASTMOD, WARNING, Rule

DATE_RULES = (
    Rule(
        "date-form",
        WARNING,
        "{value!r} is not a W3C datetime",
        "write 2026-03-01, or 2026-03-01T12:00:00+00:00",
        LASTMOD,
        "<lastmod>1 March 2026</lastmod>",
    ),
    Rule(
        "date-form-rss",
        WARNING,
        "{value!r} is not a date as RSS writes it",
        "write Sun, 01 Mar 2026 12:00:00 GMT",
        "RSS 2.0, pubDate",
        "<pubDate>1 March</pubDate>",
    ),
    Rule(
        "date-impossible",
        WARNING,
        "{value!r} is not a valid date",
        "use a day and a time that exist",
        LASTMOD,
        "<lastmod>2026-02-30</lastmod>",
    ),
    Rule(
        "date-before-web",
        WARNING,
        "{value} is before the first page of the web, of August 1991",
        "write when the page last changed, or omit a date that you do not know",
        LASTMOD,
        "<lastmod>1970-01-01</lastmod>",
    ),
    Rule(
        "date-future",
        WARNING,
        "{value} is in the future",
        "write when the page last changed",
        LASTMOD,
        "<lastmod>2999-01-01</lastmod>",
    ),
    Rule(
        "dates-all-equal",
        WARNING,
        "all {count:,} dates are {value}",
        "write when each page last changed, or omit the dates that you do not know",
        "Google, lastmod only if it is consistently right",
        "every lastmod the same",
    ),
    Rule(
        "dates-of-generation",
        WARNING,
        "{count:,} of {all:,} dates are the time at which the file was generated, {value}",
        "write when each page last changed, not when the sitemap changed",
        "Bing, dates that equal the time of generation",
        "every lastmod within ten seconds of Last-Modified",
    ),
    Rule(
        "child-date",
        WARNING,
        "the index says that the sitemap last changed at {index}, but it lists a page that changed at {page}",
        "write the time of the sitemap's last change into the index",
        INDEX,
        "an index entry older than its sitemap's pages",
    ),
)
