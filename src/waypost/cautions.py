"""What a site's owner is warned of: each code's sentence, to follow a count."""

MESSAGES = {
    "foreign-canonical": (
        "pages whose rel=canonical lies outside base_url are listed all the same; the usual cause is a wrong "
        'base_url (foreign_canonical = "skip" leaves them out)'
    ),
    "canonical-variant": (
        "pages were left out because their rel=canonical is the same page by another form of its URL; set drop_html, "
        "trailing_slash or index_files so that Waypost lists the form that the pages name"
    ),
    "shallow": (
        "pages have no date because this clone is shallow; fetch the history (in a workflow: `fetch-depth: 0` for "
        "actions/checkout, or `fetch-history: true` for Waypost; by hand: `git fetch --unshallow --filter=blob:none`)"
    ),
    "uncommitted": ("pages have no date because they, or what they are made of, hold changes that are not committed"),
    "untracked": (
        "pages have no date because Git tracks neither them nor a file they are made of; set `preset` or `sources`, "
        'or lastmod = "content" with a state'
    ),
    "future-date": "pages claim a date in the future, which was not believed",
    "robots-not-at-root": (
        "robots.txt was not heeded: crawlers read it at the host's root alone, and base_url is a folder below it"
    ),
}
