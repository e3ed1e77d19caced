"""Search engines, caches and event buses."""

from waypost.notify.base import DroppedUrl, Notification, PublishResult, Sent, Subscriber, notify

__all__ = [
    "DroppedUrl",
    "Notification",
    "PublishResult",
    "Sent",
    "Subscriber",
    "notify",
]
