"""The template's resources in the form of Terraform's AWS provider, for a comparison with the Terraform module.

A property that no row below names fails the conversion. So a property that is added to the template has to be added to
the module, too.
"""

from __future__ import annotations

import re
from typing import Any

from cloudformation import load_template
from policy_statements import plain_statement
from terraform import ADDRESSES, Values

_ADDRESS_OF = {name: address for address, name in ADDRESSES.items()}
_MACHINE_ARN = "arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:<StateMachine.Name>"
_ATTRIBUTES = {
    "StateMachine": _MACHINE_ARN,
    "LogGroup": "<LogGroup.Name>",
    "LogGroup.Arn": "<LogGroup.Arn>:*",
}
"""What Ref and GetAtt return where the provider calls it otherwise."""
QUEUE = {
    "VisibilityTimeout": "visibility_timeout_seconds",
    "MessageRetentionPeriod": "message_retention_seconds",
    "SqsManagedSseEnabled": "sqs_managed_sse_enabled",
    "KmsMasterKeyId": "kms_master_key_id",
    "RedrivePolicy": "redrive_policy",
}
LOG_GROUP = {"LogGroupName": "name", "RetentionInDays": "retention_in_days", "KmsKeyId": "kms_key_id"}
ALARM = {
    "AlarmDescription": "alarm_description",
    "Namespace": "namespace",
    "MetricName": "metric_name",
    "Dimensions": "dimensions",
    "Statistic": "statistic",
    "Period": "period",
    "EvaluationPeriods": "evaluation_periods",
    "Threshold": "threshold",
    "ComparisonOperator": "comparison_operator",
    "TreatMissingData": "treat_missing_data",
    "AlarmActions": "alarm_actions",
    "OKActions": "ok_actions",
    "Metrics": "metric_query",
}
METRIC_QUERY = {
    "Id": "id",
    "Expression": "expression",
    "Label": "label",
    "ReturnData": "return_data",
    "MetricStat": "metric",
}
METRIC = {
    "Namespace": "namespace",
    "MetricName": "metric_name",
    "Dimensions": "dimensions",
    "Period": "period",
    "Stat": "stat",
}
FUNCTION = {
    "Description": "description",
    "Handler": "handler",
    "Runtime": "runtime",
    "Architectures": "architectures",
    "MemorySize": "memory_size",
    "Timeout": "timeout",
    "Role": "role",
}
PUBLIC_ACCESS = {
    "BlockPublicAcls": "block_public_acls",
    "BlockPublicPolicy": "block_public_policy",
    "IgnorePublicAcls": "ignore_public_acls",
    "RestrictPublicBuckets": "restrict_public_buckets",
}
MAPPING = {
    "Queue": "event_source_arn",
    "BatchSize": "batch_size",
    "MaximumBatchingWindowInSeconds": "maximum_batching_window_in_seconds",
    "FunctionResponseTypes": "function_response_types",
}


class Template:
    """The template with each of its conditions true, or each false."""

    def __init__(self, *, conditions: bool) -> None:
        template, self._conditions = load_template(), conditions
        self.parameters, self.outputs = template["Parameters"], template["Outputs"]
        self._defaults = self._resolve(template["Globals"]["Function"])
        self._resources = {
            name: {"Type": each["Type"], **self._resolve(each["Properties"])}
            for name, each in template["Resources"].items()
            if conditions or "Condition" not in each
        }

    def resources(self) -> dict[str, Values]:
        """The resources of the module that the template's resources are, by address, without names and policies."""
        found: dict[str, Values] = {}
        for name, properties in self._resources.items():
            kind, given = properties["Type"], {key: part for key, part in properties.items() if key != "Type"}
            given = {**self._defaults, **given, "Environment": self._variables(given)} if kind == _FUNCTION else given
            found |= _CONVERSIONS[kind](name, given)
        return found

    def _variables(self, function: Values) -> Values:
        """All variables of a function's environment: the variables of both functions, and its own."""
        own: Values = function.get("Environment", {}).get("Variables", {})
        return {**self._defaults["Environment"]["Variables"], **own}

    def statements(self, role: str) -> list[Values]:
        """The statements of all policies of a role, each as `plain_statement` gives it."""
        own = [policy["PolicyDocument"] for policy in self._resources[role].get("Policies", ())]
        policies = [each for each in self._resources.values() if each["Type"] == "AWS::IAM::Policy"]
        own += [each["PolicyDocument"] for each in policies if f"<{role}>" in each["Roles"]]
        return [plain_statement(statement) for document in own for statement in document["Statement"]]

    def document(self, name: str, property_name: str = "PolicyDocument") -> list[Values]:
        """The statements of a resource's policy document; none if the resource does not exist."""
        if name not in self._resources:
            return []
        return [plain_statement(each) for each in self._resources[name][property_name]["Statement"]]

    def roles(self) -> list[str]:
        """The names of the roles."""
        return [name for name, each in self._resources.items() if each["Type"] == "AWS::IAM::Role"]

    def _resolve(self, value: Any) -> Any:
        if isinstance(value, list):
            return [part for each in value if (part := self._resolve(each)) is not None]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((function, argument),) = value.items()
            if function == "If":
                return self._resolve(argument[1 if self._conditions else 2])
            if function in ("Ref", "GetAtt"):
                return _reference(argument)
            if function == "Sub":
                text, own = (argument, {}) if isinstance(argument, str) else (argument[0], self._resolve(argument[1]))
                text = text.replace("waypost-${StackUuid}", "${StateMachine.Name}")
                return re.sub(r"\$\{([^}]+)\}", lambda found: str(own.get(found[1], _reference(found[1]))), text)
            if function == "Split":
                separator, text = self._resolve(argument)
                return text.split(separator)
            if function == "Select":
                index, values = self._resolve(argument)
                return values[index] if index < len(values) else ""
        return {key: part for key, each in value.items() if (part := self._resolve(each)) is not None}


def _reference(name: str) -> str | None:
    if name == "AWS::NoValue":
        return None
    return _ATTRIBUTES.get(name, f"<{name.replace('.QueueName', '.Name')}>")


def renamed(properties: Values, names: Values) -> Values:
    """Properties under the names of the provider; all of them must have one."""
    assert properties.keys() <= names.keys(), f"not in the Terraform module: {properties.keys() - names.keys()}"
    return {names[key]: value for key, value in properties.items()}


def _function(name: str, given: Values) -> dict[str, Values]:
    """A function with its event source, its schedule and its loop detection."""
    variables, logging, events = given.pop("Environment"), given.pop("LoggingConfig"), given.pop("Events")
    loop = given.pop("RecursiveLoop", None)
    assert given.pop("CodeUri") == "../build/lambda/"
    body = renamed(given, FUNCTION)
    body["logging_config"] = [{"log_format": logging["LogFormat"], "log_group": logging["LogGroup"]}]
    body["environment"] = [{"variables": variables}]
    found = {_ADDRESS_OF[name]: body}
    if loop:
        config = {"function_name": f"<{name}>", "recursive_loop": loop}
        found["aws_lambda_function_recursion_config.rebuild"] = config
    for event in events.values():
        found |= _EVENTS[event["Type"]](name, event["Properties"])
    return found


def _queue(name: str, given: Values) -> dict[str, Values]:
    body = renamed(given, QUEUE)
    if not body["sqs_managed_sse_enabled"]:
        del body["sqs_managed_sse_enabled"]  # the provider allows only one of the two kinds of encryption to be given
    return {_ADDRESS_OF[name]: body}


def _alarm(name: str, given: Values) -> dict[str, Values]:
    body = renamed(given, ALARM)
    if "metric_query" in body:
        body["metric_query"] = list(map(_metric_query, body["metric_query"]))
        return {f"aws_cloudwatch_metric_alarm.summed[{name}]": body}
    body["dimensions"] = _dimensions(body["dimensions"])
    return {f"aws_cloudwatch_metric_alarm.alarms[{name}]": body}


def _metric_query(given: Values) -> Values:
    """One metric of an alarm, or an expression over the others; CloudFormation returns its data if it does not say."""
    query: Values = {"return_data": True, **renamed(given, METRIC_QUERY)}
    if "metric" in query:
        metric = query["metric"].pop("Metric")
        metric = renamed({**metric, **query["metric"]}, METRIC)
        query["metric"] = [{**metric, "dimensions": _dimensions(metric["dimensions"])}]
    return query


def _dimensions(given: list[Values]) -> Values:
    return {each["Name"]: each["Value"] for each in given}


def _rule(name: str, given: Values) -> dict[str, Values]:
    (target,) = given.pop("Targets")
    target = {"rule": f"<{name}.Name>", **renamed(target, {"Id": "target_id", "Arn": "arn"})}
    body = renamed(given, {"Description": "description", "EventPattern": "event_pattern"})
    return {_ADDRESS_OF[name]: body, "aws_cloudwatch_event_target.objects": target}


def _event_source(name: str, given: Values) -> dict[str, Values]:
    concurrency = renamed(given.pop("ScalingConfig"), {"MaximumConcurrency": "maximum_concurrency"})
    body = {"function_name": f"<{name}.Arn>", **renamed(given, MAPPING), "scaling_config": [concurrency]}
    return {"aws_lambda_event_source_mapping.events": body}


def _schedule(name: str, given: Values) -> dict[str, Values]:
    target = {"rule": "<Schedule.Name>", "target_id": "rebuild", "arn": f"<{name}.Arn>", "input": given.pop("Input")}
    permission = {
        "action": "lambda:InvokeFunction",
        "function_name": f"<{name}>",
        "principal": "events.amazonaws.com",
        "source_arn": "<Schedule.Arn>",
    }
    return {
        "aws_cloudwatch_event_rule.schedule": renamed(
            given, {"Schedule": "schedule_expression", "Description": "description"}
        ),
        "aws_cloudwatch_event_target.schedule": target,
        "aws_lambda_permission.schedule": permission,
    }


def _invocations(_name: str, given: Values) -> dict[str, Values]:
    destination = given.pop("DestinationConfig")["OnFailure"]["Destination"]
    names = {"FunctionName": "function_name", "Qualifier": "qualifier"}
    body = renamed(given, names | {"MaximumRetryAttempts": "maximum_retry_attempts"})
    body["destination_config"] = [{"on_failure": [{"destination": destination}]}]
    return {"aws_lambda_function_event_invoke_config.rebuild": body}


def _role(name: str, given: Values) -> dict[str, Values]:
    rest = {key: value for key, value in given.items() if key not in ("Policies", "AssumeRolePolicyDocument")}
    return {_ADDRESS_OF[name]: renamed(rest, {"PermissionsBoundary": "permissions_boundary"})}


def _bucket(name: str, given: Values) -> dict[str, Values]:
    (encryption,) = given.pop("BucketEncryption")["ServerSideEncryptionConfiguration"]
    (ownership,) = given.pop("OwnershipControls")["Rules"]
    own_key = renamed(
        encryption.pop("ServerSideEncryptionByDefault"),
        {"SSEAlgorithm": "sse_algorithm", "KMSMasterKeyID": "kms_master_key_id"},
    )
    encryption = renamed(encryption, {"BucketKeyEnabled": "bucket_key_enabled"})
    encryption["apply_server_side_encryption_by_default"] = [own_key]
    versioning = given.pop("VersioningConfiguration")["Status"]
    bodies = {
        "server_side_encryption_configuration": {"rule": [encryption]},
        "public_access_block": renamed(given.pop("PublicAccessBlockConfiguration"), PUBLIC_ACCESS),
        "ownership_controls": {"rule": [renamed(ownership, {"ObjectOwnership": "object_ownership"})]},
        "versioning": {"versioning_configuration": [{"status": versioning}]},
        "lifecycle_configuration": {"rule": list(map(_lifecycle_rule, given.pop("LifecycleConfiguration")["Rules"]))},
    }
    assert given == {}
    settings = {f"aws_s3_bucket_{kind}.state": {"bucket": f"<{name}>", **body} for kind, body in bodies.items()}
    return {_ADDRESS_OF[name]: {}, **settings}


def _lifecycle_rule(given: Values) -> Values:
    """A rule of a bucket's lifecycle, whose filter and expiration are blocks in the provider."""
    rule = {"id": given.pop("Id"), "status": given.pop("Status"), "filter": [{}]}
    if "Prefix" in given:
        rule["filter"] = [{"prefix": given.pop("Prefix")}]
    if "NoncurrentVersionExpiration" in given:
        days = given.pop("NoncurrentVersionExpiration")
        rule["noncurrent_version_expiration"] = [renamed(days, {"NoncurrentDays": "noncurrent_days"})]
    if "AbortIncompleteMultipartUpload" in given:
        days = given.pop("AbortIncompleteMultipartUpload")
        rule["abort_incomplete_multipart_upload"] = [renamed(days, {"DaysAfterInitiation": "days_after_initiation"})]
    expiration = {"ExpirationInDays": "days", "ExpiredObjectDeleteMarker": "expired_object_delete_marker"}
    return {**rule, "expiration": [renamed(given, expiration)]}


def _machine(name: str, given: Values) -> dict[str, Values]:
    assert given.keys() == {"Name", "DefinitionUri", "DefinitionSubstitutions", "Role"}
    return {_ADDRESS_OF[name]: {"name": given["Name"], "role_arn": given["Role"]}}


_FUNCTION = "AWS::Serverless::Function"
_CONVERSIONS = {
    "AWS::CloudWatch::Alarm": _alarm,
    "AWS::Events::Rule": _rule,
    "AWS::IAM::Policy": lambda name, given: {},  # `statements` has each role's policies
    "AWS::IAM::Role": _role,
    "AWS::Lambda::EventInvokeConfig": _invocations,
    "AWS::Logs::LogGroup": lambda name, given: {_ADDRESS_OF[name]: renamed(given, LOG_GROUP)},
    "AWS::S3::Bucket": _bucket,
    "AWS::S3::BucketPolicy": lambda name, given: {"aws_s3_bucket_policy.state": {"bucket": given["Bucket"]}},
    "AWS::SQS::Queue": _queue,
    "AWS::SQS::QueuePolicy": lambda name, given: {"aws_sqs_queue_policy.events": {"queue_url": given["Queues"][0]}},
    _FUNCTION: _function,
    "AWS::Serverless::StateMachine": _machine,
}
_EVENTS = {"SQS": _event_source, "Schedule": _schedule}
