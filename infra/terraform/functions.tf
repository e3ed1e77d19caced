locals {
  variables = {
    WAYPOST_SOURCE        = local.site_uri
    WAYPOST_STATE         = "s3://${local.state_bucket}/${local.state_prefix}"
    WAYPOST_BASE_URL      = var.base_url
    WAYPOST_NAME          = var.sitemap_name
    WAYPOST_ACL           = var.acl != "" ? var.acl : null
    WAYPOST_CLOUDFRONT    = var.distribution_id != "" ? var.distribution_id : null
    WAYPOST_EVENT_BUS     = var.event_bus_arn != "" ? var.event_bus_arn : null
    WAYPOST_INDEXNOW      = var.index_now_key != "" ? var.index_now_key : null
    WAYPOST_EVENTS_QUEUE  = aws_sqs_queue.events.url
    WAYPOST_REMOVED_ALARM = var.removed_alarm
    WAYPOST_CONFIG        = var.config != "" ? var.config : null
  }
  rebuild_variables = {
    WAYPOST_STATE_MACHINE = local.state_machine_arn
  }
  event_variables = {
    WAYPOST_REBUILD_FUNCTION = aws_lambda_function.rebuild.arn
  }
}

resource "aws_cloudwatch_log_group" "functions" {
  name              = "/waypost/${var.name}"
  retention_in_days = var.log_retention
  kms_key_id        = local.key_arn
}

resource "aws_lambda_function" "events" {
  function_name    = "${var.name}-events"
  description      = "Updates a site's sitemaps after uploads and deletions."
  filename         = local.package
  source_code_hash = filebase64sha256(local.package)
  handler          = "handler.handler"
  runtime          = var.runtime
  architectures    = [var.architecture]
  memory_size      = var.memory
  # A call that is killed delays its messages by the visibility timeout of the queue, which depends on this one.
  timeout = 120
  role    = aws_iam_role.events.arn
  logging_config {
    log_format = "JSON"
    log_group  = aws_cloudwatch_log_group.functions.name
  }
  environment {
    variables = { for name, value in merge(local.variables, local.event_variables) : name => value if value != null }
  }
}

resource "aws_lambda_event_source_mapping" "events" {
  event_source_arn                   = aws_sqs_queue.events.arn
  function_name                      = aws_lambda_function.events.arn
  batch_size                         = 10000
  maximum_batching_window_in_seconds = var.batching_window
  function_response_types            = ["ReportBatchItemFailures"]
  scaling_config {
    maximum_concurrency = 2
  }
  depends_on = [aws_iam_role_policy.events]
}

resource "aws_lambda_function" "rebuild" {
  function_name    = "${var.name}-rebuild"
  description      = "Rebuilds a site's sitemaps, and answers requests."
  filename         = local.package
  source_code_hash = filebase64sha256(local.package)
  handler          = "handler.handler"
  runtime          = var.runtime
  architectures    = [var.architecture]
  memory_size      = var.memory
  timeout          = 900
  role             = aws_iam_role.rebuild.arn
  logging_config {
    log_format = "JSON"
    log_group  = aws_cloudwatch_log_group.functions.name
  }
  environment {
    variables = { for name, value in merge(local.variables, local.rebuild_variables) : name => value if value != null }
  }
}

# In a rebuild that takes hours the function calls itself more often than Lambda's loop detection allows.
resource "aws_lambda_function_recursion_config" "rebuild" {
  function_name  = aws_lambda_function.rebuild.function_name
  recursive_loop = "Allow"
}

resource "aws_lambda_function_event_invoke_config" "rebuild" {
  function_name          = aws_lambda_function.rebuild.function_name
  qualifier              = "$LATEST"
  maximum_retry_attempts = 2
  destination_config {
    on_failure {
      destination = aws_sqs_queue.failed_invocations.arn
    }
  }
  depends_on = [aws_iam_role_policy.rebuild]
}
