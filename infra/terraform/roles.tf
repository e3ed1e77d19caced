data "aws_iam_policy_document" "lambda_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "events" {
  name                 = "${var.name}-events"
  assume_role_policy   = data.aws_iam_policy_document.lambda_trust.json
  permissions_boundary = local.boundary
}

resource "aws_iam_role" "rebuild" {
  name                 = "${var.name}-rebuild"
  assume_role_policy   = data.aws_iam_policy_document.lambda_trust.json
  permissions_boundary = local.boundary
}

data "aws_iam_policy_document" "events" {
  statement {
    sid    = "ReceiveEvents"
    effect = "Allow"
    actions = [
      "sqs:ReceiveMessage",
      "sqs:DeleteMessage",
      "sqs:GetQueueAttributes",
      "sqs:ChangeMessageVisibility",
      "sqs:SendMessage",
    ]
    resources = [aws_sqs_queue.events.arn]
  }
  statement {
    sid       = "StartRebuild"
    effect    = "Allow"
    actions   = ["lambda:InvokeFunction"]
    resources = [aws_lambda_function.rebuild.arn]
  }
}

resource "aws_iam_role_policy" "events" {
  name   = "events"
  role   = aws_iam_role.events.id
  policy = data.aws_iam_policy_document.events.json
}

data "aws_iam_policy_document" "rebuild" {
  statement {
    sid       = "SendEvents"
    effect    = "Allow"
    actions   = ["sqs:SendMessage", "sqs:GetQueueAttributes"]
    resources = [aws_sqs_queue.events.arn]
  }
  statement {
    sid       = "SendFailedInvocations"
    effect    = "Allow"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.failed_invocations.arn]
  }
  statement {
    sid       = "ReadAgeOfOldestEvent"
    effect    = "Allow"
    actions   = ["cloudwatch:GetMetricStatistics"]
    resources = ["*"]
  }
  statement {
    sid       = "ReadSiteBucketSettings"
    effect    = "Allow"
    actions   = ["s3:GetBucketLocation", "s3:GetBucketNotification", "s3:GetBucketRequestPayment"]
    resources = [local.site_arn]
  }
  statement {
    sid     = "DeleteSitemaps"
    effect  = "Allow"
    actions = ["s3:DeleteObject"]
    resources = [
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.xml",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.xml.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.xml",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.xml.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.txt",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.txt",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.txt.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.txt.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.html",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.html",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.css",
    ]
  }
  dynamic "statement" {
    for_each = var.writes_llms ? [1] : []
    content {
      sid     = "DeleteLlms"
      effect  = "Allow"
      actions = ["s3:DeleteObject"]
      resources = [
        "${local.site_arn}/${var.site_prefix}llms.txt",
        "${local.site_arn}/${var.site_prefix}llms-*.txt",
      ]
    }
  }
  statement {
    sid       = "DeleteOldCopies"
    effect    = "Allow"
    actions   = ["s3:DeleteObject"]
    resources = ["${local.state_arn}/${local.state_prefix}*"]
  }
  dynamic "statement" {
    for_each = var.former_sitemap_name != "" ? [1] : []
    content {
      sid     = "DeleteFormerSitemaps"
      effect  = "Allow"
      actions = ["s3:DeleteObject"]
      resources = [
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}.xml",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}.xml.gz",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}-*.xml",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}-*.xml.gz",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}.txt",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}-*.txt",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}.txt.gz",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}-*.txt.gz",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}.html",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}-*.html",
        "${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}.css",
      ]
    }
  }
}

resource "aws_iam_role_policy" "rebuild" {
  name   = "rebuilds"
  role   = aws_iam_role.rebuild.id
  policy = data.aws_iam_policy_document.rebuild.json
}

data "aws_iam_policy_document" "site_and_state" {
  statement {
    sid       = "ListSite"
    effect    = "Allow"
    actions   = ["s3:ListBucket"]
    resources = [local.site_arn]
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["${var.site_prefix}*"]
    }
  }
  statement {
    sid       = "ReadSite"
    effect    = "Allow"
    actions   = ["s3:GetObject"]
    resources = ["${local.site_arn}/${var.site_prefix}*"]
  }
  statement {
    sid     = "WriteSitemaps"
    effect  = "Allow"
    actions = var.acl != "" ? ["s3:PutObject", "s3:PutObjectAcl"] : ["s3:PutObject"]
    resources = [
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.xml",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.xml.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.xml",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.xml.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.txt",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.txt",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.txt.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.txt.gz",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.html",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}-*.html",
      "${local.site_arn}/${var.site_prefix}${var.sitemap_name}.css",
    ]
  }
  # In a pattern, * matches slashes, too, and the function writes and deletes nothing in subfolders.
  statement {
    sid       = "LeaveSubfolders"
    effect    = "Deny"
    actions   = ["s3:PutObject", "s3:DeleteObject"]
    resources = ["${local.site_arn}/${var.site_prefix}${var.sitemap_name}*/*"]
  }
  dynamic "statement" {
    for_each = var.former_sitemap_name != "" ? [1] : []
    content {
      sid       = "LeaveFormerSubfolders"
      effect    = "Deny"
      actions   = ["s3:DeleteObject"]
      resources = ["${local.site_arn}/${var.site_prefix}${var.former_sitemap_name}*/*"]
    }
  }
  dynamic "statement" {
    for_each = var.writes_robots ? [1] : []
    content {
      sid       = "WriteRobots"
      effect    = "Allow"
      actions   = var.acl != "" ? ["s3:PutObject", "s3:PutObjectAcl"] : ["s3:PutObject"]
      resources = ["${local.site_arn}/${var.site_prefix}robots.txt"]
    }
  }
  dynamic "statement" {
    for_each = var.writes_llms ? [1] : []
    content {
      sid     = "WriteLlms"
      effect  = "Allow"
      actions = var.acl != "" ? ["s3:PutObject", "s3:PutObjectAcl"] : ["s3:PutObject"]
      resources = [
        "${local.site_arn}/${var.site_prefix}llms.txt",
        "${local.site_arn}/${var.site_prefix}llms-*.txt",
      ]
    }
  }
  dynamic "statement" {
    for_each = var.writes_llms ? [1] : []
    content {
      sid       = "LeaveLlmsSubfolders"
      effect    = "Deny"
      actions   = ["s3:PutObject", "s3:DeleteObject"]
      resources = ["${local.site_arn}/${var.site_prefix}llms-*/*"]
    }
  }
  dynamic "statement" {
    for_each = var.index_now_key != "" ? [1] : []
    content {
      sid       = "WriteIndexNowKey"
      effect    = "Allow"
      actions   = var.acl != "" ? ["s3:PutObject", "s3:PutObjectAcl"] : ["s3:PutObject"]
      resources = ["${local.site_arn}/${var.site_prefix}${var.index_now_key}.txt"]
    }
  }
  dynamic "statement" {
    for_each = var.site_key_arn != "" ? [1] : []
    content {
      sid       = "UseSiteKey"
      effect    = "Allow"
      actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
      resources = [var.site_key_arn]
    }
  }
  dynamic "statement" {
    for_each = var.distribution_id != "" ? [1] : []
    content {
      sid       = "InvalidatePaths"
      effect    = "Allow"
      actions   = ["cloudfront:CreateInvalidation"]
      resources = ["arn:${local.partition}:cloudfront::${local.account}:distribution/${var.distribution_id}"]
    }
  }
  dynamic "statement" {
    for_each = var.event_bus_arn != "" ? [1] : []
    content {
      sid       = "PutEvents"
      effect    = "Allow"
      actions   = ["events:PutEvents"]
      resources = [var.event_bus_arn]
    }
  }
  statement {
    sid       = "ListState"
    effect    = "Allow"
    actions   = ["s3:ListBucket"]
    resources = [local.state_arn]
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["${local.state_prefix}*"]
    }
  }
  statement {
    sid       = "ReadAndWriteState"
    effect    = "Allow"
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["${local.state_arn}/${local.state_prefix}*"]
  }
  dynamic "statement" {
    for_each = var.config != "" ? [1] : []
    content {
      sid       = "ReadConfig"
      effect    = "Allow"
      actions   = ["s3:GetObject"]
      resources = ["arn:${local.partition}:s3:::${local.config_object}"]
    }
  }
  statement {
    sid       = "WriteLogs"
    effect    = "Allow"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.functions.arn}:*"]
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

resource "aws_iam_role_policy" "site_and_state" {
  for_each = { events = aws_iam_role.events.id, rebuild = aws_iam_role.rebuild.id }
  name     = "site-and-state"
  role     = each.value
  policy   = data.aws_iam_policy_document.site_and_state.json
}

data "aws_iam_policy_document" "continued_rebuilds" {
  statement {
    sid       = "ContinueRebuild"
    effect    = "Allow"
    actions   = ["lambda:InvokeFunction"]
    resources = [aws_lambda_function.rebuild.arn]
  }
  statement {
    sid       = "StartExecutions"
    effect    = "Allow"
    actions   = ["states:StartExecution", "states:ListExecutions"]
    resources = [local.state_machine_arn]
  }
}

resource "aws_iam_role_policy" "continued_rebuilds" {
  name   = "continued-rebuilds"
  role   = aws_iam_role.rebuild.id
  policy = data.aws_iam_policy_document.continued_rebuilds.json
}
