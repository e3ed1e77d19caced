# A bucket that holds one site, whose sitemaps are kept up to date.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.70"
    }
  }
}

resource "aws_s3_bucket" "site" {
  bucket_prefix = "site-"
}

resource "aws_s3_bucket_notification" "site" {
  bucket      = aws_s3_bucket.site.id
  eventbridge = true
}

module "sitemaps" {
  source      = "../.."
  name        = "sitemaps"
  site_bucket = aws_s3_bucket.site.id
  base_url    = "https://www.example.org/"
}

output "waypost" {
  description = "All outputs of the module: `terraform output -json waypost` prints them."
  value       = module.sitemaps
}
