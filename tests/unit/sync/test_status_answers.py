import msgspec
import pytest

from waypost.core import reasons
from waypost.core.model import Skipped
from waypost.sync import status_answers
from waypost.sync.status_answers import (
    CheckAnswer,
    Drift,
    Explanation,
    KeySample,
    LastError,
    RebuildProgress,
    StatusAnswer,
)

STATUS = StatusAnswer("https://example.org/", "complete", 1, None, None, 0, 0, {}, [])


def written(answer: msgspec.Struct) -> dict[str, object]:
    return dict(msgspec.json.decode(msgspec.json.encode(answer)))


@pytest.mark.parametrize(("decided_by", "shown"), [("", "docs/a.html"), ("docs/", "docs/")])
def test_a_reason_is_the_file_s_own_unless_another_path_decided(decided_by: str, shown: str) -> None:
    assert written(status_answers.excluded("docs/a.html", "noindex", "none", decided_by)) == {
        "path": "docs/a.html",
        "listed": False,
        "reason": "noindex",
        "detail": "none",
        "decided_by": shown,
    }


@pytest.mark.parametrize(
    ("skipped", "detail", "decided_by"),
    [
        (Skipped("a.html", reasons.NOINDEX, "none"), f"{reasons.NOINDEX.meaning} (none)", "a.html"),
        (Skipped(".git/", reasons.HIDDEN), reasons.HIDDEN.meaning, ".git/"),
        (Skipped("a\n/", reasons.EXCLUDED), reasons.EXCLUDED.meaning, "a\\n/"),
    ],
)
def test_a_skipped_file_is_explained_by_the_reason_s_meaning_and_what_decided(
    skipped: Skipped, detail: str, decided_by: str
) -> None:
    found = status_answers.explain_skipped("asked.html", skipped)
    assert found == Explanation(
        "asked.html", listed=False, reason=str(skipped.reason), detail=detail, decided_by=decided_by
    )


@pytest.mark.parametrize(
    ("answer", "absent"),
    [
        (STATUS, {"rebuild", "last_error"}),
        (CheckAnswer(True, "complete"), {"linked_form", "drift", "files"}),
        (
            Explanation("a.html", True, "https://example.org/a.html", None),
            {
                *("no_date_reason", "sitemap", "ledger", "reason", "detail", "decided_by", "source_kind"),
                *("url_decided_by", "dating", "commit", "problems"),
            },
        ),
        (RebuildProgress("run", "scan", 1, 2), {"execution", "status", "problem"}),
    ],
)
def test_a_field_that_does_not_apply_is_absent_and_all_others_are_written(
    answer: msgspec.Struct, absent: set[str]
) -> None:
    assert set(answer.__struct_fields__) - written(answer).keys() == absent


def test_null_is_not_the_same_as_absent() -> None:
    assert written(STATUS)["built_at"] is None
    no_error = msgspec.structs.replace(STATUS, last_error=None)
    assert written(no_error)["last_error"] is None
    error = LastError("2026-03-01T12:00:00Z", "it failed", "StoreError", "1")
    assert written(msgspec.structs.replace(STATUS, last_error=error))["last_error"] == {
        "time": "2026-03-01T12:00:00Z",
        "message": "it failed",
        "type": "StoreError",
        "request_id": "1",
    }


def test_an_answer_is_read_back_as_it_was_written() -> None:
    drift = Drift(KeySample(2, ["a", "b"]), KeySample(0, []), KeySample(1, ["c"]))
    check = CheckAnswer(False, "complete", drift, {"sitemap.xml": "it is missing"})
    assert msgspec.json.decode(msgspec.json.encode(check), type=CheckAnswer) == check
