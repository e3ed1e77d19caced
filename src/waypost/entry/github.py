"""The GitHub Action: render, commit, push, and tell what was done."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from waypost.announce.commits import Checkout, Message, RaceLostError
from waypost.config import Layer
from waypost.entry import answers, inputs, workflow
from waypost.entry.inputs import Inputs
from waypost.entry.job import Job, prepare
from waypost.errors import AnnounceError, ConfigurationError, WaypostError
from waypost.model import Plan, Warned
from waypost.sources import git

_TRIES = 6
_STATE_NAME = "waypost-state.jsonl"


@dataclass(frozen=True, slots=True)
class Done:
    """A run's result: what was planned below which root, and the commit made of it, if one was."""

    root: Path
    job: Job
    plan: Plan
    commit: str = ""

    @property
    def paths(self) -> list[Path]:
        """Every file that Waypost keeps: those that stand and those it removed."""
        names = [*(document.name for document in self.plan.documents), *self.plan.removed]
        state = self.job.state
        kept = [state] if state and state.is_relative_to(self.root) else []
        return [*(self.job.output / name for name in names), *kept]


def main(environ: Mapping[str, str] = os.environ) -> int:
    """Run the step; returns its exit code."""
    try:
        _tell(Run(inputs.read(environ), environ).done(), environ)
    except ConfigurationError as error:
        for mistake in error.mistakes:
            workflow.annotate(
                "error",
                str(mistake),
                title="Waypost: settings",
                file=mistake.where if mistake.line else "",
                line=mistake.line,
            )
        return error.exit_code
    except WaypostError as error:
        workflow.annotate("error", str(error), title="Waypost")
        return error.exit_code
    return 0


class Run:
    """One step in one checkout; raises AnnounceError where there is none to commit to."""

    def __init__(self, asked: Inputs, environ: Mapping[str, str]) -> None:
        self._asked = asked
        self._environ = environ
        workspace = Path(environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
        self._source = (workspace / asked.source).resolve()
        self._output = (workspace / asked.output).resolve() if asked.output else self._source
        self._config = (workspace / asked.config).resolve() if asked.config else None
        root = git.repository_root(self._source if self._source.is_dir() else workspace)
        if root is None and (asked.is_committed or asked.state_branch):
            raise AnnounceError(f"{self._source} is in no Git repository; put actions/checkout before this step")
        self._checkout = Checkout((root or workspace).resolve())
        self._message = Message(asked.message, asked.author, asked.is_signed_off)

    def done(self) -> Done:
        """Render, and commit and push as asked."""
        rendered = self._rendered()
        return self._committed(rendered) if self._asked.is_committed else rendered

    def _rendered(self) -> Done:
        """Plan and apply in the user's checkout; a state on a branch of its own is pushed before."""
        for _ in range(_TRIES):
            parent = self._fetch_state()
            done = self._planned(self._checkout.root)
            try:
                self._push_state(done.plan, parent)
            except RaceLostError as error:
                workflow.annotate("notice", f"rendering again: {error}", title="Waypost")
                continue
            done.job.apply(done.plan)
            return done
        raise AnnounceError(
            f"{self._asked.state_branch} moved {_TRIES} times in a row; let one run at a time write to it"
        )

    def _committed(self, done: Done) -> Done:
        """Commit on the branch's newest commit and push, until nobody else was faster."""
        self._check_paths(done)
        branch, tip = self._branch(), self._checkout.head()
        if branch and not self._is_on(branch):
            tip = self._checkout.fetch(branch) or tip
        for _ in range(_TRIES):
            done = self._commit_on(tip, done)
            if not done.commit:
                return done
            try:
                if branch:
                    self._checkout.push(done.commit, branch)
            except RaceLostError as error:
                workflow.annotate("notice", f"rendering again on the new head: {error}", title="Waypost")
                tip = self._checkout.fetch(str(branch))
                continue
            if tip == self._checkout.head():
                self._checkout.advance(done.commit, done.paths)
            return done
        raise AnnounceError(f"{branch} moved {_TRIES} times in a row; let one run at a time write to it")

    def _commit_on(self, tip: str | None, done: Done) -> Done:
        """Commit on a commit: what was rendered where it is HEAD or has no source to render from, else anew."""
        source = self._below_root(self._source)
        if tip is None or tip == self._checkout.head() or not self._checkout.holds(tip, source):
            return Done(done.root, done.job, done.plan, self._checkout.commit(done.paths, self._message, tip) or "")
        with self._checkout.worktree(tip) as tree:
            again = self._planned(tree.root)
            again.job.apply(again.plan)
            commit = tree.commit(again.paths, self._message, tip) or ""
        return Done(again.root, again.job, again.plan, commit)

    def _planned(self, root: Path) -> Done:
        """Plan in a working tree: the user's, or another at a newer commit."""

        def there(path: Path) -> Path:
            return root / path.relative_to(self._checkout.root) if path.is_relative_to(self._checkout.root) else path

        layers = [*self._asked.layers, *self._state_layer()]
        config = there(self._config) if self._config else None
        job = prepare(
            there(self._source),
            *layers,
            file=config,
            output=there(self._output),
            here=root,
            mistakes=self._asked.mistakes,
        )
        if self._asked.fetches_history and job.site.lastmod == "git":
            self._fetch_history()
        return Done(root, job, job.plan())

    def _fetch_history(self) -> None:
        if git.repository_root(self._checkout.root) and self._checkout.is_shallow():
            complaint = self._checkout.fetch_history()
            if complaint:
                workflow.annotate("warning", f"the history could not be fetched: {complaint}", title="Waypost")

    def _branch(self) -> str | None:
        """Where to push to, or None for nowhere: not from a pull request or a tag unless asked."""
        is_pull_request = self._environ.get("GITHUB_EVENT_NAME", "").startswith("pull_request")
        if self._asked.push == "false" or (self._asked.push == "auto" and is_pull_request):
            return None
        named = self._asked.branch or self._environ.get("GITHUB_HEAD_REF") or self._ref_branch()
        if named is None:
            message = "committed, but not pushed: a tag is no branch; set `branch` to push to one"
            workflow.annotate("notice", message, title="Waypost")
        return named

    def _ref_branch(self) -> str | None:
        is_branch = self._environ.get("GITHUB_REF_TYPE", "branch") == "branch"
        return self._environ.get("GITHUB_REF_NAME") if is_branch else None

    def _is_on(self, branch: str) -> bool:
        is_pull_request = bool(self._environ.get("GITHUB_HEAD_REF"))
        return not is_pull_request and branch == self._ref_branch()

    def _check_paths(self, done: Done) -> None:
        outside = next((path for path in done.paths if not path.is_relative_to(self._checkout.root)), None)
        if outside:
            raise AnnounceError(
                f"{outside} lies outside the repository {self._checkout.root}, so it cannot be committed"
            )
        ignored = self._checkout.ignores([path for path in done.paths if path.exists()])
        if ignored:
            raise AnnounceError(
                f"Git ignores {ignored[0]}, so it was not committed; take it out of .gitignore, or leave out `commit`"
            )

    def _below_root(self, path: Path) -> str:
        return path.relative_to(self._checkout.root).as_posix() if path.is_relative_to(self._checkout.root) else ""

    def _state_path(self) -> Path:
        return Path(self._environ.get("RUNNER_TEMP") or self._checkout.root) / _STATE_NAME

    def _state_layer(self) -> list[Layer]:
        """With a state branch, the state lies in the runner's temporary folder during the run."""
        return [Layer(inputs.WHERE, {"state": str(self._state_path())})] if self._asked.state_branch else []

    def _fetch_state(self) -> str | None:
        """Bring the state from its branch; returns the branch's commit, None before the first."""
        if not self._asked.state_branch:
            return None
        parent = self._checkout.fetch(self._asked.state_branch)
        content = self._checkout.read(parent, _STATE_NAME) if parent else None
        self._state_path().unlink(missing_ok=True)
        if content is not None:
            self._state_path().write_bytes(content)
        return parent

    def _push_state(self, plan: Plan, parent: str | None) -> None:
        branch = self._asked.state_branch
        if not branch or plan.state is None or (parent and self._checkout.read(parent, _STATE_NAME) == plan.state):
            return
        message = Message("Remember pages' dates", self._message.author, self._message.is_signed_off)
        self._checkout.push(self._checkout.commit_file(_STATE_NAME, plan.state, message, parent), branch)


def _tell(done: Done, environ: Mapping[str, str]) -> None:
    plan, folder = done.plan, done.job.output
    below = folder.relative_to(done.root) if folder.is_relative_to(done.root) else folder
    entrance = answers.entrance(plan)
    outputs = {
        "sitemap-path": (below / entrance).as_posix(),
        "url-count": str(len(plan.pages)),
        "excluded-count": str(sum(skipped.reason.is_of_a_page for skipped in plan.skipped)),
        "changed": str(plan.is_stale or bool(done.commit)).lower(),
        "files": "\n".join((below / name).as_posix() for name in (*plan.written, *plan.removed)),
        "commit-sha": done.commit,
    }
    workflow.write_outputs(environ, outputs)
    workflow.write_summary(environ, _summary(done, entrance))
    for warned in plan.warned:
        _annotate(warned, done)
    print("\n".join(answers.summary(plan)))


def _annotate(warned: Warned, done: Done) -> None:
    """A warning on each file that it is about, as far as it names them."""
    source = done.job.source
    below = source.relative_to(done.root) if source.is_relative_to(done.root) else source
    for example in warned.examples:
        file = (below / example.key).as_posix()
        workflow.annotate("warning", answers.warning_text(warned), title=f"Waypost: {warned.code}", file=file)
    if not warned.examples:
        workflow.annotate("warning", warned.message, title=f"Waypost: {warned.code}")


def _summary(done: Done, entrance: str) -> str:
    values = {
        "site": done.job.site,
        "plan": done.plan,
        "url_count": len(done.plan.pages),
        "sitemap_count": answers.sitemap_count(done.plan),
        "sitemap": entrance,
        "sitemap_url": done.job.site.base_url + entrance,
        "changed": done.plan.is_stale,
        "reasons": answers.by_reason(done.plan),
    }
    return done.job.renderer.text("summary.md.j2", **values).decode()
