locals {
  alarms = {
    DeadLetterAlarm = {
      description = "Events failed after all retries and are in DeadLetterQueue."
      namespace   = "AWS/SQS"
      metric      = "ApproximateNumberOfMessagesVisible"
      dimensions  = { QueueName = aws_sqs_queue.dead_letters.name }
      statistic   = "Maximum"
      threshold   = 0
    }
    FailedInvocationAlarm = {
      description = "A scheduled or continued rebuild failed after all retries. The next scheduled rebuild continues it."
      namespace   = "AWS/SQS"
      metric      = "ApproximateNumberOfMessagesVisible"
      dimensions  = { QueueName = aws_sqs_queue.failed_invocations.name }
      statistic   = "Maximum"
      threshold   = 0
    }
    EventErrorAlarm = {
      description = "EventFunction failed. `{\"action\":\"status\"}` returns the last error."
      namespace   = "AWS/Lambda"
      metric      = "Errors"
      dimensions  = { FunctionName = aws_lambda_function.events.function_name }
      statistic   = "Sum"
      threshold   = 0
    }
    RebuildErrorAlarm = {
      description = "RebuildFunction failed. `{\"action\":\"status\"}` returns the last error."
      namespace   = "AWS/Lambda"
      metric      = "Errors"
      dimensions  = { FunctionName = aws_lambda_function.rebuild.function_name }
      statistic   = "Sum"
      threshold   = 0
    }
    MessageAgeAlarm = {
      description = "Events have waited in the queue longer than LagAlarm. EventFunction fails, or has too little concurrency."
      namespace   = "AWS/SQS"
      metric      = "ApproximateAgeOfOldestMessage"
      dimensions  = { QueueName = aws_sqs_queue.events.name }
      statistic   = "Maximum"
      threshold   = var.lag_alarm
    }
    PublishLatencyAlarm = {
      description = "A sitemap was published later than LagAlarm after the upload that changed it."
      namespace   = "Waypost"
      metric      = "PublishLatency"
      dimensions  = { Site = local.site_uri }
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
    LostRecordsAlarm = {
      description = "Files of the ledger were lost or damaged. Their pages have no date until they change, unless the files' older versions are restored and the ledger is rebuilt."
      namespace   = "Waypost"
      metric      = "RecordsLost"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 0
    }
    ContestedAlarm = {
      description = "Within an hour, another writer replaced a published file more than three times, or deleted it more than 30 times. It is left as it is until the next rebuild."
      namespace   = "Waypost"
      metric      = "Contested"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 0
    }
    KeptSitemapAlarm = {
      description = "A rebuild could not read a sitemap that the setting sitemaps names. Its URLs are listed as they were last."
      namespace   = "Waypost"
      metric      = "SitemapsKept"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 0
    }
    UnreadableAlarm = {
      description = "Objects could not be read, or have a content coding that is not known. The action status names them."
      namespace   = "Waypost"
      metric      = "Unreadable"
      dimensions  = { Site = local.site_uri }
      statistic   = "Sum"
      threshold   = 0
    }
    RemovedPagesAlarm = {
      description = "Uploads and deletions removed more than RemovedAlarm percent of the listed pages within an hour."
      namespace   = "Waypost"
      metric      = "RemovedPercent"
      dimensions  = { Site = local.site_uri }
      statistic   = "Maximum"
      threshold   = var.removed_alarm
    }
  }
  run_alarms = { for name, alarm in {
    FailedRunAlarm = {
      description = "A distributed rebuild failed after all retries. The execution's cause says what changed and what to do."
      namespace   = "AWS/States"
      metric      = "ExecutionsFailed"
      dimensions  = { StateMachineArn = local.state_machine_arn }
      statistic   = "Sum"
      threshold   = 0
    }
    TimedOutRunAlarm = {
      description = "A distributed rebuild has run for so long that Step Functions has ended it."
      namespace   = "AWS/States"
      metric      = "ExecutionsTimedOut"
      dimensions  = { StateMachineArn = local.state_machine_arn }
      statistic   = "Sum"
      threshold   = 0
    }
    AbortedRunAlarm = {
      description = "Somebody has stopped a distributed rebuild. The next scheduled rebuild starts a new one."
      namespace   = "AWS/States"
      metric      = "ExecutionsAborted"
      dimensions  = { StateMachineArn = local.state_machine_arn }
      statistic   = "Sum"
      threshold   = 0
    }
  } : name => alarm if var.distributed }
}

resource "aws_cloudwatch_metric_alarm" "alarms" {
  for_each            = merge(local.alarms, local.run_alarms)
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
