"""The rules of one host, and of several that may publish a site."""

from waypost.settings.host_paths import PathPattern, redirects_pattern
from waypost.settings.host_rules import AnsweredShapes, HostRules, OneHost, PathRule

REDIRECTING = OneHost("a", AnsweredShapes(("bare",), ("slash",)), [PathRule(PathPattern("/x"), "/y")])
SILENT = OneHost("b", AnsweredShapes(("file",), ("slash", "file")))


def test_of_several_hosts_only_what_all_say_holds() -> None:
    both = HostRules([REDIRECTING, SILENT])
    assert (HostRules([REDIRECTING]).redirect("/x"), both.redirect("/x")) == ("/y", "")
    assert (both.shapes.page, both.shapes.folder) == (("bare", "file"), ("slash", "file"))
    assert (HostRules([REDIRECTING]).host, both.host) == ("a", "")


def test_without_a_host_nothing_is_redirected_and_every_form_is_answered() -> None:
    none = HostRules()
    assert (none.redirect("/x"), none.header("/x", "link"), none.host) == ("", "", "")
    assert none.shapes == AnsweredShapes()


def test_the_first_rule_that_fits_decides() -> None:
    rules = [PathRule(PathPattern("/x")), PathRule(PathPattern("/x"), "/y")]
    assert HostRules([OneHost("a", AnsweredShapes(), rules)]).redirect("/x") == ""


def test_rules_decide_in_their_order_whatever_their_paths_begin_with() -> None:
    texts = ("/a/:x", "/:x/b", "/a/*", "/*")
    rules = [PathRule(redirects_pattern(text, ignores_slash=False), f"/{n}") for n, text in enumerate(texts)]
    for order in (rules, rules[::-1]):
        host = OneHost("a", redirects=order)
        for path in ("/a/b", "/a/b/c", "/b/b", "/a", "/"):
            assert host.redirect(path) == next((each.target for each in order if each.pattern.fits(path)), "")
