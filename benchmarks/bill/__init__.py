"""What a month of the AWS function costs: measured calls, the resources of the template, and AWS's prices."""
