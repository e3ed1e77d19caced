"""All rules of the validator by their codes, in the order in which the documentation lists them."""

from collections.abc import Mapping
from types import MappingProxyType

from waypost.core.severity import Severity
from waypost.validate.rules.dates import DATE_RULES
from waypost.validate.rules.elements import ELEMENT_RULES
from waypost.validate.rules.extensions import HREFLANG_RULES, IMAGE_RULES, NEWS_RULES, PLACE_RULES, VIDEO_RULES
from waypost.validate.rules.files import FILE_RULES
from waypost.validate.rules.locations import LOCATION_RULES
from waypost.validate.rules.rule import SCHEMA, Rule
from waypost.validate.rules.site_comparison import SITE_RULES

__all__ = ["RULES", "SCHEMA", "Rule", "Severity"]

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.code: rule
        for rule in (
            *FILE_RULES,
            *ELEMENT_RULES,
            *LOCATION_RULES,
            *DATE_RULES,
            *HREFLANG_RULES,
            *PLACE_RULES,
            *IMAGE_RULES,
            *NEWS_RULES,
            *VIDEO_RULES,
            *SITE_RULES,
        )
    }
)
