"""Announces what was published to search engines, caches and event buses."""

from waypost.announce.base import Notification, PublishResult, Subscriber, notify
from waypost.announce.indexnow import IndexNow, key_file

__all__ = [
    "IndexNow",
    "Notification",
    "PublishResult",
    "Subscriber",
    "key_file",
    "notify",
]
