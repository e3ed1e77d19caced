"""The answers about a bucket with a ledger, also where its settings cannot be used: then the problem is the answer."""

from collections.abc import Sequence

from waypost.app.ledger_site import LedgerSite
from waypost.core.errors import SourceError, WaypostError
from waypost.core.model import printable
from waypost.sync import inspect
from waypost.sync.problems import problems_of
from waypost.sync.status_answers import CheckAnswer, Explanation, StatusAnswer

UNUSABLE_SETTINGS = "the settings cannot be used"


def explain(site: LedgerSite, paths: Sequence[str]) -> list[Explanation]:
    """Why the files that these paths or URLs mean are listed or not."""
    return [inspect.explain(site.updater, _key(site, path)) for path in paths]


def _key(site: LedgerSite, path: str) -> str:
    try:
        return site.existing_key(path)
    except SourceError:  # the explanation says why, because it reads the same object
        return site.key(path)


def status_without_settings(base_url: str | None, error: WaypostError) -> StatusAnswer:
    """The status of a site whose settings cannot be used, because of an error."""
    return StatusAnswer(base_url, UNUSABLE_SETTINGS, problems=problems_of("settings", error))


def check_without_settings(error: WaypostError) -> CheckAnswer:
    """The check of a site whose settings cannot be used."""
    return CheckAnswer(in_sync=False, state=UNUSABLE_SETTINGS, problems=problems_of("settings", error))


def explain_without_settings(paths: Sequence[str], error: WaypostError) -> list[Explanation]:
    """The explanations of files of a site whose settings cannot be used."""
    problems = problems_of("settings", error)
    return [Explanation(printable(path), listed=None, problems=problems) for path in paths]
