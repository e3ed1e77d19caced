"""Which rule is left out of which scenario, and what is expected then."""

from model.cases import Case
from model.page_scenarios import (
    changed_back,
    duplicates,
    html,
    overlapping,
    single_to_index,
    single_to_several,
    unseen_tampering,
    with_records,
)
from model.pass_scenarios import daily, records, renamed_site, run, run_alone, run_of_one_page
from model.settings_scenarios import (
    edited_rules,
    one_roll_out,
    other_pages,
    rolled_back_twice,
    rules,
    same_files,
    tampering_in_build,
)

Rules = tuple[str, ...]

NEEDED: tuple[tuple[Rules, Case], ...] = (
    (("owner ids",), Case(overlapping, crashes=1, late=1)),
    (("clock",), Case(overlapping, pauses=1)),
    (("margin",), Case(changed_back, crashes=1, late=1)),
    (("If-Match",), Case(html)),
    (("wait out",), Case(duplicates, late=1)),
    (("redelivery",), Case(changed_back, crashes=1, late=1)),
    (("own names only",), Case(single_to_index)),
    (("remove names",), Case(single_to_index)),
    (("put back",), Case(changed_back, sleeps=1)),
    (("replace when unsure",), Case(changed_back, late=1)),
    (("take when pending",), Case(overlapping, crashes=1)),
    (("wait",), Case(overlapping, crashes=1)),
    (("look again",), Case(changed_back)),
    (("third phase",), Case(overlapping)),
    (("union",), Case(overlapping, crashes=1)),
    (("look at unverified",), Case(overlapping, crashes=1)),
    (("moved duplicates",), Case(duplicates)),
    (("former sitemap last",), Case(single_to_several)),
    (("outdated by build",), Case(same_files, crashes=1)),
    (("a day",), Case(daily)),
    (("delete in lease",), Case(daily, pauses=1)),
    (("indexes first",), Case(renamed_site)),
    (("unnamed only",), Case(daily)),
    (("config_since",), Case(other_pages)),
    (("config_since grows",), Case(rolled_back_twice)),
    (("rebuild confirms",), Case(other_pages)),
    (("rules again",), Case(edited_rules)),
    (("robots.txt If-Match",), Case(rules, late=1)),
    (("messages wait for builds",), Case(rules, crashes=1)),
    (("updates replace in builds",), Case(tampering_in_build)),
    (("pending after a build",), Case(one_roll_out)),
    (("look at files",), Case(unseen_tampering)),
    (("rebuild again",), Case(one_roll_out, crashes=1)),
    (("publish message",), Case(run, crashes=1)),
    (("continue", "publish message"), Case(run)),
    (("publish waits",), Case(run, crashes=1)),
    (("deferred keys",), Case(run_alone, crashes=1)),
    (("updates replace in runs",), Case(run_of_one_page, crashes=1)),
    (("run waits of workers",), Case(run_alone, late=1)),
    (("run's phases",), Case(run_alone)),
    (("blocked",), Case(html)),
    (("new records",), Case(with_records, late=1)),
    (("records a day",), Case(records)),
    (("fresh records list",), Case(records)),
)
"""Without these rules, alone or together, some schedule of the scenario breaks an invariant."""

NOT_NEEDED: tuple[tuple[Rules, Case, str], ...] = (
    (
        ("continue",),
        Case(run, crashes=1),
        "Whoever has made files pending waits for these or fails its message, and the message `publish` finds what "
        "updates have left to a run. It saves them the waiting.",
    ),
    (
        ("config_since of reading",),
        Case(other_pages),
        "The time of the commit is later, so it refuses more processes. Their messages are delivered again; a command "
        "would have to be repeated.",
    ),
    (
        ("own keys",),
        Case(one_roll_out, crashes=1),
        "The rebuild that began the build is delivered again, and looks at all pages. For commands, which nobody "
        "repeats, the rule matters.",
    ),
)
"""Without these rules alone every schedule of the scenario keeps the invariants, and why the protocol has them."""
