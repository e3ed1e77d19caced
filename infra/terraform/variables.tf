variable "name" {
  type        = string
  description = "The beginning of the names of all resources, such as sitemaps."
  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{0,29}$", var.name))
    error_message = "up to 30 lower-case letters, digits and hyphens"
  }
}

variable "package" {
  type        = string
  default     = null
  description = "The path of the package; by default build/waypost-lambda.zip, which `make lambda` writes."
}

variable "site_bucket" {
  type        = string
  description = "The existing bucket of the site. `waypost aws connect BUCKET` enables its EventBridge notifications."
  validation {
    condition     = can(regex("^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])$", var.site_bucket))
    error_message = "the name of a bucket, without s3:// and without a prefix"
  }
}

variable "site_prefix" {
  type        = string
  default     = ""
  description = "The prefix of the site's keys in the bucket, with a slash at its end; empty for the whole bucket."
  validation {
    condition     = can(regex("^(|[^/ *?][^ *?]*/)$", var.site_prefix))
    error_message = "empty, or a prefix that ends with a slash and does not begin with one"
  }
}

variable "base_url" {
  type        = string
  description = "The URL of the site's root folder, such as https://www.example.org/"
  validation {
    condition     = can(regex("^(https?://[A-Za-z0-9._-]+(:[0-9]+)?(/[^ ?#]*)?)$", var.base_url))
    error_message = "an absolute http or https URL without query or fragment"
  }
}

variable "sitemap_name" {
  type        = string
  default     = "sitemap"
  description = "The beginning of all sitemaps' names. The setting `name` must be the same, if the settings file has it."
  validation {
    condition     = can(regex("^([A-Za-z0-9][A-Za-z0-9._-]{0,63})$", var.sitemap_name))
    error_message = "up to 64 letters, digits, dots, hyphens and underscores"
  }
}

variable "former_sitemap_name" {
  type        = string
  default     = ""
  description = "The SitemapName before the last change, whose files RebuildFunction may still delete; empty for none."
  validation {
    condition     = can(regex("^(|[A-Za-z0-9][A-Za-z0-9._-]{0,63})$", var.former_sitemap_name))
    error_message = "empty, or up to 64 letters, digits, dots, hyphens and underscores"
  }
}

variable "config" {
  type        = string
  default     = ""
  description = "A settings file: waypost.toml in the package (make lambda ADD=waypost.toml), or the s3:// URI of an object that those who upload the site cannot write, such as one in the state bucket; empty for none."
  validation {
    condition     = can(regex("^(|[A-Za-z0-9._-]+[.]toml|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/[^ *?$]+[.]toml)$", var.config))
    error_message = "empty, the name of a .toml file, or the s3:// URI of one"
  }
}

variable "writes_robots" {
  type        = bool
  default     = false
  description = "Whether the functions may write robots.txt; the setting `robots_sitemaps` needs it."
}

variable "writes_llms" {
  type        = bool
  default     = false
  description = "Whether the functions may write llms.txt and llms-*.txt; the format `llms` needs it."
}

variable "acl" {
  type        = string
  default     = ""
  description = "The canned ACL of the published files, for a site that is public by the ACLs of its objects; empty for a bucket without ACLs."
  validation {
    condition     = contains(["", "public-read", "bucket-owner-full-control"], var.acl)
    error_message = "empty, or one of public-read, bucket-owner-full-control"
  }
}

variable "site_key_arn" {
  type        = string
  default     = ""
  description = "The ARN of the KMS key that encrypts the site's bucket; empty if it uses no key of its own."
  validation {
    condition     = can(regex("^(|arn:[a-z0-9-]+:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+)$", var.site_key_arn))
    error_message = "empty, or the ARN of a KMS key"
  }
}

variable "distribution_id" {
  type        = string
  default     = ""
  description = "The id of the CloudFront distribution of the site, from whose caches the published files are taken; empty for none."
  validation {
    condition     = can(regex("^(|[A-Z0-9]{10,20})$", var.distribution_id))
    error_message = "empty, or the id of a distribution"
  }
}

variable "event_bus_arn" {
  type        = string
  default     = ""
  description = "The ARN of the EventBridge bus that gets an event after each publication; empty for none."
  validation {
    condition     = can(regex("^(|arn:[a-z0-9-]+:events:[a-z0-9-]+:[0-9]{12}:event-bus/[A-Za-z0-9._/-]+)$", var.event_bus_arn))
    error_message = "empty, or the ARN of an event bus"
  }
}

variable "index_now_key" {
  type        = string
  default     = ""
  description = "The key with which changed URLs are sent to search engines by IndexNow; empty for none. The functions may write the file that holds it."
  validation {
    condition     = can(regex("^(|[A-Za-z0-9-]{8,128})$", var.index_now_key))
    error_message = "empty, or 8 to 128 letters, digits and hyphens"
  }
}

variable "state_bucket_name" {
  type        = string
  default     = ""
  description = "An existing state bucket, such as one that a deleted stack has left; empty for a new one."
  validation {
    condition     = can(regex("^(|[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])$", var.state_bucket_name))
    error_message = "empty, or the name of a bucket"
  }
}

variable "batching_window" {
  type        = number
  default     = 20
  description = "Seconds for which events are collected, so that a deployment triggers only one or a few calls. The visibility timeout of EventQueue depends on the largest value."
  validation {
    condition     = var.batching_window >= 1 && var.batching_window <= 60
    error_message = "1 to 60"
  }
}

variable "schedule" {
  type        = string
  default     = "cron(17 3 * * ? *)"
  description = "When a rebuild compares bucket, state and sitemaps, and repairs differences."
  validation {
    condition     = can(regex("^((cron|rate)[(].+[)])$", var.schedule))
    error_message = "a cron or rate expression of EventBridge"
  }
}

variable "rebuild_max_age_hours" {
  type        = number
  default     = 26
  description = "Hours without a complete rebuild after which an alarm is raised; more than the pause between two scheduled ones. 168 is the most that CloudWatch allows."
  validation {
    condition     = var.rebuild_max_age_hours >= 2 && var.rebuild_max_age_hours <= 168
    error_message = "2 to 168"
  }
}

variable "architecture" {
  type        = string
  default     = "arm64"
  description = "The functions' processor architecture; the same package runs on both."
  validation {
    condition     = contains(["arm64", "x86_64"], var.architecture)
    error_message = "one of arm64, x86_64"
  }
}

variable "runtime" {
  type        = string
  default     = "python3.13"
  description = "The Python version for which the package was built (make lambda LAMBDA_PYTHON=3.13)."
  validation {
    condition     = contains(["python3.11", "python3.12", "python3.13", "python3.14"], var.runtime)
    error_message = "one of python3.11, python3.12, python3.13, python3.14"
  }
}

variable "memory" {
  type        = number
  default     = 1769
  description = "Each function's memory in megabytes; 1,769 MB give it one vCPU."
  validation {
    condition     = var.memory >= 1024 && var.memory <= 10240
    error_message = "1024 to 10240"
  }
}

variable "log_retention" {
  type        = number
  default     = 30
  description = "Days after which logs are deleted."
  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 180, 365], var.log_retention)
    error_message = "one of 1, 3, 5, 7, 14, 30, 60, 90, 180, 365"
  }
}

variable "lag_alarm" {
  type        = number
  default     = 900
  description = "The longest time in seconds between an upload and its sitemap; a longer one raises an alarm."
  validation {
    condition     = var.lag_alarm >= 60
    error_message = "60 or more"
  }
}

variable "removed_alarm" {
  type        = number
  default     = 30
  description = "An alarm is raised if uploads and deletions remove more than so many percent of the listed pages in a day."
  validation {
    condition     = var.removed_alarm >= 0 && var.removed_alarm <= 100
    error_message = "0 to 100"
  }
}

variable "alarm_topic" {
  type        = string
  default     = ""
  description = "The ARN of the SNS topic that receives alarms, and the end of each; empty for none."
  validation {
    condition     = can(regex("^(|arn:[a-z0-9-]+:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]+)$", var.alarm_topic))
    error_message = "empty, or the ARN of an SNS topic"
  }
}

variable "key_arn" {
  type        = string
  default     = ""
  description = "The ARN of a KMS key that encrypts the state bucket, the queues and the logs; empty for AWS's own keys. Its policy must allow EventBridge and CloudWatch Logs to use it."
  validation {
    condition     = can(regex("^(|arn:[a-z0-9-]+:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+)$", var.key_arn))
    error_message = "empty, or the ARN of a KMS key"
  }
}

variable "permissions_boundary" {
  type        = string
  default     = ""
  description = "The ARN of the policy that is the permissions boundary of each role; empty for none."
  validation {
    condition     = can(regex("^(|arn:[a-z0-9-]+:iam::(aws|[0-9]{12}):policy/.+)$", var.permissions_boundary))
    error_message = "empty, or the ARN of a policy"
  }
}
