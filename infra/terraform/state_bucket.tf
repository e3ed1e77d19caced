resource "aws_s3_bucket" "state" {
  count         = var.state_bucket_name == "" ? 1 : 0
  bucket_prefix = "${var.name}-state-"

  # It holds the dates of all pages. `terraform state rm` removes it from the state and leaves it as it is.
  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "state" {
  count  = var.state_bucket_name == "" ? 1 : 0
  bucket = aws_s3_bucket.state[0].id
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm     = var.key_arn != "" ? "aws:kms" : "AES256"
      kms_master_key_id = local.key_arn
    }
    bucket_key_enabled = var.key_arn != "" ? true : null
  }
}

resource "aws_s3_bucket_public_access_block" "state" {
  count                   = var.state_bucket_name == "" ? 1 : 0
  bucket                  = aws_s3_bucket.state[0].id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_ownership_controls" "state" {
  count  = var.state_bucket_name == "" ? 1 : 0
  bucket = aws_s3_bucket.state[0].id
  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_s3_bucket_versioning" "state" {
  count  = var.state_bucket_name == "" ? 1 : 0
  bucket = aws_s3_bucket.state[0].id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "state" {
  count      = var.state_bucket_name == "" ? 1 : 0
  bucket     = aws_s3_bucket.state[0].id
  depends_on = [aws_s3_bucket_versioning.state]

  rule {
    id     = "expire-earlier-versions"
    status = "Enabled"
    filter {}
    noncurrent_version_expiration {
      noncurrent_days = 3
    }
    abort_incomplete_multipart_upload {
      days_after_initiation = 1
    }
    expiration {
      expired_object_delete_marker = true
    }
  }
}

data "aws_iam_policy_document" "state_bucket" {
  statement {
    sid    = "OnlyEncryptedConnections"
    effect = "Deny"
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    actions   = ["s3:*"]
    resources = [local.state_arn, "${local.state_arn}/*"]
    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_s3_bucket_policy" "state" {
  count  = var.state_bucket_name == "" ? 1 : 0
  bucket = aws_s3_bucket.state[0].id
  policy = data.aws_iam_policy_document.state_bucket.json
}
