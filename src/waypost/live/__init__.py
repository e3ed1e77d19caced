"""Checks of servers."""

from waypost.live.asker import Asker
from waypost.live.check import LiveCheck, Totals
from waypost.live.link_check import LinkCheck, LinkMemory
from waypost.live.run_file import ListedUrl, RunFile
from waypost.live.transport import HttpSender, Send

__all__ = [
    "Asker",
    "HttpSender",
    "LinkCheck",
    "LinkMemory",
    "ListedUrl",
    "LiveCheck",
    "RunFile",
    "Send",
    "Totals",
]
