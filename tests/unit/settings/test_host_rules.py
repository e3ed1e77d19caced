"""The rules of one host, and of several that may publish a site."""

from waypost.settings.host_rules import AnsweredShapes, HostRules, OneHost, PathPattern, PathRule

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
