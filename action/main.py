"""The entry point of the Action: runs Waypost from the Action's own checkout."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from waypost.github.main import main

sys.exit(main())
