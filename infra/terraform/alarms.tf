locals {
  alarms = {
    EventLagAlarm = {
      description = "Events have waited in the queue longer than LagAlarm. EventFunction fails, or has too little concurrency."
      namespace   = "AWS/SQS"
      metric      = "ApproximateAgeOfOldestMessage"
      dimensions  = { QueueName = aws_sqs_queue.events.name }
      statistic   = "Maximum"
      threshold   = var.lag_alarm
    }
    DriftAlarm = {
      description = "A scheduled rebuild found changes for which no event had arrived. `waypost aws connect` restores the bucket's events."
      namespace   = "Waypost"
      metric      = "Drift"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 0
    }
    RebuildAgeAlarm = {
      description = "No rebuild has completed within RebuildMaxAgeHours."
      namespace   = "Waypost"
      metric      = "RebuildsCompleted"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 1
      period      = 3600
      periods     = var.rebuild_max_age_hours
      comparison  = "LessThanThreshold"
      missing     = "breaching"
    }
    RefusedRebuildAlarm = {
      description = "A rebuild would remove too many listed pages and was refused. `{\"action\":\"status\"}` returns the reason, and `{\"action\":\"rebuild\",\"max_removed\":100}` accepts it once."
      namespace   = "Waypost"
      metric      = "RebuildsRefused"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 0
    }
    ProblemAlarm = {
      description = "A run has left problems, such as objects that cannot be read. `{\"action\":\"status\"}` names them, and the log does."
      namespace   = "Waypost"
      metric      = "Problems"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 0
    }
    RemovedPagesAlarm = {
      description = "Uploads and deletions removed more than RemovedAlarm percent of the listed pages within a day."
      namespace   = "Waypost"
      metric      = "RemovedPercent"
      dimensions  = { Site = local.site_uri }
      statistic   = "Maximum"
      threshold   = var.removed_alarm
    }
  }
  summed_alarms = {
    DeadLetterAlarm = {
      description = "Events or rebuilds failed after all retries. Events are in DeadLetterQueue, calls of RebuildFunction in FailedInvocationQueue."
      namespace   = "AWS/SQS"
      metric      = "ApproximateNumberOfMessagesVisible"
      statistic   = "Maximum"
      events      = { QueueName = aws_sqs_queue.dead_letters.name }
      rebuilds    = { QueueName = aws_sqs_queue.failed_invocations.name }
    }
    ErrorAlarm = {
      description = "EventFunction or RebuildFunction failed. `{\"action\":\"status\"}` returns the last error."
      namespace   = "AWS/Lambda"
      metric      = "Errors"
      statistic   = "Sum"
      events      = { FunctionName = aws_lambda_function.events.function_name }
      rebuilds    = { FunctionName = aws_lambda_function.rebuild.function_name }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "alarms" {
  for_each            = local.alarms
  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.description
  namespace           = each.value.namespace
  metric_name         = each.value.metric
  dimensions          = each.value.dimensions
  statistic           = each.value.statistic
  threshold           = each.value.threshold
  period              = try(each.value.period, 300)
  evaluation_periods  = try(each.value.periods, 1)
  comparison_operator = try(each.value.comparison, "GreaterThanThreshold")
  treat_missing_data  = try(each.value.missing, "notBreaching")
  alarm_actions       = local.alarm_actions
  ok_actions          = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "summed" {
  for_each            = local.summed_alarms
  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.description
  threshold           = 0
  evaluation_periods  = 1
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = local.alarm_actions
  ok_actions          = local.alarm_actions
  metric_query {
    id          = "total"
    expression  = "events + rebuilds"
    label       = "total"
    return_data = true
  }
  dynamic "metric_query" {
    for_each = { events = each.value.events, rebuilds = each.value.rebuilds }
    content {
      id          = metric_query.key
      return_data = false
      metric {
        namespace   = each.value.namespace
        metric_name = each.value.metric
        dimensions  = metric_query.value
        period      = 300
        stat        = each.value.statistic
      }
    }
  }
}
