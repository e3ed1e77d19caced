"""The bill of materials (SBOM) of the Lambda function's package: the libraries that it contains, for scanners to read.

The form is CycloneDX 1.6 in JSON. It has neither a time nor a serial number, so that the same package gives the same
bytes.
"""

import json
import re
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")


def bill_of_materials(package: Path, version: str) -> str:
    """The libraries in a package of this version of Waypost, as their own metadata names them, as JSON."""
    libraries = list(libraries_in(package))
    waypost = component("application", "waypost", version)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": waypost},
        "components": libraries,
        "dependencies": [{"ref": waypost["bom-ref"], "dependsOn": [library["bom-ref"] for library in libraries]}],
    }
    return json.dumps(document, indent=2) + "\n"


def libraries_in(package: Path) -> Iterator[dict[str, object]]:
    """The components that a package contains, in the order of their names."""
    with ZipFile(package) as archive:
        for name in sorted(filter(_METADATA.fullmatch, archive.namelist())):
            metadata = HeaderParser().parsestr(archive.read(name).decode())
            library = component("library", metadata["Name"], metadata["Version"])
            expression = metadata["License-Expression"]
            yield {**library, "licenses": [{"expression": expression}]} if expression else library


def component(kind: str, name: str, version: str) -> dict[str, object]:
    """A component, with the address that identifies a package of PyPI (purl-spec, type pypi: `_` becomes `-`)."""
    address = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
    return {"type": kind, "bom-ref": address, "name": name, "version": version, "purl": address}
