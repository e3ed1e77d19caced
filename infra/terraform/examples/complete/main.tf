# A site of 200,000 pages below a prefix of an existing bucket, behind CloudFront.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.70"
    }
  }
}

variable "site_bucket" {
  type        = string
  description = "The bucket, which sends its events to EventBridge already."
}

variable "distribution_id" {
  type        = string
  description = "The CloudFront distribution in front of the bucket."
}

variable "index_now_key" {
  type        = string
  description = "The key with which changed URLs are sent to search engines."
}

resource "aws_sns_topic" "alarms" {
  name = "sitemaps-alarms"
}

module "sitemaps" {
  source          = "../.."
  name            = "sitemaps"
  site_bucket     = var.site_bucket
  site_prefix     = "www/"
  base_url        = "https://www.example.org/"
  config          = "waypost.toml"
  distribution_id = var.distribution_id
  index_now_key   = var.index_now_key
  writes_robots   = true
  alarm_topic     = aws_sns_topic.alarms.arn
}

output "waypost" {
  description = "All outputs of the module: `terraform output -json waypost` prints them."
  value       = module.sitemaps
}
