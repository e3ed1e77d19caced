"""A step that gives other tools' sitemaps true dates, between the build of the site and its deployment."""

from collections.abc import Mapping
from pathlib import Path

from waypost.build import workflow_commands
from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.build.sitemap_dates import DatedFile, change_lines, redated_files
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.inert_text import inert
from waypost.core.private_hosts import PrivateHosts
from waypost.git import Repositories
from waypost.github import step_outputs
from waypost.github.inputs import STEP_INPUTS, Inputs, input_path, workspace
from waypost.settings.load import ConfigSource

_MOST_LINES = 20


def date_sitemaps(inputs: Inputs, environ: Mapping[str, str]) -> int:
    """Date the sitemaps that the input `date` names, in their places; returns the step's exit code.

    Raises ConfigurationError, also if anything is to be committed: what a build writes is not.
    """
    if inputs.commits:
        problem = "it dates the sitemaps of a built site, and commits nothing; leave out `commit`"
        raise ConfigurationError((ConfigIssue(STEP_INPUTS, "date", problem),))
    root = workspace(environ)
    files = [DatedFile(str(input_path(root, "date", each)), PrivateHosts()) for each in inputs.date]
    source = str(input_path(root, "source", inputs.source)) if inputs.source else None

    def open_job(at: str | None, base_url: str | None) -> Job:
        found = [ConfigSource(STEP_INPUTS, {"base_url": base_url})] if base_url else []
        config = input_path(root, "config", inputs.config) if inputs.config else None
        repositories = Repositories(input_path(root, "repository", inputs.repository))
        return prepare(
            Path(at) if at else None,
            *inputs.config_sources,
            *found,
            file=config,
            working_folder=root,
            repositories=repositories,
            issues=inputs.issues,
        )

    def fetch_history(job: Job) -> None:
        if inputs.fetch_history and (problem := job.dates.fetch_history()):
            workflow_commands.annotate("warning", f"the history could not be fetched: {problem}", title="Waypost")

    redated = redated_files(files, source, open_job, lambda stage, done, total: None, fetch_history)
    for file in files:
        file.write(redated)
    answer = redated.answer
    if answer.warning:
        workflow_commands.annotate("warning", answer.warning, title="Waypost")
    paths = map(Path, answer.changed_files)
    changed = [(each.relative_to(root) if each.is_relative_to(root) else each).as_posix() for each in paths]
    outputs = {"url-count": str(answer.url_count), "changed": str(bool(changed)).lower(), "files": "\n".join(changed)}
    step_outputs.write_outputs(environ, outputs)
    lines = "\n".join(change_lines(answer, _MOST_LINES))
    details = f"\n\n```\n{lines}\n```" if lines else ""
    workflow_commands.write_summary(environ, f"## Dates of the sitemaps\n\n{answer.summary}{details}\n")
    print(inert("\n".join(filter(None, (lines, answer.summary)))))
    return 0
