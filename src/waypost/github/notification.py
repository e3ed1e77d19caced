"""A step after the deployment: it sends the changes that an earlier step has kept in a file."""

from collections.abc import Mapping
from functools import partial

from waypost.announce import result_file
from waypost.app import workflow_commands
from waypost.app.folder import settings_of
from waypost.app.notifications import notify_answer
from waypost.app.subscribers import notify_now, required_subscribers
from waypost.config.load import ConfigSource
from waypost.core.errors import AnnounceError
from waypost.core.inert_text import inert
from waypost.github.inputs import STEP_INPUTS, Inputs
from waypost.github.workspace import input_path, workspace


def send_changes(inputs: Inputs, environ: Mapping[str, str]) -> int:
    """Notify the subscribers that the settings name; returns the step's exit code.

    Raises ConfigurationError if there is none, and AnnounceError if the file cannot be read.
    """
    path = partial(input_path, workspace(environ))
    result = result_file.read(path("notify", inputs.notify))
    published = ConfigSource(STEP_INPUTS, {"base_url": result.base_url})
    file = path("config", inputs.config) if inputs.config else None
    source = path("source", inputs.source)
    site = settings_of(source, *inputs.config_sources, published, file=file, issues=inputs.issues)
    answer = notify_answer([result], notify_now(required_subscribers(site), [result]))
    for each in answer.subscribers:
        for line in each.dropped_lines:
            workflow_commands.annotate("warning", f"{each.subscriber}: {line}", title="Waypost: not-announced")
        if each.problem:
            workflow_commands.annotate("error", each.problem, title="Waypost: not-announced")
        else:
            print(inert(f"{each.subscriber}: sent {each.summary}"))
    return AnnounceError.exit_code if any(each.problem for each in answer.subscribers) else 0
