"""What happens in scenarios outside of the writers, and the messages that follow."""

from collections.abc import Callable

from model.documents import FOREIGN, ROBOTS, Robots, written
from model.state import Action, Message, Shared


def change(message: int, **pages: int) -> Action:
    """Upload or delete objects: `p2=0` deletes page 2."""
    versions = {int(name[1:]): version for name, version in pages.items()}

    def apply(shared: Shared) -> Shared:
        return shared._replace(site=tuple(versions.get(n, old) for n, old in enumerate(shared.site)))

    return Action(f"objects change: {pages}", apply, message)


def tamper(message: int, name: str, content: str = FOREIGN) -> Action:
    """Somebody overwrites or deletes an output."""
    return Action(
        f"somebody {'overwrites' if content == FOREIGN else 'deletes'} {name}",
        lambda shared: shared._replace(files=written(shared.files, name, content)),
        message,
        is_tampering=True,
    )


def upload_rules(message: int, rules: int) -> Action:
    """The owner uploads a robots.txt without the sitemaps' names."""
    return _robots_change(f"the owner uploads rules {rules}", message, rules, lambda _: ())


def edit_rules(message: int, rules: int) -> Action:
    """The owner changes the rules of robots.txt, and leaves the sitemaps' names in it."""
    return _robots_change(f"the owner changes the rules to {rules}", message, rules, lambda robots: robots.roots)


def _robots_change(label: str, message: int, rules: int, names: Callable[[Robots], tuple[str, ...]]) -> Action:
    def apply(shared: Shared) -> Shared:
        present = dict(shared.files).get(ROBOTS)
        robots = Robots(rules, names(present) if isinstance(present, Robots) else ())
        return shared._replace(files=written(shared.files, ROBOTS, robots), owner_rules=rules)

    return Action(label, apply, message, is_tampering=True)


def deploy(message: int, config: int) -> Action:
    """New settings are deployed."""
    return Action(f"settings {config} are deployed", lambda shared: shared._replace(config=config), message)


def day_passes(message: int) -> Action:
    """A day passes, and the daily pass begins."""
    return Action("a day passes", lambda shared: shared._replace(day=shared.day + 1), message, is_day=True)


def begin(message: int) -> Action:
    """A message is sent and nothing else happens."""
    return Action(f"message {message} is sent", lambda shared: shared, message)


def pages(*numbers: int) -> Message:
    return Message("pages", numbers)
