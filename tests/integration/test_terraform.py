"""The Terraform module creates the same resources as the template."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from policy_statements import plain_statement
from stacks import ROOT
from terraform import MODULE, Module
from terraform_equivalents import Template

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = ("name", "alarm_name", "bucket_prefix", "policy", "assume_role_policy")
"""Arguments that are not compared as such: names, which CloudFormation chooses, and policies, whose statements are."""
TRUST = {"StateMachineRole": "state_machine_trust"}
pytestmark = pytest.mark.parametrize("conditions", [True, False], ids=["all options", "no options"])


def unnamed(address: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a resource that are compared, without those that are null."""
    kind = address.partition(".")[0]
    left_out = {*NAMES, *(["function_name"] if kind == "aws_lambda_function" else [])}
    left_out -= {"name"} if kind in ("aws_cloudwatch_log_group", "aws_sfn_state_machine") else set()
    return {key: _without_null(value) for key, value in body.items() if value is not None and key not in left_out}


def _without_null(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_null(each) for each in value]
    if isinstance(value, dict):
        return {key: _without_null(part) for key, part in value.items() if part is not None}
    return value


def test_each_resource_of_the_template_is_in_the_module_and_no_other(*, conditions: bool) -> None:
    module, template = Module(conditions=conditions), Template(conditions=conditions)
    actual = {
        address: unnamed(address, body)
        for address, body in module.resources().items()
        if not address.startswith("aws_iam_role_policy.")
    }
    assert actual == template.resources()


def test_each_role_has_the_same_statements(*, conditions: bool) -> None:
    module, template = Module(conditions=conditions), Template(conditions=conditions)
    policies = [body for address, body in module.resources().items() if address.startswith("aws_iam_role_policy.")]
    for role in template.roles():
        documents = [_document(body["policy"]) for body in policies if body["role"] == f"<{role}>"]
        actual = [plain_statement(each) for name in documents for each in module.statements(name)]
        assert _sorted(actual) == _sorted(template.statements(role)), role
        trust = module.statements(TRUST.get(role, "lambda_trust"))
        assert list(map(plain_statement, trust)) == template.document(role, "AssumeRolePolicyDocument"), role


@pytest.mark.parametrize(
    ("name", "address"),
    [("StateBucketPolicy", "aws_s3_bucket_policy.state"), ("EventQueuePolicy", "aws_sqs_queue_policy.events")],
)
def test_the_policies_of_bucket_and_queue_are_the_same(name: str, address: str, *, conditions: bool) -> None:
    module, template = Module(conditions=conditions), Template(conditions=conditions)
    policies = [body["policy"] for found, body in module.resources().items() if found == address]
    actual = [plain_statement(each) for policy in policies for each in module.statements(_document(policy))]
    assert actual == template.document(name)


def test_the_variables_are_the_parameters_with_the_same_defaults(*, conditions: bool) -> None:
    module, parameters = Module(conditions=conditions), Template(conditions=conditions).parameters
    assert module.variables.keys() - {"name", "package"} == set(map(snake_case, parameters))
    for name, parameter in parameters.items():
        variable = module.variables[snake_case(name)]
        assert ("default" in variable) == ("Default" in parameter), name
        if "Default" in parameter:
            assert str(module.evaluate(variable["default"])).lower() == str(parameter["Default"]).lower(), name
        assert module.evaluate(variable["description"]) == " ".join(parameter["Description"].split()), name


def test_the_variables_are_checked_as_the_parameters_are(*, conditions: bool) -> None:
    module, parameters = Module(conditions=conditions), Template(conditions=conditions).parameters
    for name, parameter in parameters.items():
        variable = module.variables[snake_case(name)]
        condition = "".join(each["condition"] for each in variable.get("validation", ()))
        limits = [str(parameter[key]) for key in ("MinValue", "MaxValue") if key in parameter]
        limits += [parameter["AllowedPattern"]] if "AllowedPattern" in parameter else []
        limits += list(map(str, parameter.get("AllowedValues", ()))) if "bool" not in variable["type"] else []
        assert [each for each in limits if each not in condition] == [], name


def test_the_module_has_an_output_for_each_of_the_template(*, conditions: bool) -> None:
    module, outputs = Module(conditions=conditions), Template(conditions=conditions).outputs
    assert set(module.outputs) == set(map(snake_case, outputs))


def test_the_state_machine_is_the_one_of_the_template(*, conditions: bool) -> None:
    text = (MODULE / "state_machine.tf").read_text()
    assert 'templatefile("${path.module}/../rebuild.asl.json"' in text
    definition = (ROOT / "infra" / "rebuild.asl.json").read_text()
    given = re.search(r"templatefile\([^{]*\{path.module\}[^{]*\{(.*?)\}\)", text, re.DOTALL)
    assert given
    assert set(re.findall(r"^ +(\w+) +=", given[1], re.MULTILINE)) == set(re.findall(r"\$\{(\w+)\}", definition))
    assert "%{" not in definition
    assert "aws_sfn_state_machine.rebuild" in Module(conditions=conditions).resources()


def snake_case(name: str) -> str:
    """A name of the template as Terraform's style has it."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _document(policy: str) -> str:
    """The name of the policy document that a policy refers to."""
    return policy.split(".")[2]


def _sorted(statements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(statements, key=lambda each: str(each["sid"]))
