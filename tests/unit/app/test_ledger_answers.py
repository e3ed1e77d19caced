"""Answers about a bucket with a ledger: a path in any form, and settings that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable

from unit.aws.memory_function import MemoryFunction

from waypost.app import ledger_answers
from waypost.core.errors import RenderError, SourceError


def test_a_path_is_explained_though_the_bucket_denies_whether_the_object_exists() -> None:
    made = MemoryFunction()
    made.put_pages("a.html")
    made.rebuild()

    class Denied(type(made.site.source)):  # type: ignore[misc]  # the class of a bucket in memory
        def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
            raise SourceError(f"403: Forbidden: {keys}")

    made.site.source.__class__ = Denied
    (found,) = ledger_answers.explain(made.ledger_site, ["s3://site/www/a.html"])
    assert (found.path, found.listed) == ("a.html", True)


def test_without_settings_each_answer_is_the_problem() -> None:
    error = RenderError("mine/sitemap.xml.j2: the template cannot be read")
    status = ledger_answers.status_without_settings(None, error)
    assert (status.base_url, status.url_count, status.problems[0].kind) == (None, None, "templates")
    assert not ledger_answers.check_without_settings(error).in_sync
    assert [each.listed for each in ledger_answers.explain_without_settings(["a", "b"], error)] == [None, None]
