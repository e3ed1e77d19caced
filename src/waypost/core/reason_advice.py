"""What to try if the pages of a site are left out, by the reason for it."""

from waypost.core import reasons
from waypost.core.reasons import Reason

ADVICE: dict[Reason, str] = {
    reasons.ROBOTS_TXT: "robots.txt disallows the pages; correct it, or set respect_robots = false",
    reasons.NOINDEX: "the pages say noindex; was the site built as a preview or a draft?",
    reasons.CANONICAL: "the pages name other URLs as their canonical ones; is base_url right?",
    reasons.FOREIGN_CANONICAL: "the pages name another site as canonical; is base_url right?",
    reasons.REFRESH: "the pages send visitors elsewhere; name the folder that holds what they lead to",
    reasons.UNREADABLE: "the files cannot be read; correct their permissions",
    reasons.GIT_IGNORED: "Git ignores the files; set skip_gitignored = false, which is the default",
    reasons.HIDDEN: 'the files are hidden; `exclude = ["!.name/"]` lists those in a hidden folder',
    reasons.FRAGMENT: "the files are pieces of pages or templates; build the site and name the folder with the result",
    reasons.LFS_POINTER: "the files are pointers of Git LFS; fetch the files (`git lfs pull`, or actions/checkout with "
    "`lfs: true`)",
    reasons.LINK_OUTSIDE: "the files are links out of the folder; name the folder that they lead to",
}
