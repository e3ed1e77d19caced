"""Announces what was published to search engines, caches and event buses."""

from waypost.announce.base import DroppedUrl, Notification, PublishResult, Sent, Subscriber, notify

__all__ = [
    "DroppedUrl",
    "Notification",
    "PublishResult",
    "Sent",
    "Subscriber",
    "notify",
]
