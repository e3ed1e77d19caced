from __future__ import annotations

from copy import deepcopy

import pytest
from record_rules import refusal
from rule_cases import cases
from rule_corpus import GOLDEN, Recorded, changed_outcomes, dump_outcomes, load_outcomes, outcomes
from sites import MakeSite

from waypost.pages.facts import RULES_VERSION
from waypost.pages.page_facts import recorded_facts


@pytest.fixture(scope="module")
def present() -> Recorded:
    return outcomes(cases())


def test_what_the_rules_make_of_the_corpus_is_pinned_to_their_version(present: Recorded) -> None:
    version, recorded = load_outcomes(GOLDEN.read_bytes())
    assert version == RULES_VERSION, "record the rules' outcomes again by `python tests/record_rules.py`"
    assert present.keys() == recorded.keys(), "the corpus changed: record it by `python tests/record_rules.py`"
    changed = changed_outcomes(recorded, present)
    assert not changed, (
        "the rules' outcomes changed: raise RULES_VERSION in pages/facts.py and record again by "
        f"`python tests/record_rules.py`; changed: {', '.join(changed[:9])}"
    )


def test_the_corpus_meets_every_rule(present: Recorded) -> None:
    text = repr(present)
    for reason in ("excluded", "not-included", "error-page", "output", "hidden", "dependency", "not-a-page"):
        assert f"'reason': '{reason}'" in text
    for reason in ("noindex", "refresh", "redirect", "canonical", "foreign-canonical", "unpublished"):
        assert f"'reason': '{reason}'" in text
    for reason in ("name-not-utf8", "name-control-character", "loc-too-long"):
        assert f"'reason': '{reason}'" in text
    assert len(present) >= 150


def test_a_changed_outcome_is_not_recorded_under_the_same_version(present: Recorded) -> None:
    other = deepcopy(present)
    other["head noindex"]["default"] = {"loc": "https://example.org/case.html"}
    assert "raise RULES_VERSION" in refusal(dump_outcomes(other), present)
    assert refusal(GOLDEN.read_bytes(), present) == ""
    assert refusal(None, present) == ""


def test_a_changed_outcome_is_recorded_under_a_newer_version(present: Recorded) -> None:
    other = deepcopy(present)
    other["head noindex"]["default"] = {}
    header = f'{{"rules_version":{RULES_VERSION}}}'.encode()
    older = dump_outcomes(other).replace(header, f'{{"rules_version":{RULES_VERSION - 1}}}'.encode())
    assert refusal(older, present) == ""
    newer = dump_outcomes(other).replace(header, f'{{"rules_version":{RULES_VERSION + 1}}}'.encode())
    assert "pages/facts.py" in refusal(newer, present)


def test_a_case_may_be_added_under_the_same_version(present: Recorded) -> None:
    fewer = {name: each for name, each in present.items() if name != "head none"}
    assert refusal(dump_outcomes(fewer), present) == ""
    assert "raise RULES_VERSION" in refusal(dump_outcomes(present), fewer)


def test_what_is_recorded_is_read_back(present: Recorded) -> None:
    assert load_outcomes(dump_outcomes(present)) == (RULES_VERSION, present)


def test_recorded_facts_name_the_rules_and_what_is_read(make_site: MakeSite) -> None:
    assert recorded_facts(make_site(lastmod="none")) == f"rules-{RULES_VERSION}"
    dated = make_site(lastmod="content", state="x", page_dates=True)
    assert recorded_facts(dated) == f"rules-{RULES_VERSION},digest,date"
    assert recorded_facts(make_site(images=True, formats=["xml", "html"])) == f"rules-{RULES_VERSION},images,title"
