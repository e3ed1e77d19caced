locals {
  account       = data.aws_caller_identity.current.account_id
  partition     = data.aws_partition.current.partition
  region        = data.aws_region.current.name
  site_arn      = "arn:${local.partition}:s3:::${var.site_bucket}"
  state_bucket  = var.state_bucket_name == "" ? aws_s3_bucket.state[0].id : var.state_bucket_name
  state_arn     = "arn:${local.partition}:s3:::${local.state_bucket}"
  site_uri      = "s3://${var.site_bucket}/${var.site_prefix}"
  key_arn       = var.key_arn != "" ? var.key_arn : null
  boundary      = var.permissions_boundary != "" ? var.permissions_boundary : null
  alarm_actions = var.alarm_topic != "" ? [var.alarm_topic] : null
  package       = var.package != null ? var.package : "${path.module}/../../build/waypost-lambda.zip"

  # The function for rebuilds and the state machine refer to each other, so one of the ARNs is put together.
  state_machine_name = "${var.name}-waypost"
  state_machine_arn  = "arn:${local.partition}:states:${local.region}:${local.account}:stateMachine:${local.state_machine_name}"
  execution_arn      = "arn:${local.partition}:states:${local.region}:${local.account}:execution:${local.state_machine_name}"

  # No two sites have the same path, and no path is inside the folders of another site's state.
  state_prefix = "states/${var.site_bucket}/${var.site_prefix}state/"

  # What follows the first s3://. For a file in the package that is an object that may be read anyway.
  config_object = split("s3://", "${var.config}s3://${var.site_bucket}/${var.site_prefix}index.html")[1]
}
