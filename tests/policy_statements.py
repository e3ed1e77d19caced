"""Statements of IAM policies in one form, whether a CloudFormation template or a Terraform module has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def plain_statement(statement: Mapping[str, Any]) -> dict[str, Any]:
    """A statement of a policy, of the template or of the module, in one form."""
    fields = {key.lower(): value for key, value in statement.items()}
    conditions = fields.get("condition", [])
    if isinstance(conditions, dict):
        conditions = [
            {"test": test, "variable": variable, "values": _list(values)}
            for test, each in conditions.items()
            for variable, values in each.items()
        ]
    return {
        "sid": fields.get("sid"),
        "effect": fields["effect"],
        "actions": sorted(_list(fields.get("action", fields.get("actions")))),
        "resources": sorted(_list(fields.get("resource", fields.get("resources", [])))),
        "principals": _principals(fields.get("principal", fields.get("principals"))),
        "conditions": conditions,
    }


def _principals(given: Any) -> list[Any]:
    if given is None:
        return []
    if given == "*":
        return [{"type": "*", "identifiers": ["*"]}]
    if isinstance(given, dict):
        return [{"type": kind, "identifiers": _list(names)} for kind, names in given.items()]
    return list(given)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
