"""`waypost explain`: why files are listed or left out."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from msgspec import UnsetType
from msgspec.structs import replace

from waypost.build import bucket_explanation, explanation
from waypost.build.divided_bucket import DividedBucket
from waypost.build.explanation import NOT_FOUND, Explanation, KeyFinder, explanation_lines
from waypost.build.job import Job
from waypost.build.locations import parse_location
from waypost.cli import options as site_options
from waypost.cli.bucket_commands import exit_for
from waypost.cli.options import SiteOptions
from waypost.cli.output import errors, print_answer
from waypost.cli.terminal import Progress, warn
from waypost.core.errors import SourceError, WaypostError
from waypost.core.model import Document, printable
from waypost.core.places import place_of
from waypost.project.published_folder import source_text


@click.command()
@click.argument("arguments", nargs=-1, required=True, metavar="[SOURCE] PATH...")
@site_options.site_options
def explain(arguments: tuple[str, ...], *, as_json: bool, options: SiteOptions) -> None:
    """Print for each PATH in SOURCE whether it is listed, with its URL and date, or why it is left out.

    A PATH is that of a file below SOURCE, with or without a `/` before it, or the page's URL in any form. SOURCE is a
    folder or s3://bucket/prefix; without it, the folder that is recognised as the project's site.
    """
    with errors():
        source, paths = _source_and_paths(arguments)
        job = _job(source, options)
        if isinstance(job, WaypostError):
            answers = bucket_explanation.explain_without_settings(paths, job)
        elif job.bucket:
            answers = bucket_explanation.explain_objects(DividedBucket(job.bucket), paths)
        else:
            answers = _explain_files(job, paths)
        print_answer(answers, _lines(job, paths, answers), as_json=as_json)
        problems = [problem for each in answers for problem in each.problems or ()]
        is_missing = any(answer.reason == NOT_FOUND for answer in answers)
        exit_for(problems, SourceError.exit_code if is_missing else 0)


def _lines(job: Job | WaypostError, paths: Sequence[str], answers: Sequence[Explanation]) -> Iterator[str]:
    for path, answer in zip(paths, answers, strict=True):
        first, *more = explanation_lines(answer)
        is_another = path.strip("./") != answer.path.strip("./")
        yield from (f"{first} (for {printable(path)})" if is_another else first, *more)
    if not isinstance(job, WaypostError) and job.folder:
        yield f"{job.folder.source} is {source_text(job.source_kind)}"


def _source_and_paths(arguments: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """The source, if the first argument is a folder or a bucket, and the paths."""
    first, *others = arguments
    is_bucket = place_of(first).kind == "bucket"
    if not (is_bucket or Path(first).is_dir()):
        return None, arguments
    if not others:
        raise click.UsageError("Missing argument 'PATH...'.")
    return first, others


def _job(source: str | None, options: SiteOptions) -> Job | WaypostError:
    """The run over the source, or the error that prevents it, if the source is a bucket."""
    try:
        return site_options.job(source, options)
    except WaypostError as error:
        if source and parse_location(source).scheme:
            return error
        raise


def _explain_files(job: Job, paths: Sequence[str]) -> list[Explanation]:
    with Progress() as progress:
        listing, dates = job.list_pages(progress)
        documents: Sequence[Document] = ()
        problem: WaypostError | None = None
        try:
            documents = job.plan_publication(listing, dates, progress).documents
        except WaypostError as error:  # the listing is still worth an answer
            problem = error
    if problem:
        warn(f"no sitemap can be generated: {problem}")
    finder = KeyFinder(listing, job.site)
    answers = [explanation.explain(listing, documents, _key(job, finder, path)) for path in paths]
    answers = [_with_commit(job, each) for each in answers]
    return [replace(each, source_kind=job.source_kind) for each in answers] if job.source_kind.reason else answers


def _with_commit(job: Job, answer: Explanation) -> Explanation:
    """The answer with the commit that dates the page, if one does."""
    if isinstance(answer.dating, UnsetType) or not answer.lastmod:
        return answer
    commit = job.dates.commit_of(answer.path, answer.dating.files, str(answer.lastmod))
    return replace(answer, commit=commit) if commit else answer


def _key(job: Job, finder: KeyFinder, path: str) -> str:
    """The site's key of a path, or of a page's URL."""
    place = place_of(path)
    if place.kind == "web":
        return finder.by_url(place.text) or path
    key = job.input.key(path)
    return key if key == "." else finder.by_path(key) or key
