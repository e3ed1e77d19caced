# Only a bucket that is too large for one state, and so divided, needs it.
resource "aws_sfn_state_machine" "rebuild" {
  name     = local.state_machine_name
  role_arn = aws_iam_role.state_machine.arn
  definition = templatefile("${path.module}/../rebuild.asl.json", {
    Partition = local.partition
    Function  = aws_lambda_function.rebuild.arn
  })
  depends_on = [aws_iam_role_policy.state_machine]
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
}

resource "aws_iam_role_policy" "state_machine" {
  name   = "steps"
  role   = aws_iam_role.state_machine.id
  policy = data.aws_iam_policy_document.state_machine.json
}
