"""Every setting, its check and its default, and what is known of the hosts of static sites."""
