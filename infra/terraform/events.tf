resource "aws_sqs_queue" "dead_letters" {
  name                      = "${var.name}-dead-letters"
  message_retention_seconds = 1209600
  sqs_managed_sse_enabled   = var.key_arn != "" ? null : true
  kms_master_key_id         = local.key_arn
}

resource "aws_sqs_queue" "failed_invocations" {
  name                      = "${var.name}-failed-invocations"
  message_retention_seconds = 1209600
  sqs_managed_sse_enabled   = var.key_arn != "" ? null : true
  kms_master_key_id         = local.key_arn
}

resource "aws_sqs_queue" "events" {
  name = "${var.name}-events"
  # One and a half times the timeout of the function for events, and the longest batching window.
  visibility_timeout_seconds = 240
  message_retention_seconds  = 1209600
  sqs_managed_sse_enabled    = var.key_arn != "" ? null : true
  kms_master_key_id          = local.key_arn
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead_letters.arn
    maxReceiveCount     = 20
  })
}

data "aws_iam_policy_document" "event_queue" {
  statement {
    sid    = "SendEvents"
    effect = "Allow"
    principals {
      type        = "Service"
      identifiers = ["events.amazonaws.com"]
    }
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.events.arn]
    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = [aws_cloudwatch_event_rule.objects.arn]
    }
  }
}

resource "aws_sqs_queue_policy" "events" {
  queue_url = aws_sqs_queue.events.url
  policy    = data.aws_iam_policy_document.event_queue.json
}

resource "aws_cloudwatch_event_rule" "objects" {
  name        = "${var.name}-objects"
  description = "Uploads and deletions of the site's objects, its sitemaps included."
  event_pattern = jsonencode({
    source      = ["aws.s3"]
    detail-type = ["Object Created", "Object Deleted"]
    detail = {
      bucket = { name = [var.site_bucket] }
      object = { key = [{ prefix = var.site_prefix }] }
    }
  })
}

resource "aws_cloudwatch_event_target" "objects" {
  rule      = aws_cloudwatch_event_rule.objects.name
  target_id = "events"
  arn       = aws_sqs_queue.events.arn
}

resource "aws_cloudwatch_event_rule" "schedule" {
  name                = "${var.name}-schedule"
  description         = "Compares bucket, state and sitemaps, and repairs differences."
  schedule_expression = var.schedule
}

resource "aws_cloudwatch_event_target" "schedule" {
  rule      = aws_cloudwatch_event_rule.schedule.name
  target_id = "rebuild"
  arn       = aws_lambda_function.rebuild.arn
  input     = "{\"action\": \"rebuild\", \"lag\": ${var.lag_alarm}}"
}

resource "aws_lambda_permission" "schedule" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.rebuild.function_name
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.schedule.arn
}
