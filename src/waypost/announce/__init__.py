"""Announces what was published to search engines, caches and event buses."""

from waypost.announce.base import Notification, PublishResult, Subscriber, notify

__all__ = [
    "Notification",
    "PublishResult",
    "Subscriber",
    "notify",
]
