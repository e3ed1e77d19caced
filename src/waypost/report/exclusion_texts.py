"""What a report says of each reason to leave a page out that needs attention: a row each; all others are intended."""

from collections.abc import Mapping

from waypost.core import reasons
from waypost.report.problem_texts import NOT_LISTED, WARNING_TEXTS, ProblemText
from waypost.validate.rules import Severity

_WARNING, _NOTE = Severity.WARNING, Severity.NOTE
_RENAME = "Rename the file."
REASON_TEXTS: Mapping[str, ProblemText] = {
    reasons.UNREADABLE: WARNING_TEXTS["unreadable"],
    reasons.DUPLICATE: ProblemText(
        _WARNING,
        "Several files have the same URL",
        "The server shows one of them only; the others cannot be reached.",
        "Rename or delete the files that are not meant.",
    ),
    reasons.NAME_NOT_UTF8: ProblemText(_WARNING, "Names of files are not UTF-8", NOT_LISTED, _RENAME),
    reasons.NAME_CONTROL: ProblemText(_WARNING, "Names of files contain control characters", NOT_LISTED, _RENAME),
    reasons.LOC_TOO_LONG: ProblemText(_WARNING, "URLs are too long", NOT_LISTED, "Shorten the path of the file."),
    reasons.DANGLING_LINK: ProblemText(
        _WARNING, "Symbolic links lead to files that do not exist", NOT_LISTED, "Correct or delete the link."
    ),
    reasons.LINK_OUTSIDE: ProblemText(
        _WARNING,
        "Symbolic links lead out of the site",
        NOT_LISTED,
        "Copy what they name into the site, or delete the link.",
    ),
    reasons.LINK_LOOP: ProblemText(
        _WARNING, "Symbolic links lead to a folder that contains them", NOT_LISTED, "Delete the link."
    ),
    reasons.NESTED_LINK: ProblemText(
        _WARNING, "Folders are linked inside of linked folders", NOT_LISTED, "Replace the link by the folder."
    ),
    reasons.NOT_A_FILE: ProblemText(_NOTE, "These are neither files nor folders", NOT_LISTED, "Delete them."),
}
