output "event_function_name" {
  description = "The function that handles events."
  value       = aws_lambda_function.events.function_name
}

output "event_function_arn" {
  description = "The ARN of the function that handles events."
  value       = aws_lambda_function.events.arn
}

output "rebuild_function_name" {
  description = "The function that rebuilds and answers requests. Invoke it with {\"action\":\"rebuild\"} first."
  value       = aws_lambda_function.rebuild.function_name
}

output "rebuild_function_arn" {
  description = "The ARN of the function that rebuilds and answers requests."
  value       = aws_lambda_function.rebuild.arn
}

output "state_bucket_name" {
  description = "The private bucket of the state."
  value       = local.state_bucket
}

output "state_prefix" {
  description = "The prefix of the state's keys in the state bucket."
  value       = local.state_prefix
}

output "event_queue_url" {
  description = "The URL of the queue of events."
  value       = aws_sqs_queue.events.url
}

output "event_queue_arn" {
  description = "The ARN of the queue of events."
  value       = aws_sqs_queue.events.arn
}

output "dead_letter_queue_url" {
  description = "The URL of the queue of events that failed after all retries."
  value       = aws_sqs_queue.dead_letters.url
}

output "dead_letter_queue_arn" {
  description = "The ARN of the queue of events that failed after all retries."
  value       = aws_sqs_queue.dead_letters.arn
}

output "failed_invocation_queue_url" {
  description = "The URL of the queue of rebuilds that failed after all retries."
  value       = aws_sqs_queue.failed_invocations.url
}

output "failed_invocation_queue_arn" {
  description = "The ARN of the queue of rebuilds that failed after all retries."
  value       = aws_sqs_queue.failed_invocations.arn
}

output "log_group_name" {
  description = "The functions' log group."
  value       = aws_cloudwatch_log_group.functions.name
}
