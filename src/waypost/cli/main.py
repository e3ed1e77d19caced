"""The `waypost` command."""

import click

from waypost import __version__
from waypost.cli import (
    audit_command,
    aws_commands,
    build_command,
    explain_command,
    init_command,
    ledger_commands,
    notify_command,
    report_command,
    sitemap_commands,
)
from waypost.cli.exits import EPILOG


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, epilog=EPILOG)
@click.version_option(__version__, "-V", "--version", message="waypost %(version)s")
def main() -> None:
    """Generate a website's sitemaps and keep them up to date.

    \b
    Try it on a folder of HTML files, without writing anything:
      waypost build public --base-url https://www.example.org/ --dry-run
    """


for _command in (
    build_command.build,
    ledger_commands.update,
    ledger_commands.status,
    notify_command.notify,
    explain_command.explain,
    sitemap_commands.validate,
    sitemap_commands.check_live,
    sitemap_commands.diff,
    audit_command.audit,
    report_command.report,
    init_command.init,
    aws_commands.aws,
):
    main.add_command(_command)
