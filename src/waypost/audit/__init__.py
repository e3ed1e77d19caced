"""Checks of built pages."""

from waypost.audit.result import (
    ABOUT_PAGES,
    OFF,
    AuditCase,
    AuditCounts,
    AuditFinding,
    AuditResult,
    ExternalAnswers,
    ExternalCounts,
    KnownCase,
    TextCounts,
    UncheckedLink,
)

__all__ = [
    "ABOUT_PAGES",
    "OFF",
    "AuditCase",
    "AuditCounts",
    "AuditFinding",
    "AuditResult",
    "ExternalAnswers",
    "ExternalCounts",
    "KnownCase",
    "TextCounts",
    "UncheckedLink",
]
