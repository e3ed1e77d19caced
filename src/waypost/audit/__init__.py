"""Checks of built pages."""

from waypost.audit.auditor import Auditor
from waypost.audit.cases import ABOUT_PAGES, OFF
from waypost.audit.external import AskExternal, ExternalAnswers
from waypost.audit.pages import AuditedPage
from waypost.audit.result import (
    AuditCase,
    AuditCounts,
    AuditFinding,
    AuditResult,
    ExternalCounts,
    KnownCase,
    TextCounts,
)
from waypost.audit.server_rules import read_server_rules
from waypost.audit.site_files import SiteFiles

__all__ = [
    "ABOUT_PAGES",
    "OFF",
    "AskExternal",
    "AuditCase",
    "AuditCounts",
    "AuditFinding",
    "AuditResult",
    "AuditedPage",
    "Auditor",
    "ExternalAnswers",
    "ExternalCounts",
    "KnownCase",
    "SiteFiles",
    "TextCounts",
    "read_server_rules",
]
