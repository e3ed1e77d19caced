"""One step of a workflow: render, commit, push, and again where somebody else was faster."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from waypost.announce.git_commit import CommitMessage, GitCheckout, RaceLostError
from waypost.announce.git_target import PushTarget, WorkflowEvent, choose_target
from waypost.app import formatting, settings_file
from waypost.app.folder import FolderJob, prepare
from waypost.config.load import ConfigSource
from waypost.core.errors import AnnounceError
from waypost.core.model import Plan
from waypost.github import inputs, workflow_commands
from waypost.github.inputs import Inputs
from waypost.sources import git

_TRIES = 6
_STATE_NAME = "waypost-state.jsonl"


@dataclass(frozen=True, slots=True)
class StepResult:
    """A run's result: what was planned, its summary, and the commit made of it, if one was.

    `root` is the working tree that holds the outputs, `sources` the one that holds the site.
    """

    root: Path
    sources: Path
    job: FolderJob
    plan: Plan
    summary: str
    commit: str = ""

    @property
    def output_paths(self) -> list[Path]:
        """Every file that Waypost keeps: those that stand and those it removed."""
        names = [*(document.name for document in self.plan.documents), *self.plan.removed]
        state = self.job.state
        kept = [state] if state and state.is_relative_to(self.root) else []
        return [*(self.job.output / name for name in names), *kept]

    @property
    def input_paths(self) -> Iterator[Path]:
        """Every file that the outputs were rendered from."""
        yield from (self.job.source / page.key for page in self.plan.pages)
        if self.job.settings:
            yield self.job.settings
        if self.job.templates:
            yield from self.job.templates.glob("*.j2")


class Step:
    """One step in one checkout; raises AnnounceError where there is none to commit to."""

    def __init__(self, asked: Inputs, environ: Mapping[str, str]) -> None:
        self._asked = asked
        workspace = Path(environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
        self._source = (workspace / asked.source).resolve()
        self._output = (workspace / asked.output).resolve() if asked.output else self._source
        self._config = (workspace / asked.config).resolve() if asked.config else None
        self._workspace = workspace
        root = git.repository_root(self._source if self._source.is_dir() else workspace)
        if root is None and (asked.is_committed or asked.state_branch):
            raise AnnounceError(f"{self._source} is in no Git repository; put actions/checkout before this step")
        self._checkout = GitCheckout((root or workspace).resolve())
        self._kept_state = Path(environ.get("RUNNER_TEMP") or self._checkout.root) / _STATE_NAME
        self._message = CommitMessage(asked.message, asked.author, asked.is_signed_off)
        self._target = PushTarget(may_push=False)
        if root:
            self._target = choose_target(
                workflow_event({} if self._checkout.is_submodule() else environ),
                push=asked.push,
                branch=asked.branch,
                checked_out=self._checkout.branch(),
            )

    def run(self) -> StepResult:
        """Render, and commit and push as asked."""
        done = self._rendered(self._checkout.root, self._checkout.root)
        if not self._asked.is_committed:
            return done
        self._check_paths(done)
        if self._target.notice:
            workflow_commands.annotate("notice", self._target.notice, title="Waypost")
        return self._committed(done)

    def _committed(self, rendered: StepResult) -> StepResult:
        """Commit on the branch's newest commit and push, until nobody else was faster."""
        branch, head = self._target.branch, self._checkout.head()
        tip = head if branch is None or self._target.is_checked_out else self._checkout.fetch(branch) or head
        for _ in range(_TRIES):
            done = self._commit_on(tip, rendered) if tip != head else self._commit_here(rendered)
            if not done.commit:
                return done
            try:
                if branch:
                    self._checkout.push(done.commit, branch)
            except RaceLostError as error:
                workflow_commands.annotate("notice", f"rendering again on the new head: {error}", title="Waypost")
                tip = self._newest(str(branch), head)
                continue
            if tip == head and self._target.is_checked_out:
                self._checkout.advance(done.commit, done.output_paths)
            return done
        raise AnnounceError(f"{branch} moved {_TRIES} times in a row; let one run at a time write to it")

    def _commit_here(self, done: StepResult) -> StepResult:
        commit = self._checkout.commit(done.output_paths, self._message, self._checkout.head())
        return replace(done, commit=commit or "")

    def _commit_on(self, tip: str | None, rendered: StepResult) -> StepResult:
        """Render again for a commit that is not HEAD, and commit on it.

        Where the branch went on from HEAD, its newest files are rendered. A site that was built here, or
        that goes to a branch of its own, is rendered as it stands here; but if another run has published
        the checked-out branch's sitemaps meanwhile, they stand.
        """
        if tip is None:
            return self._commit_here(rendered)
        head = self._checkout.head()
        is_whole = self._checkout.is_ancestor(head, tip) and self._checkout.is_committed(rendered.input_paths)
        if self._target.is_checked_out and not is_whole and self._checkout.differs(head, tip, rendered.output_paths):
            message = "another run published other sitemaps meanwhile; they stand, and nothing was committed"
            workflow_commands.annotate("notice", message, title="Waypost")
            return rendered
        with self._checkout.worktree(tip) as tree:
            done = self._rendered(tree.root if is_whole else self._checkout.root, tree.root)
            return replace(done, commit=tree.commit(done.output_paths, self._message, tip) or "")

    def _newest(self, branch: str, head: str | None) -> str | None:
        """The branch's newest commit, which must have gone on from the checkout's if that is on it."""
        tip = self._checkout.fetch(branch)
        if tip and self._target.is_checked_out and not self._checkout.is_ancestor(head, tip):
            raise AnnounceError(
                f"{branch} does not hold the commit that is checked out ({str(head)[:12]}), so nothing was pushed; "
                "check out that branch, or set `branch` to the one to push to"
            )
        return tip

    def _rendered(self, sources: Path, outputs: Path) -> StepResult:
        """Plan and apply, with sources and outputs in these working trees.

        A state on a branch of its own is pushed before what it dates.
        """
        for _ in range(_TRIES):
            parent = self._fetch_state()
            done = self._planned(sources, outputs)
            try:
                self._push_state(done.plan, parent)
            except RaceLostError as error:
                workflow_commands.annotate("notice", f"rendering again: {error}", title="Waypost")
                continue
            done.job.apply(done.plan)
            return done
        raise AnnounceError(
            f"{self._asked.state_branch} moved {_TRIES} times in a row; let one run at a time write to it"
        )

    def _planned(self, sources: Path, outputs: Path) -> StepResult:
        job = prepare(
            self._in(sources, self._source),
            *self._asked.sources,
            *self._state_layer(),
            file=self._in(sources, self._config) if self._config else None,
            output=self._in(outputs, self._output),
            here=self._settings_folder(sources),
            issues=self._asked.issues,
        )
        if job.state:
            job = replace(job, state=self._in(outputs, job.state))
        if self._asked.fetches_history and job.site.lastmod == "git":
            _fetch_history(job.history_folder)
        plan = job.plan()
        return StepResult(outputs, sources, job, plan, formatting.markdown(plan, job.site, job.renderer))

    def _settings_folder(self, sources: Path) -> Path:
        """Where settings may be beside the source: the repository's root, or else the workspace that it lies in."""
        is_there = any((sources / name).exists() for name in settings_file.NAMES)
        return sources if is_there else self._in(sources, self._workspace)

    def _in(self, tree: Path, path: Path) -> Path:
        """A path of the checkout in another working tree of its repository; others stay."""
        return tree / path.relative_to(self._checkout.root) if path.is_relative_to(self._checkout.root) else path

    def _check_paths(self, done: StepResult) -> None:
        outside = next((path for path in done.output_paths if not path.is_relative_to(self._checkout.root)), None)
        if outside:
            raise AnnounceError(
                f"{outside} lies outside the repository {self._checkout.root}, so it cannot be committed"
            )
        ignored = self._checkout.ignores([path for path in done.output_paths if path.exists()])
        if ignored:
            raise AnnounceError(
                f"Git ignores {ignored[0]}, so it was not committed; take it out of .gitignore, or leave out `commit`"
            )

    def _state_layer(self) -> list[ConfigSource]:
        """With a state branch, the state lies in the runner's temporary folder during the run."""
        return [ConfigSource(inputs.WHERE, {"state": str(self._kept_state)})] if self._asked.state_branch else []

    def _fetch_state(self) -> str | None:
        """Bring the state from its branch; returns the branch's commit, None before the first."""
        if not self._asked.state_branch or self._asked.issues:
            return None
        parent = self._checkout.fetch(self._asked.state_branch)
        others = [name for name in self._checkout.files(parent) if name != _STATE_NAME] if parent else []
        if others:
            raise AnnounceError(
                f"the branch {self._asked.state_branch} holds other files than the state ({others[0]}), and keeping "
                "the state there would remove them; name a branch of its own in `state-branch`"
            )
        content = self._checkout.read(parent, _STATE_NAME) if parent else None
        self._kept_state.unlink(missing_ok=True)
        if content is not None:
            self._kept_state.write_bytes(content)
        return parent

    def _push_state(self, plan: Plan, parent: str | None) -> None:
        branch = self._asked.state_branch
        if not branch or plan.state is None or not self._target.may_push:
            return
        if parent and self._checkout.read(parent, _STATE_NAME) == plan.state:
            return
        message = CommitMessage("Remember pages' dates", self._message.author, self._message.is_signed_off)
        self._checkout.push(self._checkout.commit_file(_STATE_NAME, plan.state, message, parent), branch)


def workflow_event(environ: Mapping[str, str]) -> WorkflowEvent:
    """What the runner says the workflow runs for; a pull request's origin stands in its payload."""
    return WorkflowEvent(
        name=environ.get("GITHUB_EVENT_NAME", ""),
        ref_type=environ.get("GITHUB_REF_TYPE", "branch"),
        ref_name=environ.get("GITHUB_REF_NAME", ""),
        head_ref=environ.get("GITHUB_HEAD_REF", ""),
        is_from_fork=_is_from_fork(environ),
    )


def _is_from_fork(environ: Mapping[str, str]) -> bool:
    try:
        payload = json.loads(Path(environ.get("GITHUB_EVENT_PATH", "")).read_bytes())
        head = payload["pull_request"]["head"]["repo"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return head is None or head.get("full_name") != environ.get("GITHUB_REPOSITORY")


def _fetch_history(folder: Path) -> None:
    root = git.repository_root(folder)
    if root and GitCheckout(root).is_shallow() and (complaint := GitCheckout(root).fetch_history()):
        workflow_commands.annotate("warning", f"the history could not be fetched: {complaint}", title="Waypost")
