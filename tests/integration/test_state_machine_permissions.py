"""The state machine's role: it allows what its states and its log need, and nothing else.

Sources: "Integrating services with Step Functions", "IAM policies for using Distributed Map state" and "Logging using
CloudWatch Logs" in the Step Functions guide.
"""

from __future__ import annotations

from typing import Any

import pytest
from cloudformation import load_definition, load_template, resolve, role_statements
from integration.test_least_privilege import KEYS, MACHINE, SITE, STATE, granted
from policy_simulator import ACCOUNT, REGION, Access, allows, applies, as_list, key_accesses, matches

ROLE = "StateMachineRole"
EXECUTION = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:machine"
TASKS = f"arn:aws:s3:::{STATE}/ledgers/{SITE}/www/ledger/runs/run-1-1-scan-0000000-40.json"
OF_LOGGING = (
    *("CreateLogDelivery", "GetLogDelivery", "UpdateLogDelivery", "DeleteLogDelivery", "ListLogDeliveries"),
    *("PutResourcePolicy", "DescribeResourcePolicies", "DescribeLogGroups"),
)
OF_RESULT_WRITER = ("PutObject", "GetObject", "ListMultipartUploadParts", "AbortMultipartUpload")


def needed_by(state: dict[str, Any]) -> list[Access]:
    """What a state does in the name of the role."""
    found = []
    if state["Type"] == "Task":
        assert state["Resource"] == "arn:aws:states:::lambda:invoke"
        found.append(Access("lambda:InvokeFunction", state["Parameters"]["FunctionName"]))
    if state["Type"] == "Map":
        assert state["ItemProcessor"]["ProcessorConfig"]["Mode"] == "DISTRIBUTED"
        assert state["ItemReader"]["Resource"] == "arn:aws:states:::s3:getObject"
        assert state["ResultWriter"]["Resource"] == "arn:aws:states:::s3:putObject"
        results = state["ResultWriter"]["Parameters"]
        written = f"arn:aws:s3:::{results['Bucket']}/{results['Prefix']}/result.json"
        child = f"{EXECUTION}/{state['Label']}:child"
        found += [Access("s3:GetObject", TASKS), *(Access(f"s3:{action}", written) for action in OF_RESULT_WRITER)]
        found.append(Access("states:StartExecution", MACHINE))
        found += [
            Access(f"states:{action}", each)
            for action in ("DescribeExecution", "StopExecution")
            for each in (child, f"{EXECUTION}:run")
        ]
        for inner in state["ItemProcessor"]["States"].values():
            found += needed_by(inner)
    return found


@pytest.fixture(scope="module")
def needed() -> list[Access]:
    """What the whole state machine does, with the keys of an encrypted bucket."""
    found = [access for state in load_definition()["States"].values() for access in needed_by(state)]
    logging = load_template()["Resources"]["StateMachine"]["Properties"]["Logging"]
    assert logging["Destinations"]
    found += [Access(f"logs:{action}", "*") for action in OF_LOGGING]
    return [*found, *(of_key for access in found for of_key in key_accesses(access, KEYS))]


def test_the_role_allows_all_that_the_states_need(needed: list[Access]) -> None:
    statements = role_statements(ROLE)
    assert [access for access in needed if not allows(statements, access)] == []


def test_the_role_allows_nothing_else(needed: list[Access]) -> None:
    statements = role_statements(ROLE)
    used = set()
    for access in needed:
        for each in (statement for statement in statements if applies(statement, access)):
            used.add((each["Sid"], access.action))
            used |= {(each["Sid"], name) for name in as_list(each["Resource"]) if matches(name, access.resource)}
    assert granted(statements) - used == set()


def test_only_step_functions_in_this_account_may_take_the_role() -> None:
    (statement,) = resolve(load_template()["Resources"][ROLE]["Properties"]["AssumeRolePolicyDocument"])["Statement"]
    assert statement["Principal"] == {"Service": "states.amazonaws.com"}
    assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": ACCOUNT}}
