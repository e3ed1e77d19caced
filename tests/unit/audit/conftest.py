"""What the tests of audits share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from audits import audit_folder

if TYPE_CHECKING:
    from audits import Audit
    from sites import Write


@pytest.fixture
def audit(write: Write) -> Audit:
    """Audit a site of these files; settings are keywords."""
    return lambda files, **settings: audit_folder(write(files), **settings)
