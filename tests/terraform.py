"""The Terraform module, evaluated as far as its comparison with the template needs: with all conditions true or false.

No program of Terraform is needed. A reference to something that exists only in AWS becomes a text, such as
`<EventQueue.Arn>`, which names the template's resource. `terraform_equivalents` gives the template the same texts.
"""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from typing import Any

import hcl2
from stacks import ROOT

MODULE = ROOT / "infra" / "terraform"
ADDRESSES = {
    "aws_s3_bucket.state": "StateBucket",
    "aws_sqs_queue.dead_letters": "DeadLetterQueue",
    "aws_sqs_queue.failed_invocations": "FailedInvocationQueue",
    "aws_sqs_queue.events": "EventQueue",
    "aws_cloudwatch_event_rule.objects": "ObjectRule",
    "aws_cloudwatch_event_rule.schedule": "Schedule",
    "aws_cloudwatch_log_group.functions": "LogGroup",
    "aws_iam_role.events": "EventFunctionRole",
    "aws_iam_role.rebuild": "RebuildFunctionRole",
    "aws_iam_role.state_machine": "StateMachineRole",
    "aws_lambda_function.events": "EventFunction",
    "aws_lambda_function.rebuild": "RebuildFunction",
    "aws_sfn_state_machine.rebuild": "StateMachine",
}
"""The template's resource for each resource that others refer to."""
_OTHERS = {
    "var.name": "<AWS::StackName>",
    "data.aws_caller_identity.current.account_id": "<AWS::AccountId>",
    "data.aws_partition.current.partition": "<AWS::Partition>",
    "data.aws_region.current.name": "<AWS::Region>",
    "local.state_machine_name": "<StateMachine.Name>",
}
_ATTRIBUTES = {"arn": ".Arn", "name": ".Name", "id": "", "url": "", "function_name": ""}
Values = dict[str, Any]


class Module:
    """The module with each of its conditions true, or each false."""

    def __init__(self, *, conditions: bool) -> None:
        files = [_parsed(path.read_text()) for path in sorted(MODULE.glob("*.tf"))]
        self._conditions = conditions
        self._locals = {
            name: each for file in files for block in file.get("locals", ()) for name, each in block.items()
        }
        blocks = [block for file in files for block in file.get("resource", ())]
        self._resources = {f"{kind}.{name}": body for kind, name, body in map(_two_labels, blocks)}
        documents = [_two_labels(block) for file in files for block in file.get("data", ())]
        self._documents = {name: body for kind, name, body in documents if kind == "aws_iam_policy_document"}
        self.variables = self._named(files, "variable")
        self.outputs = self._named(files, "output")

    def resources(self) -> dict[str, Values]:
        """The resources that exist, by address; resources of a `for_each` by address and key."""
        found: dict[str, Values] = {}
        for address, body in self._resources.items():
            if "for_each" in body:
                for key, value in self.evaluate(body["for_each"]).items():
                    found[f"{address}[{key}]"] = self._body(body, {"each.key": key, "each.value": value})
            elif self.evaluate(body.get("count", 1)):
                found[address] = self._body(body, {})
        return found

    def statements(self, policy: str) -> list[Values]:
        """The statements of a policy document that a resource refers to, without those whose condition is false."""
        body = self._documents[policy]
        found = list(body.get("statement", ()))
        for _, block in _dynamic_blocks(body):
            found += block["content"] if self.evaluate(block["for_each"]) else []
        return [self._body(statement, {}) for statement in found]

    def evaluate(self, value: Any, each: Values | None = None) -> Any:
        """A value with all of its expressions evaluated."""
        if isinstance(value, dict):
            return {_label(name): self.evaluate(part, each) for name, part in value.items() if not _is_note(name)}
        if isinstance(value, list):
            return [self.evaluate(part, each) for part in value]
        if not isinstance(value, str):
            return value
        if value.startswith('"'):
            text = value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
            return re.sub(r"\$\{([^}]+)\}", lambda found: str(self._expression(found[1], each or {})), text)
        if value.startswith("${"):
            return self._expression(value[2:-1], each or {})
        return self._expression(value, each or {})

    def _expression(self, text: str, each: Values) -> Any:
        text = text.strip()
        for pattern, method in _FORMS:
            if found := re.fullmatch(pattern, text, re.DOTALL):
                return method(self, found, each)
        if re.fullmatch(r"[a-z]\w*(\.\w+|\[\d+\])+", text):
            return self._reference(text, each)
        (parsed,) = (part for name, part in _parsed(f"x = {text}\n").items() if name == "x")
        assert parsed != f"${{{text}}}", f"this expression is not understood: {text}"
        return self.evaluate(parsed, each)

    def _conditional(self, found: re.Match[str], each: Values) -> Any:
        return self._expression(found[1] if self._conditions else found[2], each)

    def _filtered(self, found: re.Match[str], each: Values) -> Any:
        return {name: value for name, value in self._expression(found[1], each).items() if value is not None}

    def _merged(self, found: re.Match[str], each: Values) -> Any:
        return {**self._expression(found[1], each), **self._expression(found[2], each)}

    def _first_existing(self, found: re.Match[str], each: Values) -> Any:
        field = found[1].removeprefix("each.value.")
        return each["each.value"].get(field, self._expression(found[2], each))

    def _split(self, found: re.Match[str], each: Values) -> Any:
        return self.evaluate(found[2], each).split(found[1])[int(found[3])]

    def _encoded(self, found: re.Match[str], each: Values) -> Any:
        return self._expression(found[1], each)

    def _reference(self, text: str, each: Values) -> Any:
        if text in each:
            return each[text]
        if text.startswith("each.value."):
            return each["each.value"][text.removeprefix("each.value.")]
        if text in _OTHERS:
            return _OTHERS[text]
        kind, name, *attributes = text.split(".")
        if kind == "local":
            return self.evaluate(self._locals[name])
        if kind == "var":
            return f"<{''.join(word.capitalize() for word in name.split('_'))}>"
        if kind == "data":
            return text
        address = f"{kind}.{name}".removesuffix("[0]")
        return f"<{ADDRESSES[address]}{_ATTRIBUTES[attributes[0]]}>"

    def _body(self, body: Values, each: Values) -> Values:
        found = {
            name: self.evaluate(part, each) for name, part in body.items() if name not in _META and not _is_note(name)
        }
        for name, block in _dynamic_blocks(body):
            (content,) = block["content"]
            for key, value in self.evaluate(block["for_each"], each).items():
                made = self.evaluate(content, {**each, f"{name}.key": key, f"{name}.value": value})
                found[name] = [*found.get(name, ()), made]
        return found

    def _named(self, files: list[Any], kind: str) -> dict[str, Values]:
        blocks = [block for file in files for block in file.get(kind, ())]
        return {_label(label): body for block in blocks for label, body in block.items() if not _is_note(label)}


_META = ("for_each", "count", "depends_on", "dynamic", "lifecycle", "definition", "filename", "source_code_hash")
"""What no resource of the template has: arguments of Terraform itself, and those that are compared separately."""
_FORMS = (
    (r"\{\s*for \w+, \w+ in (.+) : \w+ => (\w+) if \2 != null\s*\}", Module._filtered),
    (r"jsonencode\((.+)\)", Module._encoded),
    (r"split\(\"(.+?)\", (.+)\)\[(\d)\]", Module._split),
    (r"merge\(([^,]+), ([^,]+)\)", Module._merged),
    (r"try\(([^,]+), ([^,]+)\)", Module._first_existing),
    (r"[^?]+ \? (.+) : (.+)", Module._conditional),
)
"""The forms of expressions that the module uses."""


def _parsed(text: str) -> Values:
    return deepcopy(_parsed_once(text))


@cache
def _parsed_once(text: str) -> Values:
    """The values of a text in HCL; its parser takes a second for the module."""
    values: Values = hcl2.loads(text)
    return values


def _two_labels(block: Values) -> tuple[str, str, Values]:
    (kind, named), *_ = ((label, body) for label, body in block.items() if not _is_note(label))
    (name, body), *_ = ((label, body) for label, body in named.items() if not _is_note(label))
    return _label(kind), _label(name), body


def _dynamic_blocks(body: Values) -> list[tuple[str, Values]]:
    """The dynamic blocks of a body, each with the name of the blocks that it makes."""
    blocks = [each.items() for each in body.get("dynamic", ())]
    return [(_label(label), block) for each in blocks for label, block in each if not _is_note(label)]


def _label(name: str) -> str:
    return name.strip('"')


def _is_note(name: str) -> bool:
    """Whether the parser added a field: that something is a block, or a comment."""
    return name.startswith("__")
