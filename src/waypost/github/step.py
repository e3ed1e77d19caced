"""One step of a workflow: render, commit and push, and start again if another push came first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from waypost.build import named_places, workflow_commands
from waypost.build.build_answer import BuildAnswer, build_answer, url_form_text
from waypost.build.diff_answer import DiffAnswer, diff_answer
from waypost.build.folder import prepare, recognised_source
from waypost.build.job import Job, StatePath
from waypost.build.subscribers import key_file_of
from waypost.core import diff
from waypost.core.dates import count_text
from waypost.core.errors import AnnounceError, RaceLostError
from waypost.core.model import Plan
from waypost.core.reasons import REASONS
from waypost.git import CommitMessage, GitCheckout, Repositories
from waypost.github.api import GitHubApi, git_credentials, require_api
from waypost.github.delivery import BranchDelivery, Delivery, MadeCommit, PullRequestDelivery
from waypost.github.event import PushTarget, choose_target, pull_request_number, workflow_event
from waypost.github.inputs import STEP_INPUTS, Inputs, input_path, workspace
from waypost.github.pull_request import PullRequests
from waypost.github.state_branch import StateBranch
from waypost.github.verified_commit import VerifiedCommits
from waypost.project.published_folder import source_text
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer

_MAX_ATTEMPTS = 6
_STATE_FILE = "waypost-state.jsonl"
_PULL_REQUEST_BRANCH = "waypost-sitemaps"


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What a step planned, its answer and job summary, and the SHA of its commit, if it made one.

    `root` is the working tree with the outputs, and `sources` the one with the site. `delivered` says what became of
    the commit, and `pull_request` is the URL of the pull request that has it. `diff` is what changes in the sitemap, if
    the step is to comment on it.
    """

    root: Path
    sources: Path
    job: Job
    plan: Plan
    answer: BuildAnswer
    summary: str
    commit: str = ""
    delivered: str = ""
    pull_request: str = ""
    diff: DiffAnswer | None = None

    @property
    def output_paths(self) -> list[Path]:
        """Every file that Waypost publishes or has removed, the key file, and a state in the working tree."""
        names = [*(document.name for document in self.plan.documents), *self.plan.removed]
        state = self.job.state
        states = [state.path] if state and state.path.is_relative_to(self.root) else []
        if key_file := key_file_of(self.job.site):
            names.append(key_file[0])
        return [*(self.job.paths.output / name for name in names), *states]

    @property
    def input_paths(self) -> Iterator[Path]:
        """Every file that the outputs depend on."""
        yield from (self.job.paths.source / page.key for page in self.plan.pages)
        if self.job.paths.settings:
            yield self.job.paths.settings
        if self.job.templates:
            yield from self.job.templates.glob("*.j2")


class Step:
    """One step in one checkout; raises AnnounceError if it is to commit and there is no repository.

    `api` is GitHub's, if there is a token.
    """

    def __init__(self, inputs: Inputs, environ: Mapping[str, str], api: GitHubApi | None = None) -> None:
        self._inputs, self._api = inputs, api
        self._comments = inputs.comment and pull_request_number(environ) is not None
        self._workspace = workspace(environ)
        self._config = inputs.path("config", self._workspace)
        repository = input_path(self._workspace, "repository", inputs.repository)
        repositories = Repositories(repository)
        self._source = inputs.path("source", self._workspace) or recognised_source(
            self._workspace, inputs.config_sources, self._config, repositories
        )
        self._output = inputs.path("output", self._workspace) or self._source
        found = repositories.find(self._source if self._source.is_dir() else repository)
        self._root = found.root if found else repository
        self._git = GitCheckout(found, git_credentials(inputs.token, environ)) if found else None
        if inputs.commits or inputs.state_branch:
            self._require_checkout()
        self._state_path = Path(environ.get("RUNNER_TEMP") or self._root) / _STATE_FILE
        self._message = CommitMessage(inputs.message, inputs.author)
        self._event = workflow_event({} if found and found.repository.is_submodule else environ)
        self._target = PushTarget(may_push=False)
        self.rendered: ActionResult | None = None
        """What was rendered first, also if it cannot be committed."""

    @property
    def _checkout(self) -> GitCheckout:
        """The checkout that the site is in."""
        if self._git is None:
            raise AnnounceError(f"{self._source} is not in a Git repository; put actions/checkout before this step")
        return self._git

    def _require_checkout(self) -> None:
        """Raise AnnounceError if there is no checkout to commit in, or only one that the inputs do not name."""
        if self._checkout.tree.repository.is_offline:
            raise AnnounceError(
                f"{self._source} is in a repository of its own, {self._root}, in which nothing is committed unless the "
                "input `repository` names it: the `path` of actions/checkout"
            )

    def run(self) -> ActionResult:
        """Render, then commit and push if the inputs say so; raises AnnounceError if an output cannot be committed."""
        if self._inputs.commits or self._inputs.state_branch:
            self._target = self._checked_target()
        self.rendered = rendered = self._render(self._root, self._root)
        if not self._inputs.commits:
            return rendered
        outside = next((path for path in rendered.output_paths if not path.is_relative_to(self._checkout.root)), None)
        if outside:
            raise AnnounceError(f"{outside} is outside the repository {self._checkout.root}, so it cannot be committed")
        if self._target.notice:
            _notice(self._target.notice)
        return self._commit_and_push(rendered)

    def _checked_target(self) -> PushTarget:
        """The branch to push to, unless that would push or publish what nobody has pushed to this repository.

        HEAD must be in the history of the branch, or of the branch or tag that the workflow runs for, as origin has
        them: the commit of a fork is not, whatever event it was checked out for. Raises AnnounceError if the inputs
        say to push nevertheless.
        """
        target = choose_target(
            self._event,
            push=self._inputs.push,
            branch="" if self._inputs.is_for_pull_request else self._inputs.branch,
            checked_out=self._checkout.tree.branch(),
        )
        if not target.may_push or target.notice:
            return target
        if self._is_proven_by_push(target) or self._is_known_to_origin(target.branch):
            return target
        problem = (
            f"the checked-out commit ({str(self._checkout.head())[:12]}) is not in the history of {target.branch} at "
            "origin, so nothing is pushed: it may be a fork's; push it first, or check out that branch"
        )
        if self._inputs.push == "true" or self._inputs.is_for_pull_request:
            raise AnnounceError(problem)
        workflow_commands.annotate("warning", problem, title="Waypost")
        return PushTarget(may_push=False)

    def _is_proven_by_push(self, target: PushTarget) -> bool:
        """Whether nothing need be fetched before: the push is refused unless the branch still has the event's commit.

        The branch may have been deleted or moved back since the event. Nothing else may be pushed before.
        """
        is_first_push = not self._inputs.state_branch and not self._inputs.is_for_pull_request
        is_of_event = self._event.is_of_own_commit and self._checkout.head() == self._event.sha
        return target.is_checked_out and is_first_push and is_of_event

    def _is_known_to_origin(self, branch: str | None) -> bool:
        head = self._checkout.head()
        if head is None or (self._event.is_of_own_branch and head == self._event.sha):
            return True
        refs = dict.fromkeys(filter(None, (f"refs/heads/{branch}" if branch else "", self._event.ref)))
        tips = filter(None, map(self._checkout.fetch_ref, refs))
        return any(self._checkout.is_ancestor(head, tip) for tip in tips)

    def _commit_and_push(self, rendered: ActionResult) -> ActionResult:
        """Commit on the branch's newest commit and deliver that, until no other push comes first."""
        delivery = self._delivery()
        branch, head = self._target.branch, self._checkout.head()
        tip = head if branch is None or self._target.is_checked_out else self._checkout.fetch(branch) or head
        for _ in range(_MAX_ATTEMPTS):
            result = self._commit_on(tip, rendered)
            try:
                if not result.commit:
                    return replace(result, delivered=delivery.leave())
                found = delivery.deliver(MadeCommit(result.commit, tip, self._message.stored, result.summary))
            except RaceLostError as error:
                _notice(f"rendering again on the new head: {error}")
                tip = self._fetch_tip(str(branch), head)
                continue
            if tip == head and self._target.is_checked_out and not self._inputs.is_for_pull_request:
                self._checkout.advance(found.commit, result.output_paths)
            return replace(result, commit=found.commit, delivered=found.text, pull_request=found.url)
        raise _too_many_pushes(str(branch))

    def _delivery(self) -> Delivery:
        """Where the commit goes."""
        checkout, verified, base = self._checkout, self._inputs.verified, self._target.branch
        if not self._inputs.is_for_pull_request or base is None:
            wants_api = verified == "true" or (verified == "auto" and self._api and self._is_own_origin(self._api))
            commits = VerifiedCommits(self._own_api()) if self._api and wants_api else None
            return BranchDelivery(checkout, base, verified, commits, self._is_proven_by_push(self._target))
        api, branch = self._own_api(), self._inputs.branch or _PULL_REQUEST_BRANCH
        pulls = PullRequests(api, branch, base)
        title, labels = self._inputs.pull_request_title, self._inputs.label_names
        return PullRequestDelivery(checkout, branch, verified, VerifiedCommits(api), pulls, title, labels)

    def _own_api(self) -> GitHubApi:
        """GitHub's API, which writes to the workflow's own repository; raises AnnounceError if another is checked out.

        So nothing of a fork gets there, when that is what `repository` of actions/checkout names.
        """
        api = require_api(self._api)
        if not self._is_own_origin(api):
            raise AnnounceError(
                f"another repository is checked out, and GitHub's API would commit to {api.repository}; set "
                "`verified: false`, and `commit: true` or no `commit`"
            )
        return api

    def _is_own_origin(self, api: GitHubApi) -> bool:
        return not api.is_of_another(self._checkout.tree.repository.origin_url)

    def _commit_on(self, tip: str | None, rendered: ActionResult) -> ActionResult:
        """Commit what was rendered on HEAD, also where there is no other commit; or render again for one that is not.

        If the commit descends from HEAD and holds all inputs, its files are rendered. A site that was built in this
        job, or that goes to a branch of its own, is rendered from the checkout; but nothing is committed if another
        run has published sitemaps on the checked-out branch meanwhile.
        """
        head = self._checkout.head()
        if tip is None or tip == head:
            return replace(rendered, commit=self._checkout.commit(rendered.output_paths, self._message, head) or "")
        has_inputs = self._checkout.is_ancestor(head, tip) and self._checkout.is_committed(rendered.input_paths)
        if self._target.is_checked_out and not has_inputs and self._checkout.differs(head, tip, rendered.output_paths):
            _notice("another run has published other sitemaps meanwhile, so nothing was committed")
            return rendered
        with self._checkout.worktree(tip) as tree:
            result = self._render(tree.root if has_inputs else self._checkout.root, tree.root)
            return replace(result, commit=tree.commit(result.output_paths, self._message, tip) or "")

    def _fetch_tip(self, branch: str, head: str | None) -> str | None:
        """The branch's newest commit; raises AnnounceError if it should descend from HEAD and does not."""
        tip = self._checkout.fetch(branch)
        if self._target.is_checked_out and not (tip and self._checkout.is_ancestor(head, tip)):
            raise AnnounceError(
                f"{branch} does not contain the checked-out commit ({str(head)[:12]}), so nothing was pushed; "
                "check out that branch, or set `branch` to the one to push to"
            )
        return tip

    def _render(self, sources: Path, outputs: Path) -> ActionResult:
        """Plan and apply, with sources and outputs in these working trees.

        A state on a branch of its own is pushed before the sitemaps with its dates.
        """
        for _ in range(_MAX_ATTEMPTS):
            branch = None if self._inputs.issues else self._state_branch
            parent = branch.fetch() if branch else None
            result = self._plan(sources, outputs, parent)
            try:
                if branch and result.plan.state is not None and self._target.may_push:
                    branch.push(result.plan.state, result.job.site.base_url, parent)
            except RaceLostError as error:
                _notice(f"rendering again: {error}")
                continue
            if self._comments:
                result = replace(result, diff=diff_answer(*result.job.listings(result.plan)))
            result.job.apply(result.plan)
            return result
        raise _too_many_pushes(self._inputs.state_branch)

    def _plan(self, sources: Path, outputs: Path, state_commit: str | None) -> ActionResult:
        is_checkout, state_layer = sources == self._root, list[ConfigSource]()
        if self._inputs.state_branch:  # the state is a file in the runner's temporary folder
            state_layer = [ConfigSource(STEP_INPUTS, {"state": str(self._state_path)}, is_trusted=True)]
        job = prepare(
            self._in(sources, self._source),
            *self._inputs.config_sources,
            *state_layer,
            file=self._in(sources, self._config) if self._config else None,
            output=self._in(outputs, self._output),
            working_folder=self._settings_folder(sources),
            # The checkout's repository is open: offline, if no input names it.
            repositories=Repositories(sources, self._git.tree.repository if self._git and is_checkout else None),
            issues=self._inputs.issues,
        )
        if job.state:
            state = self._in(outputs, job.state.path)
            root = outputs if state.is_relative_to(outputs) else job.state.root
            job = replace(job, state=StatePath(state, root))
        if branch := self._state_branch:
            branch.copy(state_commit, job.site.base_url)
        fetch_history(self._inputs, job)
        plan = job.plan()
        answer = build_answer(plan, job.site, job.source_kind, job.recognised)
        summary = job_summary(plan, answer, job.site, job.renderer)
        return ActionResult(outputs, sources, job, plan, answer, summary)

    def _settings_folder(self, sources: Path) -> Path:
        """Where settings are read if the source has none: the repository's root, or else the workspace."""
        has_settings = any((sources / name).exists() for name in named_places.NAMES)
        return sources if has_settings else self._in(sources, self._workspace)

    def _in(self, tree: Path, path: Path) -> Path:
        """A path of the checkout in another working tree of its repository; other paths are returned unchanged."""
        return tree / path.relative_to(self._root) if path.is_relative_to(self._root) else path

    @property
    def _state_branch(self) -> StateBranch | None:
        """The branch of the state, if the inputs name one."""
        name = self._inputs.state_branch
        return StateBranch(self._checkout, name, self._state_path, self._message) if name else None


def job_summary(plan: Plan, answer: BuildAnswer, site: Site, renderer: Renderer) -> str:
    """Render the template `summary.md.j2`; raises RenderError."""
    return renderer.text(
        "summary.md.j2",
        site=site,
        plan=plan,
        source=source_text(answer.source_kind),
        url_forms=list(map(url_form_text, answer.url_forms)),
        date_counts=list(map(count_text, answer.date_counts)),
        url_count=answer.url_count,
        sitemap_count=answer.sitemap_count,
        sitemap=answer.root_sitemap,
        sitemap_url=site.base_url + answer.root_sitemap,
        changed=answer.stale,
        sections=diff.sections(plan.changes),
        reasons=[(REASONS[reason], count) for reason, count in answer.excluded_by_reason.items()],
    ).decode()


def fetch_history(inputs: Inputs, job: Job) -> None:
    """Fetch the commits that a shallow clone lacks, if the inputs say so; a failure is annotated."""
    if inputs.fetch_history and (problem := job.dates.fetch_history()):
        workflow_commands.annotate("warning", f"the history could not be fetched: {problem}", title="Waypost")


def _notice(message: str) -> None:
    workflow_commands.annotate("notice", message, title="Waypost")


def _too_many_pushes(branch: str) -> AnnounceError:
    return AnnounceError(f"{branch} moved {_MAX_ATTEMPTS} times in a row; allow only one run at a time to write to it")
