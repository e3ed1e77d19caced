"""`waypost aws`: prepares a bucket for the Lambda function."""

import click

from waypost.build.locations import require_sdk
from waypost.cli.exits import errors
from waypost.cli.terminal import say
from waypost.core.places import place_of


@click.group()
def aws() -> None:
    """Prepare a bucket for the function that infra/template.yaml deploys."""


@aws.command()
@click.argument("bucket")
@click.option("--dry-run", is_flag=True, help="Only print whether anything would change.")
def connect(bucket: str, *, dry_run: bool) -> None:
    """Make BUCKET send the events of its objects to EventBridge; its other notifications stay as they are.

    A bucket that the function cannot work with is refused, with the reason.
    """
    _configure(bucket, is_connected=True, is_dry_run=dry_run)


@aws.command()
@click.argument("bucket")
@click.option("--dry-run", is_flag=True, help="Only print whether anything would change.")
def disconnect(bucket: str, *, dry_run: bool) -> None:
    """Stop BUCKET from sending its events to EventBridge. No other EventBridge rule gets them any more either."""
    _configure(bucket, is_connected=False, is_dry_run=dry_run)


def _configure(bucket: str, *, is_connected: bool, is_dry_run: bool) -> None:
    with errors():
        require_sdk("s3")
        from waypost.build import bucket_checks
        from waypost.files.s3_client import account, s3_client

        client, name = s3_client(), place_of(bucket).text.removeprefix("s3://").partition("/")[0]
        if is_connected:
            bucket_checks.require_suitable(client, name, bucket_checks.BucketPlace(account=account()))
        configure = bucket_checks.connect if is_connected else bucket_checks.disconnect
        is_changed = configure(client, name, is_dry_run=is_dry_run)
        when = ("would now" if is_dry_run else "now") if is_changed else "already"
        action = "sends its events to EventBridge" if is_connected else "does not send its events to EventBridge"
        say(f"{name} {when}: it {action}; its other notifications are unchanged")
        for note in bucket_checks.notes(client, name) if is_connected else ():
            say(f"note: {name}: {note}", "yellow")
