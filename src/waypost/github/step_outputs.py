"""Writes a step's outputs into the file that the GitHub runner reads.

Source: GitHub, "Workflow commands".
"""

from collections.abc import Mapping
from uuid import uuid4

from waypost.build.build_answer import BuildAnswer, url_form_text
from waypost.build.workflow_commands import append
from waypost.core import diff
from waypost.core.dates import count_text
from waypost.core.model import Plan
from waypost.core.reasons import REASONS
from waypost.project.published_folder import source_text
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer


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


def write_outputs(environ: Mapping[str, str], outputs: Mapping[str, str]) -> None:
    """Set the step's outputs; a value may have several lines."""
    lines = []
    for name, value in outputs.items():
        delimiter = f"end-{uuid4().hex}"
        lines.append(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")
    append(environ, "GITHUB_OUTPUT", "".join(lines))
