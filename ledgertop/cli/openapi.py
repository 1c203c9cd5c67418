"""`ledgertop openapi`: the API's description."""

import json

import click

from ledgertop.cli.output import json_option


@click.command()
@json_option
def openapi(as_json: bool) -> None:
    """Print the API's OpenAPI 3.1 document; with --json on one line."""
    from api.application import openapi_document

    click.echo(json.dumps(openapi_document(), indent=None if as_json else 2, ensure_ascii=False))
