"""The `waypost` command, which imports the module of a command only when that one is called."""

from importlib import import_module

import click

from waypost import __version__

_COMMANDS = {
    "audit": "Check a site's pages and the links between them.",
    "aws": "Connect a bucket to the Lambda function.",
    "build": "Render the sitemaps of a folder or a bucket.",
    "check-live": "Ask the server for every URL that sitemaps list.",
    "date": "Give the sitemaps of any tool true dates.",
    "diff": "Print what changed between two sitemaps.",
    "explain": "Print why files are listed or left out.",
    "init": "Write example settings and a workflow.",
    "merge": "Write one sitemap, or one index, of several sitemaps.",
    "notify": "Notify search engines and others of what was published.",
    "recognise": "Print what is recognised of a project, and what showed it.",
    "report": "Write a page that shows a site and its sitemaps.",
    "status": "Print what a bucket's state holds.",
    "submit": "Submit sitemaps to Google and Bing, and read back their errors.",
    "update": "Update a bucket's sitemaps for changed keys.",
    "validate": "Check any sitemaps against the protocol.",
}
"""The commands, each with what it does; `check-live` is `check_live` in `check_live_command.py`."""
_OF_BUCKETS = ("aws", "status", "update")
"""The commands in `bucket_commands.py`."""
_LONGEST_NAME = 40
"""A longer word is no command that was mistyped."""
_EPILOG = """\
\b
Exit codes: 0 done; 1 errors were found, or published files are out of date; 2 wrong settings or options;
3 the site cannot be read, or must be built first. docs/command-line.md has all of them.

\b
Output has no colour if NO_COLOR is set, TERM is dumb, or it is not a terminal. SOURCE_DATE_EPOCH, in Unix
seconds, replaces the current time.
"""


class _LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = "bucket_commands" if cmd_name in _OF_BUCKETS else f"{name}_command"
        command: click.Command = getattr(import_module(f"waypost.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS:
            from difflib import get_close_matches  # only a mistake needs it

            close = get_close_matches(args[0][:_LONGEST_NAME], _COMMANDS, n=1)
            ctx.fail(f"No such command {args[0]!r}{f'; did you mean {close[0]}?' if close else '.'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_EPILOG,
)
@click.version_option(__version__, "-V", "--version", message="waypost %(version)s")
def main() -> None:
    """Generate a website's sitemaps and keep them up to date.

    \b
    Try it on a folder of HTML files, without writing anything:
      waypost build public --base-url https://www.example.org/ --dry-run
    """
