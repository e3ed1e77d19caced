resource "aws_sfn_state_machine" "rebuild" {
  count    = var.distributed ? 1 : 0
  name     = local.state_machine_name
  role_arn = aws_iam_role.state_machine[0].arn
  definition = templatefile("${path.module}/../rebuild.asl.json", {
    Partition   = local.partition
    Function    = aws_lambda_function.rebuild.arn
    StateBucket = local.state_bucket
    Workers     = var.workers
  })
  logging_configuration {
    level                  = "ERROR"
    include_execution_data = false
    log_destination        = "${aws_cloudwatch_log_group.state_machine[0].arn}:*"
  }
  depends_on = [aws_iam_role_policy.state_machine]
}

resource "aws_cloudwatch_log_group" "state_machine" {
  count = var.distributed ? 1 : 0
  # Step Functions needs this prefix ("Avoiding Amazon CloudWatch Logs resource policy size restrictions").
  name              = "/aws/vendedlogs/states/${var.name}-waypost"
  retention_in_days = var.log_retention
  kms_key_id        = local.key_arn
}

data "aws_iam_policy_document" "state_machine_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["states.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [local.account]
    }
  }
}

resource "aws_iam_role" "state_machine" {
  count                = var.distributed ? 1 : 0
  name                 = "${var.name}-state-machine"
  assume_role_policy   = data.aws_iam_policy_document.state_machine_trust.json
  permissions_boundary = local.boundary
}

data "aws_iam_policy_document" "state_machine" {
  statement {
    sid       = "InvokeFunction"
    effect    = "Allow"
    actions   = ["lambda:InvokeFunction"]
    resources = [aws_lambda_function.rebuild.arn]
  }
  statement {
    sid       = "ReadTasks"
    effect    = "Allow"
    actions   = ["s3:GetObject"]
    resources = ["${local.state_arn}/${local.ledger_prefix}runs/*"]
  }
  statement {
    sid     = "WriteResults"
    effect  = "Allow"
    actions = ["s3:PutObject", "s3:GetObject", "s3:ListMultipartUploadParts", "s3:AbortMultipartUpload"]
    resources = [
      "${local.state_arn}/runs-results/*",
    ]
  }
  statement {
    sid    = "WriteLogs"
    effect = "Allow"
    # No resource of these actions can be named ("Logging using CloudWatch Logs", Step Functions guide).
    actions = [
      "logs:CreateLogDelivery",
      "logs:GetLogDelivery",
      "logs:UpdateLogDelivery",
      "logs:DeleteLogDelivery",
      "logs:ListLogDeliveries",
      "logs:PutResourcePolicy",
      "logs:DescribeResourcePolicies",
      "logs:DescribeLogGroups",
    ]
    resources = ["*"]
  }
  statement {
    sid       = "StartChildExecutions"
    effect    = "Allow"
    actions   = ["states:StartExecution"]
    resources = [local.state_machine_arn]
  }
  statement {
    sid       = "ManageChildExecutions"
    effect    = "Allow"
    actions   = ["states:DescribeExecution", "states:StopExecution"]
    resources = ["${local.execution_arn}:*", "${local.execution_arn}/*"]
  }
  dynamic "statement" {
    for_each = var.key_arn != "" ? [1] : []
    content {
      sid       = "UseKey"
      effect    = "Allow"
      actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
      resources = [var.key_arn]
    }
  }
}

resource "aws_iam_role_policy" "state_machine" {
  count  = var.distributed ? 1 : 0
  name   = "steps"
  role   = aws_iam_role.state_machine[0].id
  policy = data.aws_iam_policy_document.state_machine.json
}
